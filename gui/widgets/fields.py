"""Fields to type and choose in: line, combo box, check box, radio button."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QRadioButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.theme import font, height, icon, line, paint_icon, radius, theme
from gui.widgets.painting import paint_box, paint_focus, paint_text
from gui.widgets.text import shown_text, tip_text

_BOX = 16
_INSET = 4
_GAP = 8
_CARET = 12
_PADDING = 10


class LineEdit(QLineEdit):
    """One line to type in, with an icon before it, a sentence while it is empty, and a frame that can say *wrong*."""

    def __init__(
        self,
        text: str = "",
        placeholder: str = "",
        icon_name: str | None = None,
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self.setPlaceholderText(placeholder)
        self.setFont(font("table", "mono") if mono else font("body"))
        if icon_name:
            self.addAction(icon(icon_name), QLineEdit.ActionPosition.LeadingPosition)
        if placeholder:
            self.setAccessibleName(placeholder)

    def set_error(self, sentence: str) -> None:
        """Frame the field in rust and say why on hover; an empty sentence takes it back."""
        self.setProperty("error", "true" if sentence else "false")
        self.setToolTip(tip_text(sentence))
        self.setAccessibleDescription(sentence)
        self.update()


class ComboBox(QComboBox):
    """A choice from a list, painted as a button with a caret; long entries give way."""

    def __init__(self, name: str = "", size: str = "button", widest: int = 280, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size, self._widest = size, widest
        self.setAccessibleName(name)
        self.setToolTip(tip_text(name))
        self.setFont(font("table" if size != "button_large" else "body_large", weight=500))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setItemDelegate(_Rows(self))
        self.model().rowsInserted.connect(self._on_items)
        self.model().dataChanged.connect(self._on_items)
        self.view().setTextElideMode(Qt.TextElideMode.ElideRight)

    def set_name(self, name: str) -> None:
        """Say what is chosen here, in the language of now."""
        self.setAccessibleName(name)
        self.setToolTip(tip_text(name))

    def _on_items(self) -> None:
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        texts = [self.itemText(place) for place in range(min(self.count(), 50))] or [self.placeholderText()]
        widest = max(metrics.horizontalAdvance(shown_text(text)) for text in texts) + 2
        return QSize(min(widest, self._widest) + 2 * _PADDING + _GAP + _CARET, height(self._size))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 72), height(self._size))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        ground = "surface.hover" if self.underMouse() and self.isEnabled() else "surface.panel"
        edge = "surface.line_strong" if self.isEnabled() else "surface.line"
        paint_box(painter, self.rect(), radius("control"), colours.color(ground), colours.color(edge))
        room = QRect(_PADDING, 0, self.width() - 2 * _PADDING - _GAP - _CARET + 1, self.height())
        has_choice = self.currentIndex() >= 0
        ink = "text.disabled" if not self.isEnabled() else "text.primary" if has_choice else "text.tertiary"
        paint_text(painter, room, self.currentText() or self.placeholderText(), self.font(), colours.color(ink))
        caret = QRectF(self.width() - _PADDING - _CARET + 2, (self.height() - _CARET) / 2, _CARET, _CARET)
        paint_icon(painter, caret, "caret-down", "text.secondary" if self.isEnabled() else "text.disabled")
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))


class _Rows(QStyledItemDelegate):
    """Rows of a list as tall as a table's."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found = super().sizeHint(option, index)
        return QSize(found.width() + 2 * _GAP, height("row"))


class CheckBox(QCheckBox):
    """A box to tick with words beside it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        _set_up(self)

    def sizeHint(self) -> QSize:
        return _size(self)

    def minimumSizeHint(self) -> QSize:
        return _size(self)

    def hitButton(self, place: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = _box(self)
        ground, edge, ink = _box_colours(self)
        paint_box(painter, box, radius("key"), ground, edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(ink, line("curve"))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.translate(box.topLeft())
        if self.checkState() == Qt.CheckState.PartiallyChecked:
            painter.drawLine(QPointF(4.5, 8), QPointF(11.5, 8))
        elif self.isChecked():
            painter.drawPolyline([QPointF(4, 8.5), QPointF(6.75, 11.25), QPointF(12, 5.25)])
        painter.resetTransform()
        _paint_words(painter, self)


class RadioButton(QRadioButton):
    """A ring to choose with words beside it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        _set_up(self)

    def sizeHint(self) -> QSize:
        return _size(self)

    def minimumSizeHint(self) -> QSize:
        return _size(self)

    def hitButton(self, place: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = _box(self)
        ground, edge, ink = _box_colours(self)
        paint_box(painter, box, _BOX / 2, ground, edge)
        if self.isChecked():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            painter.drawEllipse(box.center(), 3.0, 3.0)
        _paint_words(painter, self)


def _set_up(button: QAbstractButton) -> None:
    button.setFont(font("body"))
    button.setAttribute(Qt.WidgetAttribute.WA_Hover)
    button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)


def _size(button: QAbstractButton) -> QSize:
    wide = QFontMetrics(button.font()).horizontalAdvance(button.text())
    return QSize(_BOX + 2 * _INSET + (_GAP + wide + 4 if button.text() else 0), height("button_small"))


def _box(button: QAbstractButton) -> QRectF:
    return QRectF(_INSET, (button.height() - _BOX) / 2, _BOX, _BOX)


def _box_colours(button: QAbstractButton) -> tuple[QColor, QColor, QColor]:
    colours = theme()
    is_on = button.isChecked() or (isinstance(button, QCheckBox) and button.checkState() != Qt.CheckState.Unchecked)
    if not button.isEnabled():
        return colours.color("surface.window"), colours.color("surface.line_strong"), colours.color("text.disabled")
    if is_on:
        return colours.color("accent.base"), colours.color("accent.base"), colours.color("text.on_accent")
    ground = "surface.hover" if button.underMouse() else "surface.panel"
    return colours.color(ground), colours.color("surface.control_edge"), colours.color("text.primary")


def _paint_words(painter: QPainter, button: QAbstractButton) -> None:
    left = _BOX + _INSET + _GAP
    room = QRect(left, 0, button.width() - left, button.height())
    ink = "text.primary" if button.isEnabled() else "text.disabled"
    if button.text():
        paint_text(painter, room, button.text(), button.font(), theme().color(ink))
    if button.hasFocus():
        ring = button.rect()
        ring.setWidth(min(ring.width(), button.sizeHint().width()))
        paint_focus(painter, ring, radius("control"))
