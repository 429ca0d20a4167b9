"""All that a reader of a study may ask for, as one JSON value, and the list of what has to be in it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from engine.store.rating_packing import protocols_for, ratings_out, sessions_for
from engine.store.selections import ADJUDICATION
from engine.store.studies import LetterRow, StudyRow, letters_of, study_of

FORMAT, VERSION = "auricle.rating.session", 1
Record = dict[str, Any]
SEALED = "sealed"  # what stands in place of the letters' systems
UNTIL_REVEALED = "sealed until the letters are revealed"  # in place of what is alike in all answers of a system
_TOLD = ("uid", "title", "made_at", "seed", "selection", "stage", "planned", "rated", "skipped", "disclosed_at")
_DESIGN = ("language", "protocols", "counts", "loads", "precision", "strata", "warnings", "playback", "trim", "gain",
           "ratings_per_item", "overlap", "query", "imported", "adjudicates", "min_gap")  # fmt: skip
_ORDER = ("position", "kind", "letter", "other_letter", "repeat_of", "perceived", "dimension", "blind", "selection",
          "pi", "stratum", "split", "stage", "expected")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list: whether the file has it, and for how many of how many where it is of many.

    ``name`` is worded under ``[listed]`` of the strings of methods.
    """

    name: str
    is_there: bool
    found: int | None = None
    of: int | None = None


def session_file(db: sqlite3.Connection, study_id: int) -> Record:
    """The whole of a study as JSON values: protocols, order, sittings, what was heard, every rating with its history.

    Letters' systems are in it once they were revealed and not before, as are gains and the seconds between which an
    answer was played: one gain for all answers of a system would sort them. Uids of answers never are. Raises
    EngineError ``rating.no_such_study``.
    """
    study = study_of(db, study_id)
    is_open = not study.is_sealed
    told = ratings_out(db, study_uid=study.uid)
    return {
        "format": FORMAT,
        "version": VERSION,
        "app_version": engine.__version__,
        "study": _study(study),
        "protocols": [_protocol(row) for row in protocols_for(db, [study_id])],
        "sessions": [_session(row) for row in sessions_for(db, [study_id])],
        "letters": [_letter(row) for row in letters_of(db, study_id)] if is_open else SEALED,
        "sittings": [{**row, "setup": json.loads(row["setup"])} for row in told["sittings"]],
        "presentations": [_presentation(row, is_open) for row in told["presentations"]],
        "leaks": study.leaks if is_open else _without_names(study.leaks),
    }


def compliance(record: Mapping[str, Any]) -> tuple[Listed, ...]:
    """What a session file has to hold, and whether ``session_file`` gave it; nothing of it is a claim of a standard."""
    sittings, shown = record["sittings"], record["presentations"]
    order = [row for session in record["sessions"] for row in session["order"]]
    heard = [entry for row in shown for entry in row["heard"]]
    rated = [row for row in shown if row["rating"]]
    return (
        _counted("protocol", record["protocols"], lambda row: bool(row["id"] and row["sha256"])),
        Listed("rubric", all(one["version"] for one in record["protocols"])),
        Listed("seed", record["study"]["seed"] is not None),
        _counted("order", order, lambda row: row["position"] >= 1),
        Listed("letters", record["letters"] != SEALED or bool(order)),
        _counted("gains", shown, lambda row: bool(row["gains"])),
        Listed("fades", True),
        _counted("device", sittings, lambda row: bool(row["device"])),
        _counted("sample_rate", sittings, lambda row: row["sample_rate_hz"] is not None),
        _counted("underruns", heard, lambda row: row["underruns"] is not None),
        _counted("heard", rated, lambda row: bool(row["heard"])),
        _counted("times", shown, lambda row: bool(row["made_at"])),
        _counted("history", rated, lambda row: all(one["made_at"] and one["uid"] for one in row["rating"])),
        _counted("marks", order, lambda row: bool(row["kind"])),
        Listed("app_version", bool(record["app_version"]) and all(row["app_version"] for row in sittings)),
    )


def _counted(name: str, rows: Sequence[Any], has: Callable[[Any], bool]) -> Listed:
    found = sum(has(row) for row in rows)
    return Listed(name, found == len(rows) and bool(rows), found, len(rows))


def _study(study: StudyRow) -> Record:
    told = {name: getattr(study, name) for name in _TOLD}
    design = {name: study.design[name] for name in _DESIGN if name in study.design}
    return {**told, "raters": list(study.raters), "design": design}


def _protocol(row: Mapping[str, Any]) -> Record:
    return {
        "id": row["name"],
        "version": row["version"],
        "language": row["language"],
        "sha256": row["sha256"],
        "declaration": json.loads(row["declaration"]),
    }


def _session(row: Mapping[str, Any]) -> Record:
    order = [_placed(one) | {"assignment": one["uid"]} for one in row["assignments"]]
    sha256, language = row["protocol"]
    return {
        "uid": row["uid"],
        "rater": row["rater"],
        "pass": row["pass"],
        "protocol": sha256,
        "language": language,
        "order": order,
    }


def _placed(row: Mapping[str, Any]) -> Record:
    told = {name: row[name] for name in _ORDER}
    return told | {"selection": "manual", "pi": None} if row["stage"] == ADJUDICATION else told


def _presentation(row: Mapping[str, Any], is_open: bool) -> Record:
    heard = [{**entry, "spans": _spans(entry, is_open)} for entry in row["heard"]]
    gains = json.loads(row["gains"])
    return {**row, "gains": gains if is_open or not gains else UNTIL_REVEALED, "heard": heard}


def _spans(heard: Mapping[str, Any], is_open: bool) -> Any:
    """They begin and end where the silence around an answer was left out, so they stay sealed as its gain does."""
    return json.loads(heard["spans"]) if is_open or heard["clip"] == "question" else UNTIL_REVEALED


def _letter(row: LetterRow) -> Record:
    return {"assignment": row.assignment_uid, "letter": row.letter, "system": row.system}


def _without_names(leaks: Mapping[str, Any] | None) -> Record | None:
    if leaks is None:
        return None
    return {name: value for name, value in leaks.items() if name != "name_sayers"}
