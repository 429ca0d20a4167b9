"""Whose program code may run when weights are loaded: a person's yes for one repository at one commit, in a file."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from engine.clock import utc_text
from engine.config_folder import config_folder
from engine.errors import EngineError
from engine.models.declaration import HUB_ID
from engine.speech.cache import written_whole

COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Consent:
    """The code of ``repository`` at the commit ``revision`` may run; said at ``at``, UTC."""

    repository: str
    revision: str
    at: str

    @property
    def name(self) -> str:
        """``repository@revision``, as a system's options take it."""
        return f"{self.repository}@{self.revision}"


def consents() -> tuple[Consent, ...]:
    """All that was consented to, the oldest first. Raises EngineError ``models.consent_unreadable``."""
    path = consent_file()
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return tuple(Consent(str(one["repository"]), str(one["revision"]), str(one["at"])) for one in told)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise EngineError("models.consent_unreadable", file=str(path), what=str(error)) from error


def trusted_code() -> tuple[str, ...]:
    """``repository@revision`` of each consent."""
    return tuple(consent.name for consent in consents())


def is_trusted(repository: str, revision: str) -> bool:
    """Whether the code of that repository at that commit may run."""
    return any((one.repository, one.revision) == (repository, revision) for one in consents())


def trust(repository: str, revision: str) -> None:
    """Keep a person's yes; saying it twice is no error.

    Raises EngineError ``models.no_repository``, or ``models.not_a_commit``: a branch or tag can come to mean other
    code.
    """
    if not HUB_ID.fullmatch(repository):
        raise EngineError("models.no_repository", repository=repository)
    if not COMMIT.fullmatch(revision):
        raise EngineError("models.not_a_commit", repository=repository, revision=revision)
    if not is_trusted(repository, revision):
        _write((*consents(), Consent(repository, revision, utc_text())))


def withdraw(repository: str, revision: str = "") -> int:
    """Take back the yes for a repository, at one commit or at all; how many there were."""
    before = consents()
    kept = tuple(one for one in before if one.repository != repository or revision not in ("", one.revision))
    if len(kept) != len(before):
        _write(kept)
    return len(before) - len(kept)


def consent_file() -> Path:
    """The file of consents in the user's configuration folder."""
    return config_folder() / "remote_code.json"


def _write(all_of_them: tuple[Consent, ...]) -> None:
    path = consent_file()
    told = [{"repository": one.repository, "revision": one.revision, "at": one.at} for one in all_of_them]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as temporary:
            temporary.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
            os.chmod(temporary, 0o600)
    except OSError as error:
        raise EngineError("models.consent_not_written", file=str(path), why=error.strerror or str(error)) from error
