"""Packs bring answers home: whole or not at all, in any order, once however often."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from contextlib import closing

import pytest

from engine.bring.chest import MANIFEST, Chest
from engine.bring.merge import merge
from engine.bring.pack import pack
from engine.errors import EngineError
from engine.runs.correction import correct
from engine.runs.imports import take_responses
from engine.scoring.counting import let_count
from engine.scoring.derive import refresh
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.notes import add_note
from engine.store.packing import PEOPLE, RESULTS
from engine.store.playlists import Entry, add_entries, make_playlist
from engine.store.results import JudgementRow, MeasurementRow, TranscriptRow, put_judgements, put_measurements
from engine.store.results import put_transcripts as heard
from engine.store.runs import begin_run, end_run
from engine.store.tags import add_tag
from engine.store.transaction import transaction
from engine.store.workspace import open_workspace
from tests.engine.runs.made import response, tone, with_benchmark

WHISPER = Maker("recogniser", "whisper", settings={"weights": "base"})
JUDGE = Maker("judge", "some-model", settings={"judge": "knowledge", "language": "zh"}, rubric_sha256="ab" * 32)
NOW_AND_HERE = {"id", "run_id", "instance_id", "system_id", "audio_id", "maker_id", "response_id", "benchmark_id"}


@pytest.fixture
def made(tmp_path, finish):
    """A workspace of the same benchmark, with a system's answers to some of it and all that may be known of them."""

    def make(name: str, system: str, numbers: range, transcript: str = "少林", hz: float = 300.0):
        workspace = with_benchmark(open_workspace(tmp_path / name, create=True))
        answers = [
            response(n, f"{name} {n}", audio=tone(tmp_path / f"{name}-{n}.wav", 0.2, hz + 10 * n)) for n in numbers
        ]
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
        with closing(workspace.connect()) as db:
            rows = db.execute("SELECT id, audio_id FROM response ORDER BY id").fetchall()
            with transaction(db):
                whisper, judge = maker_id(db, WHISPER), maker_id(db, JUDGE)
                set_floors(db, whisper, [Floor("zh", "syllable_error_rate", 1, 100, 3, "speech")])
                heard(db, whisper, [TranscriptRow(*row, "scored", transcript) for row in rows])
                put_measurements(db, whisper, [MeasurementRow(row[0], "some_rate", 0.25) for row in rows])
                put_judgements(db, judge, [JudgementRow(row[0], "knowledge", "scored", "yes", 1.0) for row in rows])
                refresh(db, [row[0] for row in rows])
            add_tag(db, [rows[0][0]], f"heard {name}")
            add_note(db, [rows[-1][0]], f"a note of {name}")
            make_playlist(db, "best", [Entry(row[0]) for row in rows])
            correct(db, rows[0][0], f"really {name}")
        return workspace

    return make


def tables(workspace) -> dict[str, list]:
    """All that is in a workspace, by what rows say and not by their numbers; what the store derived, too."""
    place = (
        "SELECT system.name AS system, subset, instance.key AS key, sha256 AS audio, run.uid AS run,"
        " {columns} FROM response JOIN run ON run.id = run_id JOIN instance ON instance.id = instance_id"
        " JOIN system ON system.id = system_id LEFT JOIN audio ON audio.id = response.audio_id {more}"
    )
    queries = {"response": place.format(columns="response.*", more="")}
    for table in RESULTS:
        more = f"JOIN {table} ON {table}.response_id = response.id JOIN maker ON maker.id = {table}.maker_id"
        queries[table] = place.format(
            columns=f"maker.key AS maker, {table}.*", more=more + " WHERE maker.kind <> 'person'"
        )
    for table in PEOPLE:
        queries[table] = place.format(columns=f"{table}.*", more=f"JOIN {table} ON {table}.response_id = response.id")
    queries["audit_row"] = "SELECT * FROM audit_row"
    queries["playlist"] = place.format(
        columns="playlist.name, playlist_entry.position, start_s",
        more="JOIN playlist_entry ON playlist_entry.response_id = response.id JOIN playlist ON playlist.id = playlist_id",
    )
    queries |= {name: f"SELECT * FROM {name}" for name in ("maker", "maker_choice", "instance", "run", "system")}
    queries["floor"] = "SELECT maker.key, maker_floor.* FROM maker_floor JOIN maker ON maker.id = maker_id"
    local = NOW_AND_HERE | {
        "transcript_id", "recogniser_id", "published_recogniser_id", "quality_id", "published_maker_id",
        "corrected_maker_id", "process_id", "content_sha256",
    }  # fmt: skip
    with closing(workspace.connect()) as db:
        found = {}
        for name, query in queries.items():
            ours = local | ({"created_at"} if name in ("transcript", "measurement") else set())
            rows = [{k: row[k] for k in row.keys() if k not in ours} for row in db.execute(query)]  # noqa: SIM118
            found[name] = sorted(rows, key=lambda row: json.dumps(row, default=str))
        audio = {
            row[0]: (workspace.audio / row[1]).read_bytes() for row in db.execute("SELECT sha256, path FROM audio")
        }
    return {**found, "audio": sorted(audio.items())}


def test_two_workspaces_merged_both_ways_hold_the_same_and_twice_is_harmless(made, finish, tmp_path):
    one, two = made("one", "first", range(3)), made("two", "second", range(1, 4), "武当")
    finish(pack(one, tmp_path / "one.zip"))
    finish(pack(two, tmp_path / "pack"))
    into_one, into_two = finish(merge(one, tmp_path / "pack")), finish(merge(two, tmp_path / "one.zip"))
    assert into_one.added["response"] == into_two.added["response"] == 3
    assert into_one.conflicts == into_two.conflicts == ()
    assert tables(one) == tables(two)
    before = tables(one)
    for path in (tmp_path / "pack", tmp_path / "one.zip"):
        again = finish(merge(one, path))
        assert sum(again.added.values()) == 0 and again.conflicts == ()
    assert tables(one) == before


def test_a_third_workspace_holds_the_same_whichever_pack_came_first(made, finish, tmp_path):
    """Both measured the same system; each saw other answers, and one question was answered by both."""
    one, two = made("one", "same", range(3)), made("two", "same", range(2, 4))
    finish(pack(one, tmp_path / "one.zip", system="same"))
    finish(pack(two, tmp_path / "two.zip", run="1"))
    thirds = [open_workspace(tmp_path / name, create=True) for name in ("forth", "back")]
    for workspace, order in zip(thirds, (("one", "two"), ("two", "one"))):
        for name in order:
            finish(merge(workspace, tmp_path / f"{name}.zip"))
    assert tables(thirds[0]) == tables(thirds[1])
    with closing(thirds[0].connect()) as db:
        current = db.execute("SELECT text FROM response WHERE current = 1 ORDER BY text").fetchall()
        origins = db.execute("SELECT COUNT(DISTINCT origin) FROM run_origin").fetchone()[0]
    assert [row[0] for row in current] == ["one 0", "one 1", "two 2", "two 3"]  # the newer answer counts
    assert origins == 2


def test_the_newest_result_counts_whichever_store_was_merged_first(made, finish, tmp_path):
    one = made("one", "same", range(1))
    shutil.copytree(one.folder, tmp_path / "copy")
    two = open_workspace(tmp_path / "copy")
    for workspace, weights, said in ((one, "small", "先"), (two, "large", "后")):
        with closing(workspace.connect()) as db, transaction(db):
            other = maker_id(db, Maker("recogniser", "whisper", settings={"weights": weights}))
            heard(db, other, [TranscriptRow(1, 1, "scored", said)])
            refresh(db, [1])
    finish(pack(one, tmp_path / "one.zip"))
    finish(pack(two, tmp_path / "two.zip"))
    finish(merge(one, tmp_path / "two.zip"))
    finish(merge(two, tmp_path / "one.zip"))
    for workspace in (one, two):
        with closing(workspace.connect()) as db:
            order = "SELECT text FROM transcript JOIN maker ON maker.id = maker_id WHERE kind <> 'person' ORDER BY transcript.id"
            assert [row[0] for row in db.execute(order)] == ["少林", "先", "后"]
    assert tables(one) == tables(two)


def test_the_same_recorded_answers_taken_in_on_both_sides_are_one(made, finish, tmp_path):
    one, two = made("same", "first", range(2)), None
    shutil.move(tmp_path / "same", tmp_path / "elsewhere")
    one, two = open_workspace(tmp_path / "elsewhere"), made("same", "first", range(2))
    finish(pack(two, tmp_path / "two.zip"))
    done = finish(merge(one, tmp_path / "two.zip"))
    assert done.added["response"] == done.added["audio"] == 0 and done.conflicts == ()
    assert done.added["tag"] == done.added["playlist"] == 1
    with closing(one.connect()) as db:
        assert db.execute("SELECT COUNT(*) FROM response").fetchone()[0] == 2
        assert db.execute("SELECT COUNT(DISTINCT playlist_id), COUNT(*) FROM playlist_entry").fetchone()[:] == (2, 4)


def test_what_says_something_else_here_is_told_and_stays(made, finish, tmp_path):
    one = made("one", "first", range(3))
    shutil.copytree(one.folder, tmp_path / "copy")
    two = open_workspace(tmp_path / "copy")
    with closing(two.connect()) as db:
        db.execute("UPDATE response SET text = 'changed' WHERE id = 1")
        db.execute("UPDATE judgement SET verdict = 'no' WHERE response_id = 2")
        db.execute("UPDATE instance SET question = 'other', record_sha256 = 'other' WHERE key LIKE '%0002'")
        add_tag(db, [2], "there")
    with closing(one.connect()) as db:
        add_tag(db, [2], "here")  # of the same installation and number: the workspace was copied
    before = tables(one)
    finish(pack(two, tmp_path / "two.zip"))
    done = finish(merge(one, tmp_path / "two.zip"))
    assert sorted(conflict.table for conflict in done.conflicts) == ["instance", "judgement", "response", "tag"]
    assert done.left_out == 1
    assert tables(one) == before


def test_entries_added_to_a_playlist_come_along(made, finish, tmp_path):
    one = made("one", "first", range(2))
    shutil.copytree(one.folder, tmp_path / "copy")
    two = open_workspace(tmp_path / "copy")
    with closing(two.connect()) as db:
        add_entries(db, 1, [Entry(1, None), Entry(2, None)])
        db.execute("INSERT INTO playlist_entry VALUES (1, 2, 1, 0.0, 0.1)")
    finish(pack(two, tmp_path / "two.zip"))
    assert finish(merge(one, tmp_path / "two.zip")).conflicts == ()
    assert tables(one)["playlist"] == tables(two)["playlist"]


def test_choices_and_their_weight_come_along(made, finish, tmp_path):
    one, two = made("one", "first", range(2)), made("two", "second", range(2))
    with closing(one.connect()) as db:
        finish(let_count(db, [WHISPER.key]))
    finish(pack(one, tmp_path / "one.zip"))
    assert finish(merge(two, tmp_path / "one.zip")).added["maker_choice"] == 1


def test_rows_that_come_home_to_an_older_copy_are_not_numbered_again(made, finish, tmp_path):
    one = made("one", "first", range(2))
    shutil.copytree(one.folder, tmp_path / "backup")
    with closing(one.connect()) as db:
        add_tag(db, [1], "after the backup")
    finish(pack(one, tmp_path / "one.zip"))
    restored = open_workspace(tmp_path / "backup")
    finish(merge(restored, tmp_path / "one.zip"))
    with closing(restored.connect()) as db:
        add_tag(db, [2], "and on")
        assert db.execute("SELECT COUNT(*), COUNT(DISTINCT origin_seq) FROM tag").fetchone()[:] == (3, 3)


def rewritten(path, out, change):
    """A zip with each entry as ``change(name, bytes)`` has it; what it adds under other names, too."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            for written, data in change(name, old.read(name)):
                new.writestr(written, data)
    return out


def manifest_with(**values):
    return lambda name, data: [(name, json.dumps(json.loads(data) | values) if name == MANIFEST else data)]


def one_more(extra, data=b"x"):
    return lambda name, old: [(name, old), (extra, data)] if name == MANIFEST else [(name, old)]


def one_altered(start):
    return lambda name, data: [(name, data[:-1] + bytes([data[-1] ^ 1]) if name.startswith(start) else data)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (one_altered("audio/"), "altered"),
        (one_altered("rows/answers"), "altered"),
        (manifest_with(version=3), "newer"),
        (manifest_with(format="other"), "not_a_pack"),
        (one_more("../evil"), "unsafe_name"),
        (one_more("/etc/evil"), "unsafe_name"),
        (one_more("rows\\..\\evil"), "unsafe_name"),
        (one_more("C:/evil"), "unsafe_name"),
        (one_more("rows/evil.py"), "foreign_file"),
        (one_more("rows/more.jsonl", b"0" * 80_000_000), "too_large"),
        (lambda name, data: [] if name == "rows/makers.jsonl" else [(name, data)], "missing_file"),
        (lambda name, data: [] if name == MANIFEST else [(name, data)], "not_a_pack"),
    ],
)
def test_a_file_that_is_not_as_it_was_packed_is_refused_and_nothing_is_written(made, finish, tmp_path, change, code):
    finish(pack(made("one", "first", range(1)), tmp_path / "one.zip"))
    bad = rewritten(tmp_path / "one.zip", tmp_path / "bad.zip", change)
    target = open_workspace(tmp_path / "target", create=True)
    with pytest.raises(EngineError) as raised:
        finish(merge(target, bad))
    assert raised.value.code == f"bring.{code}"
    assert raised.value.sentence("en") and raised.value.sentence("zh")
    assert not any(path.is_file() for path in target.audio.rglob("*"))
    assert tables(target)["response"] == tables(target)["run"] == []


def test_one_byte_changed_anywhere_in_the_zip_is_refused_or_harmless(made, finish, tmp_path):
    finish(pack(made("one", "first", range(1)), tmp_path / "one.zip"))
    whole = (tmp_path / "one.zip").read_bytes()
    with closing(Chest(tmp_path / "one.zip")) as chest:
        manifest = chest.manifest
    refused = 0
    for place in range(7, len(whole), len(whole) // 25):
        (tmp_path / "bad.zip").write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            with closing(Chest(tmp_path / "bad.zip")) as chest:
                finish(chest.verify())
                assert chest.manifest == manifest  # what a zip says beside names, sizes and bytes may be anything
        except EngineError as error:
            refused += error.code.startswith("bring.")
    assert refused > 15


def test_links_in_a_folder_are_refused(made, finish, tmp_path):
    finish(pack(made("one", "first", range(1)), tmp_path / "folder"))
    (tmp_path / "folder" / "rows" / "makers.jsonl").unlink()
    (tmp_path / "folder" / "rows" / "makers.jsonl").symlink_to("/etc/passwd")
    with pytest.raises(EngineError, match="outside itself"):
        Chest(tmp_path / "folder")


def test_rows_that_do_not_fit_together_are_the_packs_fault(made, finish, tmp_path):
    import hashlib

    finish(pack(made("one", "first", range(1)), tmp_path / "pack"))
    answers = tmp_path / "pack" / "rows" / "answers.jsonl"
    answers.write_text(answers.read_text(encoding="utf-8").replace('"first"', '"nobody"'), encoding="utf-8")
    manifest = json.loads((tmp_path / "pack" / MANIFEST).read_text(encoding="utf-8"))
    data = answers.read_bytes()
    manifest["files"]["rows/answers.jsonl"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    (tmp_path / "pack" / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(EngineError) as raised:
        finish(merge(open_workspace(tmp_path / "target", create=True), tmp_path / "pack"))
    assert raised.value.code == "bring.bad_rows"


@pytest.mark.parametrize("moment", ["merge_audio:1", "merge_makers:1", "before_commit:3", "after_commit:3"])
def test_killed_on_the_way_the_same_merge_completes(made, finish, tmp_path, moment):
    one = made("one", "first", range(2))
    finish(pack(one, tmp_path / "one.zip"))
    target = open_workspace(tmp_path / "target", create=True)
    command = [
        sys.executable,
        "-P",
        "-m",
        "engine.cli.main",
        "merge",
        str(tmp_path / "one.zip"),
        "-w",
        str(target.folder),
    ]
    killed = subprocess.run(command, env={**os.environ, "AURICLE_KILL_AT": moment}, check=False, capture_output=True)
    assert killed.returncode == -9
    again = subprocess.run(command, check=False, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    there, home = tables(one), tables(target)
    assert {k: v for k, v in home.items() if k != "instance"} == {k: v for k, v in there.items() if k != "instance"}


def test_a_pack_is_not_written_over_and_an_unknown_choice_is_told(made, finish, tmp_path):
    one = made("one", "first", range(1))
    (tmp_path / "there.zip").write_bytes(b"mine")
    for values, code in (
        ({"path": tmp_path / "there.zip"}, "bring.exists"),
        ({"path": tmp_path / "a.zip", "system": "nobody"}, "bring.no_such_system"),
        ({"path": tmp_path / "a.zip", "run": "77"}, "runs.no_such_run"),
    ):
        with pytest.raises(EngineError) as raised:
            finish(pack(one, **values))
        assert raised.value.code == code
    assert [path.name for path in tmp_path.glob("*.zip")] == ["there.zip"]


def test_a_run_packed_while_it_ran_is_brought_up_to_date_and_nothing_here_may_stop_it(made, finish, tmp_path):
    one = made("one", "first", range(1))
    target = open_workspace(tmp_path / "target", create=True)
    seen = []
    for number, (state, ended) in enumerate([("running", None), ("done", "2099-01-01T00:00:00.000000Z")]):
        with closing(one.connect()) as db:
            db.execute("UPDATE run SET state = ?, ended_at = ?", (state, ended))
        finish(pack(one, tmp_path / f"{number}.zip"))
        assert finish(merge(target, tmp_path / f"{number}.zip")).conflicts == ()
        with closing(target.connect()) as db:
            seen.append(db.execute("SELECT state, process_id FROM run").fetchone()[:])
    assert seen == [("stopped", None), ("done", None)]
    finish(merge(target, tmp_path / "0.zip"))  # the older one again
    assert tables(target)["run"] == tables(one)["run"]


def test_a_run_that_only_judged_is_packed_by_what_it_wrote(made, finish, tmp_path):
    one = made("one", "first", range(3))
    with closing(one.connect()) as db:
        run = begin_run(db, "judge", {})
        with transaction(db):
            judge = maker_id(db, Maker("judge", "another", settings={"judge": "knowledge", "language": "zh"}))
            put_judgements(db, judge, [JudgementRow(2, "knowledge", "scored", "no", 0.0)])
            refresh(db, [2])
        end_run(db, run, "done")
    assert finish(pack(one, tmp_path / "judged.zip", run=str(run))).answers == 1
    target = open_workspace(tmp_path / "target", create=True)
    done = finish(merge(target, tmp_path / "judged.zip"))
    assert (done.added["response"], done.added["judgement"]) == (1, 2)


def test_a_failure_gives_way_to_a_result_of_the_same_maker_in_either_order(made, finish, tmp_path):
    one = made("one", "first", range(1))
    shutil.copytree(one.folder, tmp_path / "copy")
    two = open_workspace(tmp_path / "copy")
    with closing(two.connect()) as db:
        db.execute("UPDATE judgement SET state = 'failed', verdict = NULL, score = NULL, error = 'judges.timeout'")
    finish(pack(one, tmp_path / "one.zip"))
    finish(pack(two, tmp_path / "two.zip"))
    assert (
        finish(merge(one, tmp_path / "two.zip")).conflicts == finish(merge(two, tmp_path / "one.zip")).conflicts == ()
    )
    for workspace in (one, two):
        with closing(workspace.connect()) as db:
            assert db.execute("SELECT state, verdict FROM judgement").fetchall()[0][:] == ("scored", "yes")


def test_nothing_is_merged_while_a_driver_works(made, finish, tmp_path):
    finish(pack(made("one", "first", range(1)), tmp_path / "one.zip"))
    target = open_workspace(tmp_path / "target", create=True)
    with target.driver_lock(), pytest.raises(EngineError) as raised:
        finish(merge(target, tmp_path / "one.zip"))
    assert raised.value.code == "store.driver_running"
