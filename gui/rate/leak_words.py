"""What the blind-leak check found, put where it is read: the verdict in a box, what it rests on below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.rating.leaks.words import sentences_of
from gui.rate import wording
from gui.strings import words
from gui.theme import space
from gui.widgets import InlineError, label

if TYPE_CHECKING:
    from engine.rating.leaks import LeakReport


def tone_of(report: LeakReport) -> str:
    """``warning`` where raters could tell a system, ``note`` where there is too little to say, else ``good``."""
    return "warning" if report.is_leaking else "good" if report.is_enough else "note"


def names_said(report: LeakReport) -> str:
    """How many answers name a system, with a few of the words; "" where none does."""
    if not report.name_sayers:
        return ""
    said = tuple(dict.fromkeys(f"“{each.said}”" for each in report.name_sayers))
    return wording.say("leaks.names", n=len(report.saying_their_name), said=wording.names(said, 3))


class LeakTold(QWidget):
    """The sentences of a report, or one that says there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verdict, self.rest = InlineError(tone="note"), label("", "table", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self.verdict)
        column.addWidget(self.rest)

    def show_report(self, report: LeakReport) -> None:
        """Show what was found."""
        first, *rest = sentences_of(report, words.language)
        self.verdict.say(first, tone=tone_of(report))
        self._show_rest("\n".join(f"·  {sentence}" for sentence in rest))

    def say(self, sentence: str, tone: str = "note", code: str = "") -> None:
        """Say something else instead, or nothing."""
        self.verdict.say(sentence, tone=tone, code=code)
        self._show_rest("")

    def _show_rest(self, text: str) -> None:
        self.rest.setText(text)
        self.rest.setVisible(bool(text))
