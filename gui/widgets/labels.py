"""Labels: one plain line, one elided line, or a paragraph with the look's line height."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.theme import TONES, font, line_height, theme
from gui.widgets.text import shown_text, tip_text

LONGEST_PARAGRAPH = 20_000
_WIDTHS = 6  # that are kept laid out: a lay-out asks for several, again and again, before it settles


def label(
    text: str = "",
    type: str = "body",  # noqa: A002 - the look's own word
    tone: str | None = None,
    family: str | None = None,
    elide: bool | Literal["middle"] = False,
    wrap: bool = False,
    weight: int | None = None,
    parent: QWidget | None = None,
) -> QLabel:
    """A label of a type and tone of the look; its text is data, never markup.

    Args:
        tone: ``secondary``, ``tertiary``, ``accent``, ``good``, ``warning``, ``failed`` or ``error``.
        elide: one line that gives way at its end, or in its middle; the whole text is in its tool tip.
        wrap: as many lines as it needs.
    """
    mode = Qt.TextElideMode.ElideMiddle if elide == "middle" else Qt.TextElideMode.ElideRight
    made: QLabel = ElidedLabel(parent, mode) if elide else Paragraph(type, parent) if wrap else PlainLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("type", type)
    made.setFont(font(type, family, weight))
    set_tone(made, tone)
    made.setText(text)
    return made


def set_tone(widget: QLabel, tone: str | None) -> None:
    """Give a label another tone."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        if isinstance(widget, PlainLabel):
            widget.take_tone()
        widget.update()


class PlainLabel(QLabel):
    """A label whose text has the colour of its tone."""

    def take_tone(self) -> None:
        """Put the colour of the tone into the palette, the rest of which stays the application's."""
        wanted = QPalette()
        if self.property("tone"):
            wanted.setColor(QPalette.ColorRole.WindowText, theme().color(TONES[self.property("tone")]))
            grey = theme().color("text.disabled")
            wanted.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText, grey)
        if self.palette().color(QPalette.ColorRole.WindowText) != wanted.color(QPalette.ColorRole.WindowText):
            self.setPalette(wanted)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.take_tone()


class ElidedLabel(QLabel):
    """One line of any text, cut to the room there is; hover shows it whole, or the tip that was set."""

    def __init__(self, parent: QWidget | None = None, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(parent)
        self._mode, self._own_tip = mode, ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._whole = ""
        self._shown = ""

    def setText(self, text: str) -> None:
        if text == self._whole:
            return
        self._whole = text
        self._shown = shown_text(text)
        super().setText(self._shown)  # accessibility reads it here
        self._retip()

    def setToolTip(self, tip: str) -> None:
        """Say this on hover, however much of the text is seen."""
        self._own_tip = tip
        self._retip()

    def whole_text(self) -> str:
        """The text as it was given."""
        return self._whole

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._shown) + 2, self._tall())

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        least = min(metrics.horizontalAdvance(self._shown) + 2, metrics.averageCharWidth() * 4)
        return QSize(least, self._tall())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._retip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        cut = self.fontMetrics().elidedText(self._shown, self._mode, self.width())
        painter.setPen(_text_colour(self))
        align = self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask
        painter.drawText(
            self.contentsRect(), int(align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), cut
        )

    def _tall(self) -> int:
        """The line height of the type: Chinese behind a Latin face is taller than the face says."""
        return max(self.fontMetrics().height(), line_height(self.property("type") or "body"))

    def _retip(self) -> None:
        is_cut = self.fontMetrics().horizontalAdvance(self._shown) > self.width() or len(self._whole) > len(self._shown)
        super().setToolTip(self._own_tip or (tip_text(self._whole) if is_cut else ""))


class Paragraph(QLabel):
    """Text over several lines at the line height of its type; breaks anywhere rather than push its neighbours."""

    def __init__(self, type_name: str = "body", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line_height = line_height(type_name)
        self._layouts: dict[int, tuple[QTextLayout, int]] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def setText(self, text: str) -> None:
        cut = text if len(text) <= LONGEST_PARAGRAPH else text[:LONGEST_PARAGRAPH] + "…"
        shown = "\n".join(shown_text(part, LONGEST_PARAGRAPH) for part in cut.splitlines())
        if shown != self.text():
            self._layouts.clear()
            super().setText(shown)
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        around = self.contentsMargins()
        inside = self._laid_out(width - around.left() - around.right())
        return inside[1] + around.top() + around.bottom()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(part) for part in self.text().split("\n")), default=0) + 2
        width = min(widest, metrics.averageCharWidth() * 72)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), self.fontMetrics().averageCharWidth() * 12), self._line_height)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._layouts.clear()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(_text_colour(self))
        room = self.contentsRect()
        layout, tall = self._laid_out(room.width())
        down = 0 if self.alignment() & Qt.AlignmentFlag.AlignTop else max(0, (room.height() - tall) // 2)
        layout.draw(painter, QPointF(room.left(), room.top() + down))

    def _laid_out(self, width: int) -> tuple[QTextLayout, int]:
        if width in self._layouts:
            return self._layouts[width]
        option = QTextOption(self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout = QTextLayout(self.text().replace("\n", "\u2028"), self.font())
        layout.setTextOption(option)
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            line.setPosition(QPointF(0, count * self._line_height + (self._line_height - line.height()) / 2))
            count += 1
        layout.endLayout()
        tall = max(count, 1) * self._line_height
        if len(self._layouts) >= _WIDTHS:
            del self._layouts[next(iter(self._layouts))]
        self._layouts[width] = (layout, tall)
        return layout, tall


def _text_colour(widget: QLabel) -> QColor:
    """The colour of the tone; a style sheet's own answer is closed to painters outside Qt."""
    if not widget.isEnabled():
        return theme().color("text.disabled")
    return theme().color(TONES[widget.property("tone") or ""])
