"""Whose window it is: the owner's, or a rater's, who is shown Rate and nothing else until the owner's PIN is typed.

This keeps people from reaching what they should not see by accident. It is no lock: whoever may read the user's files
can read the workspace too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from gui.jobs import Job, JobRunner
from gui.settings import Settings

if TYPE_CHECKING:
    from gui.actions import Action

RATE = "rate"
SHORTEST_PIN = 4
_COST, _BLOCK, _LANES = 2**14, 8, 1  # of scrypt: 16 MB, about a twentieth of a second
#: What works everywhere and shows nothing of the workspace.
_HARMLESS = frozenset(
    {
        f"screen.{RATE}", "frame.palette", "frame.keys", "frame.language", "frame.theme_light", "frame.theme_dark",
        "frame.theme_system", "frame.full_screen", "frame.quit",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Profile:
    """The owner's by default; else a rater's, by uid and name, with the language they read; "" is the window's."""

    rater_uid: str = ""
    name: str = ""
    language: str = ""

    @property
    def is_owner(self) -> bool:
        """Whether everything is shown."""
        return not self.rater_uid

    def shows(self, screen: str) -> bool:
        """Whether a screen is there for this person."""
        return self.is_owner or screen == RATE

    def allows(self, action: Action) -> bool:
        """Whether this person's keys and palette have the action; a rater has those of rating, but not the owner's."""
        if self.is_owner:
            return True
        return action.id in _HARMLESS if action.screen is None else not action.for_owner


class Profiles(QObject):
    """Keeps the profile over restarts, and the owner's PIN as a salted hash.

    Signals:
        changed: another person's window now, or the owner has a PIN now.
        refused: the PIN that was typed is not the owner's.
    """

    changed, refused = Signal(), Signal()

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings, self._jobs = settings, jobs
        told = settings.get("profile")
        self._now = Profile(*(str(told.get(name, "")) for name in ("rater", "name", "language")))
        self._job: Job | None = None

    @property
    def now(self) -> Profile:
        """Whose window it is."""
        return self._now

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN to leave a rater's profile with."""
        return bool(self._settings.get("owner_pin"))

    @property
    def is_busy(self) -> bool:
        """Whether a PIN is being hashed."""
        return self._job is not None

    def enter(self, profile: Profile) -> None:
        """Become a rater's window; ValueError while the owner has no PIN to come back with."""
        if not self.has_pin:
            raise ValueError("the owner has no PIN yet")
        self._become(profile)

    def leave(self, pin: str) -> None:
        """Become the owner's window again if ``pin`` is the owner's; ``changed`` or ``refused`` follows."""
        self._run(_is_right, dict(self._settings.get("owner_pin")), pin).succeeded.connect(self._on_checked)

    def choose_pin(self, pin: str) -> None:
        """Take another PIN; ``changed`` follows. ValueError for one that is too short."""
        if len(pin) < SHORTEST_PIN:
            raise ValueError("too short")
        self._run(_kept, pin).succeeded.connect(self._on_kept)

    def _run(self, work: Callable[..., object], *arguments: object) -> Job:
        """One after the other, on the pool that nothing long waits on."""
        self._job = self._jobs.call(work, *arguments, pool="writing")
        self._job.finished.connect(self._on_finished)
        return self._job

    def _become(self, profile: Profile) -> None:
        self._now = profile
        told = {"rater": profile.rater_uid, "name": profile.name, "language": profile.language}
        self._settings.set("profile", {} if profile.is_owner else told)
        self.changed.emit()

    def _on_checked(self, is_right: bool) -> None:
        if is_right:
            self._become(Profile())
        else:
            self.refused.emit()

    def _on_kept(self, kept: dict[str, Any]) -> None:
        self._settings.set("owner_pin", kept)
        self.changed.emit()

    def _on_finished(self) -> None:
        if self.sender() is self._job:
            self._job = None


def _kept(pin: str) -> dict[str, Any]:
    salt = os.urandom(16)
    return {"salt": salt.hex(), "hash": _hashed(pin, salt, _COST, _BLOCK, _LANES), "scrypt": [_COST, _BLOCK, _LANES]}


def _is_right(kept: dict[str, Any], pin: str) -> bool:
    """A PIN is asked for only where one was kept; without it whoever sits there may leave."""
    import hmac

    try:
        cost, block, lanes = (int(number) for number in kept["scrypt"])
        found = _hashed(pin, bytes.fromhex(kept["salt"]), cost, block, lanes)
        return hmac.compare_digest(found, str(kept["hash"]))
    except (KeyError, ValueError):  # deleted from the settings by somebody who forgot it, as we say one may
        return True


def _hashed(pin: str, salt: bytes, cost: int, block: int, lanes: int) -> str:
    import hashlib  # 3 ms, for a library that opens with it; most windows ask for no number

    return hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=2**26).hex()
