"""What went wrong in a run, by kind: how often, an example, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from engine.runs.respond_request import KIND as RESPOND
from engine.runs.told import RunState
from engine.store.failures import Trouble
from gui.run import wording
from gui.theme import space, theme
from gui.widgets import Button, Card, IconButton, StateMark, label

_ROW = 34
_MOST = 5
_BUTTON = 88


class WrongCard(Card):
    """One row for each kind.

    Signals:
        open_asked: the Trouble whose answers are to be shown.
        again_asked: the Trouble whose answers are to be judged, or asked for, again.
        log_asked: the Trouble whose lines of the log are to be shown.
    """

    open_asked, again_asked, log_asked = Signal(object), Signal(object), Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self._shown: tuple[object, ...] = ()
        self._holder: QWidget | None = None
        self._none = label(tone="secondary", wrap=True)
        self.body.setSpacing(0)
        room = QVBoxLayout()
        room.setContentsMargins(11, space(2), 11, 0)
        room.addWidget(self._none)
        self.body.addLayout(room)
        self.body.addStretch(1)

    def show_troubles(self, troubles: Sequence[Trouble], state: RunState | None, may_ask: bool, language: str) -> None:
        """Show these; ``may_ask`` says whether a run could begin now."""
        self.set_title(wording.say("wrong.title"))
        source = "answer" if state is not None and state.run.kind == RESPOND else "judge"
        shown = (tuple(troubles), may_ask, source, language)
        if shown != self._shown:
            self._shown = shown
            self._fill(troubles, may_ask, source)
        bad = len({response for trouble in troubles for response in trouble.response_ids})
        done = max((phase.done for step in state.steps for phase in step.phases), default=0) if state else 0
        note = wording.say("wrong.note", bad=wording.count(bad), done=wording.count(max(done, bad)))
        self.set_note(note if bad else "")
        had = state is not None and any(p.failed or p.unparsable for step in state.steps for p in step.phases)
        self._none.setText(wording.say("wrong.mended" if had else "wrong.none"))
        self._none.setVisible(not troubles)
        self.set_foot(wording.bounds(state) if state is not None else "")

    def _fill(self, troubles: Sequence[Trouble], may_ask: bool, source: str) -> None:
        if self._holder is not None:
            self.body.removeWidget(self._holder)
            self._holder.deleteLater()
        self._holder = QWidget()
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        shown = troubles[:_MOST]
        asks = may_ask and any(trouble.source == source for trouble in shown)
        for trouble in shown:
            column.addWidget(_Row(trouble, asks, trouble.source == source, self))
        if len(troubles) > _MOST:
            more = label(wording.say("wrong.more", count=len(troubles) - _MOST), "small", "tertiary")
            more.setContentsMargins(11, space(2), 11, 0)
            column.addWidget(more)
        self.body.insertWidget(0, self._holder)


class _Row(QWidget):
    def __init__(self, trouble: Trouble, asks: bool, can_ask: bool, card: WrongCard) -> None:
        super().__init__()
        self._trouble, self._card = trouble, card
        self.setFixedHeight(_ROW)
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 0, space(2), 1)
        row.setSpacing(space(2) + 2)
        title, size = wording.trouble_title(trouble.code), wording.count(len(trouble.response_ids))
        number = label(size, "figure", family="mono", weight=600)
        number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        number.setMinimumWidth(40)
        place = label(trouble.place.rpartition("/")[2], "table", "secondary", elide=True)
        place.setFixedWidth(84)
        row.addWidget(StateMark(trouble.state))
        row.addWidget(label(title, "body", elide=True), 1)
        row.addWidget(number)
        row.addWidget(place)
        for button in self._buttons(asks, asks and can_ask, title, size):
            row.addWidget(button)
        self.setAccessibleName(f"{title}, {size}, {trouble.place}")

    def _buttons(self, asks: bool, can_ask: bool, title: str, size: str) -> list[QAbstractButton]:
        """What is likely wanted in words, the others as icons before it."""
        again = "wrong.again_tip" if self._trouble.source == "judge" else "wrong.ask_system_tip"
        open_tip, again_tip = wording.say("wrong.open_tip", count=size), wording.say(again)
        asks_first = can_ask and self._trouble.state == "failed"
        log = IconButton("list-dashes", wording.say("wrong.log_tip"), size="button_small")
        log.clicked.connect(self._log)
        made: list[QAbstractButton] = [log]
        if asks:
            icon, tip, act = ("arrow-square-out", open_tip, self._open)
            if not asks_first:
                icon, tip, act = ("arrow-clockwise", again_tip, self._again)
            other = IconButton(icon, tip, size="button_small")
            other.clicked.connect(act)
            if not can_ask:
                _hide_in_place(other)
            made.append(other)
        words = wording.say("wrong.again" if asks_first else "wrong.open")
        first = Button(words, size="button_small", tip=again_tip if asks_first else open_tip)
        first.clicked.connect(self._again if asks_first else self._open)
        first.setFixedWidth(max(first.sizeHint().width(), _BUTTON))
        for button in (*made, first):
            button.setAccessibleDescription(title)
        return [*made, first]

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, self.height() - 1, self.width(), 1, theme().color("surface.line"))

    def _open(self) -> None:
        self._card.open_asked.emit(self._trouble)

    def _log(self) -> None:
        self._card.log_asked.emit(self._trouble)

    def _again(self) -> None:
        self._card.again_asked.emit(self._trouble)


def _hide_in_place(widget: QWidget) -> None:
    """Keep the columns of the rows in line."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)
    widget.hide()
