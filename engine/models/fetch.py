"""Fetches weights: room first, then file after file, going on where a cut connection stopped, each sum checked."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from engine.endpoints.waiting import backoff_s
from engine.errors import EngineError
from engine.installing import install_alone
from engine.models.cache import UNFINISHED, free_bytes, hub_cache, repository_folder
from engine.models.consent import is_trusted
from engine.models.declaration import ModelDeclaration
from engine.models.listing import PICKLES, Choice, Listing, RemoteFile, ask_hub, choose, hub_module
from engine.progress import Progress

MB = 10**6
SPARE_BYTES = 500 * MB  # a drive filled to the last byte stops more than this program
_TRIES = 6  # without a single byte between them
_BLOCK = 1 << 20
_TIME_LIMIT_S = 60.0
_WORK = ".auricle"  # in the folder of --to, while files grow


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What is to be fetched, and where to.

    Attributes:
        folder: what ``--to`` named; None is the hub's cache.
        licence: what the hub's card says, else the declaration.
        size: bytes of all chosen files; ``left`` those that are not here yet.
    """

    model: ModelDeclaration
    listing: Listing
    choice: Choice
    licence: str
    size: int
    left: int
    free: int
    folder: Path | None = None


def plan_fetch(
    model: ModelDeclaration,
    folder: Path | None = None,
    *,
    allow_pickle: bool = False,
    without_code: bool = False,
    trusted: Sequence[str] = (),
) -> FetchPlan:
    """What fetching would bring; asks the hub, writes nothing.

    ``trusted`` (``repository@revision`` each) is code that is allowed beside what was consented to for good.

    Raises EngineError ``models.in_packages``, ``remote_code`` (its code was not consented to at the commit that the
    hub gives), and what ``ask_hub`` and ``choose`` raise.
    """
    if not model.repository:
        raise EngineError("models.in_packages", model=model.id, command=install_alone(*model.packages))
    listing = ask_hub(model)
    name = f"{model.repository}@{listing.commit}"
    is_allowed = name in trusted or is_trusted(model.repository, listing.commit)
    if model.remote_code and not is_allowed and not without_code:
        raise EngineError("models.remote_code", repository=model.repository, revision=listing.commit)
    choice = choose(model, listing, allow_pickle=allow_pickle, with_code=is_allowed and not without_code)
    left = sum(file.size - _bytes_here(model.repository, file, folder) for file in choice.files)
    licence = listing.licence or model.licence
    size = sum(file.size for file in choice.files)
    return FetchPlan(model, listing, choice, licence, size, left, free_bytes(folder or hub_cache()), folder)


def fetch(plan: FetchPlan, wait: Callable[[float], None] = time.sleep) -> Generator[Progress, None, Path]:
    """Fetch what is planned; progress in MB. Returns the folder that the weights lie in.

    Closed or cut it leaves what came, and the same plan goes on from there. A file appears under its name only whole
    and with the right sum. Raises EngineError ``models.no_space``, ``cut``, ``wrong_sum``, ``hidden_pickle``,
    ``in_the_way``, ``busy``, ``refused`` or ``not_written``.
    """
    if plan.left and plan.left + SPARE_BYTES > plan.free:
        raise _no_space(plan)
    done = 0
    try:
        for file in plan.choice.files:
            for came in _fetch_one(plan, file, wait):
                yield Progress((done + came) // MB, plan.size // MB, file.name)
            done += file.size
            yield Progress(done // MB, plan.size // MB, file.name)
        return _finished(plan)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _no_space(plan) from error
        raise EngineError(
            "models.not_written", folder=str(_root(plan)), why=error.strerror or type(error).__name__
        ) from error


def _fetch_one(plan: FetchPlan, file: RemoteFile, wait: Callable[[float], None]) -> Iterator[int]:
    target, partial = _places(plan.model.repository, file, plan.folder)
    if target.is_file():
        if plan.folder is not None and not _is_right(target, file, plan.model):
            raise EngineError("models.in_the_way", file=str(target))
        if plan.folder is None:
            _link(plan, file)
        return
    partial.parent.mkdir(parents=True, exist_ok=True)
    with _alone(_lock(plan, file)):
        if not target.is_file():
            yield from _transfer(plan, file, partial, wait)
            _check(plan.model, file, partial)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(partial, target)
    if plan.folder is None:
        _link(plan, file)


def _transfer(plan: FetchPlan, file: RemoteFile, partial: Path, wait: Callable[[float], None]) -> Iterator[int]:
    """Bytes that are here, after each block; ends when the file is as long as the hub said."""
    import httpx2

    hub = hub_module()
    address = hub.hf_hub_url(plan.model.repository, file.name, revision=plan.listing.commit)
    headers = hub.utils.build_hf_headers()
    chance, failed = random.Random(), 0
    with httpx2.Client(follow_redirects=True, timeout=_TIME_LIMIT_S) as client, partial.open("ab") as out:
        while (here := out.tell()) != file.size:
            if here > file.size:
                out.truncate(0)
                out.seek(0)
                continue
            try:
                yield from _take(client, address, headers, file, out)
                why = "EOF"
            except httpx2.HTTPStatusError as error:
                status = error.response.status_code
                if status < 500 and status not in (408, 429):
                    raise _refused(plan, file, status) from error
                why = f"HTTP {status}"
            except httpx2.TransportError as error:
                why = type(error).__name__
            out.flush()
            failed = 0 if out.tell() > here else failed + 1
            if failed >= _TRIES:
                raise EngineError("models.cut", file=file.name, came=out.tell() / MB, size=file.size / MB, why=why)
            if out.tell() < file.size:
                wait(backoff_s(failed + 1, chance))
        out.flush()
        os.fsync(out.fileno())
    yield file.size


def _take(client: Any, address: str, headers: dict[str, str], file: RemoteFile, out: BinaryIO) -> Iterator[int]:
    here = out.tell()
    # identity: a range counts the bytes as they are sent, and these must be the file's
    asked = {**headers, "Accept-Encoding": "identity"} | ({"Range": f"bytes={here}-"} if here else {})
    with client.stream("GET", address, headers=asked) as reply:
        if reply.status_code == 416:  # what is here is no beginning of it
            out.truncate(0)
            out.seek(0)
            return
        reply.raise_for_status()
        goes_on = reply.status_code == 206 and reply.headers.get("content-range", "").startswith(f"bytes {here}-")
        if here and not goes_on:
            out.truncate(0)
            out.seek(0)
            here = 0
        # as the pieces come: a block that is being gathered is lost when the connection breaks
        with closing(reply.iter_bytes()) as blocks:
            for block in blocks:
                out.write(block[: file.size - here])
                here = min(here + len(block), file.size)
                yield here
                if here >= file.size:
                    return


def _check(model: ModelDeclaration, file: RemoteFile, partial: Path) -> None:
    if not _is_right(partial, file, model):
        partial.unlink()
        raise EngineError("models.wrong_sum", file=file.name, repository=model.repository)
    plain = file.name.lower().endswith(PICKLES) and any(Path(file.name).match(p) for p in model.plain)
    with partial.open("rb") as begun:
        start = begun.read(4)
    # a pickle begins with its protocol; PyTorch's newer form is a zip of one
    if plain and (start[:1] == b"\x80" or start == b"PK\x03\x04"):
        partial.unlink()
        raise EngineError("models.hidden_pickle", file=file.name, repository=model.repository)


def _is_right(path: Path, file: RemoteFile, model: ModelDeclaration) -> bool:
    if path.stat().st_size != file.size:
        return False
    known = model.sha256.get(file.name, "")
    sums = [hashlib.sha256()] if file.sha256 or known else []
    git = None if file.sha256 else hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
    with path.open("rb") as content:
        while block := content.read(_BLOCK):
            for one in (*sums, *((git,) if git else ())):
                one.update(block)
    wanted = {value for value in (file.sha256, known) if value}
    right = not wanted or wanted == {sums[0].hexdigest()}
    return right and (git is None or git.hexdigest() == file.git_sha1)


def _link(plan: FetchPlan, file: RemoteFile) -> None:
    """Let the hub's own package put the file's name into the snapshot; the bytes are there."""
    hub_module().hf_hub_download(
        plan.model.repository, file.name, revision=plan.listing.commit, cache_dir=str(hub_cache())
    )


def _finished(plan: FetchPlan) -> Path:
    if plan.folder is not None:
        shutil.rmtree(plan.folder / _WORK, ignore_errors=True)
        return plan.folder
    folder = repository_folder(plan.model.repository)
    revision = plan.model.revision or "main"
    if revision != plan.listing.commit:
        reference = folder / "refs" / revision
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_text(plan.listing.commit, encoding="utf-8")
    return folder / "snapshots" / plan.listing.commit


def _places(repository: str, file: RemoteFile, folder: Path | None) -> tuple[Path, Path]:
    """Where a whole file goes, and where it grows."""
    if folder is not None:
        return folder / file.name, folder / _WORK / f"{file.blob}{UNFINISHED}"
    blobs = repository_folder(repository) / "blobs"
    return blobs / file.blob, blobs / f"{file.blob}{UNFINISHED}"


def _bytes_here(repository: str, file: RemoteFile, folder: Path | None) -> int:
    for path in _places(repository, file, folder):
        if path.is_file():
            return min(path.stat().st_size, file.size)
    return 0


def _lock(plan: FetchPlan, file: RemoteFile) -> Path:
    if plan.folder is not None:
        return plan.folder / _WORK / f"{file.blob}.lock"
    return hub_cache() / ".locks" / repository_folder(plan.model.repository).name / f"{file.blob}.auricle.lock"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise EngineError("models.busy", file=str(path)) from error
    try:
        yield
    finally:
        lock.release()


def _refused(plan: FetchPlan, file: RemoteFile, status: int) -> EngineError:
    if status in (401, 403):
        return EngineError("models.gated", repository=plan.model.repository)
    return EngineError("models.refused", file=file.name, repository=plan.model.repository, status=status)


def _no_space(plan: FetchPlan) -> EngineError:
    root = _root(plan)
    need, free = (plan.left + SPARE_BYTES) / 1e9, free_bytes(root) / 1e9
    return EngineError("models.no_space", model=plan.model.id, need=need, free=free, folder=str(root))


def _root(plan: FetchPlan) -> Path:
    return plan.folder or hub_cache()
