"""Can the systems be told apart by something that is not rated: the check, what it found, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.rate import wording
from gui.rate.leak_words import LeakTold, names_said
from gui.rate.new_study import NewStudy
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Card, CheckBox, ProgressBar, label

if TYPE_CHECKING:
    from engine.rating.leaks import LeakReport


class LeakCard(Card):
    """Runs the check when asked, and offers what may be evened out on playback."""

    def __init__(self, new: NewStudy, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, parent=parent)
        self._new = new
        self._about = label("", "body", "secondary", wrap=True)
        self.check_button, self.stop_button = Button(icon="eye-slash"), Button(icon="stop", size="button_small")
        self.bar, self._doing = ProgressBar(), label("", "small", "secondary", elide=True)
        self.told = LeakTold()
        self.trim, self.level = CheckBox(), CheckBox()
        self._fix_note = label("", "small", "secondary", wrap=True)
        self.names = label("", "body", wrap=True)
        self.leave_button, self.flag_button = Button(icon="prohibit"), Button(icon="flag")
        self._lay_out()
        self._wire()

    def fill(self) -> None:
        """Show where the check stands."""
        new, say = self._new, wording.say
        report = new.leaks
        self.set_title(say("leaks.title"))
        self.set_note(wording.several("answers", report.answers) if report is not None else "")
        self._about.setText(say("leaks.about"))
        self._about.setVisible(report is None and not new.is_checking)
        self.check_button.setText(say("leaks.check_again" if report is not None else "leaks.check"))
        self.check_button.setVisible(not new.is_checking)
        self.check_button.setEnabled(new.plan is not None and not new.is_planning)
        self.stop_button.setText(say("leaks.stop"))
        self._show_progress()
        self._show_report(report)
        self._show_fixes()

    def _show_progress(self) -> None:
        progress, goes = self._new.checking, self._new.is_checking
        for part in (self.bar, self._doing, self.stop_button):
            part.setVisible(goes)
        if progress is not None:
            self.bar.set_counts(progress.done, total=progress.total)
            self._doing.setText(wording.say("leaks.doing", done=wording.of(progress.done, progress.total)))

    def _show_report(self, report: LeakReport | None) -> None:
        error = self._new.leak_error
        if error is not None:
            self.told.say(words.error(error), "error", error.code)
        elif report is not None:
            self.told.show_report(report)
        else:
            self.told.say("")
        names = names_said(report) if report is not None else ""
        self.names.setText(names)
        for part in (self.names, self.leave_button, self.flag_button):
            part.setVisible(bool(names))
        self.leave_button.setText(wording.say("leaks.leave_out"))
        self.flag_button.setText(wording.say("leaks.flag"))

    def _show_fixes(self) -> None:
        choices, plan = self._new.choices, self._new.plan
        protocols = plan.protocols if plan is not None else ()
        may_trim = any(protocol.may_trim for protocol in protocols)
        may_level = any(protocol.gain != "none" for protocol in protocols)
        gains = {protocol.gain for protocol in protocols} - {"none"}
        self.trim.setVisible(may_trim)
        self.level.setVisible(may_level)
        self.trim.setText(wording.say("leaks.trim"))
        self.level.setText(wording.say(f"leaks.gain_{min(gains)}" if len(gains) == 1 else "leaks.gain_any"))
        self.trim.setChecked(choices.trim)
        self.level.setChecked(choices.evens_level)
        self._fix_note.setText(wording.say("leaks.fix_note" if may_trim or may_level else "leaks.no_fix"))
        self._fix_note.setVisible(bool(protocols))

    def _lay_out(self) -> None:
        run, names = QHBoxLayout(), QHBoxLayout()
        for row in (run, names):
            row.setSpacing(space(2))
        for part in (self.check_button, self.bar, self._doing, self.stop_button):
            run.addWidget(part)
        run.addStretch(1)
        names.addWidget(self.leave_button)
        names.addWidget(self.flag_button)
        names.addStretch(1)
        self.body.addWidget(self._about)
        self.body.addWidget(self.told)
        self.body.addWidget(self.names)
        self.body.addLayout(names)
        self.body.addWidget(self.trim)
        self.body.addWidget(self.level)
        self.body.addWidget(self._fix_note)
        self.body.addLayout(run)

    def _wire(self) -> None:
        self.check_button.clicked.connect(self._new.check_leaks)
        self.stop_button.clicked.connect(self._new.stop_check)
        self.trim.clicked.connect(self._on_trim)
        self.level.clicked.connect(self._on_level)
        self.leave_button.clicked.connect(self._leave_out)
        self.flag_button.clicked.connect(self._flag)

    def _on_trim(self, on: bool) -> None:
        self._even_out(trim=on)

    def _on_level(self, on: bool) -> None:
        self._even_out(evens_level=on)

    def _even_out(self, **fixes: bool) -> None:
        """Check again only where a check has been made: it would surprise before."""
        if self._new.leaks is not None:
            self._new.even_out(**fixes)
        else:
            self._new.choose(**fixes)

    def _leave_out(self) -> None:
        self._new.flag_names(leave_out=True)

    def _flag(self) -> None:
        self._new.flag_names(leave_out=False)
