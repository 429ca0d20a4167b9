"""The state of the screen without widgets: filter, order, method, choice, refresh."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from engine.query.presets import PRESETS
from engine.query.selection import Selection
from engine.store.tags import add_tag
from gui.audit import row_reader
from gui.audit.view_model import AuditViewModel
from tests.gui.audit.made import workspace_with_answers


@pytest.fixture
def model(services, open_here, tmp_path, qtbot):
    workspace = workspace_with_answers(tmp_path / "w")
    made = AuditViewModel(services.workspace, services.jobs, services.settings, services.words)
    with qtbot.waitSignals([made.found, made.overview_changed]):
        open_here(workspace.folder)
    qtbot.waitUntil(lambda: made.total is not None)
    yield made
    qtbot.waitUntil(lambda: not services.jobs.running)


def find(qtbot, model, act):
    with qtbot.waitSignal(model.found):
        act()
    return model.rows.ids.tolist()


def test_all_answers_are_found_and_counted(model):
    assert model.rows.rowCount() == model.total == 17
    assert model.emptiness == ""
    assert model.preset is PRESETS[0]
    assert model.preset_counts["all"] == 17
    assert model.preset_counts["not_judged"] == 5


def test_what_is_typed_filters_after_a_moment_and_becomes_a_chip_on_return(model, qtbot):
    assert len(find(qtbot, model, lambda: model.type("verdict:wrong"))) == 4
    assert model.chips() == ()
    find(qtbot, model, model.commit)
    assert [chip.plain for chip in model.chips()] == ["verdict wrong"]
    assert (model.query, model.draft) == ("verdict:wrong", "")
    assert len(find(qtbot, model, lambda: model.type("-system:steady"))) == 0
    assert model.emptiness == "nothing"


def test_an_error_is_told_and_the_answers_found_stay(model, qtbot):
    find(qtbot, model, lambda: model.type("verdict:wrong"))
    with qtbot.waitSignal(model.error_changed) as told:
        model.type("verdict:wrong sistem:x")
    assert told.args[0].code == "query.unknown_field_meant"
    assert not model.commit()
    assert model.rows.rowCount() == 4
    assert model.draft == "verdict:wrong sistem:x"


def test_a_chip_can_be_taken_away_or_opened_again(model, qtbot):
    model.type("verdict:wrong system:steady,broken (key:*1 OR key:*3)")
    find(qtbot, model, model.commit)
    assert len(model.chips()) == 3
    find(qtbot, model, lambda: model.remove(0))
    model.type("per>0")
    assert model.reopen(0) == "system:steady,broken"
    assert model.draft == "system:steady,broken"
    assert model.query == "(key:*1 OR key:*3) per>0"
    find(qtbot, model, model.clear)
    assert (model.query, model.draft, model.rows.rowCount()) == ("", "", 17)


def test_a_preset_brings_its_filter_and_its_order(model, qtbot):
    chosen = next(preset for preset in PRESETS if preset.id == "not_judged")
    ids = find(qtbot, model, lambda: model.choose_preset(chosen))
    assert len(ids) == model.preset_counts["not_judged"]
    assert model.preset is chosen
    assert model.sort == (("state", False),)


def test_the_filter_holds_when_the_window_is_opened_again(model, qtbot, services):
    find(qtbot, model, lambda: model.use_filter("state:failed"))
    again = AuditViewModel(services.workspace, services.jobs, services.settings, services.words)
    with qtbot.waitSignal(again.found):
        pass
    assert [chip.text for chip in again.chips()] == ["state:failed"]
    assert again.rows.ids.tolist() == model.rows.ids.tolist()


def test_a_selection_of_another_screen_is_shown_and_can_be_left(model, qtbot):
    ids = find(qtbot, model, lambda: model.take(Selection("verdict:right", (1, 2, 3))))
    assert ids == [2, 3]
    assert model.among_count == 3
    assert len(find(qtbot, model, model.leave_selection)) == 7


def test_a_selection_that_cannot_be_read_is_left_to_be_put_right(model, qtbot):
    find(qtbot, model, lambda: model.take(Selection("nonsense:1")))
    assert (model.query, model.draft) == ("", "nonsense:1")


def test_sorting_by_two_columns(model, qtbot):
    find(qtbot, model, lambda: model.sort_by("system"))
    ids = find(qtbot, model, lambda: model.sort_by("instance", add=True))
    assert ids[:2] == [16, 17]
    assert model.sort == (("system", False), ("instance", False))


def test_the_method_is_kept_in_the_settings_and_rows_are_read_anew(model, qtbot, services):
    with qtbot.waitSignals([model.found, model.overview_changed, model.method_changed]):
        model.use_method("published")
    assert services.settings.get("audit_method") == "published"
    assert model.method == "published"


def test_new_results_are_found_and_the_choice_stays(model, qtbot, services):
    model.choose(5)
    with qtbot.waitSignals([model.found, model.overview_changed]):
        services.workspace.content_changed.emit()
    assert model.current == 5


def test_pages_are_read_when_looked_at(model, qtbot):
    assert model.rows.row(0) is not None  # the first page comes with what was found
    model.rows.forget_rows()
    assert model.rows.row(0) is None
    qtbot.waitUntil(lambda: model.rows.row(0) is not None)
    row = next(model.rows.row(n) for n in range(17) if model.rows.ids[n] == 13)
    assert (row.score, model.rows.highest(row)) == (4.0, 5)


def test_it_is_busy_from_a_filter_to_what_it_finds(model, qtbot):
    busy = []
    model.busy_changed.connect(busy.append)
    find(qtbot, model, lambda: model.use_filter("verdict:wrong"))
    assert busy == [True, False]


def test_rows_are_told_first_and_the_answer_beside_them_a_moment_later(model, qtbot):
    told = []
    model.current_changed.connect(told.append)

    def choose():
        model.choose(int(model.rows.ids[0]))

    model.found.connect(choose)
    with qtbot.waitSignal(model.current_changed):
        (first, *_) = find(qtbot, model, lambda: model.use_filter("verdict:wrong"))
        assert (model.current, told) == (first, [])
    assert told == [first]
    model.found.disconnect(choose)  # or the model would outlive the test
    model.choose(int(model.rows.ids[1]))  # by hand: at once
    assert told == [first, model.current]


def test_rows_show_the_tags_of_now_where_others_were_set_while_they_were_read(model, qtbot, services, monkeypatch):
    qtbot.waitUntil(lambda: model.rows.row(0) is not None)
    read, is_read, gate = row_reader.read_pages, threading.Event(), threading.Event()

    def read_slowly(*asked):
        pages = read(*asked)
        is_read.set()
        gate.wait(5)
        return pages

    def tag(name):
        with closing(services.workspace.current.connect()) as db:
            add_tag(db, [int(model.rows.ids[0])], name)
        model.reread_tags()

    monkeypatch.setattr(row_reader, "read_pages", read_slowly)
    tag("one")
    qtbot.waitUntil(is_read.is_set)
    with qtbot.waitSignal(model.rows.wanted):
        tag("two")
    gate.set()
    qtbot.waitUntil(lambda: model.rows.row(0).tags == ("one", "two"))


def test_values_that_occur_are_offered(model):
    assert [offer.text for offer in model.suggest("system:", 7)] == ["steady", "broken"]


def test_without_a_workspace_or_without_answers_it_says_so(services, open_here, tmp_path, qtbot):
    from engine.store.workspace import open_workspace

    made = AuditViewModel(services.workspace, services.jobs, services.settings, services.words)
    assert made.emptiness == "no_workspace"
    with qtbot.waitSignal(made.overview_changed, check_params_cb=lambda: made.total == 0):
        open_here(open_workspace(tmp_path / "empty", create=True).folder)
    assert made.emptiness == "no_answers"
