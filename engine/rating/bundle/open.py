"""Opens a bundle: checked whole first, then a small workspace of its own in which the rating screen runs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from platformdirs import user_data_path

from engine.clock import utc_text
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.contents import Contents
from engine.rating.bundle.fill import HIDDEN, put_rows, take_sounds
from engine.rating.bundle.keys import fingerprint
from engine.rating.bundle.seal import Sealed
from engine.rating.values import Protocol
from engine.store.workspace import Workspace, open_workspace

__all__ = ["HIDDEN", "OpenedBundle", "bundle_of", "check_signer", "default_folder", "open_bundle", "opening"]

FACTS = "bundle.json"
_SPARE_BYTES = 32 << 20
_LONGEST_OPENING_S = 6 * 3600
_WRONG_ROWS = (KeyError, TypeError, ValueError, AttributeError, sqlite3.IntegrityError, sqlite3.InterfaceError,
               sqlite3.ProgrammingError, OverflowError, RecursionError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenedBundle:
    """What a workspace that was opened from a bundle knows of it; ``public_key`` is that of the owner, in hex."""

    study: str
    rater: str
    public_key: str
    opened_at: str

    @property
    def signer(self) -> str:
        """The fingerprint of the owner's key."""
        return fingerprint(bytes.fromhex(self.public_key))


def open_bundle(path: Path, folder: Path | None = None) -> Workspace:
    """``opening`` run to its end: for a shell and for tests."""
    work = opening(path, folder)
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: Workspace = end.value
            return found


def opening(path: Path, folder: Path | None = None, *, signer: str = "") -> Generator[Progress, None, Workspace]:
    """The workspace of a bundle, made when it is first opened and found again later, so that work goes on there.

    Every byte of the bundle is checked before anything is written; the folder is there whole or not at all. It holds
    the same tables and uids as the owner's; answers have new uids and stand under one system named ``HIDDEN``.

    Args:
        folder: of the workspace; by default one below the user's data folder, named after study and rater.
        signer: the fingerprint that the sender told; a bundle that another key signed is not opened.

    Raises EngineError: what ``Sealed`` raises, ``bundle.not_that_signer``, ``bundle.bad_rows``, ``bundle.no_room``,
    ``bundle.other_signer``, ``bundle.other_bundle``, ``bundle.cannot_write``.
    """
    with closing(Sealed(path, "bundle")) as sealed:
        yield from sealed.verify()
        check_signer(path, sealed.signer, signer)
        contents = _contents(sealed)
        place = (folder or default_folder(contents.study, contents.rater)).absolute()
        known = bundle_of(place)
        if known is not None:
            _check_same(path, place, known, contents, sealed)
            return open_workspace(place)
        if place.exists() and any(place.iterdir()):
            raise EngineError("bundle.other_bundle", folder=str(place), path=str(path))
        yield from _made(sealed, contents, place)
    return open_workspace(place)


def bundle_of(folder: Path) -> OpenedBundle | None:
    """What the workspace in ``folder`` knows of the bundle it was made from; None for any other folder."""
    try:
        return OpenedBundle(**json.loads((folder / FACTS).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def default_folder(study: str, rater: str) -> Path:
    """Where a bundle of this study for this rater is opened, whenever and from whatever file."""
    name = hashlib.sha256(f"{study}\n{rater}".encode()).hexdigest()[:16]
    return user_data_path("auricle", appauthor=False) / "bundles" / name


def check_signer(path: Path, signer: str, told: str) -> None:
    """Raises EngineError ``bundle.not_that_signer`` where a fingerprint was told and ``signer`` is another."""
    if told and "".join(told.split()).lower() != "".join(signer.split()):
        raise EngineError("bundle.not_that_signer", path=str(path), signer=signer, expected=told)


def _contents(sealed: Sealed) -> Contents:
    try:
        contents = Contents.of(sealed.rows())
        for protocol in contents.protocols:
            if Protocol.of(protocol.declaration).sha256 != protocol.sha256:
                raise ValueError(f"protocol {protocol.name}")
        if {f"audio/{sound.id}.flac" for sound in contents.sounds} != {n for n in sealed.entries if n[0] == "a"}:
            raise ValueError("sounds")
    except _WRONG_ROWS as error:
        raise EngineError("bundle.bad_rows", path=str(sealed.path), why=_why(error)) from error
    return contents


def _check_same(path: Path, place: Path, known: OpenedBundle, contents: Contents, sealed: Sealed) -> None:
    if (known.study, known.rater) != (contents.study, contents.rater):
        raise EngineError("bundle.other_bundle", folder=str(place), path=str(path))
    if known.public_key != sealed.public_key.hex():
        raise EngineError("bundle.other_signer", path=str(path), signer=sealed.signer, expected=known.signer)


def _made(sealed: Sealed, contents: Contents, place: Path) -> Generator[Progress, None, None]:
    needed = _SPARE_BYTES + sum(entry["bytes"] for entry in sealed.entries.values())
    unfinished = place.with_name(f".opening-{secrets.token_hex(6)}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(place.parent)
        if needed > (free := shutil.disk_usage(place.parent).free):
            raise EngineError("bundle.no_room", path=str(sealed.path), needed=needed / 1e9, free=free / 1e9)
        workspace = open_workspace(unfinished, create=True)
        with closing(workspace.connect(durable=True)) as db:
            audio = yield from take_sounds(db, workspace, sealed, contents)
            try:
                put_rows(db, workspace, contents, audio)
            except _WRONG_ROWS as error:
                raise EngineError("bundle.bad_rows", path=str(sealed.path), why=_why(error)) from error
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        told = OpenedBundle(contents.study, contents.rater, sealed.public_key.hex(), utc_text())
        (unfinished / FACTS).write_text(json.dumps(asdict(told)), encoding="utf-8")
        if place.is_dir():
            place.rmdir()
        os.replace(unfinished, place)
    except OSError as error:
        if bundle_of(place) is not None:
            return  # another window was quicker with the same bundle
        raise EngineError("bundle.cannot_write", path=str(place), why=error.strerror or str(error)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _clear_leftovers(folder: Path) -> None:
    """What a killed opening left behind goes; one that may still go on stays."""
    for path in folder.glob(".opening-*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _LONGEST_OPENING_S:
                shutil.rmtree(path, ignore_errors=True)


def _why(error: Exception) -> str:
    return str(error)[:120] or type(error).__name__
