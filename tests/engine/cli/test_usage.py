"""A command line that cannot be read is answered in the user's language."""

from __future__ import annotations

import pytest

from tests.engine.cli.test_verbs import auricle


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nonsense",), "没有名为“nonsense”的命令"),
        (("merge",), "缺少参数 file"),
        (("run", "--limt", "3"), "没有选项 --limt。相近的有：--limit、"),
        (("run", "--limit", "x"), "--limit 的值无效：应为整数"),
        (("run", "--limit", "0"), "--limit 的值无效：应不小于 1"),
        (("import", "vocalbench-zh", "a", "b"), "多出的参数：b"),
        (("run",), "没有指定系统"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_in_chinese_what_is_wrong_with_it_is_said_in_chinese(words, says, tmp_path):
    ended = auricle(*words, workspace=_workspace(tmp_path), AURICLE_LANGUAGE="zh")
    assert ended.returncode == 2
    assert says in ended.stderr
    assert "Error" not in ended.stderr


def test_exit_statuses_are_the_same_in_both_languages(tmp_path):
    for told in ("zh", "en"):
        assert auricle("--version", AURICLE_LANGUAGE=told).returncode == 0
        assert auricle("check", str(tmp_path / "none"), AURICLE_LANGUAGE=told).returncode == 2


def _workspace(tmp_path):
    from engine.store.workspace import open_workspace

    return open_workspace(tmp_path / "w", create=True).folder
