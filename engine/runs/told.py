"""What a run's events tell: how far each step is, how fast it goes, and what happened on the way."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from engine.runs.pool import WorkerState
from engine.runs.request import request_of
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.scoring import Headline
from engine.store.runs import RunRow

_RATE_OVER_S = 20.0
_MOST_POINTS, _MOST_LINES = 3600, 1000
_BAD_LEVEL = {"pushed_back": "warning", "worker_restarted": "warning", "item_failed": "failed"}


@dataclass(frozen=True, slots=True)
class Sign:
    """Whether a run's driver lives; ``age_s`` since it last showed it (None if never), where it runs."""

    is_alive: bool
    age_s: float | None
    process: int | None
    host: str = ""


@dataclass(frozen=True, slots=True)
class PhaseState:
    """How far one phase of a step is; ``rate`` in items a second, None while it is not known."""

    name: str
    total: int = 0
    done: int = 0
    failed: int = 0
    unparsable: int = 0
    unscored: int = 0
    rate: float | None = None
    is_over: bool = False

    @property
    def scored(self) -> int:
        """Items that ended well."""
        return self.done - self.failed - self.unparsable - self.unscored

    @property
    def asked(self) -> int:
        """Items that were really worked on: a judge whose budget is spent is not asked about the rest."""
        return self.done - (self.unscored if self.name in ("ask", "follow_up") else 0)


@dataclass(frozen=True, slots=True)
class StepState:
    """One step of a run: recognise, measure, judge or score.

    ``state`` is waiting, running, done, or what the run became in the middle of it: cancelled, failed, stopped.
    ``phase`` is the one to show: what is done now, else the largest. Times are UTC text, "" while not known.
    """

    name: str
    state: str
    phase: PhaseState
    phases: tuple[PhaseState, ...] = ()
    began: str = ""
    ended: str = ""


@dataclass(frozen=True, slots=True)
class RatePoint:
    """Items a second at a moment (seconds since 1970), and how many calls might run at once."""

    at: float
    rate: float
    at_once: int


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened: ``event`` with its ``values``; ``level`` is "", warning, unparsable or failed."""

    at: str
    step: str
    event: str
    level: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunState:
    """A run at one moment.

    ``state`` is running, stopping (asked to, not ended yet), done, cancelled (somebody stopped it), failed, or stopped
    (its driver died). ``share`` is of the step that is done now (0 to 1); ``left_s`` the time that step still needs
    and ``rate`` its items a second, None while not known. ``written`` grows whenever results were committed.
    """

    run: RunRow
    state: str
    sign: Sign
    steps: tuple[StepState, ...]
    step: StepState | None
    share: float
    rate: float | None
    left_s: float | None
    spent: float
    tokens: int
    at_once: int
    at_once_range: tuple[int, int]
    written: int
    points: tuple[RatePoint, ...]
    marks: tuple[LogLine, ...]  # moments at which the endpoint pushed back
    log: tuple[LogLine, ...]  # oldest first
    figures: tuple[Headline, ...]
    workers: tuple[WorkerState, ...] = ()

    @property
    def is_going(self) -> bool:
        """Whether its driver is at work."""
        return self.state in ("running", "stopping")


@dataclass(slots=True)
class Told:
    """What the events told so far; ``take`` each in order, then ask for the ``state``."""

    phases: dict[tuple[str, str], PhaseState] = field(default_factory=dict)
    began: dict[str, str] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    current: tuple[str, str] = ("", "")
    samples: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=_MOST_POINTS))
    points: deque[RatePoint] = field(default_factory=lambda: deque(maxlen=_MOST_POINTS))
    marks: list[LogLine] = field(default_factory=list)
    log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=_MOST_LINES))
    figures: tuple[Headline, ...] = ()
    spent: float = 0.0
    tokens: int = 0
    at_once: int = 0
    least: int = 0
    most: int = 0
    written: int = 0
    written_before: int = 0
    logged: int = 0
    last_at: float = 0.0

    def take(self, event: dict[str, Any]) -> None:
        """Learn from one event."""
        kind = event["event"]
        self.last_at = _seconds(event["at"])
        if kind == "phase":
            self._begin(event)
        elif kind == "progress":
            self._progress(event)
        elif kind == "scores":
            self.figures = tuple(_headline(told) for told in event["figures"])
        if kind == "pushed_back":
            self.marks.append(self._line(event, "warning"))
        if kind not in ("phase", "progress"):
            self.log.append(self._line(event, _level(event)))

    def state(self, run: RunRow, state: str, sign: Sign) -> RunState:
        """The run as a whole, given its row, what became of it and whether its driver lives."""
        steps = self._steps(run, state)
        step = next((s for s in steps if s.state not in ("waiting", "done")), None)
        if step is None:
            step = max((s for s in steps if s.state == "done"), key=lambda s: s.phase.total, default=None)
        phase = step.phase if step else PhaseState("")
        share = phase.asked / phase.total if phase.total else float(state == "done")
        going = state in ("running", "stopping")
        rate = self._rate(time.time()) if going else phase.rate
        left_s = (phase.total - phase.done) / rate if going and rate else None
        return RunState(
            run, state, sign, steps, step, share, rate, left_s, self.spent, self.tokens, self.at_once,
            (self.least, self.most), self.written, tuple(self.points), tuple(self.marks), tuple(self.log), self.figures,
        )  # fmt: skip

    def _begin(self, event: dict[str, Any]) -> None:
        step, name = event["step"], event["phase"]
        self.current = (step, name)
        self.phases[step, name] = PhaseState(name, event["total"])
        self.began.setdefault(step, event["at"])
        self.samples.clear()
        self.samples.append((self.last_at, 0))
        self.logged = 0

    def _progress(self, event: dict[str, Any]) -> None:
        key = (event["step"], event["phase"])
        before = self.phases.get(key, PhaseState(key[1]))
        counts = {name: event[name] for name in ("total", "done", "failed", "unparsable", "unscored")}
        is_over = bool(event.get("last"))
        rate = event["done"] / event["seconds"] if is_over and event["seconds"] else before.rate
        self.phases[key] = replace(before, **counts, rate=rate, is_over=is_over)
        self.ended[key[0]] = event["at"]
        self._sample(event)
        self._count_calls(event)
        self._log_written(event, is_over)

    def _sample(self, event: dict[str, Any]) -> None:
        if self.samples:
            at, done = self.samples[-1]
            if self.last_at - at >= 0.2:
                rate = (event["done"] - done) / (self.last_at - at)
                self.points.append(RatePoint(self.last_at, rate, event["at_once"]))
        self.samples.append((self.last_at, event["done"]))

    def _count_calls(self, event: dict[str, Any]) -> None:
        self.spent, self.tokens = event["spent"], event["tokens_in"] + event["tokens_out"]
        self.at_once = event["at_once"]
        if self.at_once:
            self.least = min(self.least or self.at_once, self.at_once)
            self.most = max(self.most, self.at_once)

    def _log_written(self, event: dict[str, Any], is_over: bool) -> None:
        added = event["written"] - self.logged
        self.written = self.written_before + event["written"]
        if is_over:
            self.written_before = self.written
        if added and (is_over or added >= max(200, event["total"] // 20)):
            self.log.append(self._line({**event, "event": "written", "count": added}, ""))
            self.logged = event["written"]

    def _line(self, event: dict[str, Any], level: str) -> LogLine:
        values = {name: value for name, value in event.items() if name not in ("event", "at", "run", "step")}
        return LogLine(event["at"], event.get("step") or self.current[0], event["event"], level, values)

    def _rate(self, now: float) -> float | None:
        """Items a second over the last while of the phase that is done now."""
        recent = [sample for sample in self.samples if sample[0] >= now - _RATE_OVER_S] or list(self.samples)[-1:]
        if not recent or not self.samples:
            return None
        began, done_then = recent[0]
        span = max(now, self.last_at) - began
        return (self.samples[-1][1] - done_then) / span if span >= 1.0 else None

    def _steps(self, run: RunRow, state: str) -> tuple[StepState, ...]:
        names = step_names(run)
        going = state in ("running", "stopping")
        now = names.index(self.current[0]) if self.current[0] in names else -1
        found = []
        for place, name in enumerate(names):
            phases = tuple(phase for (step, _), phase in self.phases.items() if step == name)
            if state == "done" or place < now:
                became = "done"
            elif place == now:
                became = "running" if going else state
            else:
                became = "waiting"
            shown = self._shown(name, phases, became)
            began, ended = self.began.get(name, ""), self.ended.get(name, "") if became != "running" else ""
            found.append(StepState(name, became, shown, phases, began, ended))
        return tuple(found)

    def _shown(self, step: str, phases: tuple[PhaseState, ...], state: str) -> PhaseState:
        current = self.phases.get((step, self.current[1]))
        is_now = state == "running" and current is not None and not current.is_over
        broke_off = state in ("cancelled", "failed", "stopped")
        if current is not None and current.total and (is_now or broke_off):
            return current
        return max(phases, key=lambda phase: phase.total, default=PhaseState(""))


def step_names(run: RunRow) -> list[str]:
    """The steps a run has been asked for, as they are shown."""
    if run.kind == RESPOND:
        return [RESPOND]
    request = request_of(run)
    names = list(request.steps)
    if "measure" in names and request.measuring.recognise:
        names.insert(names.index("measure"), "recognise")
    return names


def _level(event: Mapping[str, Any]) -> str:
    if event["event"] == "judged_badly":
        return str(event["state"])
    if event["event"] == "ended" and event["state"] == "failed":
        return "failed"
    return _BAD_LEVEL.get(event["event"], "")


def _headline(told: Mapping[str, Any]) -> Headline:
    numbers = {
        name: float("nan") if told[name] is None else told[name] for name in ("value", "bound_low", "bound_high")
    }
    return Headline(**{**told, **numbers})


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
