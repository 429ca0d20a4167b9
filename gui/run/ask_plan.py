"""What a run that asks a system would take: how many asks, what of them is there already, time and room."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engine.runs.respond_plan import RespondPlan
from gui.run import wording
from gui.run.ask_run import AskRun
from gui.strings import words
from gui.widgets import Card, InlineError, label

_COUNTS = ("answered", "failed", "missing", "replaced", "other_languages")


class AskPlanCard(Card):
    """One large count, a line for each thing worth knowing, and what the system lacks here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self._count = label(type="heading")
        self._lines = label("", "table", "secondary", wrap=True)
        self.lacks = InlineError(tone="warning")
        for part in (self._count, self._lines, self.lacks):
            self.body.addWidget(part)
        self.body.addStretch(1)

    def show_plan(self, ask: AskRun) -> None:
        """Show what the choices of now would take."""
        self.set_title(wording.say("new.plan"))
        self.set_note(wording.say("plan.counting") if ask.is_counting else "")
        plan, lacks = ask.counted.plan, ask.counted.lacks
        self._count.setText(_headline(plan))
        self._lines.setText("\n".join(_lines(plan)) if plan is not None else self._without(ask))
        self._lines.setVisible(bool(self._lines.text()))
        said = "\n".join(dict.fromkeys(words.error(error) for error in lacks))
        if said != self.lacks.sentence():
            self.lacks.say(said)

    @property
    def texts(self) -> list[str]:
        """What it says, for tests."""
        return [self._count.text(), self._lines.text(), self.lacks.sentence()]

    def _without(self, ask: AskRun) -> str:
        if ask.is_counting or ask.counted.error is not None:
            return ""
        if ask.own_settings is None:
            return wording.say("ask.bad_settings")
        if ask.place == "command" and not ask.command.strip():
            return wording.say("ask.no_command")
        return wording.say("ask.no_subset")


def _headline(plan: RespondPlan | None) -> str:
    if plan is None:
        return ""
    return wording.say("ask.asks", count=wording.count(len(plan.items))) if plan.items else wording.say("ask.nothing")


def _lines(plan: RespondPlan) -> list[str]:
    found = [
        wording.say(f"ask.{name}", count=wording.count(getattr(plan, name))) for name in _COUNTS if getattr(plan, name)
    ]
    if plan.items:
        time = wording.say("plan.unknown_time")
        if plan.seconds is not None:
            time = wording.say("plan.about", time=wording.duration(plan.seconds))
        found.append(wording.say("ask.takes_time", time=time))
        needed, free = f"{plan.byte_count / 1e9:.2f}", f"{plan.free_bytes / 1e9:.0f}"
        found.append(wording.say("ask.takes_room", needed=needed, free=free))
    return found
