"""The look: colours, type, lengths and icons from ``resources/look/tokens.json``, in light and dark."""

from gui.theme.fonts import font, missing_cjk, register_fonts
from gui.theme.icons import icon, paint_icon
from gui.theme.lengths import height, line, radius, space, width
from gui.theme.switch import ThemeSwitch, set_theme, switch
from gui.theme.theme import Theme, theme, theme_named
from gui.theme.tokens import tokens

__all__ = [
    "Theme",
    "ThemeSwitch",
    "font",
    "height",
    "icon",
    "line",
    "missing_cjk",
    "paint_icon",
    "radius",
    "register_fonts",
    "set_theme",
    "space",
    "switch",
    "theme",
    "theme_named",
    "tokens",
    "width",
]
