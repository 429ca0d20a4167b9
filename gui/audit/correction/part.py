"""What stands under the alignment: who corrected the transcript, and the field to do so."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.query.told import ResponseDetail
from gui.audit.correction.editor import TranscriptEditor
from gui.audit.correction.model import CorrectionModel
from gui.audit.correction.wording import machine_transcript, outcome, person_transcript, say, strip_said
from gui.services import Services
from gui.strings import words
from gui.theme import height, space, width
from gui.widgets.buttons import Button
from gui.widgets.empty import Glyph
from gui.widgets.labels import label


class CorrectionPart(QWidget):
    """Opens the field for the answer that is shown and says what became of it.

    Signals:
        room_changed: it needs another height.
    """

    room_changed = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._detail: ResponseDetail | None = None
        self._method = "corrected"
        self._is_narrow = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.model = CorrectionModel(services.workspace, services.jobs, self)
        self.open_button = Button(role="quiet", size="button_small", icon="pencil-simple")
        self.open_button.clicked.connect(self.begin)
        self.editor = TranscriptEditor()
        self.strip = _Strip()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self.editor)
        self.editor.hide()
        self.strip.hide()
        self.editor.kept.connect(self._keep)
        self.editor.left.connect(self._leave)
        self.editor.hear_wanted.connect(self._hear)
        self.strip.back_wanted.connect(self._take_back)
        self.model.written.connect(self._on_written)
        self.model.failed.connect(self._on_failure)
        words.changed.connect(self._say)
        self._say()

    @property
    def is_open(self) -> bool:
        """Whether something is being typed."""
        return not self.editor.isHidden()

    @property
    def needed_height(self) -> int:
        """What it needs now."""
        return sum(part.sizeHint().height() for part in (self.strip, self.editor) if not part.isHidden())

    def show_answer(self, detail: ResponseDetail | None, method: str) -> None:
        """Another answer is shown, or other results of the same; what is being typed about one stays with it."""
        if self._number(detail) != self._number(self._detail):
            self._put_away()
        self._detail, self._method = detail, method
        self._say()

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave the button its icon alone."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._say()

    def set_low(self, is_low: bool) -> None:
        """Take less height."""
        self.editor.set_low(is_low)

    def begin(self) -> None:
        """Open the field with what is heard now, or with what was being typed."""
        detail = self._detail
        if detail is None or detail.answered.clip is None:
            self._services.say(say("no_sound"))
            return
        draft = self.model.draft(detail.answered.id)
        self.editor.show()
        self._say()
        self.room_changed.emit()
        self.editor.begin(draft if draft is not None else self._heard(detail))

    def undo(self) -> None:
        """Undo what was last done to a transcript in this window."""
        if self.model.can_undo:
            self.model.undo()
        else:
            self._services.say(say("nothing_done"))

    def _keep(self, text: str) -> None:
        if self._detail is not None:
            self.model.keep(self._detail.answered.id, text)

    def _leave(self) -> None:
        """Close the field; what was typed comes back when it is opened again."""
        if self._detail is not None:
            was_changed = self.editor.text != self._heard(self._detail)
            self.model.put_draft(self._detail.answered.id, self.editor.text if was_changed else None)
        self._close()

    def _take_back(self) -> None:
        if self._detail is not None:
            self.model.take_back(self._detail.answered.id)

    def _hear(self) -> None:
        self._services.player.toggle()

    def _on_written(self, response_id: int, kind: str, found: object) -> None:
        if kind == "kept" and response_id == self._number(self._detail) and self.is_open:
            self._close()
        self._services.say(outcome(kind, found))  # type: ignore[arg-type]
        self._services.workspace.content_changed.emit()

    def _on_failure(self, response_id: int, error: EngineError) -> None:
        sentence = self._services.words.error(error)
        if response_id == self._number(self._detail) and self.is_open:
            self.editor.error.say(sentence, code=error.code)
            self.room_changed.emit()
        else:
            self._services.say(sentence, "error")

    def _put_away(self) -> None:
        """Keep what is being typed as the draft of its answer and close the field."""
        if self.is_open and self._detail is not None:
            self.model.put_draft(self._detail.answered.id, self.editor.text)
            self.editor.hide()
            self.room_changed.emit()

    def _close(self) -> None:
        holder = self.window().focusWidget()
        had_focus = holder is not None and self.editor.isAncestorOf(holder)
        self.editor.error.clear()
        self.editor.hide()
        self._say()
        self.room_changed.emit()
        if had_focus:
            self.open_button.setFocus()

    def _say(self) -> None:
        detail = self._detail
        has_sound = detail is not None and detail.answered.clip is not None
        self.open_button.setText("" if self._is_narrow else say("open"))
        self.open_button.setAccessibleName(say("open"))
        self.open_button.set_tip(say("open_tip"))
        self.open_button.setVisible(has_sound and not self.is_open)
        said = strip_said(detail, self._method) if detail is not None and not self.is_open else ""
        was = self.strip.isHidden()
        self.strip.show_line(said)
        if was != self.strip.isHidden():
            self.room_changed.emit()

    @staticmethod
    def _heard(detail: ResponseDetail) -> str:
        heard = person_transcript(detail) or machine_transcript(detail)
        return heard.text or "" if heard is not None else ""

    @staticmethod
    def _number(detail: ResponseDetail | None) -> int | None:
        return None if detail is None else detail.answered.id


class _Strip(QWidget):
    """One line: corrected by a person, when, and what the recogniser heard; with the way back."""

    back_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(height("button_small"))
        self._line = label("", "small", "secondary", family="content", elide=True)
        self.back_button = Button(role="quiet", size="button_small", icon="arrow-counter-clockwise")
        self.back_button.clicked.connect(self.back_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(width("lane_head") - space(1) - 14, 0, space(3), 0)
        row.setSpacing(space(1) + 1)
        row.addWidget(Glyph("pencil-simple", "accent.base", 14))
        row.addWidget(self._line, 1)
        row.addWidget(self.back_button)

    @property
    def text(self) -> str:
        """What it says."""
        return self._line.text()

    def show_line(self, said: str) -> None:
        self._line.setText(said)
        self.back_button.setText(say("take_back"))
        self.back_button.set_tip(say("take_back_tip"))
        self.setAccessibleName(said)
        self.setVisible(bool(said))
