"""Finds the audio that data name, inside one folder and nowhere else."""

from __future__ import annotations

import os
import re
from pathlib import Path

_DRIVE_OR_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
AUDIO_SUFFIXES = (".wav", ".flac", ".ogg", ".opus", ".mp3", ".m4a")


class OutsideFolderError(Exception):
    """The data name audio outside the folder that was given; nothing was opened."""


class AudioFolder:
    """The folder that audio names are relative to; looks up files, never opens them.

    Names may use ``/`` or ``\\``, and ``..`` as long as the file stays inside. A file of a model hub's cache, where
    each file is a link into the ``blobs`` of the same repository, counts as inside.
    """

    def __init__(self, root: Path, absolute_names: bool = False) -> None:
        """``absolute_names`` lets a user's own list name files inside ``root`` by their whole path."""
        self._root = os.path.abspath(root)
        self._real_roots = tuple(os.path.realpath(found) for found in (self._root, *_hub_blobs(Path(self._root))))
        self._exists = os.path.isdir(self._root)
        self._absolute_names = absolute_names
        self._real_folders: dict[str, str] = {}

    def find(self, name: str) -> Path | None:
        """The absolute path of the file called ``name``, or None when there is none.

        Raises OutsideFolderError for an absolute name, a drive or share, a URL, ``~``, and for ``..`` or a link that
        leaves the folder.
        """
        path = self._inside(name)
        if not self._exists or not os.path.isfile(path):
            return None
        if not self._stays(path):
            raise OutsideFolderError(name)
        return Path(path)

    def _inside(self, name: str) -> str:
        if self._absolute_names and os.path.isabs(name):
            path = os.path.normpath(name)
        else:
            plain = name.replace("\\", "/")
            if plain.startswith(("/", "~")) or "\0" in plain or _DRIVE_OR_SCHEME.match(plain):
                raise OutsideFolderError(name)
            path = os.path.normpath(os.path.join(self._root, plain))
        if not _is_below(path, self._root):
            raise OutsideFolderError(name)
        return path

    def _stays(self, path: str) -> bool:
        """Whether the file that ``path`` leads to, links followed, lies in the folder."""
        folder, file = os.path.split(path)
        real_folder = self._real_folders.get(folder)
        if real_folder is None:
            real_folder = self._real_folders[folder] = os.path.realpath(folder)
        real = os.path.realpath(path) if os.path.islink(path) else os.path.join(real_folder, file)
        return any(_is_below(real, root) for root in self._real_roots)


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root if root.endswith(os.sep) else root + os.sep)


def _hub_blobs(root: Path) -> tuple[str, ...]:
    """``<cache>/datasets--owner--name/blobs`` for a root inside ``.../snapshots/<revision>`` of the same."""
    for folder in (root, *root.parents):
        if folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("datasets--"):
            return (str(folder.parent.parent / "blobs"),)
    return ()
