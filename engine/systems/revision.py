"""Which commit of a repository is run: the one that is named, else the only one whose code a person allowed."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import EngineError


def revision_of(system: str, weights: str, named: str, allowed: Sequence[str]) -> str:
    """``named``; without it the only commit of ``weights`` in ``allowed``, and "" where there is none.

    Args:
        allowed: ``repository@revision`` each, as ``Options.allow_remote_code`` has them.

    Raises EngineError ``systems.several_commits`` where there are several: it names them.
    """
    commits = allowed_commits(weights, allowed)
    if named or not commits:
        return named
    if len(commits) > 1:
        raise EngineError("systems.several_commits", system=system, weights=weights, commits=list(commits))
    return commits[0]


def allowed_commits(weights: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """The commits of one repository whose code may run, each once, in the order of ``allowed``."""
    names = [name.partition("@") for name in allowed]
    return tuple(dict.fromkeys(commit for repository, _, commit in names if commit and repository == weights))
