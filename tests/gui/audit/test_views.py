"""Views saved, opened, changed, renamed, moved and deleted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engine.errors import EngineError
from engine.query.presets import PRESETS
from gui.audit.columns import DEFAULT
from gui.audit.saved_views import LONGEST_NAME, MOST, SavedViews, View

SHIFT = Qt.KeyboardModifier.ShiftModifier
WRONG = View("wrong ones", "verdict:wrong", (("system", False), ("rate", True)), "corrected", DEFAULT)


def tabs(auditor):
    return [tab.words_with_count() for tab in auditor.screen.tabs._tabs]


def name_it(auditor, name):
    panel = auditor.screen._views.naming
    panel.field.setText(name)
    auditor.presses(Qt.Key.Key_Return, panel.field)
    return panel


@pytest.fixture
def with_view(auditor):
    """A view of the wrong answers, sorted by system, saved and open."""
    auditor.types("verdict:wrong")
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    auditor.finds(lambda: auditor.model.sort_by("system"))
    auditor.screen._views.save()
    name_it(auditor, "wrong ones")
    auditor.waits_for(lambda: bool(auditor.model.view_counts))
    return auditor


def test_views_are_read_as_they_were_written_and_nonsense_is_left_out(settings):
    views = SavedViews(settings)
    views.put(WRONG)
    kept = settings.get("audit_views")
    settings.set(
        "audit_views", [*kept, "x", {"name": 3}, {"name": " "}, {"name": "bare", "sort": [["no", 1]], "query": 7}]
    )
    again = SavedViews(settings)
    assert again.all() == (WRONG, View("bare", "", (), "corrected", DEFAULT))


def test_a_name_is_needed_taken_once_and_kept_short(settings):
    views = SavedViews(settings)
    views.put(WRONG)
    with pytest.raises(EngineError, match="needs a name"):
        views.put(View("  ", "", (), "corrected", DEFAULT))
    with pytest.raises(EngineError, match="there already"):
        views.put(View("Wrong  Ones", "", (), "corrected", DEFAULT))
    views.put(View("n" * 500 + "\n", "", (), "corrected", DEFAULT))
    assert len(views[1].name) == LONGEST_NAME
    views.rename(0, "wrong ones")
    for number in range(MOST - 2):
        views.put(View(str(number), "", (), "corrected", DEFAULT))
    with pytest.raises(EngineError, match="delete one first"):
        views.put(View("one more", "", (), "corrected", DEFAULT))


def test_what_is_shown_is_saved_under_a_name_and_stands_behind_all_with_its_count(with_view):
    assert tabs(with_view)[:2] == ["All 17", "wrong ones 4"]
    assert with_view.screen.tabs.current() == 1
    assert with_view.services.settings.get("audit_views") == [
        {"name": "wrong ones", "query": "verdict:wrong", "sort": [["system", False]], "method": "corrected",
         "columns": list(DEFAULT)}
    ]  # fmt: skip


def test_a_name_that_does_not_do_is_told_in_the_panel(with_view):
    with_view.screen._views.save_as()
    panel = name_it(with_view, "Wrong ones")
    assert panel.isVisible()
    assert "there already" in panel._why.text()
    with_view.presses(Qt.Key.Key_Escape, panel.field)
    assert not panel.isVisible()
    assert len(with_view.model.views) == 1


def test_a_view_is_opened_by_click_and_by_key_with_all_it_holds(with_view):
    auditor = with_view
    auditor.finds(lambda: auditor.screen.tabs._tabs[0].click())
    auditor.model.show_columns(["cer", "system"])
    auditor.finds(auditor.screen.other_method)
    assert auditor.screen.tabs.current() == 0
    action = next(a for a in auditor.services.actions if a.id == "audit.view_1")
    assert len(auditor.finds(action.run)) == 4
    assert auditor.chips() == ["verdict wrong"]
    assert (auditor.model.method, auditor.model.sort) == ("corrected", (("system", False),))
    assert auditor.model.columns == DEFAULT
    auditor.finds(auditor.model.clear)
    assert auditor.screen.tabs.current() == 0
    auditor.finds(auditor.screen.tabs._tabs[1].click)
    assert auditor.screen.tabs.current() == 1


def test_a_key_without_a_view_says_so(auditor):
    next(a for a in auditor.services.actions if a.id == "audit.view_3").run()
    assert "no saved view 3" in auditor.services.asked.said[-1][0]


def test_a_changed_view_is_marked_and_saved_again(with_view):
    auditor = with_view
    assert not auditor.model.view_is_changed
    auditor.finds(lambda: auditor.model.sort_by("rate", add=True))
    assert tabs(auditor)[1] == "wrong ones (changed) 4"
    auditor.screen._views.save()
    assert tabs(auditor)[1].startswith("wrong ones") and "changed" not in tabs(auditor)[1]
    assert auditor.services.settings.get("audit_views")[0]["sort"] == [["system", False], ["rate", True]]
    assert "is saved" in auditor.services.asked.said[-1][0]
    auditor.model.show_columns(["system", "cer"])
    assert auditor.model.view_is_changed
    auditor.finds(auditor.screen._views._model.clear)
    assert auditor.model.view is None


def test_a_view_is_renamed_moved_and_deleted_by_keyboard(with_view):
    auditor = with_view
    auditor.screen._views.save_as()
    name_it(auditor, "second")
    assert [view.name for view in auditor.model.views.all()] == ["wrong ones", "second"]
    assert auditor.model.view == 1
    second = auditor.screen.tabs._tabs[2]
    auditor.presses(Qt.Key.Key_Left, second, SHIFT)
    assert [view.name for view in auditor.model.views.all()] == ["second", "wrong ones"]
    assert auditor.model.view == 0
    auditor.presses(Qt.Key.Key_F2, auditor.screen.tabs._tabs[1])
    name_it(auditor, "first")
    assert auditor.model.views[0].name == "first"
    auditor.services.asked.answer = False
    auditor.presses(Qt.Key.Key_Delete, auditor.screen.tabs._tabs[1])
    assert len(auditor.model.views) == 2
    auditor.services.asked.answer = True
    auditor.presses(Qt.Key.Key_Delete, auditor.screen.tabs._tabs[1])
    assert [view.name for view in auditor.model.views.all()] == ["wrong ones"]
    assert auditor.model.view is None
    assert tabs(auditor)[1].startswith("wrong ones")
    auditor.waits_for(lambda: not auditor.services.jobs.running)


def test_the_menu_of_a_tab_offers_what_can_be_done(with_view):
    menu = with_view.screen._views.menu_of(1)
    assert [entry.text() for entry in menu.actions() if entry.text()] == [
        "Rename", "Move left", "Move right", "Delete", "Save as a view",
    ]  # fmt: skip
    assert [entry.text() for entry in with_view.screen._views.menu_of(0).actions()] == ["Save as a view"]


def test_each_class_of_mismatch_is_reached_from_its_tab(auditor):
    place = next(n for n, preset in enumerate(PRESETS) if preset.id == "unlike")
    parts = auditor.screen._views.parts_of(place)
    assert [said.split("  ")[0] for said, _ in parts] == [
        "Speech ≠ text", "Omission", "Repetition", "Truncation", "Insertion", "Unrelated",
    ]  # fmt: skip
    auditor.finds(lambda: auditor.model.choose_preset(parts[1][1]))
    assert auditor.screen.tabs.current() == place
    assert tabs(auditor)[place].startswith("Speech ≠ text: Omission")
    assert auditor.screen._views.parts_of(0) == []


def test_a_view_whose_filter_cannot_be_read_is_opened_to_be_put_right(auditor):
    auditor.model.views.put(View("old", "nonsense:1", (), "corrected", DEFAULT))
    auditor.model.open_view(0)
    assert auditor.entry.text() == "nonsense:1"
    auditor.waits_for(lambda: not auditor.services.jobs.running)


def test_a_hostile_name_breaks_no_tab(auditor):
    auditor.model.views.put(View("\u202e<b>" + "长" * 200, "", (), "corrected", DEFAULT))
    tab = auditor.screen.tabs._tabs[1]
    assert tab.sizeHint().width() < 320
    assert "[RLO]" in tab.accessibleName()
    assert not auditor.screen.bar.grab().isNull()
    auditor.waits_for(lambda: not auditor.services.jobs.running)
