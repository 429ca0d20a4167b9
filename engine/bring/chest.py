"""The file that a pack is: a zip, or a folder of the same files, with a list of them all and the hash of each."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from engine.errors import EngineError
from engine.progress import Progress

FORMAT, VERSION = "auricle.pack", 2
MANIFEST = "auricle-pack.json"
_OF_VERSION_1 = ("instances", "systems", "runs", "makers", "audio", "answers", "choices", "playlists")
ROWS = (*_OF_VERSION_1, "raters", "protocols", "studies", "sessions", "sittings", "presentations")
LONGEST_LINE = 64 << 20
_MOST_MANIFEST = 256 << 20
_MOST_RATIO = 300  # text of ours packs to a tenth; deflate's own limit is 1032
_FREE_RATIO = 1 << 20  # bytes that may pack to anything
_ROW_FILE = re.compile(rf"rows/({'|'.join(ROWS)})\.jsonl")
_AUDIO_FILE = re.compile(r"audio/([0-9a-f]{2})/\1[0-9a-f]{62}(\.[a-z0-9]{1,8})?")
_CHUNK = 1 << 20


class ChestWriter:
    """Writes a pack beside its place; ``close`` puts it there whole, with its list of files."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unfinished = path.with_name(f".packing-{secrets.token_hex(6)}{path.suffix}")
        self._files: dict[str, dict[str, Any]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._zip = zipfile.ZipFile(self._unfinished, "x") if path.suffix.lower() == ".zip" else None

    def add(self, name: str, pieces: Iterable[bytes]) -> str:
        """Write one file; returns the hash of its bytes."""
        digest, count = hashlib.sha256(), 0
        with self._opened(name) as file:
            for piece in pieces:
                digest.update(piece)
                count += len(piece)
                file.write(piece)
        self._files[name] = {"sha256": digest.hexdigest(), "bytes": count}
        return digest.hexdigest()

    def close(self, told: Mapping[str, Any]) -> None:
        """Write the list of files with what is told of the pack, and put the pack in its place."""
        manifest = {"format": FORMAT, "version": VERSION, **told, "files": self._files}
        with self._opened(MANIFEST) as file:
            file.write(json.dumps(manifest, ensure_ascii=False, indent=1, sort_keys=True).encode())
        if self._zip is not None:
            self._zip.close()
            with self._unfinished.open("rb") as whole:
                os.fsync(whole.fileno())
        if self._path.is_dir():
            shutil.rmtree(self._path)
        os.replace(self._unfinished, self._path)

    def abandon(self) -> None:
        """Leave nothing behind."""
        if self._zip is not None:
            with contextlib.suppress(OSError, ValueError):  # on a full disk its list of files cannot be written either
                self._zip.close()
            self._unfinished.unlink(missing_ok=True)
        else:
            shutil.rmtree(self._unfinished, ignore_errors=True)

    @contextmanager
    def _opened(self, name: str) -> Iterator[IO[bytes]]:
        if self._zip is not None:
            info = zipfile.ZipInfo(name)  # of one time, so that equal contents are equal bytes
            info.compress_type = zipfile.ZIP_STORED if name.startswith("audio/") else zipfile.ZIP_DEFLATED
            with self._zip.open(info, "w", force_zip64=True) as file:
                yield file
            return
        path = self._unfinished / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


class _Source(Protocol):
    """A zip or a folder: the sizes of its files by name, and their bytes."""

    @property
    def sizes(self) -> Mapping[str, int]: ...
    def open(self, name: str) -> IO[bytes]: ...
    def close(self) -> None: ...


class Chest:
    """A pack that is read. Opening it looks at names and sizes, ``verify`` at every byte; neither writes.

    Raises EngineError ``bring.not_a_pack``, ``bring.newer``, ``bring.unsafe_name``, ``bring.foreign_file``,
    ``bring.too_large``, ``bring.missing_file`` and ``bring.altered``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._source: _Source = _FolderSource(path) if path.is_dir() else _zip_source(path)
        try:
            self.manifest = self._read_manifest()
            self.files: dict[str, dict[str, Any]] = self.manifest["files"]
            self._check_names()
        except BaseException:
            self.close()
            raise

    @property
    def byte_count(self) -> int:
        """Bytes of all files, unpacked."""
        return sum(entry["bytes"] for entry in self.files.values())

    def close(self) -> None:
        """Let go of the file."""
        self._source.close()

    def verify(self) -> Generator[Progress, None, None]:
        """Read every byte and compare the hashes; yields after each file."""
        for done, (name, entry) in enumerate(self.files.items(), start=1):
            digest = hashlib.sha256()
            for piece in self.pieces(name):
                digest.update(piece)
            if digest.hexdigest() != entry["sha256"]:
                raise EngineError("bring.altered", path=str(self.path), name=name)
            yield Progress(done, len(self.files), "verify")

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of one file, no more of them than the list says."""
        left = self.files[name]["bytes"]
        try:
            with self._source.open(name) as file:
                while piece := file.read(_CHUNK):
                    left -= len(piece)
                    if left < 0:
                        raise EngineError("bring.too_large", path=str(self.path), name=name)
                    yield piece
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise EngineError("bring.altered", path=str(self.path), name=name) from error
        if left:
            raise EngineError("bring.altered", path=str(self.path), name=name)

    def rows(self, kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of one kind with the number of their line.

        Raises EngineError ``bring.bad_row`` for a line that is no JSON object.
        """
        name = f"rows/{kind}.jsonl"
        if name not in self.files:
            if self.manifest["version"] == 1 and kind not in _OF_VERSION_1:
                return  # people's ratings came with version 2
            raise EngineError("bring.missing_file", path=str(self.path), name=name)
        with self._source.open(name) as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), start=1):
                if len(line) > LONGEST_LINE:
                    raise EngineError("bring.too_large", path=str(self.path), name=name)
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise EngineError("bring.bad_row", path=str(self.path), name=name, line=number) from error
                if not isinstance(row, dict):
                    raise EngineError("bring.bad_row", path=str(self.path), name=name, line=number)
                yield number, row

    def _read_manifest(self) -> dict[str, Any]:
        if self._source.sizes.get(MANIFEST, _MOST_MANIFEST + 1) > _MOST_MANIFEST:
            raise EngineError("bring.not_a_pack", path=str(self.path))
        try:
            with self._source.open(MANIFEST) as file:
                manifest = json.loads(file.read(_MOST_MANIFEST))
            if manifest["format"] != FORMAT:
                raise EngineError("bring.not_a_pack", path=str(self.path))
            if manifest["version"] > VERSION:
                raise EngineError("bring.newer", path=str(self.path), version=manifest["version"])
            entries = manifest["files"].values()
            if not all(isinstance(e["bytes"], int) and isinstance(e["sha256"], str) for e in entries):
                raise EngineError("bring.not_a_pack", path=str(self.path))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EngineError("bring.not_a_pack", path=str(self.path)) from error
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise EngineError("bring.altered", path=str(self.path), name=MANIFEST) from error
        return dict(manifest)

    def _check_names(self) -> None:
        for name in {*self.files, *self._source.sizes} - {MANIFEST}:
            plain = name.replace("\\", "/")
            if plain.startswith("/") or ".." in plain.split("/") or ":" in plain or "\0" in name:
                raise EngineError("bring.unsafe_name", path=str(self.path), name=name[:200])
            if name not in self.files or not (_ROW_FILE.fullmatch(name) or _AUDIO_FILE.fullmatch(name)):
                raise EngineError("bring.foreign_file", path=str(self.path), name=name[:200])
        for name, entry in self.files.items():
            if name not in self._source.sizes:
                raise EngineError("bring.missing_file", path=str(self.path), name=name)
            if self._source.sizes[name] != entry["bytes"]:
                raise EngineError("bring.altered", path=str(self.path), name=name)
            if name.startswith("audio/") and Path(name).name.partition(".")[0] != entry["sha256"]:
                raise EngineError("bring.altered", path=str(self.path), name=name)


class _FolderSource:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.sizes: dict[str, int] = {}
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_symlink():
                raise EngineError("bring.unsafe_name", path=str(folder), name=name)
            if path.is_file():
                self.sizes[name] = path.stat().st_size

    def open(self, name: str) -> IO[bytes]:
        return (self._folder / name).open("rb")

    def close(self) -> None:
        return


class _ZipSource:
    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self.sizes: dict[str, int] = {}
        for info in archive.infolist():
            if info.filename in self.sizes:
                raise EngineError("bring.foreign_file", path=str(path), name=info.filename[:200])
            if stat.S_ISLNK(info.external_attr >> 16) or "\0" in info.orig_filename:
                raise EngineError("bring.unsafe_name", path=str(path), name=info.filename[:200])
            if info.file_size > _FREE_RATIO + _MOST_RATIO * info.compress_size:
                raise EngineError("bring.too_large", path=str(path), name=info.filename[:200])
            self.sizes[info.filename] = info.file_size

    def open(self, name: str) -> IO[bytes]:
        return self._zip.open(name)

    def close(self) -> None:
        self._zip.close()


def _zip_source(path: Path) -> _ZipSource:
    if not path.exists():
        raise EngineError("bring.not_there", path=str(path))
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError) as error:
        raise EngineError("bring.not_a_pack", path=str(path)) from error
    try:
        return _ZipSource(path, archive)
    except BaseException:
        archive.close()
        raise
