"""How a study was held, as a paragraph for a paper and as a list of what its session file holds."""

from __future__ import annotations

import sqlite3
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.rating.session_file import Listed, Record, compliance, session_file
from engine.rating.values import Protocol, Screening
from engine.rating.worded import counted
from engine.store.planned_ratings import PlannedRating, planned_ratings
from engine.store.selections import ADJUDICATION
from engine.strings import text


@dataclass(frozen=True, slots=True)
class Methods:
    """A study's methods in one language: the paragraph, the list, and the session file that both rest on."""

    language: str
    title: str
    paragraph: str
    listed: tuple[Listed, ...]
    record: Record

    def markdown(self) -> str:
        """Both as Markdown."""
        rows = [f"| {self._named(one)} | {self._state(one)} |" for one in self.listed]
        head = f"| {self._said('table.item')} | {self._said('table.state')} |\n|---|---|"
        note = self._said("table.note")
        return f"# {self.title}\n\n{self.paragraph}\n\n{head}\n" + "\n".join(rows) + f"\n\n{note}\n"

    def declaration(self) -> dict[str, Any]:
        """All of it as JSON values."""
        listed = [{"item": one.name, "is_there": one.is_there, "found": one.found, "of": one.of} for one in self.listed]
        return {"methods": self.paragraph, "listed": listed, **self.record}

    def _named(self, one: Listed) -> str:
        return self._said(f"listed.{one.name}")

    def _state(self, one: Listed) -> str:
        key = "yes" if one.is_there else "partly" if one.found else "no"
        if one.of is None:
            return self._said(f"state.{key}")
        return self._said(f"state.{key}_of", found=one.found, of=one.of)

    def _said(self, key: str, **values: Any) -> str:
        return text(f"methods.{key}", self.language, **values)


def methods_paragraph(db: sqlite3.Connection, study_id: int, language: str = "en") -> str:
    """The paragraph alone."""
    return methods_of(db, study_id, language).paragraph


def methods_of(db: sqlite3.Connection, study_id: int, language: str = "en") -> Methods:
    """The methods of a study as the store has it now; raises EngineError ``rating.no_such_study``.

    No standard is claimed: the ITU's and the EBU's procedures are borrowed from, and the text says so.
    """
    record = session_file(db, study_id)
    told = _Writer(record, planned_ratings(db, study_id), language)
    paragraph = ("" if language == "zh" else " ").join(filter(None, told.sentences()))
    return Methods(language, record["study"]["title"], paragraph, compliance(record), record)


class _Writer:
    """Writes the sentences in order; one that has nothing to say is empty."""

    def __init__(self, record: Mapping[str, Any], planned: Sequence[PlannedRating], language: str) -> None:
        self._record, self._planned, self._language = record, planned, language
        self._study = record["study"]
        self._order = [row for session in record["sessions"] for row in session["order"]]
        self._kinds = Counter(row["kind"] for row in self._order)

    def sentences(self) -> list[str]:
        protocols = [self._protocol(told) for told in self._record["protocols"]]
        return [
            self._who(), *protocols, self._drawn(), self._blind(), self._checks(), self._playback(), self._listening(),
            self._leaks(), self._given(), self._letters(), *self._screenings(),
            self._say("version", version=self._record["app_version"]), self._say("no_claim"),
        ]  # fmt: skip

    def _who(self) -> str:
        asked = [one for one in self._planned if one.kind == "rated"]
        rated = [one for one in asked if one.state == "rated"]
        if "imported" in self._study["design"]:
            answers = self._counted("answers", len(asked))
            return self._say("imported", answers=answers, raters=self._counted_raters(asked))
        if not rated:
            return self._say("none_yet", planned=len(asked), raters=self._counted_raters(asked))
        told: dict[str, Any] = {"raters": self._counted_raters(rated), "rated": len(rated), "planned": len(asked)}
        counts = self._study["design"].get("counts")
        if not counts:
            return self._say("who", **told)
        systems, items = len(counts["systems"]), counts["items"]
        return self._say(
            "who_of", systems=self._counted("systems", systems), items=self._counted("items", items), **told
        )

    def _counted_raters(self, planned: Sequence[PlannedRating]) -> str:
        return self._counted("raters", len({one.rater_uid for one in planned}))

    def _counted(self, what: str, n: int) -> str:
        return counted(what, n, self._language)

    def _protocol(self, told: Mapping[str, Any]) -> str:
        protocol = Protocol.of(told["declaration"])
        return self._say(
            "protocol",
            title=protocol.title,
            id=told["id"],
            version=told["version"],
            language=self._say(f"language.{told['language']}"),
            sha256=told["sha256"][:12],
            perceived=self._say(f"perceived.{protocol.perceived}"),
            question=protocol.main.question,
            steps=len(protocol.main.steps),
            reveals=self._say(f"reveals.{protocol.reveals}") if protocol.perceived == "audio" else "",
            speed=self._say("speed_locked") if protocol.is_speed_locked else "",
        )

    def _drawn(self) -> str:
        if "imported" in self._study["design"]:
            return ""
        per_item = self._study["design"].get("ratings_per_item")
        is_disputed = self._study["stage"] == ADJUDICATION
        how = ADJUDICATION if is_disputed else self._study["selection"]
        drawn = self._say(f"selection.{how}", seed=self._study["seed"], gap=self._study["design"].get("min_gap", 1))
        if per_item is None:
            return drawn
        return drawn + self._joint() + self._say("per_item", count=self._counted("raters", per_item))

    def _blind(self) -> str:
        is_blind = [bool(row["blind"]) for row in self._order]
        if not is_blind or not all(is_blind):
            return self._say("not_blind")
        return self._say("blind_balanced" if "counts" in self._study["design"] else "blind")

    def _checks(self) -> str:
        counts = {kind: self._kinds[kind] for kind in ("training", "gold", "trap", "repeat")}
        return self._say("checks", **counts) if any(counts.values()) else ""

    def _playback(self) -> str:
        playback = self._study["design"].get("playback")
        if not playback:
            return ""
        trim = self._say("trimmed" if playback["trim"] else "not_trimmed")
        told = self._say("playback", trim=trim, gain=self._say(f"gain.{playback['gain']}"))
        is_changed = playback["trim"] or playback["gain"] != "none"
        return told + self._joint() + self._say("baked") if is_changed else told

    def _listening(self) -> str:
        heard = [entry for row in self._record["presentations"] for entry in row["heard"]]
        shares = [entry["voiced_share"] for entry in heard if entry["voiced_share"] is not None]
        if not shares:
            return ""
        devices = {row["device"] for row in self._record["sittings"] if row["device"]}
        rates = sorted({row["sample_rate_hz"] for row in self._record["sittings"] if row["sample_rate_hz"]})
        return self._say(
            "listening",
            share=100 * statistics.median(shares),
            underruns=sum(entry["underruns"] for entry in heard),
            sittings=len(self._record["sittings"]),
            devices=len(devices),
            rates=[f"{rate / 1000:g}" for rate in rates] or "–",
        )

    def _leaks(self) -> str:
        leaks = self._record["leaks"]
        if not leaks or leaks.get("guess_rate") is None:
            return self._say("no_leak_check") if leaks is None and "imported" not in self._study["design"] else ""
        return self._say("leaks", rate=100 * leaks["guess_rate"], chance=100 * leaks["chance"], p=leaks["p"])

    def _given(self) -> str:
        return self._say("given", **{name: self._study[name] for name in ("planned", "rated", "skipped")})

    def _letters(self) -> str:
        at = self._study["disclosed_at"]
        if at is None and "imported" in self._study["design"]:
            return ""  # the table named the systems
        return self._say("sealed") if at is None else self._say("revealed", at=at[:10])

    def _screenings(self) -> list[str]:
        found = [Protocol.of(told["declaration"]) for told in self._record["protocols"]]
        return [text for text in (self._screening(protocol, protocol.screening) for protocol in found) if text]

    def _screening(self, protocol: Protocol, rules: Screening) -> str:
        told = [
            self._say("rule.gold", within=rules.gold_within, share=100 * (rules.gold_share_at_least or 0))
            if rules.gold_share_at_least is not None else "",
            self._say("rule.trap", share=100 * (rules.trap_share_at_least or 0), fewest=rules.traps_needed)
            if rules.trap_share_at_least is not None else "",
            self._say("rule.variance", value=rules.variance_at_least) if rules.variance_at_least is not None else "",
            self._say("rule.repeat", value=rules.repeat_difference_at_most)
            if rules.repeat_difference_at_most is not None else "",
            self._say("rule.repeat_share", share=100 * (rules.repeat_share_at_least or 0))
            if rules.repeat_share_at_least is not None else "",
        ]  # fmt: skip
        kept = [rule for rule in told if rule]
        return self._say("screening", title=protocol.title, rules=self._listing(kept)) if kept else ""

    def _listing(self, parts: Sequence[str]) -> str:
        return ("；" if self._language == "zh" else "; ").join(parts)

    def _joint(self) -> str:
        return "" if self._language == "zh" else " "

    def _say(self, key: str, **values: Any) -> str:
        return text(f"methods.paragraph.{key}", self._language, **values)
