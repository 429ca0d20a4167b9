from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gui.preferences import restart
from gui.preferences.look_page import LookPage


@pytest.fixture
def page(services, qtbot):
    services.settings.set("theme", "light")
    begun = []
    made = LookPage(services, begin_again=lambda part: bool(begun.append(part)))
    made.begun = begun
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


def press(control, value):
    control._group.button(control._values.index(value)).click()


def test_theme_and_language_hold_at_once(page, services):
    press(page.theme, "dark")
    press(page.language, "zh")
    assert services.settings.get("theme") == "dark"
    assert services.settings.get("language") == "zh"


def test_the_language_of_the_system_is_spoken_at_once(page, services):
    services.settings.set("language", "zh")
    services.words.use("zh")
    press(page.language, "")
    assert services.settings.get("language") == ""
    assert services.words.language == "en"  # of AURICLE_LANGUAGE


def test_another_size_is_for_the_next_start_and_can_be_had_now(page, services):
    assert page.again.sentence() == ""
    press(page.scale, 150)
    assert services.settings.get("scale_percent") == 150
    assert "next start" in page.again.sentence()
    page.again.acted.emit()
    assert page.begun == [page]
    press(page.scale, 100)
    assert page.again.sentence() == ""


def test_a_size_that_the_environment_fixes_is_told(page, monkeypatch, services):
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    press(page.scale, 150)
    assert "QT_SCALE_FACTOR=2" in page.again.sentence()


def test_stillness_is_kept(page, services):
    page.still.click()
    assert services.settings.get("reduced_motion") is True


def test_a_missing_chinese_font_is_told_with_the_way_to_get_one(services, qtbot, monkeypatch):
    monkeypatch.setattr("gui.preferences.look_page.missing_cjk", lambda: True)
    page = LookPage(services)
    qtbot.addWidget(page)
    assert "fonts-noto-cjk" in page.font_check.sentence()


def test_what_a_hand_wrote_into_the_settings_leaves_the_usual_choices(services, qtbot):
    services.settings.set("theme", "neon")
    services.settings.set("scale_percent", 7)
    page = LookPage(services)
    qtbot.addWidget(page)
    assert page.theme.value == "system"
    assert page.scale.value == 100


def test_starting_again_closes_the_window_first_and_then_starts_it(qtbot, monkeypatch):
    from PySide6.QtWidgets import QWidget

    started = []

    class Process:
        def setProgram(self, program):
            started.append(program)

        def setArguments(self, arguments):
            started.append(arguments)

        def setProcessEnvironment(self, environment):
            pass

        def startDetached(self):
            return (True, 1)

    class Stubborn(QWidget):
        def closeEvent(self, event):
            event.ignore()

    monkeypatch.setattr(restart, "QProcess", Process)
    window, part = Stubborn(), QWidget()
    part.setParent(window)
    qtbot.addWidget(window)
    window.show()
    assert restart.start_again(part) is False
    assert started == []
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    assert restart.start_again(other) is True
    assert not other.isVisible()
    assert started == [sys.executable, ["-P", "-m", "gui"]]


def test_the_size_is_read_at_the_start_and_not_handed_on(tmp_path):
    """What the window starts, itself again too, must not inherit the factor of this start."""
    (tmp_path / "settings.json").write_text(json.dumps({"scale_percent": 150}))
    code = """
import os, sys
import gui.app as app
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
def make(workspace):
    window = QWidget()
    QTimer.singleShot(0, lambda: (print(window.devicePixelRatioF(), os.environ.get("QT_SCALE_FACTOR")), QApplication.exit(0)))
    return window
app.make_window = make
sys.exit(app.main([]))
"""
    environment = {**os.environ, "AURICLE_CONFIG": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("QT_SCALE_FACTOR", None)
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["1.5", "None"]
