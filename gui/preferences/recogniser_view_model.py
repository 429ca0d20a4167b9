"""The recogniser that is set, what it lacks on this computer, and its floor where the open workspace knows it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.speech.values import PACKAGED, RecogniserSpec
from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:  # their rooms are loaded on the pool thread
    from engine.machine.values import Check
    from engine.store.workspace import Workspace

#: Each back end with the types it computes in; ``default`` leaves it to the back end.
COMPUTE_TYPES: Mapping[str, tuple[str, ...]] = {
    "faster-whisper": ("default", "int8", "int8_float16", "float16", "bfloat16", "float32"),
    "openai-whisper": ("default", "float16", "float32"),
    "transformers": ("default", "float16", "bfloat16", "float32"),
}
BACKENDS = tuple(COMPUTE_TYPES)
DEVICES = ("auto", "cpu", "cuda")
WITH_PACKAGED = "faster-whisper"  # the packages carry CTranslate2's form of the weights


@dataclass(frozen=True, slots=True)
class Floor:
    """What the recogniser gets wrong on known speech in a language, and whether the cut may be applied for that."""

    language: str
    rate: float
    admits: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a recogniser on this computer.

    Attributes:
        check: whether it can be run.
        lacking: the check of each back end that is not installed.
        floors: by language; empty where none was measured.
        cut: the error rate under which a spoken answer counts.
        has_graphics: whether a graphics processor could be used.
    """

    check: Check
    lacking: Mapping[str, Check]
    floors: tuple[Floor, ...]
    cut: float
    has_graphics: bool


class RecogniserViewModel(QObject):
    """Holds a draft; it becomes the setting as soon as it is complete.

    Signals:
        changed: the draft is another.
        looked: ``found`` is known.
        failed: an EngineError: the workspace could not be asked for the floor.
    """

    changed, looked, failed = Signal(), Signal(), Signal(object)

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.draft = spec_of(services.settings.get("recogniser"), services.settings.get("device"))
        self.found: Found | None = None
        self._looking: Job | None = None
        services.settings.changed.connect(self._on_setting)
        services.workspace.changed.connect(self.look)
        services.workspace.content_changed.connect(self.look)

    @property
    def is_complete(self) -> bool:
        """Whether the draft names weights that its back end could load."""
        return bool(self.draft.weights) and (self.draft.weights != PACKAGED or self.draft.backend == WITH_PACKAGED)

    def set_backend(self, backend: str) -> None:
        """Use another back end; what it does not know of the draft goes back to its default."""
        compute_type = self.draft.compute_type
        if compute_type not in COMPUTE_TYPES[backend]:
            compute_type = "default"
        weights = self.draft.weights or PACKAGED
        if backend != WITH_PACKAGED and weights == PACKAGED:
            weights = ""
        self._take(replace(self.draft, backend=backend, compute_type=compute_type, weights=weights))

    def set_weights(self, weights: str, revision: str | None = None) -> None:
        """``packaged``, a folder, or a hub id with its revision; "" while nothing is named yet."""
        self._take(replace(self.draft, weights=weights.strip(), revision=(revision or "").strip() or None))

    def set_compute_type(self, compute_type: str) -> None:
        """Compute in another type."""
        self._take(replace(self.draft, compute_type=compute_type))

    def set_device(self, device: str) -> None:
        """Compute on the processor, a graphics processor, or as it comes."""
        self._take(replace(self.draft, device=device))

    def look(self) -> None:
        """Find out anew what is there; ``looked`` follows."""
        if self._looking is not None:
            self._looking.cancel()
        workspace = self._services.workspace.current
        self._looking = self._services.jobs.call(_look, self.draft, workspace)
        self._looking.succeeded.connect(self._on_found)
        self._looking.failed.connect(self._on_failure)

    def _take(self, draft: RecogniserSpec) -> None:
        self.draft = draft
        if self.is_complete:
            told = {"backend": draft.backend, "weights": draft.weights, "revision": draft.revision}
            self._services.settings.set("recogniser", {**told, "compute_type": draft.compute_type})
            self._services.settings.set("device", draft.device)
        self.changed.emit()
        self.look()

    def _on_setting(self, name: str) -> None:
        if name in ("recogniser", "device"):
            kept = spec_of(self._services.settings.get("recogniser"), self._services.settings.get("device"))
            if self.is_complete and kept != self.draft and name == "device":
                self.draft = replace(self.draft, device=kept.device)
                self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        self._looking = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)

    def _on_found(self, found: Found) -> None:
        self._looking = None
        self.found = found
        self.looked.emit()


def spec_of(told: Mapping[str, object], device: str) -> RecogniserSpec:
    """The recogniser of the settings; what a hand put in that means nothing gives way to what ships."""
    usual = RecogniserSpec()
    backend = told.get("backend")
    backend = backend if isinstance(backend, str) and backend in COMPUTE_TYPES else usual.backend
    compute_type = told.get("compute_type")
    known = isinstance(compute_type, str) and compute_type in COMPUTE_TYPES[backend]
    revision = told.get("revision")
    return RecogniserSpec(
        backend,
        str(told.get("weights") or usual.weights),
        str(revision) if revision else None,
        str(compute_type) if known else usual.compute_type,
        device if device in DEVICES else usual.device,
    )


def _look(spec: RecogniserSpec, workspace: Workspace | None) -> Found:
    from engine.machine.check import known_floors
    from engine.machine.hardware import graphics
    from engine.machine.models import recogniser
    from engine.machine.values import Asked
    from engine.scoring.verdicts import ERROR_RATE_CUT, admits

    folder = workspace.folder if workspace is not None else Path.home()
    rates: Mapping[str, float] = {}
    if workspace is not None:
        with closing(workspace.connect()) as db:
            rates = known_floors(db, spec)
    checks = {name: _said_here(recogniser(Asked(folder, RecogniserSpec(name)))) for name in BACKENDS}
    lacking = {name: check for name, check in checks.items() if check.says == "recogniser_package"}
    floors = tuple(Floor(language, rate, admits(rate)) for language, rate in rates.items())
    return Found(
        _said_here(recogniser(Asked(folder, spec))), lacking, floors, ERROR_RATE_CUT, graphics().says != "gpu_none"
    )


def _said_here(check: Check) -> Check:
    """As it is said in Settings, which need not send anyone to Settings."""
    return replace(check, helps="backend") if check.helps == "backend_or" else check
