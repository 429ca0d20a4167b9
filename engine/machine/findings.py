"""One thing that the doctor looked at, in the words that the window uses for it too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engine.machine.values import Check, State
from engine.strings import LANGUAGES, text

Group = Literal["machine", "sound", "fonts", "packages", "weights", "endpoints", "systems"]
GROUPS: tuple[Group, ...] = ("machine", "sound", "fonts", "packages", "weights", "endpoints", "systems")
#: Where a check of the window stands; what is not named is of the machine.
_GROUP_OF: Mapping[str, Group] = {
    "sound": "sound",
    "font": "fonts",
    "recogniser": "weights",
    "quality": "weights",
    "emotion": "weights",
    "keyring": "endpoints",
    "judge": "endpoints",
}
#: All else works without these; sound and a font matter only where a window can open.
_OPTIONAL = ("gpu", "display", "emotion", "judge", "keyring")
_OF_THE_WINDOW = ("sound", "font")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, worded in each language.

    Attributes:
        counts: it stands in the way of what was asked about; exit status and ``clean`` go by these.
        verified: of a system: what was really run, or "never run".
        kind: of a system: "omni", "cascade", "endpoint" ...
    """

    group: Group
    id: str
    state: State
    title: Mapping[str, str]
    sentence: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)
    counts: bool = False
    verified: Any = None
    kind: str = ""

    def told(self, language: str) -> dict[str, Any]:
        """The finding as JSON holds it, in one language."""
        said = {"title": self.title[language], "sentence": self.sentence[language]}
        rest = {"help": self.help.get(language, ""), "counts": self.counts}
        told: dict[str, Any] = {"group": self.group, "id": self.id, "state": self.state, **said, **rest}
        return told if self.verified is None else {**told, "kind": self.kind, "verified": self.verified}

    def counted(self, counts: bool) -> Finding:
        """The same, standing in the way or not."""
        return replace(self, counts=counts)


def of_check(check: Check, *, has_window: bool = True, name: str = "") -> Finding:
    """A check of the window as a finding, under the id ``name`` where there are several of its kind."""
    optional = check.id in _OPTIONAL or (check.id in _OF_THE_WINDOW and not has_window)
    return Finding(
        _GROUP_OF.get(check.id, "machine"),
        name or check.id,
        check.state,
        {language: check.title(language) for language in LANGUAGES},
        {language: check.sentence(language) for language in LANGUAGES},
        {language: check.help(language) for language in LANGUAGES},
        counts=check.state != "ready" and not optional,
    )


def worded(
    group: Group, name: str, state: State, title: str, says: str, helps: str, values: Mapping[str, Any] | None = None
) -> Finding:
    """A finding by its keys below ``doctor.title``, ``doctor.says`` and ``doctor.helps``; "" is no words."""

    def words(table: str, key: str) -> dict[str, str]:
        if not key:
            return dict.fromkeys(LANGUAGES, "")
        return {language: text(f"doctor.{table}.{key}", language, **(values or {})) for language in LANGUAGES}

    return Finding(group, name, state, words("title", title), words("says", says), words("helps", helps))
