"""What a rater sees between two sittings: what they are asked to rate, how far they are, and the owner's way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.profile import Profiles
from gui.rate import wording
from gui.rate.session_list import SessionList
from gui.settings import settings_file
from gui.theme import space
from gui.widgets import Button, Card, InlineError, LineEdit, bring_into_view, label

if TYPE_CHECKING:
    from engine.store.studies import SessionRow

WIDEST = 720


class RaterPage(QWidget):
    """Shows a rater's own sessions and nothing else.

    Signals:
        begun: the id of the session to sit down to.
    """

    begun = Signal(int)

    def __init__(self, profiles: Profiles, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profiles = profiles
        self._sessions: tuple[SessionRow, ...] = ()
        self._heading = label(type="heading", elide=True)
        self._what = label(type="body_large", tone="secondary", wrap=True)
        self.card = Card(ruled=True, flush=True)
        self.list = SessionList(with_rater=False)
        self.begin_button = Button(icon="play", role="primary", size="button_large")
        self.leave_button = Button(role="quiet", icon="sign-out")
        self.pin = LineEdit(mono=True)
        self.pin_button, self.stay_button = Button(), Button(role="quiet")
        self._asks = QWidget()
        self._forgotten = label("", "small", "secondary", wrap=True)
        self.refused = InlineError()
        self._lay_out()
        self._wire()
        self.retranslate()

    def show_sessions(self, sessions: Sequence[SessionRow]) -> None:
        """Show what this rater is asked to do."""
        self._sessions = tuple(sessions)
        self.list.show_sessions(self._sessions)
        left = sum(1 for each in self._sessions if each.rated + each.skipped < each.planned)
        self._heading.setText(wording.say("own.heading", name=self._profiles.now.name))
        key = "own.nothing" if not self._sessions else "own.thanks" if not left else "own.what"
        self._what.setText(wording.say(key))
        self.card.setVisible(bool(self._sessions))
        self.begin_button.setVisible(bool(self._sessions))
        self._show_begin()

    def retranslate(self) -> None:
        """Say it in the language of now."""
        say = wording.say
        self.card.set_title(say("own.sessions"))
        self.leave_button.setText(say("own.leave"))
        self.pin.setPlaceholderText(say("people.pin"))
        self.pin.setAccessibleName(say("people.pin"))
        self.pin_button.setText(say("own.leave_now"))
        self.stay_button.setText(say("own.stay"))
        self._forgotten.setText(say("people.forgotten", path=str(settings_file())))
        self.show_sessions(self._sessions)

    def ask_for_pin(self) -> None:
        """The owner wants the window back."""
        self.refused.clear()
        self._asks.show()
        self.leave_button.hide()
        self.pin.setFocus()
        bring_into_view(self._asks)

    def put_pin_away(self) -> None:
        """The rater stays."""
        self.pin.clear()
        self.refused.clear()
        self._asks.hide()
        self.leave_button.show()

    def focus_first(self) -> None:
        """Where the keyboard begins."""
        self.list.setFocus()

    def _lay_out(self) -> None:
        self.pin.setEchoMode(QLineEdit.EchoMode.Password)
        self.pin.setFixedWidth(140)
        self.card.body.addWidget(self.list)
        asks = QVBoxLayout(self._asks)
        asks.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for part in (self.pin, self.pin_button, self.stay_button):
            row.addWidget(part)
        row.addStretch(1)
        asks.addLayout(row)
        asks.addWidget(self.refused)
        asks.addWidget(self._forgotten)
        self._asks.hide()
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addWidget(self._heading)
        column.addWidget(self._what)
        column.addWidget(self.card)
        column.addWidget(self.begin_button, 0, Qt.AlignmentFlag.AlignRight)
        column.addStretch(1)
        column.addWidget(self.leave_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._asks)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(space(4), space(5), space(4), space(3))
        whole.addStretch(1)
        whole.addWidget(inside, 1000)
        whole.addStretch(1)

    def _wire(self) -> None:
        self.list.begun.connect(self.begun)
        self.list.moved.connect(self._show_begin)
        self.begin_button.clicked.connect(self._begin)
        self.leave_button.clicked.connect(self.ask_for_pin)
        self.stay_button.clicked.connect(self.put_pin_away)
        self.pin.returnPressed.connect(self._leave)
        self.pin_button.clicked.connect(self._leave)
        self._profiles.refused.connect(self._on_refused)
        self._profiles.changed.connect(self.put_pin_away)

    def _show_begin(self) -> None:
        session = self.list.current
        self.begin_button.setEnabled(session is not None)
        self.begin_button.setText(wording.say(begin_key(session)))

    def _begin(self) -> None:
        if self.list.current is not None:
            self.begun.emit(self.list.current.id)

    def _leave(self) -> None:
        self.refused.clear()
        self._profiles.leave(self.pin.text())

    def _on_refused(self) -> None:
        self.refused.say(wording.say("own.refused"))
        self.pin.selectAll()
        self.pin.setFocus()


def begin_key(session: SessionRow | None) -> str:
    """What the button says that begins or goes on with a session."""
    done = session.rated + session.skipped if session is not None else 0
    if session is None or not done:
        return "sessions.begin"
    return "sessions.look_again" if done >= session.planned else "sessions.go_on"
