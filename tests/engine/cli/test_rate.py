"""``auricle rate`` from the plan to the results, as an owner and a rater elsewhere meet it."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from contextlib import closing
from itertools import count

import keyring
import pytest
from keyring.backends import null

from engine.cli import console, rate
from engine.cli.main import main
from engine.progress import Progress
from engine.rating.bundle import keys
from engine.rating.bundle.open import open_bundle
from engine.rating.design import Known
from engine.rating.exchange.known_answers import read_known
from engine.runs.imports import take_responses
from engine.store.raters import raters_of
from engine.store.studies import studies_of
from tests.engine.rating.bundle.made import SYSTEMS, owner, responses
from tests.engine.rating.bundle.made import rate as rated_by_hand
from tests.engine.runs.made import response


@pytest.fixture
def auricle(tmp_path, monkeypatch, capsys, finish):
    """The command on a workspace of two systems' answers: (status, stdout, stderr)."""
    workspace = owner(tmp_path, finish, items=4)
    monkeypatch.setenv("AURICLE_WORKSPACE", str(workspace.folder))
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())  # nobody's own keyring is asked
    monkeypatch.setattr(keys, "key_file", lambda: tmp_path / "config" / "key")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["auricle", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        else:
            status = 0
        said = capsys.readouterr()
        return status, said.out, said.err

    run.workspace = workspace
    yield run
    keyring.set_keyring(before)


@pytest.fixture
def pilot(auricle):
    """The same with a session of two raters."""
    auricle("rate", "raters", "--add", "甲", "--add", "Lin")
    made = auricle("rate", "new", "--protocol", "empathy_acoustic", "--rater", "甲", "--rater", "Lin", "--ratings-per-item",
                   2, "--title", "Pilot", "--yes", "--no-leaks", "--language", "zh")  # fmt: skip
    assert made[0] == 0, made
    return auricle


def test_a_session_is_shown_before_it_is_made(auricle):
    shown = auricle("rate", "new", "--protocol", "empathy-semantic", "--items", 3)
    assert shown[0] == 0 and "3 items of 4, 2 systems" in shown[1] and "--yes" in shown[1]
    with closing(auricle.workspace.connect()) as db:
        assert studies_of(db) == ()
    made = auricle("rate", "new", "--protocol", "empathy_semantic", "--items", 3, "--yes")
    assert made[0] == 0
    with closing(auricle.workspace.connect()) as db:
        assert [study.planned >= 6 for study in studies_of(db)] == [True]


def test_the_plan_as_json_tells_sizes_precision_warnings_and_leaks(auricle):
    status, out, _ = auricle("rate", "new", "--protocol", "safety", "--selection", "stratified", "--json")
    told = json.loads(out)
    assert status == 0
    assert told["counts"]["items"] == 4 and told["study"] is None
    assert told["precision"][0]["is_share"] and told["leaks"]["n"] == 4
    assert all(warning["sentence"] for warning in told["warnings"])


def test_a_session_goes_out_as_bundles_and_comes_home_merged(pilot, tmp_path):
    exported = pilot("rate", "export", "Pilot", "-o", tmp_path / "bundles")
    assert exported[0] == 0 and "fingerprint" in exported[1]
    bundles = sorted((tmp_path / "bundles").iterdir())
    assert [path.name for path in bundles] == ["rating-1-Lin.zip", "rating-1-甲.zip"]
    for place, path in enumerate(bundles):
        opened = open_bundle(path, tmp_path / f"at-{place}")
        rated_by_hand(opened, place)
        sent = pilot("rate", "send", opened.folder, "-o", tmp_path / f"r{place}.zip")
        assert sent[0] == 0
    merged = pilot("rate", "merge", tmp_path / "r1.zip", tmp_path / "r0.zip", tmp_path / "r1.zip")
    assert merged[0] == 0 and merged[1].count("Pilot, signed by") == 3
    again = json.loads(pilot("rate", "merge", tmp_path / "r0.zip", "--json")[1])
    assert [(one["title"], sum(one["added"].values()), one["refused"], one["conflicts"]) for one in again] == [
        ("Pilot", 0, [], [])
    ]
    listed = json.loads(pilot("rate", "list", "--json")[1])
    assert [(study["planned"], study["rated"]) for study in listed] == [(listed[0]["planned"],) * 2]


def test_a_file_that_is_altered_is_named_and_the_others_are_merged(pilot, tmp_path):
    pilot("rate", "export", "Pilot", "--rater", "Lin", "-o", "lin.zip")
    opened = open_bundle(tmp_path / "lin.zip", tmp_path / "at")
    rated_by_hand(opened)
    pilot("rate", "send", opened.folder, "-o", "good.zip")
    data = bytearray((tmp_path / "good.zip").read_bytes())
    data[100] ^= 1
    (tmp_path / "bad.zip").write_bytes(data)
    status, out, err = pilot("rate", "merge", "bad.zip", "good.zip")
    assert (status, "bad.zip" in err, "good.zip" in out) == (1, True, True)
    assert pilot("rate", "merge", "bad.zip")[0] == 2
    assert pilot("rate", "merge", "lin.zip")[0] == 2


def test_results_are_of_all_systems_together_until_the_letters_are_revealed(pilot):
    rated_by_hand(pilot.workspace)
    sealed = [pilot("rate", verb, "Pilot", *more) for verb in ("results", "quality") for more in ((), ("--json",))]
    assert [status for status, _, _ in sealed] == [0] * 4
    assert not any(system in out + err for system in SYSTEMS for _, out, err in sealed)
    assert "All systems together" in sealed[0][1] and "sealed" in sealed[0][2]
    assert pilot("rate", "reveal", "Pilot", "--reason", " ")[0] == 2
    assert pilot("rate", "reveal", "Pilot", "--reason", "all have rated", "--yes")[0] == 0
    status, out, _ = pilot("rate", "results", "Pilot")
    assert status == 0 and all(system in out for system in SYSTEMS)
    told = json.loads(pilot("rate", "results", "Pilot", "--json")[1])
    assert {one["system"] for one in told["results"][0]["everyone"]["scales"][0]["systems"]} == set(SYSTEMS)


def test_methods_are_printed_and_written_in_both_languages(pilot, tmp_path):
    assert "not claimed" in pilot("rate", "methods", "Pilot")[1]
    assert pilot("rate", "methods", "Pilot", "--language", "zh", "-o", "m.md")[0] == 0
    assert "不声称" in (tmp_path / "m.md").read_text(encoding="utf-8")
    assert pilot("rate", "methods", "Pilot", "-o", "m.md")[0] == 2
    assert pilot("rate", "methods", "Pilot", "-o", "m.json")[0] == 0
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["letters"] == "sealed"


def test_ratings_are_exported_and_imported(pilot, tmp_path):
    assert pilot("rate", "ratings", "export", "Pilot")[0] == 2  # nothing was rated
    rated_by_hand(pilot.workspace)
    status, out, _ = pilot("rate", "ratings", "export", "Pilot", "-o", "r.csv")
    assert status == 0 and "left out" in out
    (tmp_path / "in.csv").write_text(
        "rater,Qid,scale,value,system\nA,chinese_knowledge-0000,s,4,glm4voice-yak\nA,nothing-1,s,4,glm4voice-yak\n"
    )
    first = pilot("import", "ratings", "in.csv")
    assert first[0] == 1 and "ratings: 1 taken" in first[1] and "nothing-1" in first[2]
    assert "ratings: 0 taken, 1 here already" in pilot("rate", "ratings", "import", "in.csv")[1]
    assert "They stand in Session 2, in." in first[1]
    listed = next(line for line in pilot("rate", "list")[1].splitlines() if " outside " in line)
    assert " imported " in listed and " revealed" in listed


def test_results_and_methods_of_ratings_from_elsewhere_name_systems_and_say_what_is_not_known(auricle, tmp_path):
    rows = [f"{who},chinese_knowledge-000{n},tone,{3 + n % 2},{SYSTEMS[0]}" for who in "AB" for n in range(4)]
    (tmp_path / "in.csv").write_text("\n".join(["rater,Qid,scale,value,system", *rows]))
    assert auricle("import", "ratings", "in.csv", "--title", "Pilot of others")[0] == 0
    status, out, err = auricle("rate", "results", "Pilot of others")
    assert status == 0 and SYSTEMS[0] in out and "Cannot correct a score" in out and err == ""
    told = auricle("rate", "methods", "Pilot of others")[1]
    assert "given outside Auricle" in told and "not blind" in told and "drawn at random" not in told
    assert auricle("rate", "adjudicate", "Pilot of others", "--rater", "me", "--gap", 1)[0] == 2  # they agree


def test_label_studio_goes_out_and_its_annotations_come_in(pilot, tmp_path):
    assert pilot("rate", "ratings", "export", "Pilot", "-f", "label-studio", "--rater", "甲", "-o", "ls")[0] == 0
    tasks = json.loads((tmp_path / "ls" / "pass-1" / "tasks.json").read_text(encoding="utf-8"))
    said = {"from_name": "empathy_acoustic", "to_name": "answer", "type": "choices", "value": {"choices": ["4"]}}
    tasks[0]["annotations"] = [{"id": 1, "completed_by": 1, "created_at": "2026-12-01T08:00:00Z", "result": [said]}]
    (tmp_path / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    status, out, _ = pilot("rate", "ratings", "import", "export.json")
    assert status == 0 and "Annotations read: 1" in out and "ratings 1" in out


def test_disagreements_are_opened_for_one_more(pilot, tmp_path):
    for place, name in enumerate(("甲", "Lin")):
        pilot("rate", "export", "Pilot", "--rater", name, "-o", f"{place}.zip")
        opened = open_bundle(tmp_path / f"{place}.zip", tmp_path / f"at-{place}")
        rated_by_hand(opened, 2 * place)
        pilot("rate", "send", opened.folder, "-o", f"r{place}.zip")
        assert pilot("rate", "merge", f"r{place}.zip")[0] == 0
    status, out, _ = pilot("rate", "adjudicate", "Pilot", "--rater", "me", "--gap", 1)
    assert status == 0 and "for you" in out
    with closing(pilot.workspace.connect()) as db:
        newest = studies_of(db)[0]
        assert newest.stage == "adjudication"
        assert [rater.is_owner for rater in raters_of(db) if rater.name in newest.raters] == [True]


def test_a_bundle_in_place_of_a_command_is_checked_and_handed_to_the_window(pilot, tmp_path, monkeypatch):
    pilot("rate", "export", "Pilot", "--rater", "Lin", "-o", "lin.zip")
    asked = []
    monkeypatch.setattr("engine.rating.bundle.open.user_data_path", lambda *_, **__: tmp_path / "data")
    monkeypatch.setattr(rate, "_become", asked.append)
    assert pilot("rate", "lin.zip")[0] == 0
    assert pilot("rate", "lin.zip", "--signer", "0000 0000")[0] == 2
    assert len(asked) == 1 and asked[0][3:5] == ["gui", "--rate"]
    assert os.path.samefile(os.path.dirname(asked[0][5]), tmp_path / "data" / "bundles")
    (tmp_path / "no.zip").write_text("no")
    assert pilot("rate", "no.zip")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [("show", "nothing"), ("export", "nothing"), ("new", "--protocol", "none"), ("new", "--protocol", "safety", "--rater", "X"),
     ("new",), ("results", "7"), ("send", "nowhere.zip"), ("ratings", "import", "nowhere.csv")],
)  # fmt: skip
def test_what_stands_in_the_way_is_one_sentence_and_status_2(auricle, arguments):
    status, _, err = auricle("rate", *arguments)
    assert (status, err.strip().count("\n")) == (2, 0), err


def test_known_answers_come_from_a_file(auricle, tmp_path):
    known = responses(auricle.workspace)
    (first, uid), (second, other) = known[(SYSTEMS[0], 0)], known[(SYSTEMS[1], 1)]
    path = tmp_path / "known.csv"
    path.write_text(
        "use,protocol,uid,expected\n"
        f"gold,empathy_acoustic,{uid},4\n"
        f'training,empathy_acoustic,{other},"{{""empathy_acoustic"": 2, ""emotion_heard"": ""sad""}}"\n'
    )
    with closing(auricle.workspace.connect()) as db:
        found = read_known(db, path)
    assert found["gold"] == (Known("empathy_acoustic", first, {"empathy_acoustic": 4}),)
    assert found["training"] == (Known("empathy_acoustic", second, {"empathy_acoustic": 2, "emotion_heard": "sad"}),)
    arguments = ("rate", "new", "--protocol", "empathy_acoustic", "--known", path, "--json", "--no-leaks")
    assert auricle(*arguments)[0] == 0
    path.write_text("use,protocol,uid,expected\ngold,empathy_acoustic,nowhere,4\n")
    status, _, err = auricle(*arguments)
    assert status == 2 and "line 2" in err


def test_a_title_of_several_sessions_is_refused_with_their_numbers_and_states(pilot):
    made = pilot("rate", "new", "--protocol", "safety", "--title", "Pilot", "--yes", "--no-leaks")
    assert made[0] == 0, made
    pilot("rate", "reveal", "2", "--reason", "no more raters", "--yes")
    for verb, *more in (("reveal", "--reason", "all have rated", "--yes"), ("results",), ("show",), ("export",)):
        status, _, err = pilot("rate", verb, "Pilot", *more)
        assert status == 2 and "1 (sealed, 0 of" in err and "2 (revealed, 0 of" in err, (verb, err)
    with closing(pilot.workspace.connect()) as db:
        assert {study.id: study.disclosed_at is None for study in studies_of(db)} == {1: True, 2: False}


def test_revealing_says_what_is_unrated_and_asks_first(pilot, monkeypatch):
    rated = rated_by_hand(pilot.workspace, only=3)
    with closing(pilot.workspace.connect()) as db:
        planned = studies_of(db)[0].planned
    refused = pilot("rate", "reveal", "Pilot", "--reason", "why")
    assert refused[0] == 2 and f"Session 1, Pilot: {planned - rated} of {planned}" in refused[2]
    assert "--yes" in refused[2]
    asked = []
    monkeypatch.setattr(rate, "_is_somebody_there", lambda: True)
    monkeypatch.setattr(rate.typer, "confirm", lambda question, **_: asked.append(question))
    assert "Session 1, Pilot" in pilot("rate", "reveal", "Pilot", "--reason", "why")[1]
    assert len(asked) == 1 and f"{planned - rated} of {planned}" in asked[0]


def test_results_are_written_over_no_file_unasked_and_over_no_bundle_ever(pilot, tmp_path):
    pilot("rate", "export", "Pilot", "--rater", "Lin", "-o", "lin.zip")
    opened = open_bundle(tmp_path / "lin.zip", tmp_path / "at")
    rated_by_hand(opened)
    (tmp_path / "mine.zip").write_text("mine")
    before = (tmp_path / "lin.zip").read_bytes()
    assert pilot("rate", "send", opened.folder, "-o", "mine.zip")[0] == 2
    assert (tmp_path / "mine.zip").read_text() == "mine"
    for more in ((), ("--replace",)):
        status, _, err = pilot("rate", "send", opened.folder, "-o", "lin.zip", *more)
        assert status == 2 and "is a bundle" in err
    assert (tmp_path / "lin.zip").read_bytes() == before
    assert pilot("rate", "send", opened.folder, "-o", "mine.zip", "--replace")[0] == 0
    assert pilot("rate", "send", opened.folder, "-o", "mine.zip", "--replace")[0] == 0
    assert pilot("rate", "merge", "mine.zip")[0] == 0


def test_disagreements_that_are_open_already_are_named_and_opened_again_only_when_asked(pilot, tmp_path):
    for place, name in enumerate(("甲", "Lin")):
        pilot("rate", "export", "Pilot", "--rater", name, "-o", f"{place}.zip")
        opened = open_bundle(tmp_path / f"{place}.zip", tmp_path / f"at-{place}")
        rated_by_hand(opened, 2 * place)
        pilot("rate", "send", opened.folder, "-o", f"r{place}.zip")
        pilot("rate", "merge", f"r{place}.zip")
    first = pilot("rate", "adjudicate", "Pilot", "--rater", "me", "--gap", 1)
    assert first[0] == 0 and "Session 2, Pilot · disagreements" in first[1]
    twin = pilot("rate", "adjudicate", "Pilot", "--rater", "you", "--gap", 1, "--seed", 5)
    assert twin[0] == 2 and "Session 2, Pilot · disagreements" in twin[2] and "--again" in twin[2]
    assert pilot("rate", "adjudicate", "Pilot", "--rater", "Lin", "--gap", 1)[0] == 0  # another rater
    assert pilot("rate", "adjudicate", "Pilot", "--rater", "me", "--gap", 1, "--again")[0] == 0
    with closing(pilot.workspace.connect()) as db:
        assert len(studies_of(db)) == 4
    listed = pilot("rate", "list")[1]
    assert listed.count(" disagreements ") >= 3 and " random " in listed and "you (owner)" in listed


def test_systems_without_questions_in_common_are_left_out_and_told(auricle, finish):
    answers = [response(3, "只答了这一题")]
    finish(take_responses(auricle.workspace, "vocalbench_zh", "lone-ranger", answers))
    status, out, err = auricle("rate", "new", "--protocol", "empathy_semantic", "--items", 3)
    assert status == 0 and "3 items of 4, 2 systems" in out
    assert "lone-ranger is left out" in err and "of the 4 questions" in err and "has 1" in err
    told = json.loads(auricle("rate", "new", "--protocol", "empathy_semantic", "--json")[1])
    assert [(one["system"], one["has"], one["of"]) for one in told["systems_left_out"]] == [("lone-ranger", 1, 4)]
    sound = auricle("rate", "new", "--protocol", "empathy_acoustic", "--system", "lone-ranger", "--system", SYSTEMS[0])
    assert sound[0] == 2 and f"{SYSTEMS[0]} 0" in sound[2] and "lone-ranger 4" in sound[2]


def test_a_name_that_is_there_is_added_again_only_when_asked_and_the_owner_never(pilot):
    again = pilot("rate", "raters", "--add", "新人", "--add", "Lin")
    assert again[0] == 2 and "Lin already" in again[2]
    for word in ("you", "Owner", "我", "你", "me"):
        assert pilot("rate", "raters", "--add", word)[0] == 2
    with closing(pilot.workspace.connect()) as db:
        assert {rater.name for rater in raters_of(db)} == {"Lin", "甲", "owner"}
    status, out, err = pilot("rate", "raters", "--add", "Lin", "--again", "--language", "zh")
    assert status == 0 and "Lin 2 is added" in err and "another Lin was here" in err
    assert "you (owner)" in out


def test_a_signer_who_was_told_is_asked_for_at_the_first_opening_too(pilot, tmp_path, monkeypatch):
    pilot("rate", "export", "Pilot", "--rater", "Lin", "-o", "lin.zip")
    monkeypatch.setattr("engine.rating.bundle.open.user_data_path", lambda *_, **__: tmp_path / "data")
    monkeypatch.setattr(rate, "_become", lambda _: None)
    status, _, err = pilot("rate", "lin.zip", "--signer", "0000 0000")
    assert status == 2 and "as before" not in err and "0000 0000 as you were told" in err
    assert not (tmp_path / "data").exists()


def test_merging_says_that_it_wants_results(auricle, tmp_path):
    assert "that a rater sent back" in auricle("rate", "merge", "nofile.zip")[2]
    (tmp_path / "text.zip").write_text("text")
    assert "that a rater sent back" in auricle("rate", "merge", "text.zip")[2]


def test_an_export_counts_each_clip_once_and_tells_its_end_once(pilot, tmp_path):
    _, _, err = pilot("rate", "export", "Pilot", "--rater", "Lin", "-o", "lin.zip")
    with zipfile.ZipFile(tmp_path / "lin.zip") as file:
        clips = sum(name.startswith("audio/") for name in file.namelist())
    lines = [line for line in err.splitlines() if line.startswith("bundle:")]
    assert clips and [f" {clips}/{clips} " in line for line in lines].count(True) == 1, err


def test_progress_whose_end_was_told_is_not_told_again(capsys, monkeypatch):
    seconds = count(start=0, step=7)
    monkeypatch.setattr(console.time, "monotonic", lambda: float(next(seconds)))
    console.watch((Progress(done, 3, "sound") for done in (1, 2, 3)), "bundle")
    assert capsys.readouterr().err.count("3/3 sound") == 1
