"""One condition of a filter: the field in grey, the value in ink, a cross to take it away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, height, paint_icon, radius, theme
from gui.widgets.painting import paint_box, paint_error_underline, paint_focus, paint_text
from gui.widgets.text import shown_text, tip_text

_PADDING = 8
_GAP = 4
_CROSS = 12
_LEAST_FIELD, _LEAST_VALUE = 22, 48
WIDEST = 360


@dataclass(frozen=True, slots=True)
class ChipPart:
    """A stretch of a chip's text; ``kind`` is ``field`` (grey), ``value`` (ink) or ``error`` (waved underline)."""

    text: str
    kind: str = "value"


class Chip(QWidget):
    """A condition that can be taken away or opened for editing.

    Signals:
        removed: the cross was clicked, or Delete or Backspace pressed.
        edited: the text was clicked, or Return pressed.
    """

    removed = Signal()
    edited = Signal()

    def __init__(
        self, parts: Sequence[ChipPart] | Sequence[str], error: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFont(font("table"))
        self.set_parts(parts, error)
        words.changed.connect(self._retranslate)

    def set_parts(self, parts: Sequence[ChipPart] | Sequence[str], error: str = "") -> None:
        """Show another condition; plain strings are field, value, field and so on. ``error`` says what is wrong."""
        self._parts = [
            part if isinstance(part, ChipPart) else ChipPart(str(part), "value" if place % 2 else "field")
            for place, part in enumerate(parts)
        ]
        self._error = error
        self._retranslate()

    def sizeHint(self) -> QSize:
        wide = sum(self._widths()) + _GAP * (len(self._parts) - 1) + 2 * _PADDING + _GAP + _CROSS
        return QSize(min(wide, WIDEST), height("chip"))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 92), height("chip"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        edge = "verdict.fail" if self._error else "surface.line_strong"
        ground = "surface.hover" if self.underMouse() else "surface.panel"
        paint_box(painter, self.rect(), radius("control"), colours.color(ground), colours.color(edge))
        left, end = _PADDING, self._cross().left() - _GAP
        for part, wide in zip(self._parts, self._shared_out(end - left)):
            room = QRect(left, 0, min(wide, end - left), self.height())
            if room.width() <= 0:
                break
            ink = "text.tertiary" if part.kind == "field" else "text.primary"
            took = paint_text(painter, room, part.text, self.font(), colours.color(ink))
            if part.kind == "error":
                baseline = (self.height() + QFontMetrics(self.font()).ascent()) / 2
                paint_error_underline(painter, left, left + took, baseline)
            left += wide + _GAP
        over = self._cross_is_under(self.mapFromGlobal(self.cursor().pos()))
        paint_icon(painter, QRectF(self._cross()), "x", "text.primary" if over else "text.secondary")
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self.rect().contains(event.position().toPoint()):
            return
        if self._cross_is_under(event.position().toPoint()):
            self.removed.emit()
        else:
            self.edited.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.edited.emit()
        else:
            super().keyPressEvent(event)

    def _cross(self) -> QRect:
        return QRect(self.width() - _PADDING - _CROSS + 2, (self.height() - _CROSS) // 2, _CROSS, _CROSS)

    def _cross_is_under(self, place: QPoint) -> bool:
        return self._cross().adjusted(-_GAP, -_GAP, _GAP, _GAP).contains(place)

    def _shared_out(self, room: int) -> list[int]:
        """The widths of the parts in ``room``: values give way at their ends, the widest first, fields only after."""
        widths = self._widths()
        lacking = sum(widths) + _GAP * (len(widths) - 1) - room
        for kinds, least in ((("value", "error"), _LEAST_VALUE), (("field",), _LEAST_FIELD)):
            places = [place for place, part in enumerate(self._parts) if part.kind in kinds]
            for place in sorted(places, key=widths.__getitem__, reverse=True):
                given = min(max(lacking, 0), max(widths[place] - least, 0))
                widths[place] -= given
                lacking -= given
        return widths

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(self.font())
        return [metrics.horizontalAdvance(shown_text(part.text)) + 2 for part in self._parts]

    def _retranslate(self) -> None:
        said = " ".join(part.text for part in self._parts)
        self.setAccessibleName(shown_text(said))
        self.setAccessibleDescription(self._error or words.text("widgets.chip.edit"))
        lines = [said, self._error or words.text("widgets.chip.edit"), f"{words.text('widgets.chip.remove')} (Del)"]
        self.setToolTip(tip_text("\n".join(lines)))
        self.updateGeometry()
        self.update()
