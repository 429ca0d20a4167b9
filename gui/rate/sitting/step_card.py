"""One step of a scale: its digit, its name, and the sentence that says when it is right."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from engine.rating.protocols import Step
from gui.theme import font, line, line_height, paint_box, paint_icon, radius, theme
from gui.widgets import paint_text, tip_text

CAP, PAD, GAP = 26, 12, 8
_HEAD = 26
_TICK = 16
_ROW, _LOW_ROW = 34, 28
_WIDTHS_KEPT = 16  # a layout asks for several in turn


class StepCard(QAbstractButton):
    """A card, or a row where there is little width; dashed while its scale is locked."""

    def __init__(self, step: Step, with_anchor: bool, family: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step, self._with_anchor, self._family = step, with_anchor and bool(step.anchor), family
        self._is_row = self._is_locked = self._is_low = self._is_bare = False
        self._label_font = font("screen", family, 600)
        self._anchor_font = font("body", family)
        self._laid: dict[tuple[str, int], tuple[QTextLayout, int]] = {}
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{step.key} {step.label}")
        self.setAccessibleDescription(step.anchor)
        self.setToolTip("" if self._with_anchor else tip_text(step.anchor))

    def lie_down(self, is_row: bool, low: bool, *, bare: bool = False) -> None:
        """Be a row: digit, name and, unless it is ``bare``, the sentence in one line."""
        self._is_row, self._is_low, self._is_bare = is_row, low, bare
        self.setToolTip(tip_text(self.step.anchor) if is_row or not self._with_anchor else "")

    def show_locked(self, is_locked: bool) -> None:
        """Stand there dashed: it cannot be chosen yet."""
        if is_locked != self._is_locked:
            self._is_locked = is_locked
            self.update()

    @property
    def is_locked(self) -> bool:
        """Whether it stands there dashed."""
        return self._is_locked

    def tall(self, width: int) -> int:
        """How tall it has to be at a width."""
        if self._is_row:
            return _LOW_ROW if self._is_low else _ROW
        if not self._with_anchor:
            return 2 * 11 + CAP
        return PAD + self._head_height(width) + 4 + self._anchor(width - 2 * PAD)[1] + PAD

    def sizeHint(self) -> QSize:
        return QSize(180, self.tall(180))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        chosen, locked = self.isChecked(), self._is_locked
        ground = "accent.tint" if chosen else "surface.hover" if self.underMouse() and not locked else "surface.panel"
        edge = "accent.base" if chosen else "surface.line_strong" if locked else "surface.control_edge"
        wide = line("selected") if chosen else line("hairline")
        fill = None if locked and not chosen else colours.color(ground)
        paint_box(painter, self.rect(), radius("card"), fill, colours.color(edge), wide, locked and not chosen)
        side = CAP if not self._is_low else CAP - 4
        top = (self.height() - side) // 2 if self._is_row or not self._with_anchor else PAD - 1
        self._paint_cap(painter, QRect(PAD, top, side, side))
        if self._is_row:
            self._paint_row(painter)
        else:
            self._paint_card(painter, top)

    def _paint_cap(self, painter: QPainter, rect: QRect) -> None:
        colours = theme()
        if self.isChecked():
            paint_box(painter, rect, radius("control"), colours.color("accent.base"))
        else:
            edge = "surface.line_strong" if not self._is_locked else "surface.line"
            paint_box(painter, rect, radius("control"), None, colours.color(edge))
        painter.setFont(font("body", "mono", 500))
        ink = "text.on_accent" if self.isChecked() else "text.tertiary" if self._is_locked else "text.primary"
        painter.setPen(colours.color(ink))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self.step.key)

    def _paint_card(self, painter: QPainter, top: int) -> None:
        left = PAD + CAP + GAP
        painter.setPen(theme().color(self._ink()))
        if self._with_anchor:
            layout, tall = self._label(self.width())
            layout.draw(painter, QPointF(left, top + max((CAP - tall) / 2, 0)))
            painter.setPen(theme().color(self._anchor_ink()))
            anchor, _ = self._anchor(self.width() - 2 * PAD)
            anchor.draw(painter, QPointF(PAD, PAD + self._head_height(self.width()) + 4))
        else:
            room = self.width() - left - PAD - (_TICK + 4 if self.isChecked() else 0)
            ink = theme().color(self._ink())
            paint_text(painter, QRect(left, top, room, CAP), self.step.label, self._label_font, ink)
        if self.isChecked():
            self._paint_tick(painter, top + (CAP - _TICK) / 2)

    def _paint_row(self, painter: QPainter) -> None:
        left, end = PAD + CAP + GAP, self.width() - PAD - _TICK - 4
        most = end - left if self._is_bare else self.width() // 3
        wide = min(QFontMetrics(self._label_font).horizontalAdvance(self.step.label) + 4, most)
        ink = theme().color(self._ink())
        paint_text(painter, QRect(left, 0, wide, self.height()), self.step.label, self._label_font, ink)
        if not self._is_bare:
            left += max(wide, 120) + GAP
            room, ink = QRect(left, 0, end - left, self.height()), theme().color(self._anchor_ink())
            paint_text(painter, room, self.step.anchor, font("table", self._family), ink)
        if self.isChecked():
            self._paint_tick(painter, (self.height() - _TICK) / 2)

    def _paint_tick(self, painter: QPainter, top: float) -> None:
        paint_icon(painter, QRectF(self.width() - PAD - _TICK, top, _TICK, _TICK), "check", "accent.base")

    def _ink(self) -> str:
        return "text.tertiary" if self._is_locked and not self.isChecked() else "text.primary"

    def _anchor_ink(self) -> str:
        return "text.tertiary" if self._is_locked and not self.isChecked() else "text.secondary"

    def _head_height(self, width: int) -> int:
        return max(_HEAD, self._label(width)[1])

    def _label(self, width: int) -> tuple[QTextLayout, int]:
        """The name, over two lines where it is long; the tick has its room whether it is there or not."""
        room = width - 2 * PAD - CAP - GAP - _TICK - 4
        return self._laid_out("label", self.step.label, self._label_font, room, line_height("screen"))

    def _anchor(self, width: int) -> tuple[QTextLayout, int]:
        return self._laid_out("anchor", self.step.anchor, self._anchor_font, width, line_height("body") + 1)

    def _laid_out(self, part: str, text: str, face: QFont, width: int, tall: int) -> tuple[QTextLayout, int]:
        if (part, width) not in self._laid:
            layout = QTextLayout(text, face)
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            layout.setTextOption(option)
            layout.beginLayout()
            count = 0
            while (line_of_text := layout.createLine()).isValid():
                line_of_text.setLineWidth(max(width, 1))
                line_of_text.setPosition(QPointF(0, count * tall + (tall - line_of_text.height()) / 2))
                count += 1
            layout.endLayout()
            if len(self._laid) >= _WIDTHS_KEPT:
                self._laid.clear()
            self._laid[part, width] = (layout, count * tall)
        return self._laid[part, width]
