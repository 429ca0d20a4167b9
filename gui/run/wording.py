"""How runs are put into words: figures, times, steps, what became of them. No widget, no rule."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QDate, QLocale

from engine.errors import EngineError
from engine.runs.request import request_of
from engine.runs.told import RunState
from engine.store.runs import RunRow
from gui.strings import words

DASH = "—"


def say(key: str, **values: object) -> str:
    """One sentence of the room."""
    return words.text(f"run_screen.{key}", **values)


def count(number: int) -> str:
    """A count with its thousands."""
    return f"{number:,}"


def share(value: float) -> str:
    """A share in whole percent; 100 only when all is done."""
    return say("percent", value=100 if value >= 1 else min(99, int(value * 100)))


def duration(seconds: float | None) -> str:
    """A time in the largest unit that says enough: 40 s, 6 min, 2 h 10 min."""
    if seconds is None:
        return DASH
    if seconds < 1:
        return say("time.moment")
    if seconds < 90:
        return say("time.seconds", n=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 60:
        return say("time.minutes", n=minutes)
    hours, rest = divmod(minutes, 60)
    return say("time.hours_minutes", hours=hours, minutes=rest) if rest else say("time.hours", n=hours)


def left(seconds: float | None) -> str:
    """What is left, as a phrase; "" where it is not known."""
    return "" if seconds is None else say("time.left", time=duration(seconds))


def rate(value: float | None) -> str:
    """Items a second with as many decimals as are worth reading."""
    if value is None:
        return DASH
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def clock(at: str) -> str:
    """Hours and minutes of a stored time on this machine's clock."""
    return _local(at).strftime("%H:%M") if at else ""


def clock_seconds(at: str) -> str:
    """The same with seconds."""
    return _local(at).strftime("%H:%M:%S") if at else ""


def day(at: str) -> str:
    """When a run began: the hour today, yesterday, or the day."""
    moment = _local(at)
    today = datetime.now().date()
    if moment.date() == today:
        return moment.strftime("%H:%M")
    if moment.date() == today - timedelta(days=1):
        return say("time.yesterday")
    locale = QLocale("zh_CN" if words.language == "zh" else "en_GB")
    form = "d MMM" if words.language == "en" else "M月d日"
    return locale.toString(QDate(moment.year, moment.month, moment.day), form)


def run_sentence(state: RunState) -> str:
    """How a run is doing, in one line for the window's foot."""
    parts = [say("status.doing", run=state.run.id, doing=doing(state), share=share(state.share))]
    return " · ".join([*parts, *filter(None, [left(state.left_s)])])


def doing(state: RunState) -> str:
    """What a run does now, or what became of it."""
    if state.state == "running" and state.step is not None:
        return say(f"doing.{state.step.name}")
    return say(f"state.{state.state}")


def scope_line(run: RunRow) -> str:
    """Whose answers a run is about, and which."""
    scope = request_of(run).scope
    systems = ", ".join(scope.systems) or say("list.all_systems")
    rest = [name.rpartition("/")[2] for name in scope.subsets] or ([scope.benchmark] if scope.benchmark else [])
    return ", ".join([systems, *rest])


def list_line(run: RunRow) -> str:
    """The one line under a run's name: what it is about, or why it ended as it did."""
    percent = share(run.done / run.planned) if run.planned else share(0)
    if isinstance(run.message, EngineError) and run.message.code == "runs.budget_reached":
        return say("list.budget", **run.message.values)
    if run.state == "cancelled":
        return say("list.cancelled", share=percent)
    if run.state == "stopped":
        return say("list.stopped", share=percent)
    if run.state == "failed":
        return message(run)
    return scope_line(run)


def message(run: RunRow) -> str:
    """Why a run ended as it did, "" where there is nothing to say."""
    if isinstance(run.message, EngineError):
        return words.error(run.message)
    return say("bug", what=run.message) if run.message else ""


def _local(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()
