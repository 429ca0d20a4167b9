"""The judgement: verdict, who gave it, how the repeats agree, why, what the other method says."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from gui.audit.detail.judgement_words import JudgementShown, VerdictLine
from gui.audit.detail.text_popover import shown_lines
from gui.strings import words
from gui.theme import font, height, space
from gui.widgets.buttons import Button
from gui.widgets.empty import Glyph
from gui.widgets.labels import label
from gui.widgets.pill import Pill
from gui.widgets.state import StateMark

_WITH_REASON, _WITH_OTHER = 110, 150  # pixels of height
_LONGEST_REASON = 240  # a longer one scrolls wherever it stands


class JudgementPanel(QWidget):
    """Shows a ``JudgementShown``; long reasons scroll.

    Signals:
        raw_reply_wanted: the button for the judge's own words.
        history_wanted: the button for every judgement.
        judges_wanted: the button that leads to where a judge is set up.
    """

    raw_reply_wanted, history_wanted, judges_wanted = Signal(), Signal(), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_other = self._is_whole = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        inside = QVBoxLayout()
        inside.setContentsMargins(space(3), space(1), space(2), space(2))
        inside.setSpacing(space(1) + 1)
        self._main = _VerdictRow()
        inside.addWidget(self._main)
        self._reason = _Reason()
        inside.addWidget(self._reason, 1)
        inside.addLayout(self._other_row())
        inside.addLayout(self._foot())
        column.addLayout(inside, 1)
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def raw_button(self) -> Button:
        """Opens the judge's own words."""
        return self._raw

    @property
    def history_button(self) -> Button:
        """Opens every judgement."""
        return self._history

    def show_judgement(self, shown: JudgementShown) -> None:
        """Say another judgement."""
        self._title.setText(shown.title)
        self._state.set_state(shown.main.state, words.text(f"widgets.state.{shown.main.state}"))
        self._main.show_line(shown.main)
        self._reason.show_reason(shown.reason)
        self._other.setText(shown.other)
        self._has_other = bool(shown.other)
        self._make_room()
        self._second.setVisible(shown.second is not None)
        if shown.second is not None:
            self._second.show_line(shown.second)
        self._raw.setEnabled(bool(shown.raw_replies))
        self._raw.setHidden(shown.waits_for_judge and not shown.raw_replies)
        self.judges_button.setVisible(shown.waits_for_judge)

    def set_whole(self, is_whole: bool) -> None:
        """Show every part at its own height, for a column that scrolls, or give way in a low panel."""
        self._is_whole = is_whole
        way = QBoxLayout.Direction.TopToBottom if is_whole else QBoxLayout.Direction.LeftToRight
        self._foot_row.setDirection(way)
        self._reason.set_whole(is_whole)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """In a low panel what the other method says, then the reason give way; the history tells both."""
        has_other = self._has_other and (self._is_whole or self.height() >= _WITH_OTHER)
        self._other.setVisible(has_other)
        self._other_glyph.setVisible(has_other)
        self._reason.setVisible(self._is_whole or self.height() >= _WITH_REASON)

    def _head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(height("card_head"))
        row = QHBoxLayout(head)
        row.setContentsMargins(space(3), 0, space(3), 0)
        self._title = label("", "body", weight=600, elide=True)
        self._state = StateMark("unscored")
        row.addWidget(self._title, 1)
        row.addWidget(self._state)
        return head

    def _other_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(space(1))
        self._other_glyph = Glyph("copy", "text.tertiary", 14)
        self._other = label("", "small", "secondary", elide=True)
        row.addWidget(self._other_glyph)
        row.addWidget(self._other, 1)
        return row

    def _foot(self) -> QBoxLayout:
        self._foot_row = foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        foot.setSpacing(space(2))
        row = QHBoxLayout()
        row.setSpacing(space(2))
        self._second = _SecondRow()
        self._raw = Button(size="button_small")
        self._raw.clicked.connect(self.raw_reply_wanted)
        self._history = Button(size="button_small")
        self._history.clicked.connect(self.history_wanted)
        foot.addWidget(self._second, 1)
        row.addStretch(1)
        self.judges_button = Button(size="button_small", icon="gear-six")
        self.judges_button.clicked.connect(self.judges_wanted)
        self.judges_button.hide()
        row.addWidget(self.judges_button)
        row.addWidget(self._raw)
        row.addWidget(self._history)
        foot.addLayout(row)
        return foot

    def _retranslate(self) -> None:
        self._raw.setText(words.text("audit.detail.raw_reply"))
        self._raw.set_tip(words.text("audit.detail.raw_reply_tip"))
        self.judges_button.setText(words.text("audit.detail.judgement.set_up"))
        self.judges_button.set_tip(words.text("audit.detail.judgement.set_up_tip"))
        self._history.setText(words.text("audit.detail.history"))
        self._history.set_tip(words.text("audit.detail.history_tip"))
        self._reason.setAccessibleName(words.text("audit.detail.reason_name"))
        self.setAccessibleName(words.text("audit.detail.judgement.name"))


class _VerdictRow(QWidget):
    """The pill of a score, the maker, and how many repeats agree; what is no score has no pill."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1) + 2)
        self._pill = Pill()
        self._maker = label("", "small", "secondary", elide=True)
        self._agree = label("", "small", "secondary")
        row.addWidget(self._pill)
        row.addWidget(self._maker, 1)
        row.addWidget(self._agree)
        row.addStretch(0)

    def show_line(self, shown: VerdictLine) -> None:
        self._pill.setVisible(bool(shown.kind))
        self._pill.show_verdict(shown.said, shown.kind or "neutral")
        self._maker.setText(shown.maker)
        self._maker.setVisible(bool(shown.maker))
        self._agree.setText(shown.agree)
        self._agree.setVisible(bool(shown.agree))
        self.setVisible(bool(shown.kind or shown.maker))


class _SecondRow(QWidget):
    """The verdict on the text, in one small line."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1) + 1)
        self._mark = Glyph("check", "verdict.pass", 12)
        self._state = StateMark("unscored")
        self._word = label("", "small", weight=500)
        row.addWidget(Glyph("text-aa", "text.tertiary", 14))
        self._subject = label("", "small", "secondary")
        row.addWidget(self._subject)
        row.addWidget(self._state)
        row.addWidget(self._mark)
        row.addWidget(self._word)
        self._maker = label("", "small", "tertiary", elide=True)
        row.addWidget(self._maker, 1)

    def show_line(self, shown: VerdictLine) -> None:
        self._subject.setText(words.text("audit.detail.judgement.by_text"))
        is_scored = shown.state == "scored"
        self._mark.setVisible(shown.kind in ("right", "wrong"))
        self._mark.show_icon(*(("check", "verdict.pass") if shown.kind == "right" else ("x", "verdict.fail")))
        self._state.setVisible(not is_scored)
        if not is_scored:
            self._state.set_state(shown.state)
        self._word.setText(shown.said)
        self._maker.setText(shown.maker)


class _Reason(QPlainTextEdit):
    """The reason, selectable; it scrolls where it is long."""

    def __init__(self) -> None:
        super().__init__()
        self._is_whole = False
        self.setReadOnly(True)
        self.setFont(font("body", "content"))
        self.setProperty("role", "bare")
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    def show_reason(self, reason: str) -> None:
        self.setPlainText(shown_lines(reason))
        self.updateGeometry()

    def set_whole(self, is_whole: bool) -> None:
        self._is_whole = is_whole
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the lines broke elsewhere

    def sizeHint(self) -> QSize:
        return QSize(200, 3 * 20)

    def minimumSizeHint(self) -> QSize:
        lines = int(self.document().size().height()) if self._is_whole else 0  # Qt counts lines here, not pixels
        return QSize(80, min(max(lines * self.fontMetrics().lineSpacing() + space(2), 38), _LONGEST_REASON))
