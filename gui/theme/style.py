"""The Qt style: Fusion with our frames, scroll bars, menus and focus ring.

A style sheet would do the same, but Qt re-polishes every widget when it changes: 0.2 s of a full window for a switch
between light and dark. Painting from the theme, a switch is a new palette.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QFrame,
    QPlainTextEdit,
    QProxyStyle,
    QScrollBar,
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QTextEdit,
    QWidget,
)

from gui.theme.boxes import paint_box, paint_focus
from gui.theme.colours import theme
from gui.theme.icons import paint_icon
from gui.theme.lengths import height, line, radius

SCROLL_BAR = 10
_HANDLE_MARGIN = 2
_HANDLE_LEAST = 28
_CARET = 10
_FIELD_PADDING = 8
_TEXT_INSET = 7  # Qt adds two: text begins nine pixels from the edge
_SEPARATOR = 10
_AS_TALL_AS_BUTTONS = (
    QStyle.ContentsType.CT_LineEdit,
    QStyle.ContentsType.CT_PushButton,
    QStyle.ContentsType.CT_SpinBox,
)
_Primitive = QStyle.PrimitiveElement
_Control = QStyle.ControlElement
_Complex = QStyle.ComplexControl
_Sub = QStyle.SubControl
_Metric = QStyle.PixelMetric
_State = QStyle.StateFlag


class LookStyle(QProxyStyle):
    """Paints what our own widgets do not paint themselves."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self._primitives = {
            _Primitive.PE_PanelLineEdit: _paint_field,
            _Primitive.PE_FrameLineEdit: _paint_nothing,
            _Primitive.PE_Frame: _paint_frame,
            _Primitive.PE_PanelButtonCommand: _paint_button,
            _Primitive.PE_PanelButtonTool: _paint_tool_button,
            _Primitive.PE_FrameFocusRect: _paint_ring,
            _Primitive.PE_FrameDefaultButton: _paint_nothing,
            _Primitive.PE_PanelMenu: _paint_menu,
            _Primitive.PE_FrameMenu: _paint_nothing,
            _Primitive.PE_PanelTipLabel: _paint_tip,
        }

    def polish(self, thing: Any) -> Any:  # widget, application or palette
        """Frames go from every view but text fields; what lies under a scroll bar shows through."""
        if isinstance(thing, QScrollBar):
            thing.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)
        elif isinstance(thing, (QPlainTextEdit, QTextEdit)):
            thing.setFrameShape(QFrame.Shape.StyledPanel if _is_framed(thing) else QFrame.Shape.NoFrame)
            thing.viewport().setAutoFillBackground(False)
        elif isinstance(thing, QAbstractScrollArea) and thing.frameShape() == QFrame.Shape.StyledPanel:
            thing.setFrameShape(QFrame.Shape.NoFrame)
        return super().polish(thing)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == _Metric.PM_ScrollBarExtent:
            return SCROLL_BAR
        if metric == _Metric.PM_DefaultFrameWidth and isinstance(widget, (QPlainTextEdit, QTextEdit)):
            return 2 if _is_framed(widget) else 0
        return int(super().pixelMetric(metric, option, widget))

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        paint = self._primitives.get(element)
        if paint is None:
            super().drawPrimitive(element, option, painter, widget)
        else:
            paint(option, painter, widget)

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element in (_Control.CE_HeaderSection, _Control.CE_HeaderEmptyArea):
            _paint_header(option, painter)
        elif element == _Control.CE_Splitter:
            painter.fillRect(option.rect, theme().color("surface.line"))
        else:
            super().drawControl(element, option, painter, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if control == _Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            _paint_handle(painter, option, self.subControlRect(control, option, _Sub.SC_ScrollBarSlider, widget))
        elif control == _Complex.CC_SpinBox and isinstance(option, QStyleOptionSpinBox):
            self._paint_spin_box(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        part: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control == _Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return _scroll_bar_part(option, part)
        return super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        """Fields and plain buttons have the height of the look's buttons, entries of a menu that of a row."""
        found = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
        if kind in _AS_TALL_AS_BUTTONS and _is_framed(widget):
            return QSize(found.width(), height("button"))
        if kind == QStyle.ContentsType.CT_MenuItem and size.height() > _SEPARATOR:
            return QSize(found.width() + _FIELD_PADDING, max(found.height(), height("row")))
        return found

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        if element == QStyle.SubElement.SE_LineEditContents and _is_framed(widget) and not _is_in_a_spin_box(widget):
            return QRect(option.rect).adjusted(_TEXT_INSET, 1, -_TEXT_INSET, -1)
        return super().subElementRect(element, option, widget)  # type: ignore[arg-type]

    def _paint_spin_box(self, option: QStyleOptionSpinBox, painter: QPainter, widget: QWidget | None) -> None:
        _paint_field(option, painter, widget)
        for part, name in ((_Sub.SC_SpinBoxUp, "caret-up"), (_Sub.SC_SpinBoxDown, "caret-down")):
            rect = self.subControlRect(_Complex.CC_SpinBox, option, part, widget)
            square = QRectF(0, 0, _CARET, _CARET)
            square.moveCenter(QRectF(rect).center())
            paint_icon(painter, square, name, "text.secondary" if widget and widget.isEnabled() else "text.disabled")


def _is_framed(widget: QWidget | None) -> bool:
    return widget is not None and widget.property("role") != "bare"


def _is_in_a_spin_box(widget: QWidget | None) -> bool:
    return widget is not None and isinstance(widget.parentWidget(), QAbstractSpinBox)


def _paint_nothing(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """What is drawn elsewhere, or not at all."""


def _paint_field(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    if not _is_framed(widget) or _is_in_a_spin_box(widget):
        return
    colours = theme()
    is_on = bool(option.state & _State.State_Enabled)
    code = widget is not None and widget.property("role") == "code"
    ground = "surface.lane" if code else "surface.panel" if is_on else "surface.window"
    edge = "surface.control_edge" if is_on and not code else "surface.line"
    if widget is not None and widget.property("error") == "true":
        edge = "verdict.fail"
    paint_box(painter, option.rect, radius("control"), colours.color(ground), colours.color(edge))
    if option.state & _State.State_HasFocus:
        paint_focus(painter, option.rect, radius("control"))


def _paint_frame(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The frame of a text field; no other thing has one."""
    if isinstance(widget, (QPlainTextEdit, QTextEdit)):
        _paint_field(option, painter, widget)


def _paint_button(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    colours = theme()
    is_on = bool(option.state & _State.State_Enabled)
    is_first = isinstance(option, QStyleOptionButton) and bool(
        option.features & QStyleOptionButton.ButtonFeature.DefaultButton
    )
    pressed = option.state & (_State.State_Sunken | _State.State_On)
    over = option.state & _State.State_MouseOver
    ground = "surface.sunken" if pressed else "surface.hover" if over or not is_on else "surface.panel"
    edge = "surface.line" if not is_on else "accent.base" if is_first else "surface.line_strong"
    paint_box(painter, option.rect, radius("control"), colours.color(ground), colours.color(edge))


def _paint_tool_button(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    if option.state & (_State.State_Sunken | _State.State_On | _State.State_MouseOver):
        chosen = option.state & (_State.State_Sunken | _State.State_On)
        ground = theme().color("accent.tint" if chosen else "surface.sunken")
        paint_box(painter, option.rect, radius("control"), ground)


def _paint_ring(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    if not isinstance(widget, QAbstractItemView):  # a view shows where it is by its selection
        room = widget.rect() if widget is not None else option.rect
        paint_focus(painter, room, radius("control"))


def _paint_menu(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    colours = theme()
    painter.fillRect(option.rect, colours.color("surface.raised"))
    paint_box(painter, option.rect, 0, edge=colours.color("surface.line_strong"))


def _paint_tip(option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    _paint_menu(option, painter, widget)


def _paint_header(option: QStyleOption, painter: QPainter) -> None:
    colours = theme()
    painter.fillRect(option.rect, colours.color("surface.window"))
    foot = QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), int(line("hairline")))
    painter.fillRect(foot, colours.color("surface.line_strong"))


def _paint_handle(painter: QPainter, option: QStyleOptionSlider, slider: QRect) -> None:
    if option.maximum <= option.minimum:
        return
    busy = option.activeSubControls & _Sub.SC_ScrollBarSlider and option.state & (
        _State.State_MouseOver | _State.State_Sunken
    )
    inset = slider.adjusted(_HANDLE_MARGIN, _HANDLE_MARGIN, -_HANDLE_MARGIN, -_HANDLE_MARGIN)
    ground = theme().color("surface.control_edge" if busy else "surface.line_strong")
    paint_box(painter, inset, (SCROLL_BAR - 2 * _HANDLE_MARGIN) / 2, ground)


def _scroll_bar_part(option: QStyleOptionSlider, part: QStyle.SubControl) -> QRect:
    """A scroll bar without arrows: the groove is all of it."""
    whole = QRect(option.rect)
    lying = option.orientation == Qt.Orientation.Horizontal
    length = whole.width() if lying else whole.height()
    span = option.maximum - option.minimum + option.pageStep
    handle = (
        length if option.maximum <= option.minimum else max(length * option.pageStep // max(span, 1), _HANDLE_LEAST)
    )
    handle = min(handle, length)
    at = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown
    )
    stretch = {
        _Sub.SC_ScrollBarGroove: (0, length),
        _Sub.SC_ScrollBarSlider: (at, handle),
        _Sub.SC_ScrollBarSubPage: (0, at),
        _Sub.SC_ScrollBarAddPage: (at + handle, length - at - handle),
    }.get(part)
    if stretch is None:
        return QRect()
    first, long = stretch
    if lying:
        return QRect(whole.left() + first, whole.top(), long, whole.height())
    return QRect(whole.left(), whole.top() + first, whole.width(), long)
