"""What the guides tell to type is there: every verb and every option of ``auricle rate`` in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from engine.cli import rate

ROOT = Path(__file__).parents[3]
GUIDES = ("README.md", "README.zh.md", "docs/rating.md", "docs/rating.zh.md")


def commands(guide: str) -> list[list[str]]:
    """The lines that begin with the verb in blocks of code, continued ones as one, without what is said of them."""
    text = (ROOT / guide).read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line, comments=True)[2:] for line in re.findall(r"^auricle rate .*$", text, re.MULTILINE)]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_is_one(guide):
    group = typer.main.get_command(rate.app)
    told = commands(guide)
    assert len(told) >= 5
    for words in told:
        assert "·" not in words, words  # one command a line
        name = "open" if words[0].endswith(".zip") else words[0]
        assert name in group.commands, words
        known = {option for param in group.commands[name].params for option in param.opts}
        assert {word for word in words if word.startswith("-")} <= known, words
