"""A rater's passes as Label Studio projects: a labelling interface, tasks, and clips under random ids."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from engine.audio.write import write_bytes
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.clips import encoded
from engine.rating.bundle.contents import Answer, Contents, Given, Item, Pass
from engine.rating.bundle.make import gathered_of
from engine.rating.values import Protocol, Scale
from engine.store.raters import Rater
from engine.store.rating_rows import rating_rows
from engine.store.workspace import Workspace
from engine.strings import text

LOCAL_FILES = "/data/local-files/?d="  # where Label Studio serves a folder of its own machine
TASKS, INTERFACE = "tasks.json", "interface.xml"


def export_label_studio(
    workspace: Workspace,
    study_id: int,
    rater_id: int,
    folder: Path,
    *,
    address: str | None = None,
    with_ratings: bool = False,
) -> Generator[Progress, None, Path]:
    """Write a new folder with a project for each pass of a rater; as blind as a bundle, but not signed.

    ``pass-1/interface.xml`` is pasted as the labelling interface, ``pass-1/tasks.json`` imported; tasks stand in the
    rater's order. ``audio`` is served by Label Studio's local storage, or from ``address``.

    Args:
        address: what stands before a clip's file name; by default Label Studio's local files below the folder's name.
        with_ratings: what was rated here already goes along as annotations.

    Raises EngineError ``exchange.exists``, ``bundle.nothing_assigned``, ``bundle.no_sound``.
    """
    if folder.exists() and any(folder.iterdir()):
        raise EngineError("exchange.exists", path=str(folder))
    study, rater, gathered = gathered_of(workspace, study_id, rater_id)
    try:
        natures = [gathered.nature_of(clip) for clip in gathered.clips]
        peak = max([1.0, *(nature.peak for nature in natures)])
        is_stereo = any(nature.is_stereo for nature in natures)
        for done, (clip, name) in enumerate(gathered.clips.items(), start=1):
            data, _ = encoded(clip, attenuation=1 / peak, is_stereo=is_stereo)
            write_bytes(folder / "audio" / f"{name}.flac", data)
            yield Progress(done, len(gathered.clips), "sound")
        contents = gathered.contents(study.uid, rater, ())
        given = _given_before(workspace, study_id) if with_ratings else {}
        place = address or f"{LOCAL_FILES}{folder.resolve().name}/audio/"
        for one in contents.passes:
            _write_pass(folder / f"pass-{one.number}", contents, one, place, rater, given)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def interface(protocol: Protocol) -> str:
    """The labelling interface of a protocol: its instruction, clips, scales in order, and a note."""
    language = protocol.language
    view = ElementTree.Element("View")
    _add(view, "Header", value=protocol.title)
    _add(view, "Header", value=" ".join(protocol.instruction.split()), size="5")
    if protocol.question in ("audio", "both"):
        _add(view, "Header", value=text("exchange.label_studio.question", language), size="5")
        _add(view, "Audio", name="question", value="$question_audio")
    if protocol.question in ("text", "both"):
        _add(view, "Text", name="question_text", value="$question_text")
    for name, said in _shown(protocol):
        _add(view, "Header", value=text(f"exchange.label_studio.{said}", language), size="5")
        if protocol.perceived != "text":
            _add(view, "Audio", name=name, value=f"${name}_audio")
        if protocol.perceived != "audio":
            _add(view, "Text", name=f"{name}_text", value=f"${name}_text")
    for scale in protocol.scales:
        _add_scale(view, protocol, scale)
    _add(view, "TextArea", name="note", toName=rated_name(protocol), maxSubmissions="1",
         placeholder=text("exchange.label_studio.note", language))  # fmt: skip
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def rated_name(protocol: Protocol) -> str:
    """The name of the part that scales are about."""
    return "answer" if protocol.perceived != "text" else "answer_text"


def label_of(scale: Scale, value: object) -> str:
    """What a step is called in the interface, and in what Label Studio exports."""
    step = next(step for step in scale.steps if step.value == value)
    return f"{step.value} · {step.label}" if isinstance(step.value, int) else step.label


def _shown(protocol: Protocol) -> tuple[tuple[str, str], ...]:
    return (("answer", "first"), ("other", "second")) if protocol.compares else (("answer", "answer"),)


def _add_scale(view: ElementTree.Element, protocol: Protocol, scale: Scale) -> None:
    told = {}
    if scale.shown_when is not None:
        told = {
            "visibleWhen": "choice-selected",
            "whenTagName": scale.shown_when[0],
            "whenChoiceValue": ",".join(label_of(protocol.scale(scale.shown_when[0]), v) for v in scale.shown_when[1]),
        }
    part = _add(view, "View", **told)
    _add(part, "Header", value=scale.question, size="4")
    choices = _add(part, "Choices", name=scale.id, toName=rated_name(protocol), choice="single-radio")
    if scale.is_required:
        choices.set("required", "true")
    for step in scale.steps:
        _add(choices, "Choice", value=label_of(scale, step.value), hint=step.anchor)


def _add(parent: ElementTree.Element, tag: str, **told: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, told)


def _write_pass(
    folder: Path, contents: Contents, one: Pass, place: str, rater: Rater, given: Mapping[str, Mapping[str, Any]]
) -> None:
    kept = next(entry for entry in contents.protocols if entry.sha256 == one.protocol)
    protocol = Protocol.of(kept.declaration)
    items = {item.id: item for item in contents.items}
    answers = {answer.id: answer for answer in contents.answers}
    tasks = []
    for number, entry in enumerate(one.given, start=1):
        answer = answers[entry.answer]
        other = None if entry.other is None else answers[entry.other]
        task: dict[str, Any] = {"id": number, "data": _data(entry, items[answer.item], answer, other, place)}
        task["data"] |= {"protocol": kept.name, "protocol_sha256": kept.sha256}
        if entry.uid in given:
            task["annotations"] = [_annotation(protocol, given[entry.uid], rater)]
        tasks.append(task)
    write_bytes(folder / TASKS, json.dumps(tasks, ensure_ascii=False, indent=1).encode())
    write_bytes(folder / INTERFACE, interface(protocol).encode())


def _data(entry: Given, item: Item, answer: Answer, other: Answer | None, place: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "assignment": entry.uid,
        "position": entry.position,
        "question_text": item.question,
        "question_audio": _address(item.clips[:1], place),
        "answer_text": answer.text,
        "answer_audio": _address([answer.clip] if answer.clip else [], place),
    }
    if other is not None:
        told |= {"other_text": other.text, "other_audio": _address([other.clip] if other.clip else [], place)}
    return told


def _address(clips: Sequence[str], place: str) -> str:
    return f"{place}{clips[0]}.flac" if clips else ""


def _given_before(workspace: Workspace, study_id: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    with closing(workspace.connect()) as db:
        for row in rating_rows(db, study_id):
            told = found.setdefault(row.assignment_uid, {"values": {}, "active_s": row.active_s})
            told["values"][row.scale] = row.value
            told["made_at"] = row.made_at
    return found


def _annotation(protocol: Protocol, given: Mapping[str, Any], rater: Rater) -> dict[str, Any]:
    result = [
        {
            "from_name": scale,
            "to_name": rated_name(protocol),
            "type": "choices",
            "value": {"choices": [label_of(protocol.scale(scale), value)]},
        }
        for scale, value in given["values"].items()
    ]
    return {
        "result": result,
        "was_cancelled": False,
        "created_at": given["made_at"],
        "lead_time": given["active_s"],
        "completed_by": {"first_name": rater.name},
    }
