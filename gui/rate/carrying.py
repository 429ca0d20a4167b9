"""The work itself that a study's buttons begin, each a generator for a pool thread."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine.progress import Progress

if TYPE_CHECKING:
    from engine.rating.bundle.results import Merged
    from engine.store.studies import StudyRow
    from engine.store.workspace import Workspace

SUFFIXES = {"csv": ".csv", "jsonl": ".jsonl"}


def file_name(title: str, rest: str, suffix: str) -> str:
    """A name for a file of a study that every system takes; ``rest`` tells it from others of the study.

    >>> file_name("Empathy: pilot/2", "Lin", ".zip")
    'Empathy- pilot-2 Lin.zip'
    """
    plain = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "-", f"{title} {rest}".strip()).strip(" .-")
    return f"{plain[:80] or 'auricle'}{suffix}"


def bundle_name(study_id: int, rater: str, suffix: str = ".zip") -> str:
    """How what is sent to a rater is called: by number, for a title may name systems."""
    return file_name(f"rating {study_id}", rater, suffix)


def bundle(workspace: Workspace, study_id: int, rater_id: int, target: Path) -> Generator[Progress, None, str]:
    """One rater's bundle, and the fingerprint it is signed by; the dialog has asked before one that is there."""
    from engine.rating.bundle.keys import fingerprint, own_key
    from engine.rating.bundle.make import make_bundle

    key = own_key()
    yield from make_bundle(workspace, study_id, rater_id, target, replace=True, key=key)
    return fingerprint(key.public)


def bundles(
    workspace: Workspace, study: StudyRow, raters: tuple[tuple[int, str], ...], folder: Path
) -> Generator[Progress, None, str]:
    """A bundle for each rater, and the fingerprint of all; refuses where one of the files is there."""
    from engine.rating.bundle.keys import fingerprint, own_key
    from engine.rating.bundle.make import make_bundle

    key = own_key()
    for rater_id, name in raters:
        yield from make_bundle(workspace, study.id, rater_id, folder / bundle_name(study.id, name), key=key)
    return fingerprint(key.public)


def merged(workspace: Workspace, path: Path) -> Generator[Progress, None, Merged]:
    """Take results in: which study they belong to, who signed them, what was new."""
    from engine.rating.bundle.results import merging

    return (yield from merging(workspace, path))


def exported(
    workspace: Workspace, study_id: int, form: Literal["csv", "jsonl"], target: Path
) -> Generator[Progress, None, Path]:
    """A study's ratings as a table, one row each; systems stay sealed in it while the letters are."""
    from engine.rating.exchange.export import export_ratings

    yield Progress(0, 1)
    return export_ratings(workspace, target, form, study_id=study_id, replace=True).path


def label_studio(
    workspace: Workspace, study: StudyRow, raters: tuple[tuple[int, str], ...], folder: Path
) -> Generator[Progress, None, Path]:
    """A folder for each rater, with a project of Label Studio for each pass and what was rated here already."""
    from engine.rating.exchange.label_studio import export_label_studio

    for rater_id, name in raters:
        place = folder / bundle_name(study.id, name, "")
        yield from export_label_studio(workspace, study.id, rater_id, place, with_ratings=True)
    return folder


def methods(workspace: Workspace, study_id: int, language: str) -> Generator[Progress, None, str]:
    """The paragraph on methods of a study."""
    from engine.rating.methods import methods_of

    yield Progress(0, 1)
    with closing(workspace.connect()) as db:
        return methods_of(db, study_id, language).paragraph


def revealed(workspace: Workspace, study_id: int, reason: str) -> Generator[Progress, None, None]:
    """Have the letters resolved from now on."""
    from engine.store.studies import disclose

    yield Progress(0, 1)
    with closing(workspace.connect(durable=True)) as db:
        disclose(db, study_id, reason)


def adjudicated(workspace: Workspace, study_id: int, title: str) -> Generator[Progress, None, int]:
    """A study for the owner of what the raters differ on."""
    from engine.rating.exchange.adjudicate import adjudicate
    from engine.store.raters import owner_of

    yield Progress(0, 1)
    with closing(workspace.connect(durable=True)) as db:
        owner = owner_of(db)
    return adjudicate(workspace, study_id, owner.id, title=title)
