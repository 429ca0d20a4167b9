"""Buttons: with words and a key cap, and with an icon alone."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QToolButton, QWidget

from gui.strings import words
from gui.theme import font, height, paint_icon, radius, theme
from gui.widgets.keycap import CAP_HEIGHT, cap_width, key_words, paint_key_cap
from gui.widgets.painting import paint_box, paint_focus
from gui.widgets.text import tip_text

_GAP = 6
_ICON = 16
_CARET = 12
_TYPES = {"button_small": "table", "button": "body", "button_large": "body_large"}
_PADDING = {"button_small": 8, "button": 10, "button_large": 16}


@dataclass(frozen=True, slots=True)
class _Look:
    """What a button of a role wears in one condition; names of colours, None for none."""

    ground: str | None
    edge: str | None
    ink: str


class Button(QPushButton):
    """A button with words; ``role`` is ``primary``, ``plain``, ``quiet`` or ``danger``.

    ``keys`` shows a key cap behind the words; pressing the key is the business of the actions. A menu set with
    ``setMenu`` shows a caret.
    """

    def __init__(
        self,
        text: str = "",
        icon: str | None = None,
        role: str = "plain",
        key: str | None = None,
        size: str = "button",
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._keys, self._size, self._tip = icon, key, size, tip
        self.setProperty("role", role)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFont(font(_TYPES[size], weight=500))
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        super().setText(text)
        self._retip()
        words.changed.connect(self._retip)

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._retip()

    def set_tip(self, tip: str) -> None:
        """Say more on hover than the words do."""
        if tip != self._tip:
            self._tip = tip
            self._retip()

    def set_keys(self, keys: str | None) -> None:
        """Show another key on the cap."""
        if keys != self._keys:
            self._keys = keys
            self._retip()

    def set_icon(self, name: str | None) -> None:
        """Show another icon before the words."""
        self._icon = name
        self.updateGeometry()
        self.update()

    def set_role(self, role: str) -> None:
        """Wear another role."""
        self.setProperty("role", role)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._content_width() + 2 * _PADDING[self._size], height(self._size))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = _look(self, str(self.property("role")))
        _paint_ground(painter, self, look)
        ink = theme().color(look.ink)
        x = max((self.width() - self._content_width()) // 2, 4)
        if self._icon:
            paint_icon(painter, QRectF(x, (self.height() - _ICON) / 2, _ICON, _ICON), self._icon, look.ink)
            x += _ICON + _GAP
        wide = QFontMetrics(self.font()).horizontalAdvance(self.text())
        painter.setFont(self.font())
        painter.setPen(ink)
        painter.drawText(
            QRect(x, 0, wide + 2, self.height()),
            int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine),
            self.text(),
        )
        x += wide + _GAP
        if self._keys:
            self._paint_cap(painter, x, look)
        if self.menu() is not None:
            paint_icon(painter, QRectF(x, (self.height() - _CARET) / 2, _CARET, _CARET), "caret-down", look.ink)

    def _paint_cap(self, painter: QPainter, x: int, look: _Look) -> None:
        text = key_words(self._keys or "")
        rect = QRect(x, (self.height() - CAP_HEIGHT) // 2, cap_width(text), CAP_HEIGHT)
        if look.ink in ("text.on_accent", "text.disabled"):
            paint_key_cap(painter, rect, text, theme().color(look.ink), theme().color(look.ink))
        else:
            paint_key_cap(painter, rect, text)

    def _content_width(self) -> int:
        parts = [QFontMetrics(self.font()).horizontalAdvance(self.text())] if self.text() else []
        parts += [_ICON] if self._icon else []
        parts += [cap_width(key_words(self._keys))] if self._keys else []
        parts += [_CARET] if self.menu() is not None else []
        return sum(parts) + _GAP * max(len(parts) - 1, 0)

    def _retip(self) -> None:
        self.setToolTip(tip_with_key(self._tip or self.text(), self._keys))
        self.updateGeometry()
        self.update()


class IconButton(QToolButton):
    """A square button with an icon alone; its tool tip says what it does and with which key."""

    def __init__(
        self,
        icon: str,
        tip: str = "",
        key: str | None = None,
        role: str = "quiet",
        size: str = "button",
        checkable: bool = False,
        icon_size: int = _ICON,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._keys, self._tip, self._size, self._icon_size = icon, key, tip, size, icon_size
        self._fill = False
        self.setProperty("role", role)
        self.setCheckable(checkable)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retip)
        self._retip()

    def set_tip(self, tip: str) -> None:
        """Say what it does, in the language of now."""
        self._tip = tip
        self._retip()

    def set_keys(self, keys: str | None) -> None:
        """Name another key in the tool tip."""
        self._keys = keys
        self._retip()

    def set_icon(self, name: str, fill: bool = False) -> None:
        """Show another icon; ``fill`` for play, pause and record."""
        self._icon, self._fill = name, fill
        self.update()

    def sizeHint(self) -> QSize:
        side = height(self._size)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look = _look(self, str(self.property("role")))
        _paint_ground(painter, self, look)
        side = self._icon_size
        corner_x, corner_y = (self.width() - side) / 2, (self.height() - side) / 2
        paint_icon(painter, QRectF(corner_x, corner_y, side, side), self._icon, look.ink, self._fill)

    def _retip(self) -> None:
        self.setToolTip(tip_with_key(self._tip, self._keys))
        self.setAccessibleName(self._tip)


def tip_with_key(tip: str, keys: str | None) -> str:
    """A tool tip that also names the key: ``Play (Space)``."""
    return tip_text(f"{tip} ({key_words(keys)})" if keys else tip)


def _look(button: QAbstractButton, role: str) -> _Look:
    if role == "primary":
        return _primary_look(button)
    if not button.isEnabled():
        return _Look(None, None if role == "quiet" else "surface.line", "text.disabled")
    ink = {"danger": "verdict.fail", "quiet": "text.secondary"}.get(role, "text.primary")
    edge = None if role == "quiet" else "surface.line_strong"
    if button.isChecked():
        return _Look("accent.tint", edge, "accent.base")
    if button.isDown():
        return _Look("surface.sunken", edge, ink)
    if button.underMouse():
        return _Look("surface.hover" if role != "quiet" else "surface.sunken", edge, ink)
    return _Look(None if role == "quiet" else "surface.panel", edge, ink)


def _primary_look(button: QAbstractButton) -> _Look:
    if not button.isEnabled():
        return _Look("surface.hover", "surface.line", "text.disabled")
    step = "pressed" if button.isDown() else "hover" if button.underMouse() else "base"
    return _Look(f"accent.{step}", None, "text.on_accent")


def _paint_ground(painter: QPainter, button: QAbstractButton, look: _Look) -> None:
    colours = theme()

    def named(name: str | None) -> QColor | None:
        return colours.color(name) if name else None

    paint_box(painter, button.rect(), radius("control"), named(look.ground), named(look.edge))
    if button.hasFocus():
        ring = colours.color("text.on_accent") if look.ink == "text.on_accent" else None
        inset = 2 if ring is not None else 0
        paint_focus(painter, button.rect().adjusted(inset, inset, -inset, -inset), radius("control"), ring)


def button_font(size: str = "button") -> QFont:
    """The font of a button's words."""
    return font(_TYPES[size], weight=500)
