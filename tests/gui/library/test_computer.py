"""This computer: each check with its mark, and a way to what is missing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from engine.machine.values import Check
from gui.library.computer import HelpPopover, button_word
from gui.strings import words


def test_every_check_but_the_display_has_a_row(library):
    assert list(library.view.computer.rows) == [
        "recogniser",
        "quality",
        "judge",
        "emotion",
        "sound",
        "font",
        "keyring",
        "disk",
        "gpu",
    ]
    judge = library.view.computer.rows["judge"]
    assert "missing" in judge.accessibleName()
    library.press(judge.button)
    assert library.services.asked.gone[-1][0] == "settings"


def test_a_check_leads_to_settings_to_a_test_or_to_help():
    assert button_word(Check("judge", "missing", "judge_none", {}, "judge")) == "set_up"
    assert button_word(Check("judge", "ready", "judge_local")) == ""
    assert button_word(Check("sound", "ready", "sound_library")) == "test"
    assert button_word(Check("sound", "warning", "sound_no_library", {}, "sound_library")) == "help"
    assert button_word(Check("emotion", "missing", "emotion_missing", {}, "emotion")) == "how"
    assert button_word(Check("disk", "ready", "disk", {"free": 1})) == ""


def test_checking_again_asks_for_the_sound_devices_and_an_endpoint_is_seen_at_once(library, monkeypatch):
    from gui.library import work

    asked = []
    check = work.check_computer

    def watched(about, workspace):
        asked.append(about)
        return check(about, workspace)

    monkeypatch.setattr(work, "check_computer", watched)
    library.press(library.view.computer.again)
    assert not library.view.computer.again.isEnabled()
    library.wait_until_idle()
    assert asked[-1].list_devices
    endpoint = {"base_url": "http://localhost:8000/v1", "model": "judge-7b"}
    library.services.settings.set("endpoints", [endpoint])
    library.wait_for(lambda: "judge-7b" in library.view.computer.rows["judge"].accessibleName())
    assert not library.view.computer.rows["judge"].button.isVisible()


def test_help_says_what_to_install_and_can_be_copied(library, qtbot):
    library.view.computer.rows["emotion"].button.click()
    popover = library.view.computer.popover
    assert isinstance(popover, HelpPopover)
    assert "auricle import measurements" in popover.text.toPlainText()
    popover.copy.click()
    assert QGuiApplication.clipboard().text() == popover.text.toPlainText()
    qtbot.keyClick(popover, Qt.Key.Key_Escape)
    assert not popover.isVisible()


def test_the_same_work_stands_as_commands_to_copy_in_both_languages(library):
    commands = library.view.computer._commands
    assert commands.toPlainText().startswith("auricle sample")
    assert commands.isReadOnly()
    words.use("zh")
    assert library.view.computer.again.text() == "重新检查"
    assert "缺少" in library.view.computer.rows["judge"].accessibleName()
