"""Finds recorded answers in a ``wav`` folder: flat, or in one folder for each subset, or both."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.benchmarks.audiopath import AUDIO_SUFFIXES, AudioFolder, OutsideFolderError


@dataclass(frozen=True, slots=True)
class StrayAudio:
    """An audio file that belongs to no recorded answer; ``subset`` is empty in the flat layout."""

    subset: str
    key: str
    path: Path


@dataclass(frozen=True, slots=True)
class FoundAudio:
    """The audio of one answer and what is unusual about its place, as flags of ``RecordedResponse``."""

    path: Path | None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class WavFolder:
    """The audio files below ``wav`` by subset ("" for the flat layout) and key; files outside are not listed."""

    by_subset: dict[str, dict[str, Path]] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)

    @classmethod
    def scan(cls, folder: Path) -> WavFolder:
        """List the files at most one folder deep; an absent folder has none."""
        found = cls()
        if folder.is_dir():
            inside = AudioFolder(folder)
            found._list(folder, "", inside)
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
                if entry.is_dir():
                    found._list(folder / entry.name, entry.name, inside)
        return found

    def find(self, subset: str, key: str, shared_by: Mapping[str, set[str]]) -> FoundAudio:
        """The audio of an answer: the subset's own folder goes first, then the flat layout.

        ``shared_by`` gives the subsets that use a key; a flat file whose key two of them use belongs to neither.
        """
        own, flat = self.by_subset.get(subset, {}).get(key), self.by_subset.get("", {}).get(key)
        if flat is not None and len(shared_by.get(key, ())) > 1:
            flat = None
            if own is None:
                return FoundAudio(None, ("ambiguous_audio",))
        if own is not None and flat is not None:
            same = filecmp.cmp(own, flat, shallow=False)
            return FoundAudio(own, ("two_layouts_same" if same else "two_layouts_differ",))
        if own is None and flat is not None and subset in self.by_subset:
            return FoundAudio(flat, ("flat_layout",))
        return FoundAudio(own or flat)

    def strays(self, answered: Iterable[tuple[str, str]]) -> tuple[StrayAudio, ...]:
        """The files that belong to none of the ``answered`` (subset, key), in order of their names."""
        taken = set(answered)
        keys = {key for _, key in taken}
        return tuple(
            StrayAudio(subset, key, path)
            for subset, files in sorted(self.by_subset.items())
            for key, path in sorted(files.items())
            if (key not in keys if subset == "" else (subset, key) not in taken)
        )

    def _list(self, folder: Path, subset: str, inside: AudioFolder) -> None:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            stem, suffix = os.path.splitext(entry.name)
            if suffix.lower() not in AUDIO_SUFFIXES or entry.name.startswith("."):
                continue
            name = f"{subset}/{entry.name}" if subset else entry.name
            try:
                path = inside.find(name)
            except OutsideFolderError:
                self.outside.append(name)
                continue
            if path is not None:
                self.by_subset.setdefault(subset, {}).setdefault(stem, path)
