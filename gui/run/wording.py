"""How runs are put into words: figures, times, steps, what became of them. No widget, no rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from PySide6.QtCore import QDate, QLocale

from engine.benchmarks import titles
from engine.endpoints.keys import is_local
from engine.errors import EngineError
from engine.judges.failed import failure_said
from engine.report.figures import figure_title
from engine.runs.pool import WorkerState
from engine.runs.queue import Waiting
from engine.runs.request import request_of
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.respond_request import RespondRequest
from engine.runs.told import LogLine, RunState, StepState
from engine.scoring.flips import FlipGroup
from engine.store.plans import Chosen
from engine.store.runs import RunRow
from engine.strings import sentence_of_code
from engine.systems.declaration import SystemDeclaration
from gui.strings import words

DASH = "—"
_DOINGS = ("starting", "over", "respond", "recognise", "quality", "facts", "describe")


def say(key: str, **values: object) -> str:
    """One sentence of the room."""
    return words.text(f"run_screen.{key}", **values)


def listed(parts: Iterable[str]) -> str:
    """Several words one after another, as the language of now divides them."""
    return say("comma").join(parts)


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
    return say("time.hours_minutes", hours=hours, minutes=rest) if rest else say("time.hours", hours=hours)


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
    systems = listed(scope.systems) or say("list.all_systems")
    if scope.chosen is not None:
        return chosen_line(scope.chosen, scope.chosen.count)
    rest = [subset_title(name) for name in scope.subsets]
    if not rest and scope.benchmark:
        rest = [titles.benchmark_title(scope.benchmark)]
    return listed([systems, *rest])


def chosen_line(chosen: Chosen, size: int | None) -> str:
    """Which answers were chosen in Audit: how many, and by which filter."""
    number = DASH if size is None else count(size)
    key = "new.chosen_where" if chosen.where else "new.chosen"
    return say(f"{key}_one" if size == 1 else key, count=number, where=chosen.where)


def worker(state: WorkerState, is_going: bool) -> tuple[str, str, str, str]:
    """A worker's number, what it does, how much it did, and where it runs and how often it was replaced."""
    doing = state.doing if state.doing in _DOINGS else ("idle" if not state.doing else "busy")
    restarts = say("workers.restarts", count=state.restarts) if state.restarts else ""
    return (
        say("workers.number", number=state.number + 1),
        say(f"workers.{doing}") if is_going else say("workers.over"),
        say("workers.done", count=count(state.done)),
        " · ".join(filter(None, (state.place, restarts))),
    )


def subset_title(name: str) -> str:
    """The title of a subset in the language of now; ``name`` may have its benchmark before it."""
    return titles.subset_title(name, words.language)


def waiting_line(one: Waiting) -> str:
    """What a run that waits is about."""
    request = one.request
    if isinstance(request, RespondRequest):
        rest = [subset_title(name) for name in request.subsets]
        if not rest and request.benchmark:
            rest = [titles.benchmark_title(request.benchmark)]
        return say("queue.respond", system=request.stored_as, rest=listed(rest) or say("queue.everything"))
    steps = listed(say(f"step.{step}").lower() for step in request.steps)
    return say("queue.work", steps=steps, systems=listed(request.scope.systems) or say("list.all_systems"))


def waiting_error(one: Waiting) -> str:
    """Why it did not begin when its turn came, "" where it still waits."""
    return "" if one.error is None else words.error(one.error)


def start_words(is_starting: bool, is_next: bool) -> str:
    """What the button says that begins a run, or lets it wait for its turn."""
    return say("new.starting" if is_starting else "new.start" if is_next else "queue.add")


def system_title(system: SystemDeclaration) -> str:
    """A system's name in the language of now, with its id."""
    title = system.title.get(words.language) or system.id
    return title if title == system.id else f"{title} · {system.id}"


def system_facts(system: SystemDeclaration) -> str:
    """Kind, size, what comes out, what it can take, and whether it was ever run, in one line."""
    can = system.abilities
    claims = ("streaming", "text_history", "audio_history", "several_audios", "text_instruction")
    takes = listed(words.text(f"systems.said.{claim}") for claim in claims if getattr(can, claim))
    parts = [
        kind(system),
        system.size,
        words.text(f"systems.said.{system.modality}"),
        takes,
        languages(system),
        f"{system.memory_gb:g} GB" if system.memory_gb is not None else "",
        verified(system) if system.verified is None else f"{words.text('systems.said.verified')} {verified(system)}",
    ]
    return " · ".join(filter(None, parts))


def system_rows(system: SystemDeclaration) -> list[tuple[str, str]]:
    """What is declared of a system, each with its label; what is not known is left out."""
    can = system.abilities
    claims = ("streaming", "text_history", "audio_history", "several_audios", "text_instruction")
    takes = listed(words.text(f"systems.said.{claim}") for claim in claims if getattr(can, claim))
    what = "" if system.verified is None else f": {system.verified.what}"
    memory = "" if system.memory_gb is None else _memory(system.memory_gb, system.memory_source)
    longest = "" if can.longest_audio_s is None else f"{can.longest_audio_s:g} s"
    rows = [
        (say("systems.id"), system.id),
        (words.text("systems.said.verified"), verified(system) + what),
        (say("systems.kind_of"), kind(system)),
        *((words.text(f"systems.said.{key}"), str(getattr(system, key))) for key in ("base_model", "size")),
        (words.text("systems.said.licence"), licence(system)),
        (words.text("systems.said.weights"), system.weights),
        (words.text("systems.said.answers_in"), words.text(f"systems.said.{system.modality}")),
        (words.text("systems.said.takes"), takes),
        (words.text("systems.said.languages"), languages(system)),
        (words.text("systems.said.longest_audio"), longest),
        (words.text("systems.said.memory"), memory),
    ]
    return [(name, value) for name, value in rows if value]


def kind(system: SystemDeclaration) -> str:
    """What kind of system it is."""
    return _said(f"systems.kind.{system.kind}", system.kind)


def languages(system: SystemDeclaration) -> str:
    """The languages it was made for."""
    return listed(_said(f"systems.language.{code}", code) for code in system.abilities.languages)


def licence(system: SystemDeclaration) -> str:
    """Its licence; names stay, the words between them are of the language of now."""
    key = re.sub(r"[^a-z0-9]+", "_", system.licence.lower()).strip("_")
    return _said(f"systems.licence.{key}", system.licence)


def _memory(gigabytes: float, source: str) -> str:
    size = f"{gigabytes:g}"
    return _said(f"systems.memory.{source}", f"{size} GB", size=size)


def _said(key: str, otherwise: str, **values: object) -> str:
    try:
        return words.text(key, **values)
    except KeyError:
        return otherwise


def verified(system: SystemDeclaration) -> str:
    """What of it was really run, in a few words."""
    if system.verified is None:
        return words.text("systems.said.never_run")
    return say("systems.verified", date=system.verified.date, device=system.verified.device)


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


def trouble_title(code: str) -> str:
    """A code of a failure in a few words; its sentence where there are no fewer, itself where there is none."""
    try:
        return say(f"trouble.{code.rpartition('.')[2]}")
    except KeyError:
        return sentence_of_code(code, words.language)


def flip_subject(group: FlipGroup) -> str:
    """What flipped, and by whose rules where it did not by both."""
    subject = words.text(f"scoring.flips.{group.subject}")
    return subject if group.method == "both" else say(f"flipped.{group.method}", subject=subject)


def flip_change(group: FlipGroup) -> str:
    """What became what."""
    if group.kind == "score":
        fallen = len(group.response_ids) - group.risen
        return words.text("scoring.flips.scores", risen=group.risen, fallen=fallen)
    return f"{_side(group.before)} → {_side(group.after)}"


def _side(side: str) -> str:
    room = "verdict" if side in ("right", "wrong") else "flips" if side in ("under", "over") else "state"
    return words.text(f"scoring.{room}.{side}")


def unit(phase: str) -> str:
    """What is counted in a phase, a second."""
    return say(f"unit.{phase or 'none'}")


def good(step: StepState | None) -> str:
    """What items are called that ended well in a step: only a judge scores."""
    if step is None or step.name == "judge":
        return "scored"
    by_phase = {"read": "read", "floor": "heard", "recognise": "heard", "quality": "measured", "rates": "compared"}
    by_step = {RESPOND: "answered", "score": "derived"}
    return by_step.get(step.name) or by_phase.get(step.phase.name, "worked")


def step_note(run: RunRow, step: StepState, at_once: int) -> str:
    """What does a step, or what it does just now."""
    request = request_of(run)
    phase = step.phase.name if step.state == "running" else ""
    if step.name == RESPOND:
        return ", ".join(request.scope.systems)
    if step.name == "recognise":
        spec = request.measuring.recogniser
        usual = say("note.recogniser", backend=spec.backend, weights=spec.weights)
        return say(f"note.{phase}") if phase in ("read", "floor") else usual
    if step.name == "measure":
        if phase in ("read", "rates"):
            return say(f"note.{phase}")
        return say("note.measure" if request.measuring.quality else "note.measure_rates")
    if step.name == "judge":
        return _judge_note(request.judging.endpoint.model if request.judging.endpoint else "", phase, at_once)
    return say("note.rows") if phase == "rows" else say("note.score")


def _judge_note(model: str, phase: str, at_once: int) -> str:
    if not model:
        return say("note.words")
    if phase == "words":
        return say("note.words_first")
    if phase == "follow_up":
        return say("note.follow_up", model=model)
    return say("note.at_once", model=model, count=at_once) if phase and at_once else say("note.judge", model=model)


def step_time(step: StepState, left_s: float | None) -> str:
    """When a step was done, how long it still needs, or that it waits."""
    if step.state == "running":
        return left(left_s)
    if step.state == "waiting" or not step.began:
        return say("time.few_seconds") if step.name == "score" and step.state == "waiting" else ""
    seconds = (_local(step.ended) - _local(step.began)).total_seconds() if step.ended else 0.0
    if seconds < 60:
        return say("time.took", time=duration(seconds))
    return say("time.span", began=clock(step.began), ended=clock(step.ended))


def spent(state: RunState) -> tuple[str, str]:
    """What a run has cost so far: a figure, and what it is."""
    judging = request_of(state.run).judging
    if judging.endpoint is None:
        return DASH, say("head.no_judge")
    if judging.price is not None:
        return f"{state.spent:.2f}", judging.price.currency
    if is_local(judging.endpoint.base_url):
        return "0.00", say("head.local")
    return count(state.tokens), say("head.no_price")


def pushed_back(values: Mapping[str, Any]) -> str:
    """What an endpoint said that had too much to do."""
    if not values["status"]:
        return say("rate.timed_out")
    if values["wait_s"]:
        return say("rate.pushed_back_wait", status=values["status"], wait=f"{values['wait_s']:.0f}")
    return say("rate.pushed_back", status=values["status"])


def log_text(line: LogLine) -> str:
    """One line of the log, without its time and step."""
    values = dict(line.values)
    event = line.event
    if event in ("judged_badly", "item_failed"):
        return say(f"log.{event}", place=values["place"] or DASH, why=trouble_title(str(values["code"])))
    if event == "pushed_back":
        kind = "pushed_back_silent" if not values["status"] else "pushed_back_wait" if values["wait_s"] else event
        return say(f"log.{kind}", **{**values, "wait": f"{values['wait_s'] or 0:.0f}"})
    if event == "worker_said":
        return say("log.worker_said", worker=values["worker"], text=values["text"])
    if event == "scores":
        return say("log.scores", count=len(values["figures"]))
    if event == "flips":
        return say("log.flips" if values["answers"] else "log.no_flips", count=count(values["answers"]))
    if event == "written":
        done, total, added = (count(values[name]) for name in ("done", "total", "count"))
        return say("log.written", count=added, done=done, total=total)
    if event == "ended":
        return _ended(values)
    try:
        return say(f"log.{event}", **values)
    except KeyError:
        return event


def log_more(line: LogLine) -> str:
    """What a line of the log has to say beside itself: a reason, or the whole sentence of a failure with its log."""
    values = line.values
    if line.event == "item_failed" and values.get("values") is not None:
        return words.error(EngineError(str(values["code"]), **values["values"]))
    if line.event == "judged_badly" and values.get("values"):
        return failure_said(str(values["code"]), values["values"], words.language)
    return str(values.get("reason", ""))


def _ended(values: Mapping[str, Any]) -> str:
    state = say(f"state.{values['state']}")
    if values.get("code"):
        return say("log.ended_why", state=state, why=words.error(EngineError(values["code"], **values["values"])))
    if values["message"]:
        return say("log.ended_why", state=state, why=values["message"])
    return say("log.ended", state=state)


def bounds(state: RunState) -> str:
    """How far the figure that the missing ones move most could move; "" where none is missing."""
    held = [f for f in state.figures if f.method == "corrected" and f.n and f.bound_high > f.bound_low]
    if not held:
        return ""
    widest = max(held, key=lambda figure: figure.bound_high - figure.bound_low)
    return say(
        "wrong.bounds",
        figure=figure_title(widest.figure, words.language),
        system=widest.system,
        subset=subset_title(widest.subset),
        low=f"{widest.bound_low:.1f}",
        high=f"{widest.bound_high:.1f}",
    )
