"""What goes out of a study and comes in: bundles, results, files for other tools, a methods paragraph, the letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.rate import wording
from gui.rate.lines import heading
from gui.theme import space
from gui.widgets import Button, Card, Glyph, LineEdit, ProgressBar, bring_into_view, label

if TYPE_CHECKING:
    from engine.progress import Progress
    from engine.store.studies import StudyRow

FORMS = ("csv", "jsonl", "label_studio")
LEAST_BUTTON = 130


class CarryCard(Card):
    """Rows of a button and what it does.

    Signals:
        bundles_asked, merge_asked, methods_asked, adjudicate_asked, stop_asked: the button was pressed.
        export_asked: the form: csv, jsonl or label_studio.
    """

    bundles_asked, merge_asked, methods_asked, adjudicate_asked = Signal(), Signal(), Signal(), Signal()
    stop_asked = Signal()
    export_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self.buttons = {
            "bundles": Button(icon="package"),
            "merge": Button(icon="download-simple"),
            "adjudicate": Button(icon="scales"),
            "methods": Button(icon="copy"),
        }
        self.forms = {form: Button(size="button_small") for form in FORMS}
        self._about = {name: label("", "table", "secondary", wrap=True) for name in (*self.buttons, "forms")}
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(2))
        grid.setColumnStretch(1, 1)
        for row, (name, button) in enumerate(self.buttons.items()):
            grid.addWidget(button, row, 0)
            grid.addWidget(self._about[name], row, 1)
        self.fingerprint = label("", "small", "secondary", wrap=True)
        self.fingerprint.hide()
        self.bar, self._doing = ProgressBar(), label("", "small", "secondary", elide=True)
        self.stop_button = Button(icon="stop", size="button_small")
        self._progress = QWidget()
        going = QHBoxLayout(self._progress)
        going.setContentsMargins(0, 0, 0, 0)
        going.setSpacing(space(2))
        for part in (self.bar, self._doing, self.stop_button):
            going.addWidget(part)
        self._progress.hide()
        forms = QHBoxLayout()
        forms.setSpacing(space(1))
        for button in self.forms.values():
            forms.addWidget(button)
        forms.addStretch(1)
        self.body.addLayout(grid)
        self.body.addWidget(self.fingerprint)
        self.body.addWidget(self._about["forms"])
        self.body.addLayout(forms)
        self.body.addWidget(self._progress)
        self.body.addStretch(1)
        self.stop_button.clicked.connect(self.stop_asked)
        self.buttons["bundles"].clicked.connect(self.bundles_asked)
        self.buttons["merge"].clicked.connect(self.merge_asked)
        self.buttons["methods"].clicked.connect(self.methods_asked)
        self.buttons["adjudicate"].clicked.connect(self.adjudicate_asked)
        for form, button in self.forms.items():
            button.clicked.connect(_Emits(self, form))

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.set_title(say("carry.title"))
        for name, button in self.buttons.items():
            button.setText(say(f"carry.{name}"))
            self._about[name].setText(say(f"carry.{name}_about"))
        self._about["forms"].setText(say("carry.forms_about"))
        self.stop_button.setText(say("leaks.stop"))
        for form, button in self.forms.items():
            button.setText(say(f"carry.{form}"))

    def show_progress(self, progress: Progress | None) -> None:
        """How far what goes on is; None where nothing does, or nobody knows."""
        self._progress.setVisible(progress is not None and progress.total > 0)
        if progress is not None:
            self.bar.set_counts(progress.done, total=progress.total)
            self._doing.setText(wording.of(progress.done, progress.total))

    def show_fingerprint(self, fingerprint: str) -> None:
        """By what raters know that a bundle is the owner's, once one was signed."""
        self.fingerprint.setText(wording.say("carry.fingerprint", fingerprint=fingerprint) if fingerprint else "")
        self.fingerprint.setVisible(bool(fingerprint))

    def show_state(self, study: StudyRow, is_busy: bool) -> None:
        """What can be done with this study now."""
        for button in (*self.buttons.values(), *self.forms.values()):
            button.setEnabled(not is_busy)
        several = len(study.raters) > 1
        self.buttons["adjudicate"].setEnabled(several and study.rated > 0 and not is_busy)
        for button in self.forms.values():
            button.setEnabled(study.rated > 0 and not is_busy)


class _Emits:
    def __init__(self, card: CarryCard, form: str) -> None:
        self._card, self._form = card, form

    def __call__(self) -> None:
        self._card.export_asked.emit(self._form)


class LettersCard(Card):
    """Whether the letters are sealed; revealing asks for a reason first, which is kept.

    Signals:
        reveal_asked: the reason.
    """

    reveal_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self._glyph = Glyph("lock-simple")
        self.sentence = label("", "body", wrap=True)
        self.reveal_button = Button(icon="lock-simple-open")
        self.reason, self.confirm_button, self.cancel_button = LineEdit(), Button(role="danger"), Button(role="quiet")
        self._asks, self._why = QWidget(), heading()
        state, fields = QHBoxLayout(), QHBoxLayout()
        for row in (state, fields):
            row.setSpacing(space(2))
        state.addWidget(self._glyph)
        state.addWidget(self.sentence, 1)
        state.addWidget(self.reveal_button)
        fields.addWidget(self.reason, 1)
        fields.addWidget(self.confirm_button)
        fields.addWidget(self.cancel_button)
        asks = QVBoxLayout(self._asks)
        asks.setContentsMargins(0, 0, 0, 0)
        asks.addWidget(self._why)
        asks.addLayout(fields)
        self._asks.hide()
        self.body.addLayout(state)
        self.body.addWidget(self._asks)
        self.reveal_button.clicked.connect(self.ask)
        self.cancel_button.clicked.connect(self.put_away)
        self.confirm_button.clicked.connect(self._reveal)
        self.reason.returnPressed.connect(self._reveal)
        self.reason.textChanged.connect(self._show_confirm)

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.set_title(say("letters.title"))
        self.reveal_button.setText(say("letters.reveal"))
        self.confirm_button.setText(say("letters.reveal_now"))
        self.cancel_button.setText(say("letters.cancel"))
        self._why.setText(say("letters.why"))
        self.reason.setPlaceholderText(say("letters.reason"))
        self.reason.setAccessibleName(say("letters.reason"))

    def show_study(self, study: StudyRow) -> None:
        """Sealed, or revealed and since when."""
        is_sealed = study.is_sealed
        self._glyph.show_icon("lock-simple" if is_sealed else "lock-simple-open")
        self.sentence.setText(_letters_said(study))
        self.reveal_button.setVisible(is_sealed and not self._asks.isVisibleTo(self))
        if not is_sealed:
            self._asks.hide()
        self._show_confirm()

    def ask(self) -> None:
        """Ask for the reason."""
        self._asks.show()
        self.reveal_button.hide()
        self.reason.setFocus()
        bring_into_view(self)

    def put_away(self) -> None:
        """The letters stay sealed."""
        self.reason.clear()
        self._asks.hide()
        self.reveal_button.show()

    def _reveal(self) -> None:
        if self.reason.text().strip():
            self.reveal_asked.emit(self.reason.text())
            self.reason.clear()

    def _show_confirm(self) -> None:
        self.confirm_button.setEnabled(bool(self.reason.text().strip()))


def _letters_said(study: StudyRow) -> str:
    if study.disclosed_at is not None:
        return wording.say("letters.revealed", at=wording.day(study.disclosed_at))
    if study.is_imported:
        return wording.say("letters.imported")
    left = study.planned - study.rated - study.skipped
    return wording.say("letters.sealed_early" if left else "letters.sealed", n=left)
