"""The judge endpoints on screen: kept in the settings, tried one at a time, their keys in the keyring."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.endpoints.keys import ApiKey, KeySource, forget_key, keep_key, key_source
from engine.errors import EngineError
from engine.machine.keyrings import keyring_name
from engine.progress import Progress
from gui.jobs import Job, JobRunner
from gui.preferences.endpoints import KeptEndpoint, kept_endpoints
from gui.settings import Settings

if TYPE_CHECKING:
    from engine.judges.trial import Trial

Address = tuple[str, str]  # base_url, key_env


@dataclass(frozen=True, slots=True)
class Keys:
    """Where keys come from: the keyring's name ("" where there is none), and the source of each address's key."""

    keyring: str
    sources: dict[Address, KeySource]


class EndpointsViewModel(QObject):
    """Holds the endpoints, what their test calls said, and where their keys lie; never a key.

    Signals:
        changed: an endpoint came, went or is another.
        tried: the name of the endpoint whose test call began or ended.
        keys_changed: where keys come from is known, or is another.
        key_failed: an EngineError: a key could not be kept or removed.
    """

    changed, tried, keys_changed, key_failed = Signal(), Signal(str), Signal(), Signal(object)

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings, self._jobs = settings, jobs
        self.entries = kept_endpoints(settings.get("endpoints"))
        self.keys: Keys | None = None
        self.results: dict[str, Trial | EngineError] = {}
        self._trial: tuple[str, Job] | None = None
        self._looking: Job | None = None
        settings.changed.connect(self._on_setting)

    def put(self, entry: KeptEndpoint, instead_of: str | None = None) -> None:
        """Keep ``entry`` at the end, or in the place of the one called ``instead_of``."""
        entries = list(self.entries)
        if instead_of is None:
            entries.append(entry)
        else:
            entries[self._place(instead_of)] = entry
            self.results.pop(instead_of, None)
        self._keep(entries)

    def remove(self, name: str) -> None:
        """Forget an endpoint; its key stays in the keyring, where another endpoint may need it."""
        if self.is_trying(name):
            self.stop_trying()
        self.results.pop(name, None)
        self._keep([entry for entry in self.entries if entry.name != name])

    def named(self, name: str) -> KeptEndpoint:
        """The endpoint called ``name``; StopIteration where there is none."""
        return self.entries[self._place(name)]

    def try_call(self, name: str) -> None:
        """Make the test call of an endpoint; one that still runs is stopped."""
        self.stop_trying()
        self.results.pop(name, None)
        job = self._jobs.run(_tried(self.named(name)))
        self._trial = (name, job)
        job.succeeded.connect(self._on_answer)
        job.failed.connect(self._on_no_answer)
        self.tried.emit(name)

    def stop_trying(self) -> None:
        """Wait for the test call no longer."""
        if self._trial is not None:
            name, job = self._trial
            job.cancel()
            self._trial = None
            self.tried.emit(name)

    def is_trying(self, name: str) -> bool:
        """Whether the test call of ``name`` runs."""
        return self._trial is not None and self._trial[0] == name

    def look(self, also: Address | None = None) -> None:
        """Find out anew where keys come from: of all endpoints, and of the address ``also``."""
        if self._looking is not None:
            self._looking.cancel()
        addresses = {(entry.base_url, entry.key_env) for entry in self.entries} | ({also} if also else set())
        self._looking = self._jobs.call(_keys, sorted(addresses))
        self._looking.succeeded.connect(self._on_keys)
        self._looking.failed.connect(_bug)

    def keep_key(self, base_url: str, key: ApiKey) -> None:
        """Put a key into the keyring; ``keys_changed`` or ``key_failed`` follows."""
        self._change_key(self._jobs.call(keep_key, base_url, key))

    def forget_key(self, base_url: str) -> None:
        """Take a key out of the keyring; ``keys_changed`` or ``key_failed`` follows."""
        self._change_key(self._jobs.call(forget_key, base_url))

    def _change_key(self, job: Job) -> None:
        job.succeeded.connect(self._on_key_changed)
        job.failed.connect(self._on_key_failure)

    def _place(self, name: str) -> int:
        return next(place for place, entry in enumerate(self.entries) if entry.name == name)

    def _keep(self, entries: Sequence[KeptEndpoint]) -> None:
        self._settings.set("endpoints", [entry.told() for entry in entries])

    def _on_setting(self, name: str) -> None:
        if name == "endpoints":
            self.entries = kept_endpoints(self._settings.get("endpoints"))
            self.changed.emit()
            self.look()

    def _on_answer(self, trial: Trial) -> None:
        self._end_trial(trial)

    def _on_no_answer(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            self.stop_trying()
            raise error
        self._end_trial(error)

    def _end_trial(self, result: Trial | EngineError) -> None:
        if self._trial is not None and self.sender() is self._trial[1]:
            name, _ = self._trial
            self._trial = None
            self.results[name] = result
            self.tried.emit(name)

    def _on_keys(self, keys: Keys) -> None:
        self._looking = None
        self.keys = keys
        self.keys_changed.emit()

    def _on_key_changed(self, _: object) -> None:
        self.look()

    def _on_key_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.key_failed.emit(error)
        self.look()


def _bug(error: Exception) -> None:
    raise error


def _tried(entry: KeptEndpoint) -> Generator[Progress, None, Trial]:
    from engine.judges.trial_process import try_endpoint

    return (yield from try_endpoint(entry.endpoint()))


def _keys(addresses: Sequence[Address]) -> Keys:
    import engine.judges.endpoint  # noqa: F401 - here, and not on the GUI thread when an address is checked

    return Keys(keyring_name(), {address: key_source(*address) for address in addresses})
