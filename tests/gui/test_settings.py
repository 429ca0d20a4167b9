from __future__ import annotations

import json
import os
import threading

import pytest

from gui.settings import DEFAULTS, Settings


def opened(tmp_path, jobs):
    return Settings(tmp_path / "config" / "settings.json", jobs)


def test_what_is_set_is_there_after_the_next_start(tmp_path, jobs):
    first = opened(tmp_path, jobs)
    first.set("theme", "dark")
    first.close()
    assert opened(tmp_path, jobs).get("theme") == "dark"


def test_what_was_set_last_is_kept_though_an_older_text_is_still_being_written(tmp_path, jobs, qtbot, monkeypatch):
    writes, goes_on = threading.Event(), threading.Event()

    def slow_disk(_):
        writes.set()
        goes_on.wait(5)

    monkeypatch.setattr(os, "fsync", slow_disk)
    settings = opened(tmp_path, jobs)
    settings.set("theme", "dark")
    qtbot.waitUntil(writes.is_set)
    settings.set("language", "zh")
    goes_on.set()
    jobs.close()
    settings.close()
    assert opened(tmp_path, jobs).get("language") == "zh"


def test_what_was_never_set_is_the_default(tmp_path, jobs):
    assert opened(tmp_path, jobs).get("scale_percent") == DEFAULTS["scale_percent"]


def test_a_change_is_written_without_the_window_being_closed(tmp_path, jobs, qtbot):
    settings = opened(tmp_path, jobs)
    settings.set("language", "zh")
    path = tmp_path / "config" / "settings.json"
    qtbot.waitUntil(path.exists)
    assert json.loads(path.read_text())["language"] == "zh"


def test_a_broken_file_is_kept_aside_and_told_and_the_defaults_hold(tmp_path, jobs):
    path = tmp_path / "config" / "settings.json"
    path.parent.mkdir()
    path.write_text("{ not json")
    settings = opened(tmp_path, jobs)
    assert settings.get("theme") == "system"
    assert settings.trouble.code == "window.settings_broken"
    aside = list(path.parent.glob("settings.broken-*.json"))
    assert [kept.read_text() for kept in aside] == ["{ not json"]
    assert str(aside[0]) in settings.trouble.sentence("en")


def test_a_value_of_a_wrong_kind_is_told_by_name_and_its_default_holds(tmp_path, jobs):
    path = tmp_path / "config" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"scale_percent": "big", "theme": "dark"}))
    settings = opened(tmp_path, jobs)
    assert settings.get("scale_percent") == 100
    assert settings.get("theme") == "dark"
    assert "scale_percent" in settings.trouble.sentence("en")


def test_settings_of_a_later_version_stay_in_the_file(tmp_path, jobs):
    path = tmp_path / "config" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"from_the_future": [1, 2]}))
    settings = opened(tmp_path, jobs)
    settings.set("theme", "light")
    settings.close()
    assert json.loads(path.read_text()) == {"from_the_future": [1, 2], "theme": "light"}


def test_two_windows_do_not_undo_each_other(tmp_path, jobs):
    one, other = opened(tmp_path, jobs), opened(tmp_path, jobs)
    one.set("theme", "dark")
    other.set("language", "zh")
    one.close()
    other.close()
    third = opened(tmp_path, jobs)
    assert (third.get("theme"), third.get("language")) == ("dark", "zh")


def test_a_value_of_a_wrong_kind_cannot_be_set(tmp_path, jobs):
    with pytest.raises(TypeError):
        opened(tmp_path, jobs).set("scale_percent", "big")


def test_a_folder_that_cannot_be_written_is_told_and_the_value_holds(tmp_path, jobs, qtbot):
    (tmp_path / "config").write_text("a file where the folder should be")
    settings = opened(tmp_path, jobs)
    told = []
    settings.failed.connect(told.append)
    settings.set("theme", "dark")
    settings.close()
    assert [error.code for error in told] == ["window.settings_not_written"]
    assert settings.get("theme") == "dark"


def test_a_file_that_cannot_be_read_is_told(tmp_path, jobs):
    (tmp_path / "config" / "settings.json").mkdir(parents=True)
    assert opened(tmp_path, jobs).trouble.code == "window.settings_unreadable"
    assert os.path.isdir(tmp_path / "config" / "settings.json")
