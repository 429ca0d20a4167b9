"""Every command line that the README, the documents and the program's sentences teach can be typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from engine.cli.main import app

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"]
STRINGS = sorted((ROOT / "resources" / "strings").glob("*/*.toml"))
_IN_BLOCK = re.compile(r"^(?:\.venv/bin/)?auricle (?P<line>.*)$", re.M)
_QUOTED = re.compile(r"`(?:\.venv/bin/)?auricle (?P<line>[^`\n]*)`")


def told_lines() -> list[tuple[str, str]]:
    found = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        blocks = "\n".join(re.findall(r"^```[a-z]*\n(.*?)^```", text, re.M | re.S))
        found += [(path.name, match["line"]) for match in (*_IN_BLOCK.finditer(blocks), *_QUOTED.finditer(text))]
    for path in STRINGS:
        written = path.read_text(encoding="utf-8").replace("\\n", "\n")
        found += [(f"{path.parent.name}/{path.name}", match["line"]) for match in _QUOTED.finditer(written)]
    library = [path for path in STRINGS if path.name == "library.toml"]
    for path in library:
        (commands,) = re.findall(r'^commands = "(.*)"$', path.read_text(encoding="utf-8"), re.M)
        for line in re.split(r"\\n|&&", commands):
            found.append((f"{path.parent.name}/{path.name}", line.strip().removeprefix("auricle ")))
    return found


def words_of(line: str) -> list[str]:
    """The words of a line up to its comment; ``…`` and what stands for something else count as any word."""
    lexer = shlex.shlex(re.sub(r"\{\w+(?::[^}]*)?\}", "X", line), posix=True, punctuation_chars="|&;")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = []
    for word in lexer:
        if word in ("|", "&&", ";"):
            break
        words.append(word)
    return words


def unknown_in(line: str) -> str:
    """The first verb or option of a line that the program does not know; "" where it knows all."""
    command: Any = typer.main.get_command(app)
    for word in words_of(line):
        children = getattr(command, "commands", None)
        if word.startswith("-") and word != "-":
            options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
            if word.split("=")[0] not in options | {"--help", "-h", "--version"}:
                return word
        elif children is not None and word[0].isascii() and word[0].islower():
            name = "open" if word.endswith(".zip") and "open" in children else word  # a bundle's name opens it
            if name not in children:
                return word
            command = children[name]
    return ""


def test_there_are_lines_to_look_at():
    assert len(told_lines()) > 60


@pytest.mark.parametrize(("where", "line"), sorted(set(told_lines())), ids=lambda value: str(value)[:60])
def test_what_is_told_to_type_exists(where, line):
    if line.split()[0].isupper() or not line[0].isascii():
        return  # "auricle VERB --help" explains itself
    assert unknown_in(line) == ""


def test_a_line_that_does_not_exist_is_found():
    assert unknown_in("report --open") == "--open"
    assert unknown_in("rport") == "rport"
