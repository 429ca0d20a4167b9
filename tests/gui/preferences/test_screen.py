from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QLabel, QWidget

from gui.preferences.screen import SECTIONS
from gui.theme import set_theme

NAMES = [section.id for section in SECTIONS]


def focusable(page):
    found = page.findChildren(QWidget)
    return [w for w in found if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isVisible()]


def test_sections_are_walked_with_the_arrows_and_with_keys_from_anywhere(screen, qtbot):
    screen._sections.setFocus()
    qtbot.keyClick(screen._sections, Qt.Key.Key_Down)
    assert screen.shown_section == "recogniser"
    screen._next()
    assert screen.shown_section == "sound"
    screen._previous()
    screen._previous()
    screen._previous()
    assert screen.shown_section == "about"


def test_the_commands_lead_to_their_sections(screen, services, qtbot, idle):
    run = {action.id: action.run for action in services.actions}
    run["settings.find_key"]()
    assert screen.shown_section == "keys"
    assert screen.page("keys").search.hasFocus()
    run["settings.add_endpoint"]()
    assert screen.shown_section == "judges"
    assert screen.page("judges").form.isVisible()
    idle()


@pytest.mark.parametrize("section", NAMES)
def test_every_control_has_a_name_and_says_what_it_does(open_page, section):
    page = open_page(section)
    nameless = [w for w in focusable(page) if not w.accessibleName() and not getattr(w, "text", str)()]
    silent = [w for w in focusable(page) if isinstance(w, QAbstractButton) and not w.toolTip()]
    assert nameless == []
    assert silent == []


@pytest.mark.parametrize("size", [(1280, 700), (592, 380), (752, 406)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_wider_than_its_page(screen, open_page, services, size, language):
    services.words.use(language)
    screen.resize(*size)
    for section in NAMES:
        page = open_page(section)
        room = page._area.viewport().width()
        assert page._column.parentWidget().width() <= room, section
        cut = [
            part
            for part in page.findChildren(QWidget)
            if part.isVisible()
            and isinstance(part, QAbstractButton | QLabel)
            and part.text()
            and part.minimumSizeHint().width() > part.width() + 1
        ]
        assert [(section, part.text()) for part in cut] == []


@pytest.mark.parametrize("width", [592, 752])
def test_the_form_of_an_endpoint_fits_a_small_window_and_stays_in_place(screen, open_page, idle, qtbot, width):
    screen.resize(width, 380)
    page = open_page("judges")
    page.add_endpoint()
    idle()
    qtbot.waitUntil(lambda: page.form.save.isVisible())
    room = page._area.viewport().width()
    assert page._column.parentWidget().width() <= room
    assert page._area.horizontalScrollBar().value() == 0


def test_both_themes_and_languages_are_drawn_without_a_complaint(screen, open_page, services):
    for name in ("dark", "light"):
        set_theme(name)
        for language in ("zh", "en"):
            services.words.use(language)
            for section in NAMES:
                open_page(section)
                assert not screen.grab().isNull()


@pytest.mark.parametrize("section", NAMES)
def test_another_language_leaves_no_word_of_the_first(open_page, services, section):
    page = open_page(section)
    services.words.use("zh")
    english = [
        part.text()
        for part in page.findChildren(QAbstractButton)
        if part.isVisible() and part.text().isascii() and len(part.text()) > 9 and "whisper" not in part.text()
    ]
    assert [text for text in english if text != "transformers"] == []


def test_a_narrow_screen_keeps_the_icons_of_the_sections(screen):
    screen.resize(600, 400)
    assert not screen._sections.has_words
    screen.resize(900, 400)
    assert screen._sections.has_words


def test_the_scroll_areas_can_be_reached(open_page):
    page = open_page("about")
    areas = [w for w in focusable(page) if isinstance(w, QAbstractScrollArea)]
    assert page.notice in areas
