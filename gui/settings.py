"""What the user set: one JSON file in the user's configuration folder, written whole or not at all.

Several windows may be open: each writes only the settings that were changed in it, over what the file then holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.clock import utc_text
from engine.config_folder import config_folder
from engine.errors import EngineError
from engine.strings import LANGUAGES
from gui.jobs import Job, JobRunner

WRITE_AFTER_MS = 400  # a drag of a splitter is one write

#: Every setting, and what it is until the user says otherwise.
DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "language": "",  # "" follows the system
        "theme": "system",  # system, light, dark
        "scale_percent": 100,
        "reduced_motion": False,
        "geometry": "",  # base64 of QWidget.saveGeometry
        "splitters": {},  # name -> base64 of QSplitter.saveState
        "screen": "library",
        "workspace": "",
        "recent": [],  # [{"path", "opened_at"}]
        "keys": {},  # action id -> keys, only where they differ from what we ship
        "audit_columns": {},  # column id -> width
        "audit_order": [],  # ids of the columns shown, in order; none: the usual ones
        "audit_sort": [],  # [[column id, whether it descends]]; none: the worst speech first
        "audit_views": [],  # [{"name", "query", "sort", "method", "columns"}]
        "audit_filter": "",  # the one that holds now
        "audit_filters": [],  # filters made, the newest last
        "audit_method": "corrected",
        "compare_systems": [],  # names, in order
        "compare_mode": "clause",  # second, restart, clause
        "charts": {},  # what the charts of Audit show: {"first", "second": system, "x", "y", "spread": measure}
        "endpoints": [],  # [{"name", "base_url", "model", "key_env", "concurrency", "price_in", "price_out"}]
        "recogniser": {"backend": "faster-whisper", "weights": "packaged", "revision": None, "compute_type": "default"},
        "device": "auto",
        "sound_output": "",
        "sound_gain": "none",  # none, clip, system: how loud recordings are played
        "profile": {},  # {"rater": uid, "name", "language"}: whose window it is; none is the owner's
        "owner_pin": {},  # {"salt", "hash", "scrypt"}: what leaves a rater's profile
        "spectrum": {"shown": True, "scale": "mel", "range_db": 62},
    }
)

#: Settings that are one of a few words.
CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"language": ("", *LANGUAGES), "theme": ("system", "light", "dark"), "audit_method": ("published", "corrected")}
)


def settings_file() -> Path:
    """``settings.json`` in ``$AURICLE_CONFIG``, else in the user's configuration folder."""
    return config_folder() / "settings.json"


class Settings(QObject):
    """Typed by ``DEFAULTS``; a value of another kind is refused when read and kept out when set.

    Signals:
        changed: the name of the setting that is another now.
        failed: an EngineError: the file could not be written; the values hold until the window closes.
    """

    changed = Signal(str)
    failed = Signal(object)

    def __init__(self, path: Path, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path, self._jobs = path, jobs
        self._values: dict[str, Any] = {}
        self._changed: dict[str, Any] = {}
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(WRITE_AFTER_MS)
        self._soon.timeout.connect(self._write_as_job)
        self._writing: Job | None = None
        self.trouble = self._read()

    def get(self, name: str) -> Any:
        """The value of ``name``; KeyError for a setting that does not exist."""
        return self._values.get(name, DEFAULTS[name])

    def set(self, name: str, value: Any) -> None:
        """Take ``value`` and write the file soon; TypeError for another kind of value than the default's."""
        if not isinstance(value, type(DEFAULTS[name])):
            raise TypeError(f"{name} is a {type(DEFAULTS[name]).__name__}, not {value!r}")
        if value != self.get(name):
            self._values[name] = self._changed[name] = value
            self._soon.start()
            self.changed.emit(name)

    def close(self) -> None:
        """Write what is not written yet; when the application ends, after its jobs have: an older text lands before."""
        if self._soon.isActive() or self._writing is not None:
            self._soon.stop()
            self._write_or_say()

    def _read(self) -> EngineError | None:
        """Read the file; a broken one is set aside under another name and told, and the defaults hold."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if not isinstance(found, dict):
                raise ValueError("not an object")
        except FileNotFoundError:
            return None
        except OSError as error:
            return EngineError("window.settings_unreadable", path=str(self._path), why=error.strerror)
        except ValueError:
            return self._set_aside()
        self._values = {n: v for n, v in found.items() if n in DEFAULTS and _may_be(n, v)}
        wrong = sorted(found.keys() & DEFAULTS.keys() - self._values.keys())
        if wrong:
            return EngineError("window.settings_wrong", path=str(self._path), names=list(wrong))
        return None

    def _set_aside(self) -> EngineError:
        aside = self._path.with_name(f"settings.broken-{utc_text()[:19].replace(':', '')}.json")
        try:
            self._path.replace(aside)
        except OSError:
            aside = self._path
        return EngineError("window.settings_broken", path=str(self._path), aside=str(aside))

    def _write_as_job(self) -> None:
        if self._writing is not None:  # one after the other, or an older text could land last
            self._soon.start()
            return
        self._writing = self._jobs.call(_write, self._path, dict(self._changed))
        self._writing.failed.connect(self._on_failure)
        self._writing.finished.connect(self._on_written)

    def _on_written(self) -> None:
        self._writing = None

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, OSError):
            raise error
        self.failed.emit(EngineError("window.settings_not_written", path=str(self._path), why=error.strerror))

    def _write_or_say(self) -> None:
        try:
            _write(self._path, self._changed)
        except OSError as error:
            self._on_failure(error)


def _may_be(name: str, value: Any) -> bool:
    return isinstance(value, type(DEFAULTS[name])) and (name not in CHOICES or value in CHOICES[name])


def _write(path: Path, changed: Mapping[str, Any]) -> None:
    """Put the ``changed`` settings over what the file holds by now; settings of a later version stay in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = _held_by(path) | dict(changed)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            json.dump(whole, file, ensure_ascii=False, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _held_by(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
