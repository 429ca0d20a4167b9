"""A declaration as it is read, whichever room it belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.declared import Table, read_toml
from engine.errors import EngineError

ROOMS = ("judges", "rating")


def told(error: pytest.ExceptionInfo[EngineError]) -> str:
    """The English sentence, once the Chinese one is known to be there too."""
    assert error.value.sentence("zh")
    return str(error.value)


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_wrong_is_told_by_file_and_key_in_both_languages(tmp_path, room):
    path = tmp_path / "mine.toml"
    table = Table(path, room, {"scale": [{"id": "a", "stepz": 1}], "share": 2.0})
    (inner,) = table.tables("scale")
    inner.take("id", str)
    for code, refuse, place in (
        ("key_unknown", inner.no_more, "scale[0].stepz"),
        ("key_missing", lambda: inner.take("step", int), "scale[0].step"),
        ("key_value", lambda: table.share("share"), "share"),
    ):
        with pytest.raises(EngineError) as error:
            refuse()
        assert error.value.code == f"{room}.{code}"
        assert str(path) in told(error)
        assert place in told(error)


@pytest.mark.parametrize("room", ROOMS)
def test_a_file_that_is_no_toml_is_told(tmp_path, room):
    path = tmp_path / "mine.toml"
    path.write_text("version = ", encoding="utf-8")
    with pytest.raises(EngineError) as error:
        read_toml(path, room)
    assert str(path) in told(error)


def test_a_key_is_handed_out_once_and_the_callers_values_stay():
    values = {"part": {"n": 1}, "rest": True}
    table = Table(Path("mine.toml"), "judges", values)
    assert table.part("part", lambda part: part.take("n", int)) == 1
    assert table.has("rest")
    assert not table.has("part")
    assert values == {"part": {"n": 1}, "rest": True}
