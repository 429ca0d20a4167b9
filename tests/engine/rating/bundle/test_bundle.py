"""A bundle holds all that a rater needs and nothing that tells a system; work in it goes on and comes home."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import soundfile

from engine.errors import EngineError
from engine.rating.bundle.keys import fingerprint, made_key
from engine.rating.bundle.make import make_bundle
from engine.rating.bundle.open import HIDDEN, bundle_of, open_bundle, opening
from engine.rating.bundle.results import merge_results, results_file
from engine.rating.bundle.seal import SealWriter
from engine.rating.create import creating_study, plan_study
from engine.rating.design import Design
from engine.rating.protocols import load_protocol, protocol_ids
from engine.rating.values import Protocol
from engine.store.raters import add_rater
from engine.store.sittings import begin_sitting, commit, current_ratings, present
from engine.store.studies import assignments_of, protocol_declaration, sessions_of
from tests.engine.rating.bundle.made import SYSTEMS, TITLE, owner, rate, responses, sound, study

KEY = made_key()


@pytest.fixture
def bundled(tmp_path, finish):
    """The owner's workspace, its study and raters, and a function that makes a rater's bundle."""
    workspace = owner(tmp_path, finish)
    number, raters = study(workspace)

    def make(rater: int = 0, name: str = "bundle.zip", key=KEY):
        return finish(make_bundle(workspace, number, raters[rater].id, tmp_path / name, key=key, replace=True))

    make.workspace, make.study, make.raters = workspace, number, raters
    return make


def dump(workspace) -> dict[str, list]:
    """Every row that people made, by uids in place of row numbers, and what is derived of them."""
    tables = ("rater", "study", "session", "assignment", "sitting", "presentation", "heard", "rating", "remark")
    links = {
        "study_id": "study", "session_id": "session", "rater_id": "rater", "assignment_id": "assignment",
        "sitting_id": "sitting", "presentation_id": "presentation",
    }  # fmt: skip
    with closing(workspace.connect()) as db:
        uids = {table: dict(db.execute(f"SELECT id, uid FROM {table}").fetchall()) for table in set(links.values())}

        def plain(row, own):
            told = {name: row[name] for name in row.keys() if name not in own}  # noqa: SIM118
            return {name: uids[links[name]][value] if name in links else value for name, value in told.items()}

        found = {table: [plain(row, {"id"}) for row in db.execute(f"SELECT * FROM {table}")] for table in tables}
        found["state"] = [plain(row, set()) for row in db.execute("SELECT * FROM assignment_state")]
    return {table: sorted(rows, key=lambda row: json.dumps(row, default=str)) for table, rows in found.items()}


def level(sound) -> float:
    """The peak of a clip's middle; where a tone begins and ends at once, any resampler swings over."""
    samples, rate = soundfile.read(sound)
    return float(np.abs(samples[int(0.2 * rate) : int(0.35 * rate)]).max())


def every_byte(path) -> bytes:
    """The file, its entries, what their sounds say of themselves, and every name and time in it."""
    found = [path.read_bytes(), path.name.encode()]
    with zipfile.ZipFile(path) as file:
        for info in file.infolist():
            data = file.read(info)
            found += [data, info.filename.encode(), info.comment, info.extra, str(info.date_time).encode()]
            if info.filename.endswith(".flac"):
                with soundfile.SoundFile(io.BytesIO(data)) as clip:
                    found += [str(clip.copy_metadata()).encode(), clip.extra_info.encode()]
            else:
                found.append(json.dumps(json.loads(data)).encode())
    return b"\n".join(found)


def test_nothing_in_a_bundle_tells_a_system_a_run_a_path_or_an_owner_s_id(bundled, tmp_path):
    path = bundled()
    told = every_byte(path).lower()
    with closing(bundled.workspace.connect()) as db:
        secret = [*SYSTEMS, TITLE, "zebra", "yak", "qwen", "glm", "vocoder", "Zhipu", "Alibaba", "通义", "智谱"]
        secret += [str(tmp_path), "questions", "chinese_knowledge", "vocalbench", "verdict", "stratified", "q0.wav"]
        secret += [row[0] for row in db.execute("SELECT uid FROM response UNION SELECT uid FROM run")]
        secret += [row[0] for row in db.execute("SELECT sha256 FROM audio UNION SELECT origin FROM installation")]
        secret += [row[0] for row in db.execute("SELECT created_at FROM response UNION SELECT started_at FROM run")]
    assert [word for word in secret if word.lower().encode() in told] == []
    assert told.count(b"(1980, 1, 1, 0, 0, 0)") == len(zipfile.ZipFile(path).infolist())


def test_gold_traps_and_repeats_look_like_all_others_and_training_does_not(bundled):
    with zipfile.ZipFile(bundled()) as file:
        rows = json.loads(file.read("rows.json"))
    given = rows["passes"][0]["given"]
    assert [entry["kind"] for entry in given] == ["training", *["rated"] * 9]
    assert [entry["expected"] for entry in given] == [{"empathy_acoustic": 3}, *[None] * 9]
    assert [entry["position"] for entry in given] == list(range(1, 11))
    assert set(given[0]) == {
        "uid", "position", "kind", "answer", "letter", "other", "other_letter", "perceived", "dimension", "expected",
    }  # fmt: skip


def test_every_clip_has_one_form_whatever_its_file_was(bundled):
    with zipfile.ZipFile(bundled()) as file:
        forms = set()
        for name in file.namelist():
            if name.endswith(".flac"):
                info = soundfile.info(io.BytesIO(file.read(name)))
                forms.add((info.format, info.subtype, info.samplerate, info.channels))
                assert not name.removeprefix("audio/").removesuffix(".flac").strip("0123456789abcdef")
        names = file.namelist()
    assert forms == {("FLAC", "PCM_16", 48_000, 1)}
    assert names[:-2] == sorted(names[:-2])  # the order of ids of chance


def test_fixes_are_baked_into_the_clips_and_stand_nowhere(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    known = responses(workspace)
    fixes = {known[place][1]: [0.1, 6.0] if place[0] == SYSTEMS[0] else [0.0, -6.0] for place in known}
    number, raters = study(workspace, fixes=fixes)
    opened = open_bundle(
        finish(make_bundle(workspace, number, raters[0].id, tmp_path / "b.zip", key=KEY)), tmp_path / "w"
    )
    with closing(opened.connect()) as db, closing(workspace.connect()) as mine:
        (session,), ours = sessions_of(db), sessions_of(mine, rater_id=raters[0].id)[0]
        rows, originals = assignments_of(opened, db, session.id), assignments_of(workspace, mine, ours.id)
        designs = [row[0] for row in db.execute("SELECT design FROM study")]
    for row, original in zip(rows, originals):
        assert (row.answer.skip_s, row.answer.gain_db) == (0.0, 0.0)
        assert row.answer.duration_s == pytest.approx(0.5 - original.answer.skip_s, abs=1e-4)
        # a tone of 0.3, 6 dB up or down: 0.3 x 1.995 = 0.5986, 0.3 / 1.995 = 0.1504
        assert level(row.answer.sound) == pytest.approx(0.3 * 10 ** (original.answer.gain_db / 20), rel=0.01)
    assert {original.answer.gain_db for original in originals} == {6.0, -6.0}
    assert json.loads(designs[0])["fixes"] == {}


def test_a_planned_study_with_every_fix_goes_out_as_it_is_played_here(tmp_path, finish):
    """From the plan on: silence at both ends left out, level evened, trap clips among the answers."""
    workspace = owner(tmp_path, finish, items=6, tail=0.3)
    with closing(workspace.connect(durable=True)) as db:
        rater = add_rater(db, "Lin")
    design = Design("t", ("speech_quality",), "zh", (rater.id,), trim=True, gain="per_clip", seed=4)
    number = finish(creating_study(workspace, finish(plan_study(workspace, design))))
    path = finish(make_bundle(workspace, number, rater.id, tmp_path / "b.zip", key=KEY))
    opened = open_bundle(path, tmp_path / "there")
    with closing(opened.connect()) as db, closing(workspace.connect()) as mine:
        (session,), (ours,) = sessions_of(db), sessions_of(mine)
        rows, originals = assignments_of(opened, db, session.id), assignments_of(workspace, mine, ours.id)
    assert any(original.answer.skip_s > 0.05 and original.answer.stop_s for original in originals)
    for row, original in zip(rows, originals):
        whole_s = soundfile.info(original.answer.sound).duration
        played_s = (original.answer.stop_s or whole_s) - original.answer.skip_s
        assert row.answer.duration_s == pytest.approx(played_s, abs=1e-3)
        assert (row.answer.skip_s, row.answer.stop_s, row.answer.gain_db) == (0.0, None, 0.0)


def test_a_gain_that_would_clip_one_clip_makes_all_softer_alike(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    known = responses(workspace)
    fixes = {known[place][1]: [0.0, 20.0] if place[0] == SYSTEMS[0] else [0.0, 0.0] for place in known}
    number, raters = study(workspace, fixes=fixes)
    path = finish(make_bundle(workspace, number, raters[0].id, tmp_path / "b.zip", key=KEY))
    peaks = []
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            if name.endswith(".flac"):
                peaks.append(level(io.BytesIO(file.read(name))))
    # 0.3 x 10 = 3.0 becomes full scale, and 0.3 a third of that: 0.1
    assert sorted({round(peak, 2) for peak in peaks}) == [0.1, 1.0]


def test_a_bundle_opens_as_a_small_workspace_with_the_same_order_and_one_hidden_system(bundled, tmp_path):
    opened = open_bundle(bundled(), tmp_path / "there")
    with closing(opened.connect()) as db, closing(bundled.workspace.connect()) as mine:
        (session,) = sessions_of(db)
        (ours,) = sessions_of(mine, rater_id=bundled.raters[0].id)
        rows, originals = assignments_of(opened, db, session.id), assignments_of(bundled.workspace, mine, ours.id)
        systems = [row[0] for row in db.execute("SELECT name FROM system")]
    assert (session.uid, session.rater_name, session.protocol_sha256) == (ours.uid, "甲", ours.protocol_sha256)
    assert systems == [HIDDEN] and session.study_title != TITLE
    keys = ("uid", "position", "letter", "perceived", "dimension", "context")
    assert [[getattr(row, key) for key in keys] for row in rows] == [
        [getattr(row, key) for key in keys] for row in originals
    ]
    assert [row.question.text for row in rows] == [row.question.text for row in originals]
    for row, original in zip(rows, originals):
        assert row.answer.text == original.answer.text
        assert row.answer.duration_s == pytest.approx(0.5, abs=1e-4)
        assert row.question.sound.exists() and row.answer.sound.exists()
    told = bundle_of(opened.folder)
    assert told is not None and told.signer == fingerprint(KEY.public)
    assert bundle_of(bundled.workspace.folder) is None


def test_nothing_in_the_folder_of_an_opened_bundle_tells_a_system(bundled, tmp_path):
    opened = open_bundle(bundled(), tmp_path / "there")
    rate(opened)
    with closing(opened.connect()) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(bundled.workspace.connect()) as db:
        secret = [row[0] for row in db.execute("SELECT uid FROM response UNION SELECT uid FROM run")]
    secret += [
        *SYSTEMS,
        TITLE,
        "Zebra",
        "yak",
        "Qwen",
        "glm",
        "questions",
        "chinese_knowledge",
        "verdict:yes",
        "q0.wav",
    ]
    for path in opened.folder.rglob("*"):
        told = path.relative_to(opened.folder).as_posix().encode() + (path.read_bytes() if path.is_file() else b"")
        assert [word for word in secret if word.lower().encode() in told.lower()] == [], path.name


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", protocol_ids())
def test_every_protocol_goes_through_a_bundle(tmp_path, finish, name, language):
    """A rater elsewhere is asked the same, perceives what the protocol lets them, and what they say comes home."""
    workspace = owner(tmp_path, finish)
    number, raters = study(workspace, name, language=language)
    path = finish(make_bundle(workspace, number, raters[0].id, tmp_path / "b.zip", key=KEY))
    assert not any(
        word.lower().encode() in every_byte(path).lower() for word in (*SYSTEMS, "Zebra", "yak", str(tmp_path))
    )
    opened = open_bundle(path, tmp_path / "there")
    protocol = load_protocol(name, language)
    with closing(opened.connect(durable=True)) as db:
        (session,) = sessions_of(db)
        kept = Protocol.of(protocol_declaration(db, session.protocol_id))
        assert kept == replace(protocol, planning=replace(protocol.planning, meant_for=()))
        assert kept.sha256 == protocol.sha256
        rows = assignments_of(opened, db, session.id)
        for row in rows:
            assert (row.other is not None) == protocol.compares
            assert (row.answer.sound is None) == (protocol.perceived == "text")
            assert bool(row.answer.text) == (protocol.perceived != "audio" or protocol.reveals != "never")
            assert (row.question.sound is None) == (protocol.question not in ("audio", "both"))
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        given = {scale.id: scale.values[0] for scale in protocol.scales}
        commit(db, present(db, rows[0].id, sitting, {}), given)
    taken = merge_results(workspace, results_file(opened, tmp_path / "r.zip", key=KEY)).taken
    assert taken.added["rating"] == len(protocol.scales) and not taken.refused


def test_a_bundle_of_somebody_who_knows_how_to_sign_is_still_checked(bundled, tmp_path):
    """Rows that do not fit are refused in one sentence, and nothing is left behind."""
    path, bad = bundled(), tmp_path / "bad.zip"
    with zipfile.ZipFile(path) as file:
        rows = json.loads(file.read("rows.json"))
        clips = {name: file.read(name) for name in file.namelist() if name.startswith("audio/")}
    deep = json.loads("[" * 900 + "]" * 900)
    changes = [
        lambda r: r["passes"][0]["given"][0].update(answer="nothing"),
        lambda r: r["passes"][0]["given"][0].update(perceived="smell"),
        lambda r: r["passes"][0]["given"][1].update(uid=r["passes"][0]["given"][2]["uid"]),
        lambda r: r["passes"][0]["given"][1].update(position="first", letter={"a": 1}),
        lambda r: r["protocols"][0].update(sha256="0" * 64),
        lambda r: r["protocols"][0]["declaration"].update(planning=deep),
        lambda r: r["sounds"][0].update(frames=10**12),
        lambda r: r["sounds"][0].update(id="../../evil"),
        lambda r: r["items"][0].update(question=["?"]),
        lambda r: r["items"][0].update(context=5),
        lambda r: r["answers"][0].update(text={"x": 1}),
        lambda r: r.update(passes=[]),
        lambda r: r.update(protocols=[]),
        lambda r: r.pop("rater"),
        lambda r: r.update(rater=None),
    ]
    for number, change in enumerate(changes):
        told = json.loads(json.dumps(rows))
        change(told)
        writer = SealWriter(bad)
        for name, data in clips.items():
            writer.add(name, data)
        writer.add("rows.json", json.dumps(told).encode())
        writer.close("bundle", {}, KEY)
        try:
            open_bundle(bad, tmp_path / "opened" / str(number))
            code = "taken"
        except EngineError as error:
            code = error.code
        assert (number, code) == (number, "bundle.bad_rows")
        assert not (tmp_path / "opened" / str(number)).exists()
    assert not list((tmp_path / "opened").iterdir())


def test_work_in_a_bundle_goes_on_when_it_is_opened_again_and_from_another_copy(bundled, tmp_path):
    first = open_bundle(bundled(), tmp_path / "there")
    done = rate(first, only=4)
    again = open_bundle(bundled(name="sent-again.zip"), tmp_path / "there")
    with closing(again.connect()) as db:
        (session,) = sessions_of(db)
        assert len(current_ratings(db, session.id)) == done == session.rated == 4


def test_a_text_that_the_protocol_never_shows_is_not_in_the_bundle(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    number, raters = study(workspace, "speech_quality")
    path = finish(make_bundle(workspace, number, raters[0].id, tmp_path / "b.zip", key=KEY))
    with zipfile.ZipFile(path) as file:
        rows = json.loads(file.read("rows.json"))
    read = Protocol.of(rows["protocols"][0]["declaration"])
    shows = read.perceived != "audio" or read.reveals != "never"
    assert any(answer["text"] for answer in rows["answers"]) == shows
    assert any(item["clips"] for item in rows["items"]) == (read.question in ("audio", "both"))


def test_another_bundle_or_another_signer_does_not_get_into_a_folder(bundled, tmp_path):
    open_bundle(bundled(), tmp_path / "there")
    with pytest.raises(EngineError) as other:
        open_bundle(bundled(1), tmp_path / "there")
    with pytest.raises(EngineError) as signer:
        open_bundle(bundled(key=made_key()), tmp_path / "there")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(EngineError) as full:
        open_bundle(bundled(), tmp_path / "full")
    codes = [error.value.code for error in (other, signer, full)]
    assert codes == ["bundle.other_bundle", "bundle.other_signer", "bundle.other_bundle"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.txt"]


def test_what_is_refused_leaves_no_folder(bundled, tmp_path):
    path = bundled()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(EngineError):
        open_bundle(path, tmp_path / "new" / "there")
    assert not (tmp_path / "new").exists() or list((tmp_path / "new").iterdir()) == []


def test_opening_that_is_stopped_leaves_nothing_and_begins_again(bundled, tmp_path):
    path, place = bundled(), tmp_path / "there" / "w"
    for steps in (1, 11, 14):
        work = opening(path, place)
        for _ in range(steps):
            next(work)
        work.close()
        assert not place.exists() and not list((tmp_path / "there").glob("*"))
    assert open_bundle(path, place).folder == place


def test_what_a_killed_opening_left_behind_goes_at_the_next_one(bundled, tmp_path):
    old, new = tmp_path / "there" / ".opening-0123456789ab", tmp_path / "there" / ".opening-ba9876543210"
    for folder in (old, new):
        (folder / "audio").mkdir(parents=True)
    os.utime(old, (0, 0))
    open_bundle(bundled(), tmp_path / "there" / "w")
    assert (old.exists(), new.exists()) == (False, True)


def test_a_bundle_that_is_stopped_half_way_leaves_no_file(bundled, tmp_path):
    work = make_bundle(bundled.workspace, bundled.study, bundled.raters[0].id, tmp_path / "b.zip", key=KEY)
    for _ in range(12):
        next(work)
    work.close()
    assert not list(tmp_path.glob("*.zip"))


def test_two_raters_results_merged_in_either_order_and_twice_make_the_same_store(bundled, tmp_path):
    files = []
    for rater in (0, 1):
        opened = open_bundle(bundled(rater, f"{rater}.zip"), tmp_path / f"at-{rater}")
        rate(opened, rater)
        files.append(results_file(opened, tmp_path / f"results-{rater}.zip", key=made_key()))
    dumps = []
    for order in ((0, 1), (1, 0)):
        shutil.copytree(bundled.workspace.folder, tmp_path / f"merged-{order[0]}")
        store = type(bundled.workspace)(tmp_path / f"merged-{order[0]}")
        for which in order:
            merged = merge_results(store, files[which])
            assert (merged.title, merged.taken.added["presentation"], merged.taken.added["rating"]) == (TITLE, 10, 20)
            assert not merged.taken.conflicts
        dumps.append(dump(store))
        for which in order:
            again = merge_results(store, files[which]).taken
            assert sum(again.added.values()) == 0 and not again.conflicts
        assert dump(store) == dumps[-1]
    assert dumps[0] == dumps[1]
    assert len(dumps[0]["rating"]) == 40 and len(dumps[0]["state"]) == 20


def test_results_sent_half_way_and_again_at_the_end_bring_each_rating_once(bundled, tmp_path):
    opened = open_bundle(bundled(), tmp_path / "there")
    rate(opened, only=3)
    half = results_file(opened, tmp_path / "half.zip", key=KEY)
    rate(opened, 1)
    whole = results_file(opened, tmp_path / "whole.zip", key=KEY)
    counts = [merge_results(bundled.workspace, path).taken.added["rating"] for path in (half, whole, half)]
    assert counts == [6, 20, 0]


def test_a_rater_goes_on_at_another_computer_with_what_they_sent(bundled, tmp_path):
    first, second = open_bundle(bundled(), tmp_path / "one"), open_bundle(bundled(name="again.zip"), tmp_path / "two")
    rate(first, only=4)
    sent = results_file(first, tmp_path / "half.zip", key=KEY)
    merge_results(second, sent)
    rate(second, 1)
    merge_results(bundled.workspace, results_file(second, tmp_path / "whole.zip", key=KEY))
    merge_results(bundled.workspace, sent)
    with closing(bundled.workspace.connect()) as db, closing(second.connect()) as there:
        (ours,) = sessions_of(db, rater_id=bundled.raters[0].id)
        (theirs,) = sessions_of(there)
        uids = {row.uid: row.id for row in assignments_of(bundled.workspace, db, ours.id)}
        elsewhere = {row.uid: row.id for row in assignments_of(second, there, theirs.id)}
        here_now, there_now = current_ratings(db, ours.id), current_ratings(there, theirs.id)
    for uid, number in uids.items():
        values = [
            {scale: one.value for scale, one in now.items()} for now in (here_now[number], there_now[elsewhere[uid]])
        ]
        assert values[0] == values[1]


def test_results_hold_no_sound_and_no_answer(bundled, tmp_path):
    opened = open_bundle(bundled(), tmp_path / "there")
    rate(opened)
    path = results_file(opened, tmp_path / "results.zip", key=KEY)
    told = every_byte(path)
    assert zipfile.ZipFile(path).namelist() == ["rows.json", "auricle.json"]
    assert "回答".encode() not in told and str(tmp_path).encode() not in told


def test_results_of_another_study_and_a_bundle_in_their_place_are_refused(bundled, tmp_path, finish):
    opened = open_bundle(bundled(), tmp_path / "there")
    with pytest.raises(EngineError) as nothing:
        results_file(opened, tmp_path / "r.zip", key=KEY)
    rate(opened)
    path = results_file(opened, tmp_path / "r.zip", key=KEY)
    other = owner(tmp_path / "other", finish)
    with pytest.raises(EngineError) as unknown:
        merge_results(other, path)
    with pytest.raises(EngineError) as kind:
        merge_results(bundled.workspace, bundled())
    with pytest.raises(EngineError) as own:
        results_file(bundled.workspace, tmp_path / "own.zip", key=KEY)
    codes = [error.value.code for error in (nothing, unknown, kind, own)]
    assert codes == ["bundle.nothing_rated", "bundle.unknown_study", "bundle.not_results", "bundle.not_opened"]


def test_a_rater_without_anything_to_rate_gets_no_bundle(bundled, tmp_path, finish):
    with pytest.raises(EngineError) as nothing:
        finish(make_bundle(bundled.workspace, bundled.study, 99, tmp_path / "n.zip", key=KEY))
    assert nothing.value.code == "bundle.nothing_assigned"
    assert not (tmp_path / "n.zip").exists()


def test_an_answer_without_sound_stops_the_bundle_and_leaves_no_file(bundled, tmp_path, finish):
    with closing(bundled.workspace.connect()) as db:
        row = db.execute("SELECT path FROM audio JOIN response ON audio.id = audio_id LIMIT 1").fetchone()
    path = bundled.workspace.audio / row[0]
    path.unlink()
    sound(path, 300, 16_000, seconds=0.0)
    with pytest.raises(EngineError) as empty:
        bundled()
    assert empty.value.code == "bundle.no_sound"
    assert [entry.name for entry in tmp_path.iterdir() if entry.suffix == ".zip"] == []
