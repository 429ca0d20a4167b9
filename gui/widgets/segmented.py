"""A few choices side by side, one of them chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from gui.theme import font, height, radius, theme
from gui.widgets.painting import paint_box, paint_focus
from gui.widgets.text import tip_text

_PADDING = 10


class Segmented(QWidget):
    """Choices in one row; Left and Right move the choice.

    Args:
        options: the words, or pairs of a value and its words.

    Signals:
        chosen: the value of the choice the user made (its words where no values were given).
    """

    chosen = Signal(object)

    def __init__(
        self,
        options: Sequence[str] | Sequence[tuple[object, str]],
        name: str = "",
        size: str = "row",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._size = size
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        pairs = [option if isinstance(option, tuple) else (option, option) for option in options]
        self._values = [value for value, _ in pairs]
        for place, (_, text) in enumerate(pairs):
            segment = _Segment(text, size, place == 0, place == len(pairs) - 1, self)
            self._group.addButton(segment, place)
            self._row.addWidget(segment)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self._on_clicked)

    @property
    def value(self) -> object:
        """The value of the choice."""
        return self._values[self._group.checkedId()]

    def set_value(self, value: object) -> None:
        """Choose without emitting ``chosen``."""
        self._group.button(self._values.index(value)).setChecked(True)

    def set_texts(self, texts: Sequence[str], tips: Sequence[str] = ()) -> None:
        """Say the choices in another language, with tool tips that say more."""
        for place, text in enumerate(texts):
            segment = self._group.button(place)
            segment.setText(text)
            segment.setToolTip(tip_text(tips[place] if tips else text))
            segment.updateGeometry()

    def set_enabled(self, value: object, enabled: bool) -> None:
        """Allow or refuse one choice."""
        self._group.button(self._values.index(value)).setEnabled(enabled)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_box(
            painter,
            self.rect(),
            radius("control"),
            theme().color("surface.panel"),
            theme().color("surface.line_strong"),
        )

    def _on_clicked(self, place: int) -> None:
        self.chosen.emit(self._values[place])


class _Segment(QAbstractButton):
    def __init__(self, text: str, size: str, first: bool, last: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._size, self._first, self._last = size, first, last
        self.setText(text)
        self.setToolTip(tip_text(text))
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        widest = QFontMetrics(font("table", weight=600)).horizontalAdvance(
            self.text()
        )  # so that choosing moves nothing
        return QSize(widest + 2 * _PADDING, height(self._size))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        painter.setClipPath(self._outline())
        inner = self.rect().adjusted(0, 1, 0, -1)
        if self.isChecked():
            painter.fillRect(inner, colours.color("accent.tint"))
        elif self.underMouse() and self.isEnabled():
            painter.fillRect(inner, colours.color("surface.hover"))
        if not self._first:
            painter.fillRect(QRect(0, 1, 1, self.height() - 2), colours.color("surface.line_strong"))
        ink = "accent.base" if self.isChecked() else "text.secondary"
        painter.setPen(colours.color(ink if self.isEnabled() else "text.disabled"))
        painter.setFont(font("table", weight=600 if self.isChecked() else 400))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine), self.text())
        painter.setClipping(False)
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def _outline(self) -> QPainterPath:
        """The segment inside the frame's rounded ends."""
        path = QPainterPath()
        whole = self.rect().adjusted(1 if self._first else -8, 1, -1 if self._last else 8, -1)
        path.addRoundedRect(whole, radius("control") - 1, radius("control") - 1)
        return path
