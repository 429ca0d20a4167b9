"""Playlists made, opened in their own order, played through; answers sent to rating; exports from the dialog."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.query.selection import Selection
from engine.store.evidence import Span
from engine.store.playlists import Entry, entries_of, make_playlist, playlists_of
from engine.store.tags import add_tag
from gui.player.player import State


def kept(auditor):
    with closing(auditor.workspace.connect()) as db:
        return {playlist.name: list(entries_of(db, playlist.id)) for playlist in playlists_of(db)}


def made(auditor, name, *entries):
    with closing(auditor.workspace.connect()) as db:
        make_playlist(db, name, entries)
    auditor.room.playlists.read()
    auditor.waits_for(lambda: name in [playlist.name for playlist in auditor.room.playlists.known])


def test_p_makes_a_playlist_of_what_is_chosen_in_the_tables_order(auditor):
    auditor.chooses(1, 3)
    auditor.screen.focus_table()
    auditor.presses(Qt.Key.Key_P)
    auditor.types("to hear")
    auditor.presses(Qt.Key.Key_Return)
    auditor.waits_for(lambda: auditor.room.lists.rows)
    ids = auditor.screen.model.rows.ids.tolist()
    assert kept(auditor) == {"to hear": [Entry(ids[1]), Entry(ids[3])]}
    assert auditor.said()[-1] == "Playlist “to hear” made. Answers in it: 2."


def test_a_chosen_range_goes_in_as_a_span(auditor):
    first = auditor.looks_at(0)
    auditor.services.player.set_region((0.1, 0.2))
    made(auditor, "spans")
    auditor.room.show_playlists()
    auditor.room.lists.rows[0].add_button.click()
    auditor.waits_for(lambda: kept(auditor)["spans"] == [Entry(first, Span(0.1, 0.2))])


def test_a_playlist_opens_in_its_own_order_and_leaving_it_brings_the_usual_one_back(auditor):
    model = auditor.screen.model
    made(auditor, "mine", Entry(3), Entry(1), Entry(5), Entry(3, Span(0.0, 0.1)))
    auditor.room.show_playlists()
    with auditor.bot.waitSignal(model.found):
        auditor.room.lists.rows[0].open_button.click()
    assert model.rows.ids.tolist() == [3, 1, 5]
    assert not auditor.room.lists.isVisible()
    assert model.sort == ()
    with auditor.bot.waitSignal(model.found):
        model.leave_selection()
    assert len(model.rows.ids) == 5
    assert model.sort != ()


def test_renaming_happens_in_place_and_deleting_asks(auditor):
    made(auditor, "a", Entry(1))
    auditor.room.show_playlists()
    row = auditor.room.lists.rows[0]
    row.rename_button.click()
    row.edit.setText("b")
    row.edit.entered.emit()
    auditor.waits_for(lambda: list(kept(auditor)) == ["b"])
    auditor.waits_for(lambda: [p.name for p in auditor.room.playlists.known] == ["b"])
    auditor.services.asked.answer = False
    auditor.room.lists.rows[0].remove_button.click()
    auditor.services.asked.answer = True
    assert list(kept(auditor)) == ["b"]
    auditor.room.lists.rows[0].remove_button.click()
    auditor.waits_for(lambda: not auditor.room.playlists.known)
    assert kept(auditor) == {}


def test_the_selection_goes_to_the_rate_screen_and_the_tip_tells_how_to_choose_several(auditor):
    auditor.chooses(0, 1)
    assert "Shift+Down, or Alt+Down and X; all: Ctrl+A" in auditor.room.buttons.rating.toolTip()
    auditor.room.send_to_rating()
    ids = auditor.screen.model.rows.ids.tolist()
    assert auditor.services.asked.gone == [("rate", Selection(ids=tuple(ids[:2])))]
    assert kept(auditor) == {}


@pytest.fixture
def hears(auditor):
    """Let the device play until the player is no longer at the same entry, or for so many blocks."""

    def until(condition):
        def step():
            if auditor.services.player.state is State.PLAYING and auditor.sound.opened:
                auditor.sound.opened[-1].play(0.1)
            return bool(condition())

        auditor.bot.waitUntil(step, timeout=15_000)

    return until


def test_a_playlist_is_played_through_spans_and_all(auditor, hears):
    play, steps = auditor.room.play_through, []
    play.stepped.connect(lambda number, count: steps.append((number, count)))
    made(auditor, "mine", Entry(2), Entry(4, Span(0.1, 0.2)), Entry(1))
    auditor.room.show_playlists()
    auditor.room.lists.rows[0].play_button.click()
    hears(lambda: steps and steps[-1] == (0, 0))
    assert steps == [(1, 3), (2, 3), (3, 3), (0, 0)]
    assert auditor.screen.model.current == 1


def test_choosing_another_answer_by_hand_ends_playing_through(auditor, hears):
    play = auditor.room.play_through
    auditor.chooses(0)
    auditor.room.play_on()
    hears(lambda: auditor.services.player.state is State.PLAYING)
    assert play.is_on
    auditor.looks_at(3)
    assert not play.is_on


def test_a_pause_waits_and_the_key_ends_it(auditor, hears):
    play = auditor.room.play_through
    auditor.chooses(0)
    auditor.room.play_on()
    hears(lambda: auditor.services.player.state is State.PLAYING)
    auditor.services.player.pause()
    hears(lambda: auditor.services.player.state is not State.PLAYING)
    assert play.is_on and play.entry.response_id == auditor.screen.model.current
    auditor.room.play_on()
    assert not play.is_on


def test_the_dialog_writes_what_is_chosen_and_asks_before_it_writes_over(auditor, tmp_path):
    auditor.chooses(0, 2)
    auditor.room.export()
    dialog = auditor.room.export_dialog
    path = tmp_path / "out" / "x.jsonl"
    dialog.form.set_value("jsonl")
    dialog.path.setText(str(path))
    dialog.export_button.click()
    auditor.waits_for(lambda: not dialog.is_writing)
    ids = auditor.screen.model.rows.ids.tolist()
    texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert texts == [f"答{ids[0] - 1}", f"答{ids[2] - 1}"]
    assert "Answers written to x.jsonl: 2" in auditor.said()[-1]
    path.write_text("mine")
    auditor.services.asked.answer = False
    dialog.export_button.click()
    auditor.waits_for(lambda: not dialog.is_writing)
    assert path.read_text() == "mine"
    auditor.services.asked.answer = True
    dialog.what.set_value("found")
    dialog.export_button.click()
    auditor.waits_for(lambda: not dialog.is_writing and path.read_text(encoding="utf-8").count("\n") == 5)
    dialog.close()


def test_clips_from_the_dialog_are_the_tagged_spans(auditor, tmp_path):
    with closing(auditor.workspace.connect()) as db:
        add_tag(db, [1], "click", Span(0.1, 0.2))
    auditor.room.export()
    dialog = auditor.room.export_dialog
    dialog.form.set_value("clips")
    dialog.path.setText(str(tmp_path / "clips"))
    dialog.export_button.click()
    auditor.waits_for(lambda: not dialog.is_writing)
    assert len(list((tmp_path / "clips").glob("*.wav"))) == 5
    assert len(list((tmp_path / "clips").glob("*click.wav"))) == 1
    dialog.close()


def test_what_stands_in_the_way_of_an_export_is_said_in_the_dialog(auditor, tmp_path):
    auditor.room.export()
    dialog = auditor.room.export_dialog
    (tmp_path / "file").write_text("")
    dialog.path.setText(str(tmp_path / "file" / "x.csv"))
    dialog.export_button.click()
    auditor.waits_for(lambda: not dialog.is_writing)
    assert "cannot be written" in dialog.trouble.accessibleName()
    dialog.path.setText("x.csv")
    dialog.export_button.click()
    assert "whole path" in dialog.trouble.accessibleName()
    dialog.close()


def test_closing_the_dialog_stops_the_export_and_leaves_nothing(auditor, tmp_path):
    auditor.room.export()
    dialog = auditor.room.export_dialog
    dialog.form.set_value("html")
    dialog.path.setText(str(tmp_path / "out" / "x.html"))
    dialog.export_button.click()
    dialog.close()
    auditor.waits_for(lambda: not dialog.is_writing)
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_each_form_says_what_it_is_for_and_gives_the_name_its_ending(auditor):
    auditor.room.export()
    dialog = auditor.room.export_dialog
    for form, ending in (("csv", ".csv"), ("jsonl", ".jsonl"), ("html", ".html"), ("clips", "answers")):
        dialog._on_form(form)
        assert dialog.path.text().endswith(ending)
        assert dialog._about.text()
    dialog.close()


def test_the_dialog_stays_over_a_small_window_whatever_it_has_to_say(auditor):
    window = auditor.screen.window()
    window.resize(800, 450)
    auditor.room.export()
    dialog = auditor.room.export_dialog
    assert window.geometry().contains(dialog.frameGeometry())
    dialog.move(window.geometry().bottomRight())
    dialog.trouble.say("This folder cannot be written. " * 12)
    auditor.waits_for(lambda: window.geometry().contains(dialog.frameGeometry()))
    dialog.move(-4000, -4000)
    dialog.close()
    auditor.room.export()
    assert window.geometry().contains(dialog.frameGeometry())
