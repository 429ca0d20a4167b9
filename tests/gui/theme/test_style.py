"""The style paints what our widgets do not paint themselves, and a switch of theme costs no new polish."""

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QTableWidget,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from gui.theme import set_theme, theme
from gui.widgets import Button, label

PARTS = QStyle.SubControl


@pytest.fixture(params=["light", "dark"])
def colours(request):
    set_theme(request.param)
    QApplication.processEvents()
    return theme()


def colours_of(widget) -> set[str]:
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QSpinBox])
def test_a_field_has_the_edge_of_a_control_and_shows_the_focus(qtbot, colours, kind):
    field = kind()
    qtbot.addWidget(field)
    field.resize(160, 60)
    field.show()
    field.clearFocus()
    assert field.grab().toImage().pixelColor(80, 0) == colours.color("surface.control_edge")
    field.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(field.hasFocus)
    assert field.grab().toImage().pixelColor(80, 1) == colours.color("accent.focus")


def test_a_bare_field_has_no_edge(qtbot, colours):
    field = QLineEdit()
    field.setProperty("role", "bare")
    qtbot.addWidget(field)
    field.resize(160, 30)
    assert colours.color("surface.control_edge").name() not in colours_of(field)


def test_text_stays_inside_its_field(qtbot):
    field = QLineEdit("█" * 60)
    qtbot.addWidget(field)
    field.resize(120, field.sizeHint().height())
    picture = field.grab().toImage()
    ink = theme().color("text.primary")
    inked = [x for x in range(120) for y in range(4, 24) if picture.pixelColor(x, y) == ink]
    assert min(inked) >= 5
    assert max(inked) <= 114


@pytest.mark.parametrize("kind", [QLineEdit, QPushButton, QSpinBox])
def test_plain_controls_are_as_tall_as_ours(qtbot, kind):
    control = kind()
    qtbot.addWidget(control)
    assert control.sizeHint().height() == Button("x").sizeHint().height() == 28


def test_a_scroll_bar_has_no_arrows_and_a_handle_that_covers_its_share(qtbot):
    bar = QScrollBar(Qt.Orientation.Vertical)
    qtbot.addWidget(bar)
    bar.setRange(0, 300)
    bar.setPageStep(100)
    bar.setValue(300)
    bar.resize(bar.sizeHint().width(), 400)
    bar.show()
    option = QStyleOptionSlider()
    bar.initStyleOption(option)
    style, scroll = bar.style(), QStyle.ComplexControl.CC_ScrollBar
    assert bar.width() == 10
    assert style.subControlRect(scroll, option, PARTS.SC_ScrollBarAddLine, bar).isEmpty()
    slider = style.subControlRect(scroll, option, PARTS.SC_ScrollBarSlider, bar)
    assert (slider.top(), slider.height()) == (300, 100)
    assert bar.grab().toImage().pixelColor(5, 350) == theme().color("surface.line_strong")


def test_a_scroll_bar_is_dragged_and_paged(qtbot):
    bar = QScrollBar(Qt.Orientation.Vertical)
    qtbot.addWidget(bar)
    bar.setRange(0, 300)
    bar.setPageStep(100)
    bar.resize(10, 400)
    bar.show()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(5, 380))
    assert bar.value() == 100
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(5, 150))
    qtbot.mouseMove(bar, QPoint(5, 350))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(5, 350))
    assert bar.value() > 250


def test_views_have_no_frame(qtbot):
    for view in (QListWidget(), QTableWidget(2, 2)):
        qtbot.addWidget(view)
        view.show()
        assert view.frameWidth() == 0


def test_menus_and_tips_lie_on_the_raised_ground(qtbot, colours):
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Copy")
    menu.ensurePolished()
    seen = colours_of(menu)
    assert colours.color("surface.raised").name() in seen
    assert colours.color("surface.line_strong").name() in seen
    assert QToolTip.palette().color(QToolTip.palette().ColorRole.ToolTipBase) == colours.color("surface.raised")


def test_a_switch_of_theme_reaches_three_hundred_widgets_in_a_moment(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for number in range(100):
        for widget in (Button("Open", "folder"), label(f"{number}", tone="secondary"), label("x", elide=True)):
            column.addWidget(widget)
    window.show()
    QApplication.processEvents()
    spent = []
    for name in ("dark", "light", "dark", "light"):
        before = time.thread_time()
        set_theme(name)
        spent.append(time.thread_time() - before)
    assert min(spent) < 0.03  # processor time of this thread; the least of four, so that a busy machine does not matter
