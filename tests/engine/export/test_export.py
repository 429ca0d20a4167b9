"""Exports: what goes out is what is stored, comes back as it was, runs nowhere, and is there whole or not at all."""

from __future__ import annotations

import csv
import json
import re
from contextlib import closing

import numpy as np
import pytest
import soundfile

from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.tables import read_table
from engine.benchmarks.values import Instance
from engine.errors import EngineError
from engine.export.choice import Chosen, chosen_by, chosen_from
from engine.export.export import FORMATS, SUFFIXES, export
from engine.query.selection import Selection
from engine.runs.imports import read_answers, take_responses
from engine.store.benchmarks import add_instances
from engine.store.evidence import Span
from engine.store.notes import add_note
from engine.store.playlists import Entry, make_playlist
from engine.store.tags import add_tag
from engine.store.workspace import open_workspace
from tests.engine.cli.test_verbs import auricle
from tests.engine.runs.made import response, tone, with_benchmark
from tests.shared import case, make_case, needs_shared

HOSTILE = '<script>alert(1)</script>=1+1\u202e\u2028"x"\x00\r\n后'
ALL = Chosen((1, 2, 3), {})


@pytest.fixture
def filled(workspace, finish, tmp_path):
    """Three answers: one with sound and tags, one hostile, one failed."""
    with_benchmark(workspace)
    given = [
        response(0, "=1+1", audio=tone(tmp_path / "0.wav", 2.0), timings={"first_audio_s": 0.5}),
        response(1, HOSTILE, audio=tone(tmp_path / "1.wav", 1.0, rate=16_000)),
        response(2, None, error="@timed out"),
    ]
    finish(take_responses(workspace, "vocalbench_zh", "s", given))
    db = workspace.connect()
    add_tag(db, [1], "-loop", Span(0.5, 1.25))
    add_tag(db, [1, 2], "seen")
    add_note(db, [2], "+note\n第二行")
    db.close()
    return workspace


def read_csv(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_a_csv_opens_in_a_spreadsheet_and_runs_nothing(filled, finish, tmp_path):
    done = finish(export(filled, ALL, "csv", tmp_path / "out.csv"))
    assert done.answers == 3
    assert (tmp_path / "out.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    rows = read_csv(tmp_path / "out.csv")
    texts = [value for row in rows for value in row.values()]
    assert not [t for t in texts if t.startswith(tuple("=+-@\t\r")) and not re.fullmatch(r"-?[\d.e-]+", t)]
    assert float(rows[0]["peak_dbfs"] or 0) <= 0
    back = read_table(tmp_path / "out.csv", guarded=True).rows
    assert [row.cells["text"] for row in back] == ["=1+1", HOSTILE, ""]
    assert back[1].cells["notes"] == "+note\n第二行"
    assert back[0].cells["tags"] == "-loop; seen"


def test_jsonl_keeps_every_text_as_it_is_and_says_who_made_what(filled, finish, tmp_path):
    finish(export(filled, ALL, "jsonl", tmp_path / "out.jsonl"))
    first, second, third = read_jsonl(tmp_path / "out.jsonl")
    assert (first["text"], second["text"], third["text"], third["error"]) == ("=1+1", HOSTILE, None, "@timed out")
    assert [(tag["text"], tag["start_s"], tag["end_s"]) for tag in first["tags"]] == [
        ("-loop", 0.5, 1.25),
        ("seen", None, None),
    ]
    assert second["notes"][0]["text"] == "+note\n第二行"
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8").count("\n") == 3
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 3


@needs_shared
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_extreme_answers_come_back_from_an_export_as_they_were(workspace, finish, tmp_path, form):
    made = make_case("response-extremes", tmp_path)
    expect = case("response-extremes")["expect"]
    folder = tmp_path / "model" / "json"
    folder.mkdir(parents=True)
    (made / "responses.json").rename(folder / "general_knowledge.json")
    asked = [
        Instance("vocalbench_zh", "general_knowledge", f"general_knowledge-{n:04d}", n, "问")
        for n in range(expect["records"])
    ]
    other = open_workspace(tmp_path / "other", create=True)
    for target in (workspace, other):
        db = target.connect()
        add_instances(db, target, "vocalbench_zh", tmp_path, asked)
        db.close()
    recorded = finish(read_recorded(tmp_path / "model"))
    finish(take_responses(workspace, "vocalbench_zh", "s", recorded.responses))
    chosen = Chosen(tuple(range(1, expect["records"] + 1)), {})
    path = tmp_path / f"out.{form}"
    finish(export(workspace, chosen, form, path))
    answers = finish(read_answers(None, path, system="s"))
    assert answers.recorded.problems == ()
    finish(take_responses(other, "vocalbench_zh", "s", answers.recorded.responses))
    assert stored(other) == stored(workspace)


def stored(workspace):
    db = workspace.connect()
    rows = db.execute("SELECT key, audit_row.text, response_state, transcript FROM audit_row ORDER BY key").fetchall()
    db.close()
    return [tuple(row) for row in rows]


def test_sound_comes_back_from_an_export_too(filled, finish, tmp_path):
    finish(export(filled, ALL, "jsonl", tmp_path / "out.jsonl"))
    other = with_benchmark(open_workspace(tmp_path / "other", create=True))
    answers = finish(read_answers(None, tmp_path / "out.jsonl", system="s"))
    finish(take_responses(other, "vocalbench_zh", "s", answers.recorded.responses))
    for target in (filled, other):
        db = target.connect()
        told = [
            (row["sha256"], row["state"], row["error"], row["timings"])
            for row in db.execute("SELECT * FROM response LEFT JOIN audio ON audio.id = audio_id ORDER BY response.id")
        ]
        db.close()
        if target is filled:
            expected = told
    assert told == expected


def test_clips_are_the_tagged_spans_sample_for_sample_and_the_rest_whole(filled, finish, tmp_path):
    before = {path: path.read_bytes() for path in filled.audio.rglob("*.wav")}
    done = finish(export(filled, ALL, "clips", tmp_path / "clips"))
    assert (done.answers, done.clips) == (3, 2)
    assert [(place, error.code) for place, error in done.problems] == [
        ("s chinese_knowledge chinese_knowledge-0002", "export.no_audio")
    ]
    rows = read_csv(tmp_path / "clips" / "manifest.csv")
    assert [(float(row["start_s"]), float(row["end_s"])) for row in rows] == [(0.5, 1.25), (0.0, 1.0)]
    source, _ = soundfile.read(tmp_path / "0.wav", dtype="int16")
    clip, rate = soundfile.read(tmp_path / "clips" / rows[0]["file"], dtype="int16")
    assert rate == 24_000
    assert np.array_equal(clip, source[12_000:30_000])
    assert soundfile.info(tmp_path / "clips" / rows[1]["file"]).samplerate == 16_000
    assert [row["file"] for row in read_jsonl(tmp_path / "clips" / "manifest.jsonl")] == [row["file"] for row in rows]
    assert {path: path.read_bytes() for path in before} == before


def test_the_spans_of_a_playlist_are_its_clips(filled, finish, tmp_path):
    db = filled.connect()
    make_playlist(db, "to hear", [Entry(2, Span(0.25, 0.5)), Entry(1)])
    chosen = chosen_from(db, "to hear")
    assert chosen.ids == (2, 1)
    finish(export(filled, chosen, "clips", tmp_path / "clips"))
    rows = read_csv(tmp_path / "clips" / "manifest.csv")
    assert [(row["key"][-4:], row["start_s"]) for row in rows] == [("0001", "0.25"), ("0000", "0.5")]
    assert chosen_from(db, "to hear", "tag:-loop").ids == (1,)
    db.close()


def test_names_of_clips_are_plain_whatever_the_data_are_called(workspace, finish, tmp_path):
    key = "../../etc/passwd\x00 CON:*?\u202e" + "长" * 300
    db = workspace.connect()
    add_instances(db, workspace, "b", tmp_path, [Instance("b", "s/../x", key, 0, "问")])
    db.close()
    answer = response(0, "x", audio=tone(tmp_path / "0.wav"))
    renamed = type(answer)("s/../x", key, "x", audio=answer.audio)
    finish(take_responses(workspace, "b", "..", [renamed]))
    finish(export(workspace, Chosen((1,), {}), "clips", tmp_path / "clips"))
    (wav,) = (tmp_path / "clips").glob("*.wav")
    assert re.fullmatch(r"00001-[\w-]+\.wav", wav.name)
    assert len(wav.name.encode()) < 200


def test_a_page_shows_text_as_text_and_asks_nothing_of_the_network(filled, finish, tmp_path):
    finish(export(filled, ALL, "html", tmp_path / "out.html", language="zh", title="<b>mine</b>"))
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<script" not in page and "<b>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;=1+1" in page
    assert page.count("<audio controls") == 2
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "-loop · 0.50–1.25 s" in page and "+note\n第二行" in page


@pytest.mark.parametrize("form", FORMATS)
def test_a_stopped_export_leaves_nothing_and_what_was_there_before(filled, tmp_path, form):
    path = tmp_path / "out" / f"x{SUFFIXES[form]}"
    path.parent.mkdir()
    if form != "clips":
        path.write_text("before")
    work = export(filled, ALL, form, path, replace=True)
    next(work)
    assert len(list(path.parent.iterdir())) == (1 if form == "clips" else 2)
    work.close()
    assert [file.name for file in path.parent.iterdir()] == ([] if form == "clips" else [path.name])
    assert form == "clips" or path.read_text() == "before"


def test_what_is_there_is_replaced_only_when_asked_and_a_folder_never(filled, finish, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(EngineError) as raised:
        finish(export(filled, ALL, "csv", path))
    assert raised.value.code == "export.exists"
    finish(export(filled, ALL, "csv", path, replace=True))
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "mine").write_text("mine")
    with pytest.raises(EngineError) as raised:
        finish(export(filled, ALL, "clips", tmp_path / "clips", replace=True))
    assert raised.value.code == "export.exists"
    assert (tmp_path / "clips" / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    ("chosen", "form", "code"),
    [
        (Chosen((), {}), "csv", "nothing"),
        (Chosen(tuple(range(501)), {}), "html", "too_many"),
        (Chosen((3,), {}), "clips", "no_clips"),
    ],
)
def test_an_export_that_would_be_empty_or_too_large_says_so(filled, finish, tmp_path, chosen, form, code):
    with pytest.raises(EngineError) as raised:
        finish(export(filled, chosen, form, tmp_path / "x"))
    assert raised.value.code == f"export.{code}"
    assert not (tmp_path / "x").exists()


def test_a_selection_keeps_its_order_and_its_filter(filled):
    db = filled.connect()
    assert chosen_by(db, Selection("", (3, 1, 2))).ids == (3, 1, 2)
    assert chosen_by(db, Selection("tag:seen", (3, 2, 1))).ids == (2, 1)
    assert chosen_by(db, Selection("tag:seen")).ids == (1, 2)
    db.close()


def test_a_file_of_uids_is_a_selection_and_an_unknown_one_is_named(filled, tmp_path):
    db = filled.connect()
    uids = [row[0] for row in db.execute("SELECT uid FROM response ORDER BY id")]
    listed = tmp_path / "uids.txt"
    listed.write_text("\n".join([uids[2], uids[0]]))
    assert chosen_from(db, str(listed)).ids == (3, 1)
    listed.write_text("nobody\n")
    with pytest.raises(EngineError, match="nobody"):
        chosen_from(db, str(listed))
    with pytest.raises(EngineError, match="neither a playlist"):
        chosen_from(db, "no such list")
    db.close()


def test_the_command_writes_what_a_filter_finds_and_lists_playlists(filled, tmp_path):
    db = filled.connect()
    make_playlist(db, "to hear", [Entry(2)])
    db.close()
    out = tmp_path / "x.csv"
    ended = auricle("export", "--where", "tag:seen", "--out", str(out), workspace=filled.folder)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip().endswith(": 2")
    again = auricle("export", "--out", str(out), workspace=filled.folder)
    assert again.returncode == 2 and "there already" in again.stderr
    listed = auricle("export", "--playlists", workspace=filled.folder)
    assert "to hear" in listed.stdout
    clips = auricle("export", "-f", "clips", "-o", str(tmp_path / "c"), workspace=filled.folder)
    assert clips.returncode == 1 and "has no audio" in clips.stderr


def test_a_page_shows_controls_by_signs_and_turns_no_text_round(filled, finish, tmp_path):
    with closing(filled.connect()) as db:
        add_note(db, [1], "\x1b[31mred\x07 \u202eback\u202c")
    finish(export(filled, ALL, "html", tmp_path / "out.html"))
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert not [character for character in "\x00\x07\x1b\u202e\u202c" if character in page]
    assert "␛[31mred␇ [RLO]back[PDF]" in page
