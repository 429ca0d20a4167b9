"""A rater's pass goes to Label Studio as blind as a bundle, and its annotations come back as ratings."""

from __future__ import annotations

import copy
import json
from contextlib import closing
from xml.etree import ElementTree

import pytest

from engine.errors import EngineError
from engine.rating.exchange.annotations import take_annotations
from engine.rating.exchange.foreign_annotations import read_foreign_annotations
from engine.rating.exchange.label_studio import export_label_studio, interface, label_of
from engine.rating.exchange.take import take_ratings
from engine.rating.protocols import load_protocol, protocol_ids
from engine.store.rating_rows import rating_rows, remark_rows
from tests.engine.rating.bundle.made import SYSTEMS, TITLE, owner, rate, study


@pytest.fixture
def project(tmp_path, finish):
    """The owner's workspace, and the folder written for its first rater."""
    workspace = owner(tmp_path, finish)
    number, raters = study(workspace)
    folder = finish(export_label_studio(workspace, number, raters[0].id, tmp_path / "project"))
    return workspace, folder, number, raters


def annotated(folder, tmp_path, annotator=7, step=0, at="2026-12-01T08:00:00.000000Z", note="") -> list:
    """The tasks as Label Studio exports them once somebody annotated all."""
    protocol = load_protocol("empathy_acoustic", "zh")
    tasks = json.loads((folder / "pass-1" / "tasks.json").read_text(encoding="utf-8"))
    for place, task in enumerate(tasks):
        value = 1 + (place + step) % 5
        result = [
            {"id": f"r{place}", "from_name": "empathy_acoustic", "to_name": "answer", "type": "choices",
             "value": {"choices": [label_of(protocol.main, value)]}},
            {"id": f"e{place}", "from_name": "emotion_heard", "to_name": "answer", "type": "choices",
             "value": {"choices": ["平静"]}},
            {"id": f"n{place}", "from_name": "note", "to_name": "answer", "type": "textarea",
             "value": {"text": [note] if note else []}},
        ]  # fmt: skip
        task["annotations"] = [
            {"id": 1000 + place, "completed_by": {"id": annotator, "email": f"r{annotator}@example.org"},
             "was_cancelled": False, "created_at": "2026-12-01T07:00:00Z", "updated_at": at, "lead_time": 3.5,
             "result": result},
        ]  # fmt: skip
    return tasks


def exported(tmp_path, tasks, name="export.json"):
    path = tmp_path / name
    path.write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    return path


def test_nothing_in_the_project_tells_a_system(project, tmp_path):
    _, folder, _, _ = project
    told = b"".join(path.read_bytes() + path.name.encode() for path in folder.rglob("*") if path.is_file())
    secret = [*SYSTEMS, TITLE, "Zebra", "yak", "Qwen", str(tmp_path), "verdict", "chinese_knowledge", "gold", "trap"]
    assert [word for word in secret if word.encode() in told] == []
    assert len(list((folder / "audio").iterdir())) == 9  # six answers and three questions


def test_every_task_names_clips_that_are_there_and_fields_that_the_interface_shows(project):
    _, folder, _, _ = project
    tasks = json.loads((folder / "pass-1" / "tasks.json").read_text(encoding="utf-8"))
    view = ElementTree.fromstring((folder / "pass-1" / "interface.xml").read_text(encoding="utf-8"))
    fields = {part.get("value")[1:] for part in view.iter() if (part.get("value") or "").startswith("$")}
    assert len(tasks) == 10
    for task in tasks:
        assert fields <= set(task["data"])
        for field in ("question_audio", "answer_audio"):
            place, _, name = task["data"][field].rpartition("/")
            assert place == "/data/local-files/?d=project/audio" and (folder / "audio" / name).exists()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", protocol_ids())
def test_every_protocol_makes_an_interface_whose_parts_name_each_other(name, language):
    protocol = load_protocol(name, language)
    view = ElementTree.fromstring(interface(protocol))
    names = {part.get("name") for part in view.iter() if part.get("name")}
    assert {part.get("toName") for part in view.iter() if part.get("toName")} <= names
    assert {part.get("whenTagName") for part in view.iter() if part.get("whenTagName")} <= names
    choices = {part.get("name"): [choice.get("value") for choice in part] for part in view.iter("Choices")}
    for scale in protocol.scales:
        assert choices[scale.id] == [label_of(scale, value) for value in scale.values]
        assert len(set(choices[scale.id])) == len(scale.values)
    for part in view.iter("View"):
        if part.get("whenTagName"):
            assert set(part.get("whenChoiceValue").split(",")) <= set(choices[part.get("whenTagName")])


def test_annotations_come_back_as_ratings_once(project, tmp_path):
    workspace, folder, number, _ = project
    path = exported(tmp_path, annotated(folder, tmp_path, note="慢"))
    first, again = take_annotations(workspace, path), take_annotations(workspace, path)
    assert (first.annotations, first.taken.added["rating"], first.problems) == (10, 20, ())
    assert sum(again.taken.added.values()) == 0 and not again.taken.conflicts and not again.taken.refused
    with closing(workspace.connect()) as db:
        rows, remarks = rating_rows(db, number), remark_rows(db, number)
    assert [row.value for row in rows if row.scale == "empathy_acoustic"] == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]
    assert {row.value for row in rows if row.scale == "emotion_heard"} == {"neutral"}
    assert {(row.rater, row.device, row.active_s) for row in rows} == {("甲", "Label Studio", 3.5)}
    assert [one.text for one in remarks] == ["慢"] * 10


def test_an_annotation_changed_in_label_studio_counts_after_the_earlier_one(project, tmp_path):
    workspace, folder, number, _ = project
    take_annotations(workspace, exported(tmp_path, annotated(folder, tmp_path)))
    later = annotated(folder, tmp_path, step=1, at="2026-12-02T08:00:00.000000Z")
    changed = take_annotations(workspace, exported(tmp_path, later, "later.json"))
    with closing(workspace.connect()) as db:
        rows, history = rating_rows(db, number), rating_rows(db, number, with_history=True)
    assert changed.taken.added["rating"] == 20
    assert [row.value for row in rows if row.scale == "empathy_acoustic"] == [2, 3, 4, 5, 1, 2, 3, 4, 5, 1]
    assert len(history) == 40


def test_of_several_annotators_one_is_chosen(project, tmp_path):
    workspace, folder, _, _ = project
    tasks, others = annotated(folder, tmp_path), annotated(folder, tmp_path, annotator=8)
    for task, other in zip(tasks, others):
        task["annotations"] += other["annotations"]
    path = exported(tmp_path, tasks)
    with pytest.raises(EngineError) as several:
        take_annotations(workspace, path)
    taken = take_annotations(workspace, path, annotator="r8@example.org")
    assert several.value.code == "exchange.several_annotators"
    assert taken.annotations == 10


def test_skipped_unknown_and_wrong_annotations_are_told(project, tmp_path):
    workspace, folder, _, _ = project
    tasks = annotated(folder, tmp_path)[:3]
    tasks[0]["annotations"][0]["was_cancelled"] = True
    tasks[1]["data"]["assignment"] = "another"
    tasks[2]["annotations"][0]["result"][0]["value"] = {"choices": ["6 · 好极了"]}
    taken = take_annotations(workspace, exported(tmp_path, tasks))
    assert [problem.code for problem in taken.problems] == [
        "exchange.cancelled", "exchange.unknown_item", "exchange.no_step",
    ]  # fmt: skip
    assert all(problem.sentence("en") and problem.sentence("zh") for problem in taken.problems)
    assert taken.taken.added["rating"] == 1


@pytest.mark.parametrize("text", ["not json", "{}", "[1]", '[{"id": 1}]', "[" * 100_000])
def test_what_is_no_export_says_so(workspace, tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(EngineError) as error:
        take_annotations(workspace, tmp_path / "x.json")
    assert error.value.code == "exchange.not_label_studio"


def test_strange_values_in_an_export_do_no_harm(project, tmp_path):
    workspace, folder, number, _ = project
    tasks = annotated(folder, tmp_path)[:4]
    strange = copy.deepcopy(tasks)
    strange[0]["annotations"] = "none"
    strange[1]["annotations"][0] |= {"result": None, "lead_time": "long", "completed_by": None}
    strange[2]["annotations"][0]["result"] = [None, 3, {"value": 1}, {"from_name": [], "value": {"choices": [[]]}}]
    strange[3]["annotations"][0] |= {"id": None, "updated_at": "yesterday", "created_at": 5}
    take_annotations(workspace, exported(tmp_path, strange), annotator="r7@example.org")
    with closing(workspace.connect()) as db:
        assert {row.made_at[:4] for row in rating_rows(db, number)} == {"2000"}


def test_what_was_rated_here_goes_along_as_annotations(project, tmp_path, finish):
    workspace, _, number, raters = project
    rate(workspace)
    who = raters[1].id  # by name the first, whom ``rate`` takes
    folder = finish(export_label_studio(workspace, number, who, tmp_path / "again", with_ratings=True))
    tasks = json.loads((folder / "pass-1" / "tasks.json").read_text(encoding="utf-8"))
    assert [len(task["annotations"][0]["result"]) for task in tasks] == [2] * 10
    assert tasks[0]["annotations"][0]["result"][0]["type"] == "choices"


def test_a_folder_that_holds_something_is_left_alone(project, tmp_path, finish):
    workspace, folder, number, raters = project
    with pytest.raises(EngineError) as error:
        finish(export_label_studio(workspace, number, raters[0].id, folder))
    assert error.value.code == "exchange.exists"


def test_annotations_of_a_project_made_elsewhere_are_ratings_by_their_qid(tmp_path, finish):
    workspace = owner(tmp_path, finish)
    tasks = [
        {
            "data": {"Qid": f"chinese_knowledge-{n:04d}", "system": SYSTEMS[0], "audio": "x.wav"},
            "annotations": [
                {
                    "completed_by": {"email": "a@example.org"},
                    "result": [
                        {"from_name": "tone", "type": "rating", "value": {"rating": 2 + n}},
                        {"from_name": "kind", "type": "choices", "value": {"choices": ["warm"]}},
                        {"from_name": "many", "type": "choices", "value": {"choices": ["a", "b"]}},
                        {"from_name": "why", "type": "textarea", "value": {"text": ["slow"]}},
                    ],
                },
                {"was_cancelled": True, "result": []},
            ],
        }
        for n in range(2)
    ]
    tasks.append({"data": {"audio": "y.wav"}, "annotations": [{"result": []}]})
    path = exported(tmp_path, tasks)
    read = read_foreign_annotations(path)
    assert [(one.rater, one.key, one.scale, one.value, one.note) for one in read.ratings[:2]] == [
        ("a@example.org", "chinese_knowledge-0000", "tone", 2, "slow"),
        ("a@example.org", "chinese_knowledge-0000", "kind", "warm", "slow"),
    ]
    assert [problem.code for problem in read.problems] == ["exchange.cancelled", "exchange.cancelled", "exchange.empty"]
    taken = [finish(take_ratings(workspace, path, read.ratings)).added for _ in range(2)]
    assert taken == [4, 0]
