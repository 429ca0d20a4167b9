"""The charts of the Audit screen: a scatter of two systems left, how a measure is spread right."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.query.compare import MEASURES, PAIR_KINDS
from engine.query.fields import FIELDS
from engine.query.ranks import Ids
from gui.audit.columns import measure_text
from gui.audit.compare.charts_view_model import Charted, ChartsViewModel
from gui.audit.compare.legend import Named, PointLegend
from gui.audit.compare.point_picture import Stamp
from gui.audit.compare.range_fields import RangeFields
from gui.audit.compare.scatter import Corners, Scatter, kind_colour, kind_shape, stamps
from gui.audit.compare.spread_view import SpreadView
from gui.jobs import JobRunner
from gui.strings import words
from gui.theme import height, space, theme
from gui.widgets import Button, ComboBox, Hairline, IconButton, InlineError, label, scroll_area

_LEGEND_ORDER = ("same", "first", "second", "unscored", "unparsable", "failed")


class ChartsPage(QWidget):
    """Shows what ``model`` holds.

    Signals:
        opened: the answer of the first system at a point, to look at and hear.
        table_wanted: back to the table.
    """

    opened, table_wanted = Signal(int), Signal()

    def __init__(self, model: ChartsViewModel, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.first, self.second = ComboBox(size="button_small", widest=200), ComboBox(size="button_small", widest=200)
        self.x_measure, self.y_measure, self.spread_measure = (
            ComboBox(size="button_small", widest=180) for _ in range(3)
        )
        self._x_name, self._y_name = label("x", "small", "tertiary"), label("y", "small", "tertiary")
        self.count = label("", "small", "secondary")
        self.legend = PointLegend()
        self.scatter = Scatter(jobs)
        self.x_range, self.y_range = RangeFields("audit.charts.x_range"), RangeFields("audit.charts.y_range")
        self.select = Button(size="button_small")
        self.chosen = label("", "small", "secondary", elide=True)
        self.show_chosen = Button(size="button_small", icon="table", role="primary", key="Ctrl+Return")
        self.unselect = Button(size="button_small", role="quiet")
        self._spread_name = label("", "body", weight=600)
        self.close_button = IconButton("x", size="button_small", key="Escape")
        self.spread = SpreadView()
        self.spread_range = RangeFields("audit.charts.range")
        self.filter = Button(size="button_small", icon="funnel")
        self.trouble = InlineError()
        self._lay_out()
        self._wire()
        self._retranslate()

    def enter(self) -> None:
        """The page is on screen: take the keyboard and read."""
        self.model.set_shown(True)
        self.scatter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """The page is off screen."""
        self.model.set_shown(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and is_ctrl:
            self._show_in_table()
        elif event.key() == Qt.Key.Key_Escape and self.model.selected_count:
            self.model.unselect()
        elif event.key() == Qt.Key.Key_Escape:
            self.table_wanted.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.panel"))

    # --- layout

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(0)
        x, y = (self._x_name, self.first, self.x_measure), (self._y_name, self.second, self.y_measure)
        left.addWidget(_row(*x, *y, None))
        left.addWidget(_row((self.legend, 1), self.count, tall=24))
        left.addWidget(self.scatter, 1)
        left.addWidget(_row(self.x_range, self.y_range, self.select, (self.chosen, 1), self.unselect, self.show_chosen))
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(_row(self._spread_name, self.spread_measure, None, self.close_button))
        right.addWidget(scroll_area(self.spread), 1)
        right.addWidget(_row(self.spread_range, self.filter, None))
        columns = QHBoxLayout()
        columns.setSpacing(0)
        columns.addLayout(left, 6)
        columns.addWidget(Hairline(vertical=True))
        columns.addLayout(right, 5)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.trouble)
        whole.addLayout(columns, 1)

    def _wire(self) -> None:
        model = self.model
        model.charted.connect(self._show)
        model.selected.connect(self._show_selected)
        model.failed.connect(self._on_failure)
        for box, part in self._boxes().items():
            box.setProperty("part", part)
            box.activated.connect(self._on_chosen)
        self.scatter.enclosed.connect(model.enclose)
        self.scatter.opened.connect(self._on_opened)
        self.x_range.entered.connect(self._select_within)
        self.y_range.entered.connect(self._select_within)
        self.select.clicked.connect(self._select_within)
        self.unselect.clicked.connect(model.unselect)
        self.show_chosen.clicked.connect(self._show_in_table)
        self.spread.brushed.connect(self._on_brushed)
        self.spread_range.entered.connect(self._filter)
        self.filter.clicked.connect(self._filter)
        self.close_button.clicked.connect(self.table_wanted)
        words.changed.connect(self._retranslate)

    def _boxes(self) -> dict[ComboBox, str]:
        return {
            self.first: "first",
            self.second: "second",
            self.x_measure: "x",
            self.y_measure: "y",
            self.spread_measure: "spread",
        }

    # --- what is shown

    def _show(self, charted: Charted | None) -> None:
        self.trouble.clear()
        if charted is None:
            self.setEnabled(False)
            return
        self.setEnabled(True)
        self._fill(charted)
        choice = charted.choice
        is_square = choice.x == choice.y
        self.scatter.set_pairs(charted.pairs, self._stamps, self._tell, is_square=is_square)
        self.spread.set_spreads(charted.spreads, charted.places)
        self.spread_range.clear()
        self._say()

    def _fill(self, charted: Charted) -> None:
        """Put what can be chosen into the boxes, and show what is."""
        choice = charted.choice
        for box, chosen in ((self.first, choice.first), (self.second, choice.second)):
            if [box.itemData(n) for n in range(box.count())] != list(charted.systems):
                box.clear()
                for system in charted.systems:
                    box.addItem(system, system)
            box.setCurrentIndex(charted.systems.index(chosen))
        for box, chosen in (
            (self.x_measure, choice.x),
            (self.y_measure, choice.y),
            (self.spread_measure, choice.spread),
        ):
            box.setCurrentIndex(MEASURES.index(chosen))

    def _show_selected(self, places: Ids | None, corners: Corners) -> None:
        self.scatter.select(places, corners)
        if places is None:
            self.x_range.clear()
            self.y_range.clear()
        self._say_selected(places is not None)

    def _say_selected(self, is_selecting: bool) -> None:
        count = self.model.selected_count
        self.chosen.setText(words.text("audit.charts.selected", count=count) if is_selecting else "")
        self.unselect.setVisible(is_selecting)
        self.show_chosen.setVisible(count > 0)

    def _say(self) -> None:
        charted = self.model.now
        if charted is None:
            return
        pairs, choice = charted.pairs, charted.choice
        parts = [words.text("audit.charts.instances", count=len(pairs))]
        if pairs.missing:
            parts.append(words.text("audit.charts.without", count=pairs.missing))
        if charted.is_filtered:
            parts.append(words.text("audit.charts.filtered"))
        self.count.setText(" · ".join(parts))
        self.count.setToolTip(" · ".join(parts))
        counts = Counter(pairs.kinds.tolist())
        self.legend.set_kinds(
            [
                Named(
                    kind_shape(kind), kind_colour(kind, *self._places(charted)), self._kind_said(kind, count, charted)
                )
                for kind in _LEGEND_ORDER
                if (count := counts[PAIR_KINDS.index(kind)])
            ]
        )
        said = f"{choice.first}, {FIELDS[choice.x].label(words.language)}; {choice.second}, "
        name = said + FIELDS[choice.y].label(words.language)
        self.scatter.setAccessibleName(words.text("audit.charts.scatter", name=name))
        self.spread.describe()
        self._say_selected(self.model.selected_count > 0)

    def _kind_said(self, kind: str, count: int, charted: Charted) -> str:
        choice = charted.choice
        return words.text(f"audit.charts.kind_{kind}", first=choice.first, second=choice.second, count=count)

    def _places(self, charted: Charted) -> tuple[int, int]:
        return charted.places[charted.choice.first], charted.places[charted.choice.second]

    def _stamps(self) -> list[Stamp]:
        charted = self.model.now
        return stamps(*self._places(charted)) if charted is not None else []

    def _tell(self, place: int) -> str:
        """One line about a point: the instance, both values, and what its mark stands for."""
        charted = self.model.now
        if charted is None or place >= len(charted.pairs):
            return ""
        pairs = charted.pairs
        kind = PAIR_KINDS[int(pairs.kinds[place])]
        x = measure_text(charted.choice.x, pairs.x[place])
        y = measure_text(charted.choice.y, pairs.y[place])
        said = words.text(f"audit.charts.point_{kind}")
        return words.text("audit.charts.point", name=pairs.names[place], x=x, y=y, kind=said)

    # --- what is done

    def _on_chosen(self) -> None:
        box = self.sender()
        if isinstance(box, ComboBox):
            self.model.choose(**{str(box.property("part")): str(box.currentData())})

    def _on_opened(self, place: int) -> None:
        if self.model.now is not None:
            self.opened.emit(int(self.model.now.pairs.first[place]))

    def _select_within(self) -> None:
        x, y = self.x_range.values(), self.y_range.values()
        if x is not None and y is not None:
            self.model.select_within(x, y)

    def _show_in_table(self) -> None:
        if self.model.show_selection():
            self.table_wanted.emit()

    def _on_brushed(self, chosen: tuple[float, float]) -> None:
        self.spread_range.set_values(*chosen)
        self.model.filter_by(chosen)

    def _filter(self) -> None:
        chosen = self.spread_range.values()
        if chosen is not None and not self.spread_range.is_empty():
            self.model.filter_by(chosen)

    def _on_failure(self, error: EngineError) -> None:
        self.trouble.say(words.error(error), code=error.code)

    def _retranslate(self) -> None:
        say = words.text
        self.setAccessibleName(say("audit.charts.name"))
        for box, part in self._boxes().items():
            box.set_name(say(f"audit.charts.choose_{part}"))
        for box in (self.x_measure, self.y_measure, self.spread_measure):
            held = max(box.currentIndex(), 0)
            box.clear()
            for name in MEASURES:
                box.addItem(FIELDS[name].label(words.language), name)
            box.setCurrentIndex(held)
        self.select.setText(say("audit.charts.select"))
        self.select.set_tip(say("audit.charts.select_tip"))
        self.unselect.setText(say("audit.charts.unselect"))
        self.show_chosen.setText(say("audit.charts.show"))
        self.show_chosen.set_tip(say("audit.charts.show_tip"))
        self._spread_name.setText(say("audit.charts.spread"))
        self.filter.setText(say("audit.charts.filter"))
        self.filter.set_tip(say("audit.charts.filter_tip"))
        self.close_button.set_tip(say("audit.charts.close"))
        self.scatter.setToolTip(say("audit.charts.scatter_tip"))
        self._say_selected(self.model.selected_count > 0)
        self._say()


def _row(*parts: QWidget | tuple[QWidget, int] | None, tall: int | None = None) -> QWidget:
    """A line of widgets; None takes the room that is left."""
    inside = QWidget()
    inside.setFixedHeight(tall or height("card_head"))
    row = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
    row.setContentsMargins(space(3), 0, space(3), 0)
    row.setSpacing(space(2))
    for part in parts:
        if part is None:
            row.addStretch(1)
        elif isinstance(part, tuple):
            row.addWidget(*part)
        else:
            row.addWidget(part)
    return inside
