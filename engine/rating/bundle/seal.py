"""The signed file that bundles and results are: a zip whose every byte is covered by one signature at its end.

Entries are stored, not packed, so that no small file can claim to be a large one. The zip's comment holds the public
key and the signature of all bytes before it; the manifest holds the hash of every entry, so that what is wrong can be
named. Nothing of a file is used, and nothing written, before ``verify`` has read it to its end.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import stat
import zipfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Literal

from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.keys import SigningKey, fingerprint, is_signed

Kind = Literal["bundle", "results"]
VERSION = 1
MANIFEST, ROWS = "auricle.json", "rows.json"
MOST_ENTRIES = 8000
MOST_BYTES = 8 << 30
_MOST_MANIFEST = 4 << 20
_MOST_JSON = 256 << 20
_AUDIO = re.compile(r"audio/[0-9a-f]{32}\.flac")
_MARK = "auricle-ed25519"
_TRAILER = re.compile(rb"auricle-ed25519 ([0-9a-f]{64}) ([0-9a-f]{128})")
_TRAILER_BYTES = len(_MARK) + 1 + 64 + 1 + 128
_CHUNK = 1 << 20
_NO_SUCH: dict[Kind, str] = {"bundle": "bundle.not_a_bundle", "results": "bundle.not_a_results_file"}
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


class SealWriter:
    """Writes a signed file beside its place; ``close`` signs it and puts it there whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unfinished = path.with_name(f".sealing-{secrets.token_hex(6)}.zip")
        self._entries: dict[str, dict[str, Any]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._zip = zipfile.ZipFile(self._unfinished, "x", zipfile.ZIP_STORED)

    def add(self, name: str, data: bytes) -> None:
        """Write one entry."""
        self._entries[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        self._zip.writestr(_entry(name), data)

    def close(self, kind: Kind, told: Mapping[str, Any], key: SigningKey) -> None:
        """Write the manifest with what is ``told`` of the file, sign all of it, and put it in its place."""
        manifest = {"format": f"auricle.rating.{kind}", "version": VERSION, **told, "entries": self._entries}
        self._zip.writestr(_entry(MANIFEST), _json(manifest))
        self._zip.comment = b"-" * _TRAILER_BYTES
        self._zip.close()
        with self._unfinished.open("r+b") as file:
            signed = _message(kind, _hash(file, self._unfinished.stat().st_size - _TRAILER_BYTES))
            file.seek(-_TRAILER_BYTES, os.SEEK_END)
            file.write(f"{_MARK} {key.public.hex()} {key.sign(signed).hex()}".encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(self._unfinished, self._path)

    def abandon(self) -> None:
        """Leave nothing behind."""
        with contextlib.suppress(OSError, ValueError):  # on a full disk its list of entries cannot be written either
            self._zip.close()
        self._unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def sealing(path: Path) -> Iterator[SealWriter]:
    """A writer of the file at ``path``, which is whole at the end or not there.

    Raises EngineError ``bundle.cannot_write``.
    """
    try:
        writer = SealWriter(path)
        try:
            yield writer
        except BaseException:
            writer.abandon()
            raise
    except OSError as error:
        raise EngineError("bundle.cannot_write", path=str(path), why=error.strerror or str(error)) from error


class Sealed:
    """A signed file that is read. Opening it looks at names, sizes and the manifest; ``verify`` reads every byte.

    Raises EngineError ``bundle.not_there``, ``not_a_bundle`` (of results ``results_not_there``,
    ``not_a_results_file``), ``newer``, ``wrong_kind``, ``unsafe_name``,
    ``too_many``, ``too_large``, ``foreign_file``, ``missing_file``, ``altered``, ``wrong_signature``.
    """

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path, self._kind = path, kind
        self._zip = _opened(path, kind)
        assert self._zip.fp is not None
        self._size = self._zip.fp.seek(0, os.SEEK_END)
        try:
            self._check_listing()
            self.manifest = self._read_manifest()
            self.entries: dict[str, dict[str, Any]] = self.manifest["entries"]
            self._check_entries()
        except BaseException:
            self.close()
            raise

    @property
    def public_key(self) -> bytes:
        """The key that it says it was signed with."""
        found = _TRAILER.fullmatch(self._zip.comment)
        if found is None:
            raise EngineError("bundle.wrong_signature", path=str(self.path))
        return bytes.fromhex(found[1].decode())

    @property
    def signer(self) -> str:
        """The fingerprint of that key."""
        return fingerprint(self.public_key)

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()

    def verify(self) -> Generator[Progress, None, None]:
        """Read every byte: each entry against its hash, the whole against the signature; yields after each entry."""
        total = len(self.entries) + 1
        for done, name in enumerate(self.entries, start=1):
            for _ in self.pieces(name):
                pass
            yield Progress(done, total, "verify")
        public = self.public_key
        signature = bytes.fromhex(self._zip.comment[-128:].decode())
        assert self._zip.fp is not None
        message = _message(self._kind, _hash(self._zip.fp, self._size - _TRAILER_BYTES))
        if not is_signed(public, signature, message):
            raise EngineError("bundle.wrong_signature", path=str(self.path))
        yield Progress(total, total, "verify")

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of one entry; at its end they are what the manifest says, or ``bundle.altered`` is raised."""
        digest, left = hashlib.sha256(), self.entries[name]["bytes"]
        try:
            with self._zip.open(name) as file:
                while piece := file.read(_CHUNK):
                    digest.update(piece)
                    left -= len(piece)
                    yield piece
        except _BROKEN as error:
            raise EngineError("bundle.altered", path=str(self.path), name=name) from error
        if left or digest.hexdigest() != self.entries[name]["sha256"]:
            raise EngineError("bundle.altered", path=str(self.path), name=name)

    def rows(self) -> dict[str, Any]:
        """What ``rows.json`` holds; raises EngineError ``bundle.altered`` where it is no JSON object."""
        if self.entries[ROWS]["bytes"] > _MOST_JSON:
            raise EngineError("bundle.too_large", path=str(self.path), name=ROWS)
        try:
            rows = json.loads(b"".join(self.pieces(ROWS)))
        except (ValueError, RecursionError) as error:
            raise EngineError("bundle.altered", path=str(self.path), name=ROWS) from error
        if not isinstance(rows, dict):
            raise EngineError("bundle.altered", path=str(self.path), name=ROWS)
        return rows

    def _check_listing(self) -> None:
        infos, path = self._zip.infolist(), str(self.path)
        for info in infos:
            plain, shown = info.orig_filename.replace("\\", "/"), info.orig_filename[:100]
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            if is_link or plain.startswith("/") or ".." in plain.split("/") or ":" in plain or "\0" in plain:
                raise EngineError("bundle.unsafe_name", path=path, name=shown.replace("\0", "␀"))
        if len(infos) > MOST_ENTRIES:
            raise EngineError("bundle.too_many", path=path, count=len(infos), most=MOST_ENTRIES)
        if self._size > MOST_BYTES or sum(max(info.file_size, info.compress_size) for info in infos) > self._size:
            raise EngineError("bundle.too_large", path=path, name=max(infos, key=lambda i: i.file_size).filename[:100])
        if MANIFEST not in {info.filename for info in infos}:
            raise EngineError(_NO_SUCH[self._kind], path=path)
        names = set()
        for info in infos:
            is_ours = info.filename in (MANIFEST, ROWS) or _AUDIO.fullmatch(info.filename)
            if not is_ours or info.filename in names or info.compress_type != zipfile.ZIP_STORED:
                raise EngineError("bundle.foreign_file", path=path, name=info.filename[:100])
            names.add(info.filename)

    def _read_manifest(self) -> dict[str, Any]:
        wrong = EngineError(_NO_SUCH[self._kind], path=str(self.path))
        if self._zip.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
            raise wrong
        try:
            manifest = json.loads(self._zip.read(MANIFEST))
            form, version, entries = manifest["format"], manifest["version"], manifest["entries"]
            is_sound = isinstance(version, int) and all(
                isinstance(entry["bytes"], int) and isinstance(entry["sha256"], str) for entry in entries.values()
            )
        except zipfile.BadZipFile as error:
            raise EngineError("bundle.altered", path=str(self.path), name=MANIFEST) from error
        except (*_BROKEN, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise wrong from error
        if form not in ("auricle.rating.bundle", "auricle.rating.results") or not is_sound:
            raise wrong
        if version > VERSION:
            raise EngineError("bundle.newer", path=str(self.path), version=version)
        if form != f"auricle.rating.{self._kind}":
            raise EngineError(f"bundle.not_{self._kind}", path=str(self.path))
        return dict(manifest)

    def _check_entries(self) -> None:
        there = {info.filename: info.file_size for info in self._zip.infolist() if info.filename != MANIFEST}
        for name in there:
            if name not in self.entries:
                raise EngineError("bundle.foreign_file", path=str(self.path), name=name)
        for name in (ROWS, *self.entries):
            if name not in there:
                raise EngineError("bundle.missing_file", path=str(self.path), name=name[:100])
            if there[name] != self.entries[name]["bytes"]:
                raise EngineError("bundle.altered", path=str(self.path), name=name)


def _opened(path: Path, kind: Kind) -> zipfile.ZipFile:
    if not path.is_file():
        raise EngineError("bundle.not_there" if kind == "bundle" else "bundle.results_not_there", path=str(path))
    try:
        return zipfile.ZipFile(path)
    except _BROKEN as error:
        raise EngineError(_NO_SUCH[kind], path=str(path)) from error


def _entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # of one time, the zip's first: when something was made may tell what made it
    info.create_system, info.external_attr = 3, 0o600 << 16
    return info


def _hash(file: IO[bytes], count: int) -> bytes:
    """The SHA-256 of the first ``count`` bytes."""
    digest = hashlib.sha256()
    file.seek(0)
    while count > 0 and (piece := file.read(min(count, _CHUNK))):
        digest.update(piece)
        count -= len(piece)
    return digest.digest()


def _message(kind: Kind, digest: bytes) -> bytes:
    return f"auricle.rating.{kind}\n".encode() + digest


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def json_bytes(rows: Mapping[str, Iterable[Any] | Any]) -> bytes:
    """``rows`` as the entry ``rows.json`` holds them: equal rows are equal bytes."""
    return _json(rows)
