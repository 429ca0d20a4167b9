"""What was rated in a bundle's workspace as one signed file, and taking it into the owner's store."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import engine
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.keys import SigningKey, own_key
from engine.rating.bundle.open import bundle_of
from engine.rating.bundle.seal import ROWS, Sealed, json_bytes, sealing
from engine.store.merging import Taken
from engine.store.rating_merging import ratings_in
from engine.store.rating_packing import ratings_out
from engine.store.studies import studies_of
from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Merged:
    """What a results file brought: into which study (uid), who signed it, what was new, and what was not taken."""

    study: str
    title: str
    signer: str
    taken: Taken

    def declaration(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "study": self.study,
            "title": self.title,
            "signer": self.signer,
            "added": dict(self.taken.added),
            "refused": [asdict(one) for one in self.taken.refused],
            "conflicts": [asdict(one) for one in self.taken.conflicts],
        }


def results_file(workspace: Workspace, target: Path, *, replace: bool = True, key: SigningKey | None = None) -> Path:
    """Write all that was rated in a bundle's workspace so far to ``target``, signed; no sound and no answer is in it.

    It may be written again at any time: the owner merges what is new. A bundle is never written over.

    Raises EngineError ``bundle.exists``, ``bundle.over_bundle``, ``bundle.not_opened``, ``bundle.nothing_rated``,
    ``bundle.cannot_write``.
    """
    if _is_bundle(target):
        raise EngineError("bundle.over_bundle", path=str(target))
    if target.exists() and not replace:
        raise EngineError("bundle.exists", path=str(target))
    known = bundle_of(workspace.folder)
    if known is None:
        raise EngineError("bundle.not_opened", folder=str(workspace.folder))
    with closing(workspace.connect()) as db:
        rows = ratings_out(db, study_uid=known.study)
    if not rows["presentations"]:
        raise EngineError("bundle.nothing_rated")
    with sealing(target) as writer:
        writer.add(ROWS, json_bytes(rows))
        told = {"study": known.study, "rater": known.rater, "program": engine.__version__}
        writer.close("results", told, key or own_key())
    return target


def _is_bundle(path: Path) -> bool:
    try:
        Sealed(path, "bundle").close()
    except EngineError:
        return False
    return True


def merge_results(workspace: Workspace, path: Path) -> Merged:
    """``merging`` run to its end: for a shell and for tests."""
    work = merging(workspace, path)
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Merged = end.value
            return found


def merging(workspace: Workspace, path: Path) -> Generator[Progress, None, Merged]:
    """Take a results file into the owner's store: each row once, however often and in whatever order.

    Nothing is written before every byte was checked. What does not fit is told in ``taken`` and left out.

    Raises EngineError: what ``Sealed`` raises, ``bundle.unknown_study``, ``bundle.bad_rows``.
    """
    with closing(Sealed(path, "results")) as sealed:
        yield from sealed.verify()
        rows = sealed.rows()
        study = rows.get("study")
        with closing(workspace.connect(durable=True)) as db:
            title = next((study_row.title for study_row in studies_of(db) if study_row.uid == study), None)
            if title is None:
                raise EngineError("bundle.unknown_study", path=str(path), study=str(study)[:40])
            try:
                taken = ratings_in(db, rows)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise EngineError("bundle.bad_rows", path=str(path), why=str(error)[:120]) from error
        return Merged(str(study), title, sealed.signer, taken)
