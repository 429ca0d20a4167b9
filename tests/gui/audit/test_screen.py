"""The Audit screen as an auditor uses it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.query.presets import PRESETS
from engine.query.selection import Selection
from engine.store.workspace import open_workspace
from gui.audit.columns import PLACES
from gui.audit.screen import make
from gui.strings import words
from gui.theme import set_theme


def test_the_first_answer_is_chosen_and_shown_in_detail(auditor):
    assert auditor.table.currentIndex().row() == 0
    auditor.waits_for(lambda: auditor.screen.detail.detail is not None)
    assert auditor.screen.detail.detail.answered.id == auditor.model.rows.ids[0]


def test_up_and_down_move_the_detail_too(auditor):
    auditor.table.setFocus()
    auditor.presses(Qt.Key.Key_Down, auditor.table)
    second = int(auditor.model.rows.ids[1])
    assert auditor.model.current == second
    auditor.waits_for(lambda: auditor.screen.detail.detail is not None)
    auditor.waits_for(lambda: auditor.screen.detail.detail.answered.id == second)
    auditor.presses(Qt.Key.Key_End, auditor.table)
    assert auditor.model.current == auditor.model.rows.ids[-1]
    auditor.presses(Qt.Key.Key_Home, auditor.table)
    assert auditor.model.current == auditor.model.rows.ids[0]


def test_a_filter_is_typed_committed_taken_back_and_cleared_by_keyboard(auditor):
    assert len(auditor.finds(lambda: auditor.types("verdict:wrong"))) == 4
    assert auditor.chips() == []
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    assert auditor.chips() == ["verdict wrong"]
    assert auditor.entry.text() == ""
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Backspace))
    assert (auditor.chips(), auditor.entry.text()) == ([], "verdict:wrong")
    assert len(auditor.finds(lambda: auditor.presses(Qt.Key.Key_Escape))) == 17
    assert auditor.entry.text() == ""


def test_an_error_points_at_its_characters_and_says_what_is_meant(auditor):
    auditor.types("emotio:sad")
    auditor.waits_for(lambda: auditor.screen.filter._why_row.isVisible())
    assert "Did you mean emotion?" in auditor.screen.filter._why.text()
    assert auditor.entry._wrong == (0, 6)
    words.use("zh")
    assert "是不是想写 emotion" in auditor.screen.filter._why.text()
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Escape))
    assert not auditor.screen.filter._why_row.isVisible()


def test_completion_is_chosen_with_the_arrows_and_taken(auditor):
    auditor.types("sys")
    offers = auditor.entry.offers
    assert offers.isVisible()
    auditor.presses(Qt.Key.Key_Tab)
    assert auditor.entry.text() == "system:"
    auditor.presses(Qt.Key.Key_Down)
    auditor.presses(Qt.Key.Key_Down)
    auditor.presses(Qt.Key.Key_Return)
    assert auditor.entry.text() == "system:broken"
    assert not offers.isVisible()
    auditor.presses(Qt.Key.Key_Return)
    assert auditor.chips() == ["system broken"]
    auditor.waits_for(lambda: auditor.model.rows.rowCount() == 2)


def test_two_chinese_characters_are_found(auditor):
    assert len(auditor.finds(lambda: auditor.types("竹篮"))) == 4


def test_tabs_bring_ready_filters_with_their_counts(auditor):
    shown = [preset.id for preset in PRESETS if not preset.needs_any]  # nobody rated anything here
    assert len(auditor.screen.tabs._tabs) == len(shown)
    tab = auditor.screen.tabs._tabs[shown.index("not_judged")]
    assert tab.words_with_count() == "Not judged 5"
    assert len(auditor.finds(tab.click)) == 5
    assert auditor.screen.tabs.current() == shown.index("not_judged")
    auditor.finds(auditor.model.clear)
    assert auditor.screen.tabs.current() == 0


def test_nothing_found_says_so_and_offers_to_clear(auditor):
    auditor.finds(lambda: auditor.types("system:nobody"))
    assert auditor.screen._stack.currentWidget() is auditor.screen._nothing
    assert auditor.model.current is None
    clear = auditor.screen._nothing.findChildren(type(auditor.screen._commands))[0]
    assert len(auditor.finds(clear.click)) == 17


def test_a_click_on_a_title_sorts_and_shift_adds(auditor):
    header = auditor.table.header

    def click(column, modifiers=Qt.KeyboardModifier.NoModifier):
        place = PLACES[column]
        at = QPoint(header.sectionViewportPosition(place) + header.sectionSize(place) // 2, 10)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, modifiers, at)

    auditor.finds(lambda: click("system"))
    ids = auditor.finds(lambda: click("instance", Qt.KeyboardModifier.ShiftModifier))
    assert ids[:3] == [16, 17, 1]
    assert auditor.model.sort == (("system", False), ("instance", False))


def test_titles_sort_by_keyboard(auditor):
    header = auditor.table.header
    header.setFocus()
    auditor.presses(Qt.Key.Key_Right, header)
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return, header))
    assert auditor.model.sort == (("instance", False),)
    before = header.sectionSize(PLACES["instance"])
    auditor.presses(Qt.Key.Key_Right, header, Qt.KeyboardModifier.AltModifier)
    assert header.sectionSize(PLACES["instance"]) == before + 8
    assert auditor.services.settings.get("audit_columns") == {"instance": before + 8}


def test_a_chosen_answer_stays_chosen_when_results_come(auditor):
    auditor.table.choose_row(7)
    chosen = auditor.model.current
    auditor.finds(auditor.services.workspace.content_changed.emit)
    assert auditor.model.current == chosen
    assert auditor.model.rows.ids[auditor.table.currentIndex().row()] == chosen


def test_a_selection_from_another_screen_is_shown(auditor):
    ids = auditor.finds(lambda: auditor.screen.take(Selection("", (2, 4, 6))))
    assert sorted(ids) == [2, 4, 6]
    assert auditor.chips() == ["3 selected"]


def test_the_method_changes_by_key_and_is_shown(auditor):
    auditor.finds(auditor.screen.other_method)
    assert auditor.screen.filter.method.value == "published"


def test_return_leads_to_the_detail_and_the_filter_key_to_the_filter(auditor):
    auditor.screen.activateWindow()
    auditor.table.setFocus()
    auditor.waits_for(lambda: auditor.screen.detail.detail is not None)
    auditor.presses(Qt.Key.Key_Return, auditor.table)
    auditor.waits_for(lambda: auditor.screen.detail.isAncestorOf(auditor.screen.window().focusWidget()))
    auditor.screen.filter.focus()
    auditor.waits_for(auditor.entry.hasFocus)
    auditor.presses(Qt.Key.Key_Down)
    auditor.waits_for(auditor.table.hasFocus)


def test_columns_leave_where_there_is_no_room(auditor):
    assert auditor.table.isColumnHidden(PLACES["tags"])
    auditor.screen.resize(1600, 800)
    auditor.waits_for(lambda: not auditor.table.isColumnHidden(PLACES["tags"]))


def test_from_2200_on_the_detail_stands_beside_the_table(auditor):
    auditor.screen.resize(2200, 900)
    auditor.waits_for(lambda: auditor.screen.splitter.orientation() == Qt.Orientation.Horizontal)
    auditor.screen.resize(1318, 744)
    auditor.waits_for(lambda: auditor.screen.splitter.orientation() == Qt.Orientation.Vertical)


def test_the_splitter_keeps_its_place(auditor):
    auditor.screen.splitter.setSizes([200, 300])
    auditor.screen.splitter.splitterMoved.emit(200, 1)
    auditor.waits_for(lambda: "audit" in auditor.services.settings.get("splitters"))


def test_it_is_drawn_in_both_themes_and_languages_with_hostile_text(auditor):
    for language in ("zh", "en"):
        for theme in ("dark", "light"):
            words.use(language)
            set_theme(theme)
            picture = auditor.table.viewport().grab().toImage()
            assert picture.pixelColor(1, 10).name() == {"dark": "#57bfc9", "light": "#0b6770"}[theme]


def test_without_a_workspace_one_sentence_and_the_way_to_one(services, qtbot):
    screen = make(services)
    qtbot.addWidget(screen)
    assert screen.model.emptiness == "no_workspace"
    page = screen._blank["no_workspace"]
    assert screen._pages.currentWidget() is page
    page.findChildren(type(screen._commands))[0].click()
    assert services.asked.gone == [("library", None)]


def test_another_workspace_takes_the_place_of_the_first(auditor, open_here, tmp_path):
    open_here(open_workspace(tmp_path / "other", create=True).folder)
    auditor.waits_for(lambda: auditor.model.emptiness == "no_answers")
    assert auditor.model.current is None


def test_every_control_has_a_name_and_a_tip(auditor):
    from PySide6.QtWidgets import QAbstractButton

    for place in (auditor.screen.bar, auditor.screen.filter):
        for button in place.findChildren(QAbstractButton):
            assert button.toolTip(), button
            assert button.accessibleName() or button.text(), button


def test_the_list_stays_open_when_the_answers_come_and_nothing_flashes_while_a_value_is_begun(auditor):
    auditor.types("per>0 ")
    auditor.waits_for(lambda: auditor.model.rows.rowCount() == 0)
    auditor.finds(auditor.model.clear)
    auditor.types("system:br")
    offers = auditor.entry.offers
    auditor.waits_for(lambda: not auditor.model._soon.isActive())
    assert offers.isVisible()
    assert auditor.model.rows.rowCount() == 17
    assert not auditor.screen.filter._why_row.isVisible()
    auditor.finds(lambda: auditor.types("oken"))
    assert auditor.model.rows.rowCount() == 2
    auditor.entry.setText("verdict:wrong system:bro")
    auditor.finds(lambda: auditor.entry.textEdited.emit(auditor.entry.text()))
    assert auditor.model.rows.rowCount() == 4


def test_what_is_only_begun_is_no_error_until_return(auditor):
    for begun in ("per>", "(verdict:wrong", '"少林', "emotion:"):
        auditor.entry.setText("")
        auditor.types(begun)
        auditor.waits_for(lambda: not auditor.model._soon.isActive())
        assert not auditor.screen.filter._why_row.isVisible(), begun
        auditor.entry.offers.hide()
        auditor.presses(Qt.Key.Key_Return)
        assert auditor.screen.filter._why_row.isVisible(), begun
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Escape))


def test_chips_are_reached_and_edited_by_keyboard(auditor):
    auditor.types("verdict:wrong system:steady -tag:seen")
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    auditor.screen.activateWindow()
    chips = auditor.screen.filter.field._chips
    auditor.presses(Qt.Key.Key_Left)
    assert chips[2].hasFocus()
    auditor.presses(Qt.Key.Key_Left, chips[2])
    assert chips[1].hasFocus()
    auditor.presses(Qt.Key.Key_End, chips[1])
    assert auditor.entry.hasFocus()
    auditor.presses(Qt.Key.Key_Left)
    auditor.presses(Qt.Key.Key_Home, chips[2])
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Delete, chips[0]))
    assert auditor.chips() == ["system steady", "not tag seen"]
    again = auditor.screen.filter.field._chips
    assert again[0].hasFocus()
    auditor.presses(Qt.Key.Key_Right, again[0])
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return, again[1]))
    assert auditor.entry.text() == "-tag:seen"
    assert auditor.entry.hasFocus()


def test_chips_stay_the_same_widgets_while_a_filter_is_typed(auditor):
    auditor.types("verdict:wrong")
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    before = list(auditor.screen.filter.field._chips)
    auditor.finds(lambda: auditor.types("竹篮"))
    assert auditor.screen.filter.field._chips == before


def test_up_in_the_empty_field_brings_filters_made_before(auditor):
    for made in ("verdict:wrong", "system:broken"):
        auditor.types(made)
        auditor.entry.offers.hide()
        auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
        auditor.finds(auditor.model.clear)
    auditor.presses(Qt.Key.Key_Up)
    offers = auditor.entry.offers
    assert [offer.text for offer in offers._offered] == ["system:broken", "verdict:wrong"]
    auditor.presses(Qt.Key.Key_Down)
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    assert auditor.chips() == ["verdict wrong"]
    assert auditor.services.settings.get("audit_filters") == ["system:broken", "verdict:wrong"]
    auditor.presses(Qt.Key.Key_Up)
    assert [offer.text for offer in offers._offered] == ["system:broken"]
    auditor.presses(Qt.Key.Key_Escape)
    assert not offers.isVisible()
    assert auditor.chips() == ["verdict wrong"]


def test_escape_from_the_table_clears_the_range_and_the_loop(auditor):
    player = auditor.screen._services.player
    player.set_loop((0.0, 0.1))
    auditor.table.setFocus()
    auditor.presses(Qt.Key.Key_Escape, auditor.table)
    assert (player.region, player.loops) == (None, False)


def test_chips_without_room_are_counted_and_reached(auditor):
    auditor.screen.resize(760, 600)
    auditor.screen.activateWindow()
    auditor.types("verdict:wrong system:steady -tag:seen benchmark:vocalbench_zh")
    auditor.entry.offers.hide()
    auditor.finds(lambda: auditor.presses(Qt.Key.Key_Return))
    field = auditor.screen.filter.field
    chips = field._chips
    shown = [not chip.isHidden() for chip in chips]
    assert shown[-1] and not shown[0]
    assert field.rest.text() == f"+{shown.count(False)}"
    assert "verdict wrong" in field.rest.toolTip()
    auditor.presses(Qt.Key.Key_Left)
    auditor.presses(Qt.Key.Key_Home, chips[-1])
    assert chips[0].hasFocus() and not chips[0].isHidden()
    auditor.presses(Qt.Key.Key_End, chips[0])
    field.rest.click()
    assert chips[0].hasFocus()
    auditor.screen.resize(2000, 600)
    auditor.waits_for(lambda: field.rest.isHidden())
    assert not any(chip.isHidden() for chip in chips)
