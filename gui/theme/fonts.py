"""The shipped typefaces and the type sizes of the look."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from engine.shipped import shipped
from gui.theme.tokens import tokens

MONO_TYPES = ("figure",)
POINTS_PER_INCH = 72
_LETTER_FORMS = ("cv11", "chws")  # Inter's plain a; Chinese marks that stand together share their width


@cache
def register_fonts() -> tuple[str, ...]:
    """Make the shipped fonts known to Qt, once; the families found. Needs the application."""
    families: list[str] = []
    for path in sorted(shipped("fonts").iterdir()):
        if path.suffix in (".otf", ".ttf"):
            identity = QFontDatabase.addApplicationFont(str(path))
            families += QFontDatabase.applicationFontFamilies(identity)
    return tuple(dict.fromkeys(families))


def font(type_name: str = "body", family: str | None = None, weight: int | None = None) -> QFont:
    """The font of a type of the look, as a new value.

    Args:
        type_name: ``body``, ``table``, ``figure``, ``small``, ``screen`` and so on.
        family: ``ui``, ``content`` (the Chinese face first) or ``mono``; by default what the type is made for.
        weight: 400, 500 or 600; by default the type's own.
    """
    family = family or ("mono" if type_name in MONO_TYPES else "ui")
    return QFont(_font(type_name, family, weight))


def line_height(type_name: str) -> int:
    """The height of a line of a type, in pixels."""
    return int(tokens()["type"][type_name][1])


def missing_cjk() -> bool:
    """Whether no font of the machine is one of the Chinese faces the look asks for, nor any that writes Chinese."""
    wanted = {name for name in tokens()["font"]["content"] if name not in ("Inter", "sans-serif")}
    known = set(QFontDatabase.families())
    if wanted & known:
        return False
    return not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)


@cache
def _font(type_name: str, family: str, weight: int | None) -> QFont:
    pixels, _, own_weight = tokens()["type"][type_name]
    found = QFont()
    found.setFamilies(_families(family))
    found.setPointSizeF(pixels * POINTS_PER_INCH / _dots_per_inch())  # setPixelSize would round 12.5
    found.setWeight(QFont.Weight(weight or own_weight))
    found.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    for tag in (*tokens()["font"]["features"], *_LETTER_FORMS):
        found.setFeature(QFont.Tag(tag), 1)
    return found


def _families(family: str) -> list[str]:
    """The list of the tokens, and behind the monospaced ones the faces that write Chinese."""
    own: list[str] = tokens()["font"][family]
    return own if family != "mono" else [*own, *tokens()["font"]["content"]]


def _dots_per_inch() -> float:
    screen = QGuiApplication.primaryScreen()
    return screen.logicalDotsPerInchY() if screen else 96.0
