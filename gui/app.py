"""Starts the window: what is missing is said in one sentence; fonts, theme and words stand before the first paint."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.strings import text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from gui.frame.window import Window
    from gui.jobs import JobRunner
    from gui.rate.bundle_window import BundleWindow
    from gui.settings import Settings

UNUSABLE_INPUT = 2

#: Libraries that Qt's X11 plugin needs and a minimal Debian lacks. Qt aborts without them, naming the wrong one.
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_QT_PACKAGES = "libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1"


def main(arguments: list[str] | None = None) -> int:
    """Open the window and stay until it closes; returns the exit status."""
    asked = _understood(sys.argv[1:] if arguments is None else arguments)
    trouble = asked if isinstance(asked, str) else _what_is_missing()
    if trouble is not None:
        print(trouble, file=sys.stderr)
        return UNUSABLE_INPUT
    assert not isinstance(asked, str)
    try:
        ours = _scale_by_the_settings()
        application = make_application()
        if ours:  # Qt has read it; what is started from the window, the window again too, chooses for itself
            del os.environ["QT_SCALE_FACTOR"]
    except ImportError as error:
        print(text("window.start.no_qt", _language(), why=str(error), packages=_QT_PACKAGES), file=sys.stderr)
        return UNUSABLE_INPUT
    if asked.gallery:
        return _show_gallery(application)
    from gui.frame.failure import watch_for_failures

    window = make_window(asked.workspace) if asked.bundle is None else make_bundle_window(asked.bundle)
    watch_for_failures(window)
    window.show()
    return application.exec()


def make_application() -> QApplication:
    """The application with our style, fonts and Chinese glyph shapes; made once a process."""
    from PySide6.QtCore import QLocale
    from PySide6.QtWidgets import QApplication

    QLocale.setDefault(QLocale("zh_CN"))  # before the application, or Han characters take Japanese shapes
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication([sys.argv[0]])
    application.setApplicationName("Auricle")
    application.setDesktopFileName("auricle")
    return application


def make_window(workspace: Path | None = None) -> Window:
    """The window with all its services, not shown yet; ``workspace`` is opened once it is on screen."""
    from gui.frame.window import Window
    from gui.strings import words

    return Window(*_what_every_window_has(), words, workspace)


def make_bundle_window(path: Path) -> BundleWindow:
    """The window of a rater who was sent a bundle: ``path`` is the file, or the folder it was opened into."""
    from gui.rate.bundle_window import BundleWindow
    from gui.strings import words

    return BundleWindow(*_what_every_window_has(), words, path)


def _what_every_window_has() -> tuple[JobRunner, Settings]:
    gc.disable()  # what is imported stays: looking through it takes 20 ms; each window collects by itself later
    from gui.jobs import JobRunner
    from gui.settings import Settings, settings_file
    from gui.strings import language_of_the_user, words
    from gui.theme import set_reduced_motion, set_theme

    jobs = JobRunner()
    settings = Settings(settings_file(), jobs)
    words.use(settings.get("language") or language_of_the_user())
    set_theme(settings.get("theme"))
    set_reduced_motion(settings.get("reduced_motion") or None)
    return jobs, settings


class _Asked:
    def __init__(self, workspace: Path | None, bundle: Path | None, gallery: bool) -> None:
        self.workspace, self.bundle, self.gallery = workspace, bundle, gallery


def _understood(arguments: list[str]) -> _Asked | str:
    """The few options by hand: argparse would cost a twentieth of the start."""
    workspace, bundle, gallery, rest = None, None, False, list(arguments)
    while rest:
        one = rest.pop(0)
        if one == "--gallery":
            gallery = True
        elif one in ("--workspace", "-w") and rest:
            workspace = Path(rest.pop(0))
        elif one == "--rate" and rest:
            bundle = Path(rest.pop(0))
        elif not one.startswith("-") and workspace is None:
            workspace = Path(one)
        else:
            return text("window.start.bad_option", _language(), option=one)
    return _Asked(workspace, bundle, gallery)


def _what_is_missing() -> str | None:
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if sys.platform != "linux" or platform not in ("", "xcb"):
        return None
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return text("window.start.no_display", _language())
    if os.environ.get("WAYLAND_DISPLAY"):
        return None
    lacking = {name: package for name, package in _X11_LIBRARIES.items() if not _loads(name)}
    if lacking:
        return text("window.start.no_qt", _language(), why=", ".join(lacking), packages=" ".join(lacking.values()))
    return None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _language() -> str:
    told = os.environ.get("AURICLE_LANGUAGE") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "zh" if told.lower().startswith("zh") else "en"


def _scale_by_the_settings() -> bool:
    """Qt reads the factor once, before the application is made; True where the settings say which."""
    from gui.settings import settings_file

    if "QT_SCALE_FACTOR" in os.environ:
        return False
    try:
        percent = json.loads(settings_file().read_text(encoding="utf-8")).get("scale_percent", 100)
    except (OSError, ValueError, AttributeError):
        return False
    if isinstance(percent, int) and 100 < percent <= 200:
        os.environ["QT_SCALE_FACTOR"] = f"{percent / 100:g}"
        return True
    return False


def _show_gallery(application: QApplication) -> int:
    from gui.gallery.page import gallery
    from gui.strings import language_of_the_user, words
    from gui.theme import set_theme

    words.use(language_of_the_user())
    set_theme("system")
    page = gallery()
    page.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
