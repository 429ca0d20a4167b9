"""A study as it stands: what it can be used for, who is how far, whether systems leak, what goes out and comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gui.rate import wording
from gui.rate.carry_card import CarryCard, LettersCard
from gui.rate.leak_words import LeakTold, names_said
from gui.rate.rater_page import begin_key
from gui.rate.session_list import SessionList
from gui.rate.use_line import facts_of, use_of
from gui.theme import space
from gui.widgets import Button, Card, InlineError, label

if TYPE_CHECKING:
    from engine.store.studies import SessionRow, StudyRow

_SIDE_BY_SIDE, _ROOMY = 760, 560


class OverviewPage(QWidget):
    """Assembles the cards of one study.

    Signals:
        begun: the id of the session to sit down to.
        bundle_asked: the ``SessionRow`` whose rater gets a bundle.
        random_asked: random items are wanted beside those picked by hand.
    """

    begun, bundle_asked, random_asked = Signal(int), Signal(object), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: StudyRow | None = None
        self.title, self.facts = label(type="heading", elide=True), label("", "body", "secondary", wrap=True)
        self.use = InlineError(tone="note")
        self.sessions, self.leaks = Card(ruled=True, flush=True), Card(ruled=True)
        self.list = SessionList()
        self.begin_button, self.bundle_button = Button(icon="play", role="primary"), Button(icon="package")
        self.carry, self.letters = CarryCard(), LettersCard()
        self.leak_told = LeakTold()
        self._leak_fixes = label("", "table", "secondary", wrap=True)
        self._lay_out()
        self.use.acted.connect(self.random_asked)
        self.list.begun.connect(self.begun)
        self.list.moved.connect(self._show_buttons)
        self.begin_button.clicked.connect(self.begin)
        self.bundle_button.clicked.connect(self._ask_bundle)

    def retranslate(self) -> None:
        """Say it in the language of now."""
        self.sessions.set_title(wording.say("sessions.title"))
        self.leaks.set_title(wording.say("leaks.title"))
        self.bundle_button.setText(wording.say("sessions.bundle"))
        self.carry.retranslate()
        self.letters.retranslate()
        self._show_buttons()

    def show_study(self, study: StudyRow, sessions: tuple[SessionRow, ...], is_busy: bool) -> None:
        """Show this study as it stands."""
        is_other = self._study is None or self._study.id != study.id
        self._study = study
        if is_other:
            self.letters.put_away()
        self.title.setText(study.title)
        self.facts.setText(facts_of(study))
        sentence, tone, action = use_of(study)
        self.use.say(sentence, action, tone=tone)
        self.list.show_sessions(sessions)
        self._show_buttons()
        self._show_leaks(study)
        self.carry.show_state(study, is_busy)
        self.letters.show_study(study)
        self.bundle_button.setEnabled(not is_busy)

    def begin(self) -> None:
        """Sit down to the session the keyboard stands on."""
        if self.list.current is not None:
            self.begun.emit(self.list.current.id)

    def focus_first(self) -> None:
        """Where the keyboard begins."""
        self.list.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_buttons()
        beside = self.width() >= _SIDE_BY_SIDE
        self._below.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def _show_leaks(self, study: StudyRow) -> None:
        from engine.rating.leaks import LeakReport

        report = LeakReport.of(study.leaks) if study.leaks else None
        if report is None:
            self.leak_told.say(wording.say("leaks.not_checked"))
        else:
            self.leak_told.show_report(report)
        fixes = study.design.get("playback") or {}
        told = [wording.say("leaks.trimmed")] if fixes.get("trim") else []
        told += [wording.say(f"leaks.evened_{fixes['gain']}")] if fixes.get("gain", "none") != "none" else []
        names = names_said(report) if report is not None else ""
        self._leak_fixes.setText(wording.say("gap").join(filter(None, (names, *told))))
        self._leak_fixes.setVisible(bool(self._leak_fixes.text()))

    def _show_buttons(self) -> None:
        session = self.list.current
        for button in (self.begin_button, self.bundle_button):
            button.setVisible(session is not None)
        if session is None or self._study is None:
            return
        roomy, key = self.width() >= _ROOMY, begin_key(session)
        name = wording.short(wording.named(session.rater_name))
        says_who = roomy and not wording.is_owners(session.rater_name)
        self.begin_button.setText(wording.say(f"{key}_as", rater=name) if says_who else wording.say(key))
        done = wording.of(self._study.rated + self._study.skipped, self._study.planned)
        self.sessions.set_note(wording.say("sessions.note", done=done) if roomy else "")

    def _ask_bundle(self) -> None:
        if self.list.current is not None:
            self.bundle_asked.emit(self.list.current)

    def _lay_out(self) -> None:
        self.sessions.head.addWidget(self.bundle_button)
        self.sessions.head.addWidget(self.begin_button)
        self.sessions.body.addWidget(self.list)
        self.leaks.body.addWidget(self.leak_told)
        self.leaks.body.addWidget(self._leak_fixes)
        self.leaks.body.addStretch(1)
        head = QVBoxLayout()
        head.setSpacing(0)
        head.addWidget(self.title)
        head.addWidget(self.facts)
        right = QVBoxLayout()
        right.setSpacing(space(3))
        right.addWidget(self.leaks)
        right.addWidget(self.letters)
        right.addStretch(1)
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.setSpacing(space(3))
        self._below.addWidget(self.carry, 1)
        self._below.addLayout(right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(3), space(3), space(3))
        column.setSpacing(space(3))
        column.addLayout(head)
        column.addWidget(self.use)
        column.addWidget(self.sessions)
        column.addLayout(self._below)
        column.addStretch(1)
