"""The style sheet of a theme: radii, edges, heights and colours of ordinary controls. Rows of views are painted."""

from __future__ import annotations

from functools import cache
from string import Template

from gui.theme.colours import Theme
from gui.theme.lengths import height, line, radius
from gui.theme.tones import TONES

_SHEET = Template("""
QToolTip { background: $raised; color: $primary; border: 1px solid $line_strong; padding: 3px 6px; }
$tones
QLabel:disabled { color: $disabled; }

QAbstractScrollArea { border: none; }
QScrollArea { background: transparent; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox {
  background: $panel; color: $primary; border: 1px solid $edge; border-radius: ${control}px;
  selection-background-color: $selected; selection-color: $primary; }
QLineEdit, QSpinBox, QDoubleSpinBox { min-height: ${inner}px; padding: 0 8px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {
  border: ${focus_width}px solid $focus; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { min-height: ${inner_focus}px; padding: 0 7px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled {
  background: $window; color: $disabled; border-color: $line; }
QLineEdit[error="true"] { border-color: $error; }
QLineEdit[role="bare"], QLineEdit[role="bare"]:focus { background: transparent; border: none; padding: 0; }
QPlainTextEdit[role="code"] { background: $lane; border: 1px solid $line; padding: 4px; }
QPlainTextEdit[role="code"]:focus { border: ${focus_width}px solid $focus; padding: 3px; }

QAbstractSpinBox > QLineEdit, QAbstractSpinBox > QLineEdit:focus {
  border: none; background: transparent; padding: 0 6px; min-height: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; height: 0; border: none; }

QPushButton { background: $panel; color: $primary; border: 1px solid $line_strong; border-radius: ${control}px;
  padding: 0 10px; min-height: ${inner}px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $tint; }
QPushButton:focus { border: ${focus_width}px solid $focus; padding: 0 9px; min-height: ${inner_focus}px; }
QPushButton:disabled { background: transparent; color: $disabled; border-color: $line; }
QPushButton[role="primary"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:focus { border-color: $primary; }
QPushButton[role="primary"]:disabled { background: $hover; color: $disabled; border-color: $line; }
QPushButton[role="quiet"] { background: transparent; color: $secondary; border-color: transparent; }
QPushButton[role="quiet"]:hover { background: $sunken; }
QPushButton[role="quiet"]:focus { border-color: $focus; }
QPushButton[role="danger"] { color: $error; }
QToolButton { background: transparent; color: $secondary; border: ${focus_width}px solid transparent;
  border-radius: ${control}px; padding: 2px; }
QToolButton:hover { background: $sunken; }
QToolButton:checked { background: $tint; color: $accent; }
QToolButton:focus { border-color: $focus; }
QToolButton:disabled { color: $disabled; }
QLineEdit > QToolButton { border: none; padding: 0; }

QComboBox QAbstractItemView { background: $raised; border: 1px solid $line_strong; padding: 4px 0; outline: none; }
QComboBox QAbstractItemView::item { min-height: ${header}px; padding: 0 8px; }
QComboBox QAbstractItemView::item:selected { background: $selected; color: $primary; }

QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $secondary; border: none; padding: 0 10px; min-height: ${tab}px;
  border-bottom: ${focus_width}px solid transparent; }
QTabBar::tab:selected { color: $primary; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $primary; }
QTabBar::tab:selected:focus { color: $accent; border: ${focus_width}px solid $focus; }

QProgressBar { background: $sunken; color: $primary; border: none; max-height: 12px; text-align: center; }
QProgressBar::chunk { background: $accent; }
QSlider::groove:horizontal { background: $line_strong; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $tertiary; border-radius: 2px; }
QSlider::handle:horizontal { background: $accent; width: 14px; margin: -5px 0; border-radius: 7px; }
QSlider::handle:horizontal:focus { border: 2px solid $primary; }
QSlider::handle:horizontal:disabled { background: $edge; }

QMenu { background: $raised; color: $primary; border: 1px solid $line_strong; padding: 4px 0; }
QMenu::item { padding: 5px 24px 5px 12px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: $selected; color: $primary; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $line; margin: 4px 0; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line_strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QHeaderView { background: $window; border: none; }
QHeaderView::section { background: $window; color: $secondary; border: none; border-bottom: 1px solid $line_strong;
  padding: 0 8px; min-height: ${header}px; }
QTableCornerButton::section { background: $window; border: none; }
QTableView, QListView, QTreeView { background: $panel; color: $primary; border: none; gridline-color: $line;
  selection-background-color: $selected; selection-color: $primary; outline: none; }

QSplitter::handle { background: $line; }
QSplitter::handle:hover, QSplitter::handle:pressed { background: $accent; }
QDialog { background: $panel; }
""")


@cache
def sheet(theme: Theme) -> str:
    """The style sheet of a theme, made once."""
    return _SHEET.substitute(
        panel=theme.hex("surface.panel"),
        window=theme.hex("surface.window"),
        hover=theme.hex("surface.hover"),
        sunken=theme.hex("surface.sunken"),
        tint=theme.hex("accent.tint"),
        accent_hover=theme.hex("accent.hover"),
        on_accent=theme.hex("text.on_accent"),
        raised=theme.hex("surface.raised"),
        lane=theme.hex("surface.lane"),
        selected=theme.hex("surface.selected"),
        line=theme.hex("surface.line"),
        line_strong=theme.hex("surface.line_strong"),
        edge=theme.hex("surface.control_edge"),
        primary=theme.hex("text.primary"),
        secondary=theme.hex("text.secondary"),
        tertiary=theme.hex("text.tertiary"),
        disabled=theme.hex("text.disabled"),
        accent=theme.hex("accent.base"),
        focus=theme.hex("accent.focus"),
        error=theme.hex("verdict.fail"),
        tones="\n".join(
            f'QLabel[tone="{tone}"] {{ color: {theme.hex(path)}; }}' for tone, path in TONES.items() if tone
        ),
        control=radius("control"),
        focus_width=int(line("focus")),
        inner=height("button") - 2,
        inner_focus=height("button") - 4,
        header=height("header") - 1,
        tab=height("tab_bar") - 3,
    )
