"""Systems beside each other, as an auditor presses, hears and reads."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from gui.audit.compare.series import series_places
from gui.audit.detail.panel import DetailPanel
from gui.player.player import State
from gui.strings import words
from gui.theme import set_theme
from tests.gui.audit_compare.conftest import LEVELS, SAID, STEP_S
from tests.gui.player.fakes import LATENCY_S

FIRST_CLAUSE_S = 10 * STEP_S  # of "steady": ten characters, then the date
DATE_S = 0.0  # where "turned" says the date


class Auditor:
    """Presses keys, plays, and reads lanes of a shown detail panel."""

    def __init__(self, panel, services, sound, qtbot, made):
        self.panel, self.services, self.sound, self._bot, self.made = panel, services, sound, qtbot, made
        self.compare, self.player = panel.compare, services.player

    @property
    def systems(self):
        return [lane.answer.system for lane in self.compare.lanes]

    @property
    def heard(self):
        return self.compare.lanes[self.compare.model.heard].answer.system

    def looks_at(self, system, instance=0):
        number = self.made.ids[system][instance]
        self.panel.show_response(number)
        self._bot.waitUntil(lambda: self.panel.detail is not None and self.panel.detail.answered.id == number)

    def compares(self, count):
        with self._bot.waitSignal(self.compare.model.shown):
            self.compare.compare(count)
        self._bot.waitUntil(lambda: len(self.compare.lanes) == count)
        self._bot.waitUntil(lambda: not self.compare._loading)

    def presses(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        self._bot.keyClick(self.compare, key, modifiers)

    def plays(self):
        self.player.play()
        self._bot.waitUntil(lambda: self.player.state is State.PLAYING)
        self.reads_all()
        return self.sound.opened[-1]

    def reads_all(self):
        spare = self.player._tracks._spare
        self._bot.waitUntil(lambda: all(t.pcm is not None and t.pcm.complete for t in spare.values()))

    def wait(self, condition):
        self._bot.waitUntil(condition)


@pytest.fixture
def auditor(services, sound, open_here, made, qtbot):
    """The detail on the first answer of ``steady``."""
    open_here(made.workspace.folder)
    panel = DetailPanel(services)
    panel.resize(1520, 420)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    services.actions.enter("audit")
    found = Auditor(panel, services, sound, qtbot, made)
    found.looks_at("steady")
    yield found
    services.player.close()
    qtbot.waitUntil(lambda: not services.jobs.running)


def test_lanes_take_the_place_of_the_answers_own_and_give_it_back(auditor):
    auditor.compares(2)
    assert auditor.systems == ["steady", "turned"]
    assert auditor.compare.isVisible() and not auditor.panel.lanes.isVisible()
    auditor.compare.compare(1)
    assert not auditor.compare.isVisible() and auditor.panel.lanes.isVisible()
    assert auditor.compare.lanes == ()


def test_every_number_of_systems_has_its_keys(auditor):
    keys = {action.id: action.keys for action in auditor.services.actions}
    assert [keys[f"audit.compare_{count}"] for count in range(1, 7)] == [(f"Alt+{count}",) for count in range(1, 7)]


def test_more_systems_than_there_are_is_all_there_are(auditor, qtbot):
    with qtbot.waitSignal(auditor.compare.model.shown):
        auditor.compare.compare(6)
    assert sorted(auditor.systems) == sorted(SAID)


def test_a_letter_hears_the_matching_clause_of_another_system(auditor):
    auditor.compares(2)
    auditor.player.seek(FIRST_CLAUSE_S + 0.1)
    auditor.presses(Qt.Key.Key_B)
    assert auditor.heard == "turned"
    assert auditor.player.position_s == pytest.approx(DATE_S)
    auditor.presses(Qt.Key.Key_A)
    assert auditor.player.position_s == pytest.approx(FIRST_CLAUSE_S)


def test_one_key_changes_where_a_switch_goes_on(auditor):
    auditor.compares(2)
    assert auditor.compare.mode.value == "clause"
    auditor.compare.next_mode()  # the same second
    auditor.player.seek(2.0)
    auditor.presses(Qt.Key.Key_B)
    assert auditor.player.position_s == pytest.approx(2.0)
    auditor.compare.next_mode()  # from the start
    auditor.presses(Qt.Key.Key_A)
    assert auditor.player.position_s == 0.0
    assert auditor.services.settings.get("compare_mode") == "restart"
    assert auditor.compare.mode.value == "restart"


def test_a_switch_while_it_plays_goes_out_and_in_and_never_sounds_twice(auditor):
    auditor.compares(2)
    output = auditor.plays()
    output.play(FIRST_CLAUSE_S + 0.5)
    auditor.wait(lambda: auditor.player.position_s > FIRST_CLAUSE_S)
    first = len(output.heard)
    auditor.presses(Qt.Key.Key_B)
    output.play(0.3)
    after, ramp = output.heard[first:], round(0.005 * output.plan.rate_hz)
    assert np.allclose(after[2 * ramp : -10], LEVELS["turned"], atol=1e-3)
    assert after[:ramp].max() <= LEVELS["steady"] + 1e-6 and after[ramp - 1 : ramp + 1].max() < 1e-3
    assert auditor.player.position_s == pytest.approx(DATE_S + 0.295 - LATENCY_S, abs=0.01)


def test_where_nothing_is_alike_it_goes_to_the_same_share_and_says_so(auditor):
    auditor.compares(3)
    half_s = len(SAID["steady"].replace("，", "").replace("。", "")) * STEP_S / 2
    auditor.player.seek(half_s)
    auditor.presses(Qt.Key.Key_C)
    assert auditor.heard == "strange"
    assert auditor.player.position_s == pytest.approx(8 * STEP_S / 2)
    assert auditor.compare.note.text() == words.text("audit.compare.landed_share")


def test_a_second_beyond_the_end_begins_again_and_says_so(auditor):
    auditor.compares(3)
    auditor.compare.model.use_mode("second")
    auditor.player.seek(3.0)
    auditor.presses(Qt.Key.Key_C)  # two seconds long
    assert auditor.player.position_s == 0.0
    assert auditor.compare.note.text() == words.text("audit.compare.landed_over")


def test_tab_goes_from_lane_to_lane_and_backtick_to_the_one_before(auditor):
    auditor.compares(3)
    auditor.compare.setFocus()
    heard = [auditor.heard]
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_QuoteLeft):
        auditor.presses(key)
        heard.append(auditor.heard)
    assert heard == ["steady", "turned", "strange", "steady", "strange"]


def test_the_figures_beside_are_those_of_the_lane_that_is_heard(auditor):
    auditor.compares(2)
    own = auditor.panel.provenance.accessibleDescription()
    auditor.presses(Qt.Key.Key_B)
    assert auditor.panel.provenance.accessibleDescription() != own
    assert "2 systems" in auditor.panel.head._system.text()
    auditor.presses(Qt.Key.Key_A)
    assert auditor.panel.provenance.accessibleDescription() == own


def test_going_back_from_another_lane_loads_the_chosen_answer_again(auditor):
    auditor.compares(2)
    auditor.presses(Qt.Key.Key_B)
    auditor.presses(Qt.Key.Key_Escape)
    assert not auditor.compare.model.is_on
    assert auditor.player._tracks.clip("answer") == auditor.panel._loaded.answer


def test_going_back_from_its_own_lane_lets_it_play_on(auditor):
    auditor.compares(2)
    auditor.plays().play(0.2)
    auditor.compare.compare(1)
    assert auditor.player.is_playing


def test_another_instance_shows_its_own_answers_and_who_gave_none(auditor):
    auditor.compares(3)
    auditor.looks_at("steady", 3)
    auditor.wait(lambda: auditor.compare.lanes and auditor.compare.lanes[0].answer.text == "少林寺")
    assert auditor.systems == ["steady", "turned", "strange"]
    said = auditor.compare.lanes[2]._sentence()
    assert said == words.text("audit.compare.no_answer", system="strange")
    assert auditor.compare.lanes[0]._sentence() == words.text("audit.detail.no_audio")


def test_a_failed_answer_says_why_in_its_lane(auditor):
    auditor.compares(3)
    auditor.looks_at("strange", 1)
    auditor.wait(lambda: auditor.compare.model.compared.response_id == auditor.made.ids["strange"][1])
    lane = next(lane for lane in auditor.compare.lanes if lane.answer.system == "strange")
    assert "timed out" in lane._sentence()
    assert auditor.heard == "strange"  # the answer that was chosen, sound or none


def test_hostile_text_is_painted_and_read_in_every_lane(auditor):
    auditor.compares(3)
    auditor.looks_at("turned", 2)
    auditor.wait(lambda: auditor.compare.model.compared.response_id == auditor.made.ids["turned"][2])
    assert not auditor.compare.grab().isNull()


def test_the_systems_that_are_ticked_are_kept(auditor, qtbot):
    auditor.compares(2)
    auditor.compare._fill_menu()
    entries = {action.text(): action for action in auditor.compare._menu.actions()}
    assert entries["steady"].isChecked() and not entries["steady"].isEnabled()  # two are the fewest
    with qtbot.waitSignal(auditor.compare.model.shown):
        entries["strange"].trigger()
    assert auditor.systems == ["steady", "turned", "strange"]
    assert auditor.services.settings.get("compare_systems") == ["steady", "turned", "strange"]
    auditor.compare._fill_menu()
    entries = {action.text(): action for action in auditor.compare._menu.actions()}
    with qtbot.waitSignal(auditor.compare.model.shown):
        entries["turned"].trigger()
    assert auditor.systems == ["steady", "strange"]


def test_a_click_on_a_lane_hears_it_there_and_a_click_on_its_head_hears_it_by_the_mode(auditor, qtbot):
    auditor.compares(2)
    lane = auditor.compare.lanes[1]
    x = round(lane._head + lane._view.x(1.5))
    qtbot.mouseClick(lane, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert auditor.heard == "turned"
    assert auditor.player.position_s == pytest.approx(1.5, abs=0.05)
    qtbot.mouseClick(auditor.compare.lanes[0], Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert auditor.heard == "steady"


def test_the_other_lanes_show_where_a_switch_would_go(auditor):
    auditor.compares(3)
    auditor.player.seek(FIRST_CLAUSE_S + 0.1)
    other, strange = auditor.compare.lanes[1:]
    assert (other._landing.how, other._landing.at_s, other._landing.is_estimated) == ("clause", DATE_S, False)
    assert (strange._landing.how, strange._landing.is_estimated) == ("share", True)


def test_keys_move_zoom_and_show_all(auditor):
    auditor.compares(2)
    auditor.presses(Qt.Key.Key_Right)
    auditor.presses(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert auditor.player.position_s == pytest.approx(1.1)
    auditor.presses(Qt.Key.Key_Plus)
    assert not auditor.compare._view.is_whole
    auditor.presses(Qt.Key.Key_0)
    assert auditor.compare._view.is_whole
    auditor.presses(Qt.Key.Key_Home)
    assert auditor.player.position_s == 0.0


def test_every_lane_says_what_it_shows_in_either_language(auditor):
    auditor.compares(2)
    for language, right in (("en", "Text: right"), ("zh", "文本: 正确")):
        words.use(language)
        lane = auditor.compare.lanes[0]
        assert lane.accessibleName().startswith("A steady")
        assert right in lane.toolTip()
        assert auditor.compare.accessibleName()


def test_lanes_are_told_apart_by_letter_and_mark_too(auditor):
    auditor.compares(3)
    assert [lane.accessibleName()[0] for lane in auditor.compare.lanes] == ["A", "B", "C"]
    assert len({lane.answer.place for lane in auditor.compare.lanes}) == 3


def test_both_themes_and_narrow_panels_are_painted(auditor):
    auditor.compares(3)
    for name in ("dark", "light"):
        set_theme(name)
        for size in ((1520, 420), (700, 240)):
            auditor.panel.resize(*size)
            assert not auditor.panel.grab().isNull()


def test_another_workspace_ends_the_comparison(auditor, open_here, tmp_path):
    from engine.store.workspace import open_workspace

    auditor.compares(2)
    open_workspace(tmp_path / "other", create=True)
    open_here(tmp_path / "other")
    assert not auditor.compare.model.is_on and auditor.compare.lanes == ()


def test_colours_are_kept_and_never_shared():
    many = [f"s{n}" for n in range(15)]
    assert series_places(many, ["s2"]) == {"s2": 2}
    places = series_places(many, ["s14", "s2", "s8"])
    assert places["s2"] == 2 and len(set(places.values())) == 3
