"""The charts of the Audit screen, as an auditor points, drags, types and reads."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from engine.query.compare import MEASURES, PAIR_KINDS, Pairs
from gui.audit.compare.charts_view_model import chosen
from gui.audit.compare.scatter import Scatter, stamps
from gui.audit.screen import make
from gui.player.player import State
from gui.strings import words
from gui.theme import set_theme


class Charts:
    """Drives the charts of a shown Audit screen."""

    def __init__(self, screen, services, qtbot, made):
        self.screen, self.services, self._bot, self.made = screen, services, qtbot, made
        self.room, self.audit = screen.charts, screen.model

    @property
    def page(self):
        return self.room.page

    @property
    def pairs(self):
        return self.page.model.now.pairs

    def opens(self):
        self.room.open()
        self._bot.waitUntil(lambda: self.page is not None and self.page.model.now is not None)
        self._bot.waitUntil(lambda: self.page.scatter._plot is not None)
        self._bot.waitUntil(lambda: self.page.scatter._image is not None)

    def after(self, act):
        with self._bot.waitSignal(self.page.model.charted):
            act()

    def at(self, place):
        x, y = self.page.scatter.to_pixels(self.pairs.x, self.pairs.y)
        return QPoint(round(x[place]), round(y[place]))

    def drags(self, widget, *places):
        self._bot.mousePress(widget, Qt.MouseButton.LeftButton, pos=places[0])
        for place in places[1:]:
            self._bot.mouseMove(widget, place)
        self._bot.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=places[-1])

    def presses(self, widget, key, held=Qt.KeyboardModifier.NoModifier):
        self._bot.keyClick(widget, key, held)

    def wait(self, condition):
        self._bot.waitUntil(condition)


@pytest.fixture
def charts(services, open_here, made, qtbot):
    """The Audit screen on the workspace of three systems, its charts about to be opened on DNSMOS."""
    kept = {"first": "steady", "second": "turned", "x": "dnsmos", "y": "dnsmos", "spread": "dnsmos"}
    services.settings.set("charts", kept)
    open_here(made.workspace.folder)
    screen = make(services)
    qtbot.addWidget(screen)
    screen.resize(1520, 860)
    with qtbot.waitExposed(screen):
        screen.show()
    services.actions.enter("audit")
    qtbot.waitUntil(lambda: screen.model.rows.rowCount() == 14 and screen.model.total == 14)
    yield Charts(screen, services, qtbot, made)
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_the_charts_take_the_place_of_the_table_and_give_it_back(charts):
    charts.opens()
    assert charts.page.isVisible() and not charts.screen.table.isVisible()
    assert charts.room.button.isChecked()
    charts.presses(charts.page.scatter, Qt.Key.Key_Escape)
    assert charts.screen.table.isVisible() and not charts.page.isVisible()
    assert not charts.room.button.isChecked()


def test_a_small_window_gives_the_charts_all_its_room_and_the_detail_comes_back(charts):
    charts.screen.resize(800, 420)
    charts.opens()
    charts.wait(lambda: not charts.screen.detail.isVisible())
    charts.screen.resize(1520, 860)
    charts.wait(charts.screen.detail.isVisible)
    charts.room.close()
    assert charts.screen.detail.isVisible() and charts.screen.table.isVisible()


def test_points_are_the_instances_that_have_both_values(charts):
    charts.opens()
    assert len(charts.pairs) == 4
    assert sorted(zip(charts.pairs.x, charts.pairs.y)) == [(1.0, 1.5), (2.0, 2.5), (3.0, 3.5), (4.0, 4.5)]
    assert charts.page.count.text() == "4 instances · 2 without a value"


def test_the_legend_says_in_words_what_each_mark_is_and_how_many(charts):
    charts.opens()
    said = charts.page.legend.texts()
    assert "only steady right 2" in said and "only turned right 1" in said
    assert any(text.startswith("not scored") for text in said)
    looks = stamps(0, 1)
    assert len({look.shape for look in looks}) == len(PAIR_KINDS)


def test_enclosed_points_are_shown_in_the_table(charts):
    charts.opens()
    scatter = charts.page.scatter
    first, last = charts.at(int(charts.pairs.x.argmin())), charts.at(int(np.argsort(charts.pairs.x)[1]))
    corners = [first + QPoint(-8, 8), first + QPoint(-8, -14), last + QPoint(8, -14), last + QPoint(8, 8)]
    charts.drags(scatter, *corners, corners[0])
    assert charts.page.model.selected_count == 2
    assert charts.page.chosen.text() == "2 instances selected"
    charts.presses(scatter, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    charts.wait(lambda: charts.audit.rows.rowCount() == 4)
    ids = {*charts.made.ids["steady"][:2], *charts.made.ids["turned"][:2]}
    assert set(charts.audit.rows.ids.tolist()) == ids
    assert charts.screen.table.isVisible()


def test_typed_ranges_select_as_a_drag_does(charts):
    charts.opens()
    page = charts.page
    page.x_range.low.setText("2")
    page.x_range.high.setText("3")
    charts.presses(page.x_range.high, Qt.Key.Key_Return)
    assert page.model.selected_count == 2
    page.y_range.low.setText("3,0")
    charts.presses(page.y_range.low, Qt.Key.Key_Return)
    assert page.y_range.low.toolTip() == words.text("audit.charts.not_a_number", value="3,0")
    page.y_range.low.setText("3")
    charts.presses(page.y_range.low, Qt.Key.Key_Return)
    assert page.model.selected_count == 1
    charts.presses(page.scatter, Qt.Key.Key_Escape)  # first the selection goes, then the page
    assert page.model.selected_count == 0 and page.isVisible()


def test_a_point_that_is_clicked_is_looked_at_and_heard(charts, qtbot):
    charts.opens()
    place = int(charts.pairs.x.argmin())  # of instance 0, the one with sound
    qtbot.mouseClick(charts.page.scatter, Qt.MouseButton.LeftButton, pos=charts.at(place))
    charts.wait(lambda: charts.audit.current == charts.made.ids["steady"][0])
    charts.wait(lambda: charts.services.player.state is State.PLAYING)
    charts.services.player.pause()


def test_return_hears_the_point_that_arrows_went_to(charts):
    charts.opens()
    scatter = charts.page.scatter
    scatter.setFocus()
    for _ in range(6):
        charts.presses(scatter, Qt.Key.Key_Left)
    assert charts.pairs.x[scatter.current] == 1.0
    charts.presses(scatter, Qt.Key.Key_Up)
    charts.presses(scatter, Qt.Key.Key_Right)
    assert charts.pairs.x[scatter.current] == 3.0
    assert "x 3.00 · y 3.50" in scatter.accessibleDescription()
    charts.presses(scatter, Qt.Key.Key_Return)
    charts.wait(lambda: charts.audit.current == charts.made.ids["steady"][2])


def test_a_point_prefers_both_its_systems_for_a_comparison(charts):
    charts.opens()
    charts.after(lambda: charts.page.model.choose(first="turned", second="steady"))
    charts.page.scatter.opened.emit(0)
    charts.wait(lambda: charts.screen.detail.detail is not None)
    charts.screen.detail.compare.compare(2)
    charts.wait(lambda: len(charts.screen.detail.compare.lanes) == 2)
    assert [lane.answer.system for lane in charts.screen.detail.compare.lanes] == ["turned", "steady"]


def test_hovering_names_a_point_and_only_a_near_one(charts, qtbot):
    charts.opens()
    scatter = charts.page.scatter
    assert scatter.nearest(QPointF(charts.at(1))) == 1
    assert scatter.nearest(scatter.frame().topLeft()) == -1
    with qtbot.waitSignal(scatter.pointed) as told:
        qtbot.mouseMove(scatter, charts.at(1))
    assert told.args == [1]
    assert "chinese_knowledge 0001" in charts.page._tell(1)


def test_the_filter_of_the_screen_applies(charts):
    charts.opens()
    charts.after(lambda: (charts.audit.type("system:turned dnsmos>=3"), charts.audit.commit()))
    charts.wait(lambda: len(charts.pairs) == 2)
    assert charts.page.count.text().endswith("of the filter")
    assert charts.page.isVisible()
    by_system = {row.system: row for row in charts.page.model.now.spreads.rows}
    assert (by_system["turned"].count, by_system["steady"].count) == (2, 0)


def test_a_filter_that_finds_nothing_says_so_and_the_charts_come_back(charts):
    charts.opens()
    charts.after(lambda: (charts.audit.type("dnsmos>9"), charts.audit.commit()))
    charts.wait(lambda: charts.audit.emptiness == "nothing")
    assert not charts.page.isVisible()
    charts.audit.clear()
    charts.wait(lambda: charts.page.isVisible() and len(charts.pairs) == 4)


def test_a_brush_over_the_spread_becomes_a_filter(charts):
    charts.opens()
    spread = charts.page.spread
    assert "n 4 · no value 2" in spread.accessibleDescription()
    left, right = (round(spread._x(value)) for value in (2.05, 3.95))
    charts.after(lambda: charts.drags(spread, QPoint(left, 20), QPoint(right, 20)))
    low, high = (float(end) for end in charts.audit.query.removeprefix("dnsmos:").split(".."))
    assert low <= 2.05 and high >= 3.95
    values = [n + half for n in (1.0, 2.0, 3.0, 4.0) for half in (0.0, 0.5)]
    charts.wait(lambda: charts.audit.rows.rowCount() == sum(low <= value <= high for value in values))


def test_a_typed_range_becomes_a_filter_too(charts):
    charts.opens()
    charts.page.spread_range.low.setText("3.2")
    charts.after(lambda: charts.presses(charts.page.spread_range.low, Qt.Key.Key_Return))
    assert charts.audit.query == "dnsmos:3.2.."
    charts.wait(lambda: charts.audit.rows.rowCount() == 3)


def test_other_systems_and_measures_are_chosen_and_kept(charts):
    charts.opens()
    page = charts.page
    page.y_measure.setCurrentIndex(MEASURES.index("per"))
    charts.after(lambda: page.y_measure.activated.emit(page.y_measure.currentIndex()))
    assert page.model.now.choice.y == "per"
    assert charts.services.settings.get("charts")["y"] == "per"
    assert not page.scatter._is_square


def test_everything_has_a_name_in_both_languages_and_themes(charts):
    charts.opens()
    for language, theme in (("zh", "dark"), ("en", "light")):
        words.use(language)
        set_theme(theme)
        page = charts.page
        for widget in (page, page.scatter, page.spread, page.legend, page.first, page.x_measure, page.spread_measure):
            assert widget.accessibleName()
        assert page.x_measure.currentData() == "dnsmos"
        assert not page.grab().isNull()


def test_without_answers_there_is_nothing_to_chart(services, open_here, qtbot, tmp_path):
    from engine.store.workspace import open_workspace
    from gui.audit.compare.charts_view_model import read_charts

    assert read_charts(open_workspace(tmp_path / "w", create=True), {}, [], "corrected", None) is None


def test_what_was_kept_and_is_no_longer_there_gives_way():
    choice = chosen(["a", "b"], {"first": "gone", "second": 3, "x": "gone", "spread": ["error"]})
    assert (choice.first, choice.second, choice.x, choice.y, choice.spread) == ("a", "b", "error", "error", "error")


def test_ten_thousand_points_are_found_and_enclosed_at_once(jobs, qtbot):
    numbers = np.arange(12_000)
    spots = np.random.default_rng(5)
    pairs = Pairs(numbers, numbers, spots.random(12_000), spots.random(12_000), numbers % 6, ("",) * 12_000, 12_000)
    scatter = Scatter(jobs)
    qtbot.addWidget(scatter)
    scatter.resize(700, 300)
    with qtbot.waitExposed(scatter):
        scatter.show()
    scatter.set_pairs(pairs, lambda: stamps(0, 1), str, is_square=True)
    qtbot.waitUntil(lambda: scatter._image is not None)
    x, y = scatter.to_pixels(pairs.x[77:78], pairs.y[77:78])
    found = scatter.nearest(QPointF(float(x[0]), float(y[0])))
    assert abs(pairs.x[found] - pairs.x[77]) < 0.01 and abs(pairs.y[found] - pairs.y[77]) < 0.01
    assert len(pairs.enclosed([(-1, -1), (2, -1), (2, 2), (-1, 2)])) == 12_000
    qtbot.waitUntil(lambda: not jobs.running)
