"""Writes degraded copies of clean speech, as VocalBench-zh's robust subset lies, with all that was done to them."""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine.audio.identity import content_hash
from engine.audio.read import inspect_audio, load_channels, load_mono
from engine.audio.write import write_audio, write_bytes
from engine.degrade import measured
from engine.degrade.declaration import Interference, Level
from engine.degrade.interferences import INTERFERENCES, Clip, Degraded, Samples, babble, stretch
from engine.degrade.sources import Source, sources_of_folder
from engine.errors import EngineError
from engine.progress import Progress

MANIFEST = "degrade.json"
FORMAT, VERSION = "auricle.degraded", 1
_HIGHEST = 0.999  # what would go over full scale is brought down to this
_CLIPS_KEPT = 64


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, and what could not be: the source's name and why."""

    folder: Path
    count: int
    conditions: int
    problems: tuple[tuple[str, EngineError], ...]


@dataclass(slots=True)
class _Background:
    """Where noise comes from: files of a folder, or else the other clips of the set; ``used`` says which were drawn."""

    others: Sequence[Path]
    rate: int
    is_noise: bool
    used: list[str] = field(default_factory=list)

    def draw(self, count: int, rng: np.random.Generator, settings: Mapping[str, Any]) -> Samples:
        if not self.others:
            raise EngineError("degrade.no_noise")
        wanted = 1 if self.is_noise else int(settings["talkers"])
        drawn = [self.others[int(place)] for place in rng.permutation(len(self.others))[:wanted]]
        self.used = [path.name for path in drawn]
        heard = [_loaded(path, self.rate) for path in drawn]
        if self.is_noise:
            return stretch(heard[0], count, rng, bool(settings["looped"]))
        return babble(heard, count, rng, settings)


def degrade(
    sources: Sequence[Source],
    out: Path,
    interferences: Sequence[Interference],
    *,
    seed: int = 0,
    noise: Path | None = None,
    replace: bool = False,
    with_clean: bool = False,
) -> Generator[Progress, None, Made]:
    """Write each source in each condition, with one list for an import and one of what was done and measured.

    The same sources, seed and declaration give the same bytes; of one source all levels of a kind draw alike. The
    sources are only read. Closed early, files that are written stay and the lists are not.

    Args:
        noise: a folder of noise that takes the place of babble.
        replace: write into a folder that holds something.
        with_clean: copy the sources too, as the subset that the degraded ones are compared with.

    Raises EngineError ``degrade.exists``, ``degrade.over_originals``, ``degrade.no_audio`` and ``audio.cannot_write``.
    """
    _check_place(out, sources, replace)
    noises = None if noise is None else [source.path for source in sources_of_folder(noise)]
    conditions = [(kind, level) for kind in interferences for level in kind.levels]
    total, done = len(sources) * len(conditions), 0
    items: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    problems: list[tuple[str, EngineError]] = []
    for kind, level in conditions:
        for source in sources:
            name = f"robust/{kind.id}/{level.name}/{source.number}.wav"
            others = [other.path for other in sources if other is not source] if noises is None else noises
            try:
                told = _make_one(source, out / "audio" / name, kind, level, seed, others, noises is not None)
            except EngineError as error:
                if error.code == "audio.cannot_write":
                    raise
                told = {"failed": error.code, "why": error.sentence("en")}
                problems.append((f"{kind.id}/{level.name}/{source.name}", error))
            items.append({"audio": name, "source": source.name, "kind": kind.id, "level": level.name, **told})
            if "failed" not in told:
                records.append(_record(source, name, kind, level, seed))
            done += 1
            yield Progress(done, total, f"{kind.id} {level.name}", len(problems))
    _write_json(out / "json" / "robust.json", records)
    if with_clean:
        _write_clean(out, sources)
    _write_json(out / MANIFEST, _manifest(sources, interferences, seed, noises, items))
    return Made(out, len(records), len(conditions), tuple(problems))


def _make_one(
    source: Source, path: Path, kind: Interference, level: Level, seed: int, others: Sequence[Path], is_noise: bool
) -> dict[str, Any]:
    rate = inspect_audio(source.path).sample_rate_hz
    clean = _loaded(source.path, rate)
    background = _Background(others, rate, is_noise)
    rng = np.random.default_rng([seed, zlib.crc32(kind.id.encode()), zlib.crc32(source.number.encode())])
    made = INTERFERENCES[kind.id](Clip(clean, rate, background.draw), level.value, kind.settings, rng)
    peak = float(np.max(np.abs(made.samples), initial=0.0))
    gain = _HIGHEST / peak if peak > _HIGHEST else 1.0
    write_audio(path, made.samples * gain, rate)
    written = np.asarray(load_channels(path)[0][:, 0], np.float64)
    found = _measured(written, clean, made, gain, rate, kind)
    return {
        "value": level.value,
        "measured": {name: None if math.isnan(value) else round(value, 6) for name, value in found.items()},
        "gain": round(gain, 6),
        "noise": background.used,
        "sample_rate_hz": rate,
        "source_sha256": content_hash(source.path),
        "sha256": content_hash(path),
    }


def _measured(
    written: Samples, clean: Samples, made: Degraded, gain: float, rate: int, kind: Interference
) -> dict[str, float]:
    settings = kind.settings
    if made.clean is not None:
        return {"snr_db": measured.snr_db(written, made.clean * gain, rate, str(settings["snr_over"]))}
    if made.response is not None:
        return {"rt60_s": measured.rt60_s(made.response, rate)}
    if made.lost is not None:
        return {"dropped_share": measured.dropped_share(made.lost, written, str(settings["fill"]))}
    if kind.id == "farfield":
        return {"cut_off_hz": measured.cut_off_hz(written, clean, rate, str(settings["filter"]))}
    return {
        "clipping_level": measured.clipping_level(written, clean),
        "clipped_share": measured.clipped_share(written),
    }


def _record(source: Source, name: str, kind: Interference, level: Level, seed: int) -> dict[str, Any]:
    return {
        "Set": "Robust",
        "Qid": f"robust-{kind.id}-{level.name}-{source.number}",
        "Audio": name,
        "Question": source.question,
        "Answer": source.answer,
        "Category": kind.id,
        "Level": level.name,
        "Made": {"by": "auricle degrade", "version": kind.version, "seed": seed, "settings": dict(kind.settings)},
    }


def _write_clean(out: Path, sources: Sequence[Source]) -> None:
    records = []
    for source in sources:
        name = f"robust_clean/{source.number}{source.path.suffix.lower()}"
        write_bytes(out / "audio" / name, source.path.read_bytes())
        records.append({"Set": "Robust-clean", "Qid": f"robust_clean-{source.number}", "Audio": name,
                        "Question": source.question, "Answer": source.answer, "Category": "clean"})  # fmt: skip
    _write_json(out / "json" / "robust_clean.json", records)


def _manifest(
    sources: Sequence[Source],
    interferences: Sequence[Interference],
    seed: int,
    noises: Sequence[Path] | None,
    items: list[dict[str, Any]],
) -> dict[str, Any]:
    background = "babble" if noises is None else {path.name: content_hash(path) for path in noises}
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": engine.__version__,
        "seed": seed,
        "background": background,
        "sources": len(sources),
        "interferences": [
            {"id": kind.id, "version": kind.version, "unit": kind.unit, "settings": dict(kind.settings),
             "levels": {level.name: level.value for level in kind.levels}}
            for kind in interferences
        ],
        "items": items,
    }  # fmt: skip


def _check_place(out: Path, sources: Sequence[Source], replace: bool) -> None:
    target = os.path.realpath(out)
    for source in sources:
        if os.path.realpath(source.path).startswith(target + os.sep):
            raise EngineError("degrade.over_originals", path=str(out), name=source.name)
    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not replace:
        raise EngineError("degrade.exists", path=str(out))


@lru_cache(maxsize=_CLIPS_KEPT)
def _loaded(path: Path, sample_rate_hz: int) -> Samples:
    samples = np.asarray(load_mono(path, sample_rate_hz), np.float64)
    samples.flags.writeable = False
    return samples


def _write_json(path: Path, value: Any) -> None:
    write_bytes(path, json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8"))
