"""The window's start as a process of its own: what is missing is one sentence, and nothing heavy is loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.without import without

HEAVY = ["torch", "transformers", "whisper", "faster_whisper", "librosa", "openai", "funasr"]
LOOK_ROUND = """
import json, sys
from gui.app import make_application, make_window
from gui.screens import SCREENS
from PySide6.QtCore import QEventLoop, QTimer

application = make_application()
window = make_window()
window.resize(1600, 900)
window.show()
loop = QEventLoop()
left = [screen.id for screen in SCREENS]

def go_on():
    if left and window.shown_screen == left[0]:
        left.pop(0)
    if left:
        window.go(left[0])
    elif not window.services.jobs.running:
        loop.quit()

timer = QTimer()
timer.timeout.connect(go_on)
timer.start(20)
window.go(left[0])
loop.exec()
timer.stop()
window.close()
print(json.dumps([name for name in sys.argv[1:] if name in sys.modules]))
"""


def start(arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    return subprocess.run(
        [sys.executable, *arguments], env=clean | environment, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
@pytest.mark.parametrize(("language", "said"), [("en", "no display"), ("zh", "没有显示器")])
def test_without_a_display_one_sentence_says_so_and_what_to_do(language, said):
    ended = start(["-m", "gui"], AURICLE_LANGUAGE=language)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "auricle --help" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_option_it_does_not_know_is_named():
    ended = start(["-m", "gui", "--colour"], QT_QPA_PLATFORM="offscreen")
    assert ended.returncode == 2
    assert "--colour" in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems carry what Qt needs")
def test_a_library_that_qt_lacks_is_named_with_its_package():
    code = "import sys, gui.app; gui.app._loads = lambda name: 'cursor' not in name; sys.exit(gui.app.main([]))"
    ended = start(["-c", code], DISPLAY=":99", QT_QPA_PLATFORM="xcb")
    assert ended.returncode == 2
    assert "libxcb-cursor.so.0" in ended.stderr
    assert "apt-get install libxcb-cursor0" in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems carry what Qt needs")
def test_when_qt_itself_cannot_be_loaded_the_packages_are_named():
    code = (
        "import sys, gui.app\n"
        "def no_qt(): raise ImportError('libEGL.so.1: cannot open shared object file')\n"
        "gui.app.make_application = no_qt\n"
        "sys.exit(gui.app.main([]))"
    )
    ended = start(["-c", code], QT_QPA_PLATFORM="offscreen")
    assert ended.returncode == 2
    assert "libEGL.so.1" in ended.stderr
    assert "libegl1" in ended.stderr


def test_auricle_open_is_the_window(tmp_path):
    ended = start(["-m", "engine.cli.main", "open", "--workspace", str(tmp_path)], AURICLE_LANGUAGE="en")
    assert ended.returncode == 2
    assert "no display" in ended.stderr


def look_round(tmp_path, **environment):
    """Show every screen of a window once; which of ``HEAVY`` were loaded."""
    config = tmp_path / "config"
    config.mkdir()
    (config / "settings.json").write_text(json.dumps({"language": "en"}))
    ended = start(
        ["-c", LOOK_ROUND, *HEAVY],
        QT_QPA_PLATFORM="offscreen",
        AURICLE_CONFIG=str(config),
        AURICLE_WORKSPACE=str(tmp_path / "none"),
        PYTHON_KEYRING_BACKEND="keyring.backends.null.Keyring",
        **environment,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def test_all_screens_shown_nothing_heavy_is_loaded(tmp_path):
    assert look_round(tmp_path) == []


def test_the_window_and_all_its_screens_open_where_torch_is_not(tmp_path):
    assert look_round(tmp_path, **without(tmp_path / "hides")) == []
