"""Puts a theme on the application and follows the system's own choice."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip

from gui.theme.colours import theme, theme_named, use
from gui.theme.fonts import font, register_fonts
from gui.theme.palette import palette
from gui.theme.style import LookStyle


class ThemeSwitch(QObject):
    """Holds what the user chose: ``light``, ``dark`` or ``system``.

    ``changed``: another theme is in use now. Every widget also gets a PaletteChange.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.choice = "system"
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    def choose(self, choice: str) -> None:
        """Use a theme from now on; ``system`` follows the desktop at once and later."""
        self.choice = choice
        self._put_on(_of_the_system() if choice == "system" else choice)

    def _follow(self) -> None:
        if self.choice == "system":
            self._put_on(_of_the_system())

    def _put_on(self, name: str) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if app.property("auricle_theme") == name and theme().name == name:
            return
        if app.property("auricle_theme") is None:
            register_fonts()
            app.setStyle(_style())
            app.setFont(font("body"))
            QToolTip.setFont(font("table"))
        use(name)
        app.setProperty("auricle_theme", name)
        app.setPalette(palette(theme_named(name)))
        QToolTip.setPalette(palette(theme_named(name)))  # tool tips keep a palette of their own
        self.changed.emit()


_switches: list[ThemeSwitch] = []
_styles: list[LookStyle] = []


def _style() -> LookStyle:
    """The application's style, kept: Qt holds it by a bare pointer."""
    if not _styles:
        _styles.append(LookStyle())
    return _styles[0]


def switch() -> ThemeSwitch:
    """The application's one switch."""
    if not _switches:
        _switches.append(ThemeSwitch())
    return _switches[0]


def set_theme(choice: str) -> None:
    """Use ``light``, ``dark`` or ``system``: the palette of the whole application."""
    switch().choose(choice)


def _of_the_system() -> str:
    return "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"
