"""How long answers and questions are, and how many are over what a recogniser hears at a time."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engine.store.overview import BIN_S, LAST_S, LONG_S, Durations
from gui.charts import Histogram
from gui.library.view_model import LibraryViewModel
from gui.strings import words
from gui.widgets import Card, Segmented, label

TALL = 148
EDGES = tuple(BIN_S * number for number in range(int(LAST_S / BIN_S) + 2))


class LengthsCard(Card):
    """One histogram: of the answers, or of the questions."""

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._model = model
        self.choice = Segmented((("answers", ""), ("questions", "")), size="row_compact")
        self.choice.chosen.connect(self._on_chosen)
        self.head.insertWidget(self.head.count() - 1, self.choice)
        self.chart = Histogram()
        self.chart.setMinimumHeight(TALL)
        self._none = label(type="body", tone="secondary", wrap=True)
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self._none)
        model.contents_changed.connect(self._show)
        model.lengths_changed.connect(self._show)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def _on_chosen(self, choice: object) -> None:
        self._show()

    def _show(self) -> None:
        found = self._model.overview
        if found is None:
            return
        of_answers = self.choice.value == "answers"
        durations = found.durations if of_answers else self._model.question_lengths
        total = found.spoken if of_answers else found.instances - found.missing_audio
        known = durations.known if durations is not None else 0
        self.chart.setVisible(bool(known))
        self._none.setVisible(not known)
        self.set_note(words.text("library.lengths.note", known=known, total=total) if known else "")
        self.set_foot(self._sentence(durations, of_answers) if durations is not None and known else "")
        if durations is not None and known:
            colour = "audio.answer" if of_answers else "audio.question"
            self.chart.set_bins(EDGES, durations.counts, LONG_S, durations.share_over_30_s, colour)

    def _sentence(self, durations: Durations, of_answers: bool) -> str:
        share = durations.share_over_30_s or 0.0
        key = "library.lengths.share_answers" if of_answers else "library.lengths.share_questions"
        told = words.text(key, percent=100 * share, count=durations.over_30_s, known=durations.known)
        return f"{told} {words.text('library.lengths.why')}" if of_answers else told

    def _retranslate(self) -> None:
        say = words.text
        self.set_title(say("library.lengths.title"))
        self.choice.setAccessibleName(say("library.lengths.title"))
        self.choice.set_texts([say("library.lengths.answers"), say("library.lengths.questions")])
        self.chart.set_name(say("library.lengths.title"), say("library.lengths.axis"))
        self._none.setText(say("library.lengths.none"))
        self._show()
