"""What came of a study: what the figures rest on and may be used for, then each scale of the question looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.rating.result_sentences import basis_sentences
from gui.rate import wording
from gui.rate.outcome import Outcome
from gui.rate.protocol_bar import ProtocolBar
from gui.rate.results_model import ResultsModel
from gui.rate.scale_panel import ScalePanel, made_panel
from gui.strings import words
from gui.theme import space
from gui.widgets import Hairline, InlineError, label

if TYPE_CHECKING:
    from engine.rating.result_values import StudyResults


class ResultsPage(QWidget):
    """Shows ``ResultsModel``; scales are made when they are first needed. Enter on a row opens its answers in Audit."""

    def __init__(self, model: ResultsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.protocols = ProtocolBar()
        self.sealed, self.error = InlineError(tone="note"), InlineError()
        self.aside = InlineError(tone="warning")
        self.nothing = label("", "body", "secondary", wrap=True)
        self.basis = label("", "table", "secondary", wrap=True)
        self.scales: list[ScalePanel] = []
        self._spare: ScalePanel | None = None
        self._making = made_panel()
        self._lines: list[Hairline] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space(3), space(3), space(3), space(3))
        self._column.setSpacing(space(3))
        for part in (self.protocols, self.error, self.aside, self.sealed, self.nothing):
            self._column.addWidget(part)
        self._column.addWidget(self.basis)
        self._column.addStretch(1)
        self.protocols.chosen.connect(model.choose)
        self.aside.acted.connect(model.leave_out)
        model.changed.connect(self.fill)
        self.fill()
        QTimer.singleShot(0, self, self._prepare)

    def fill(self) -> None:
        """Show what is known by now."""
        model, outcome, shown = self._model, self._model.outcome, self._model.shown
        self.protocols.show_protocols(model.protocols, model.protocol, model.is_busy)
        error = model.error
        self.error.say(words.error(error) if error is not None else "", code=error.code if error is not None else "")
        rated = shown is not None and shown.items > 0
        self.nothing.setText("" if outcome is None else wording.say("results.nothing"))
        self.nothing.setVisible(outcome is not None and not rated)
        self.sealed.say(wording.say("results.sealed") if outcome is not None and rated and outcome.is_sealed else "")
        self._say_aside()
        self.basis.setVisible(rated)
        for part in (*self.scales, *self._lines):
            part.setVisible(False)
        if outcome is not None and shown is not None and rated:
            self.basis.setText(wording.say("gap").join(basis_sentences(shown, words.language)))
            self._show_scales(outcome, shown)

    def show_keys(self, keys: Callable[[str], str]) -> None:
        """Show the key that does what the button does."""
        self.aside.set_keys(keys("rate.without") or None)

    def _say_aside(self) -> None:
        """Whom the rules set aside, whether the figures are with them, and the way to the others."""
        model, say = self._model, wording.say
        names = model.outcome.set_aside if model.outcome is not None else ()
        if not names:
            self.aside.clear()
            return
        told = "without" if model.leaves_out else "with"
        self.aside.say(
            say(f"results.aside_{told}", names=wording.names(names)),
            say(f"results.show_{'with' if model.leaves_out else 'without'}") if model.can_leave_out else "",
        )

    def _show_scales(self, outcome: Outcome, shown: StudyResults) -> None:
        asked = [result for result in shown.scales if result.counts.rated]
        while len(self.scales) < len(asked):
            self._add_panel()
        for place, result in enumerate(asked):
            panel = self.scales[place]
            panel.show_scale(result, outcome.protocol.scale(result.scale), outcome.is_sealed)
            panel.setVisible(True)
            if place:
                self._lines[place].setVisible(True)

    def _prepare(self) -> None:
        """Make the next panel step by step, while what it will show is reckoned."""
        if self._spare is None:
            self._make_on()
            QTimer.singleShot(0, self, self._prepare)

    def _make_on(self) -> None:
        try:
            next(self._making)
        except StopIteration as end:
            self._spare = end.value

    def _next_panel(self) -> ScalePanel:
        while self._spare is None:  # it is wanted before there was time to make it
            self._make_on()
        panel, self._spare, self._making = self._spare, None, made_panel()
        return panel

    def _add_panel(self) -> None:
        before = self._column.indexOf(self.basis)
        line, panel = Hairline(), self._next_panel()
        line.hide()
        self._column.insertWidget(before, line)
        self._column.insertWidget(before + 1, panel)
        panel.answer_asked.connect(self._model.open_answer)
        panel.system_asked.connect(self._model.open_system)
        self._lines.append(line)
        self.scales.append(panel)
