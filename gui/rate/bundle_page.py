"""The first and last thing a rater with a bundle sees: what is to be done, and how the results go back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.actions import Actions
from gui.rate.bundle_work import Bundle, Pass
from gui.rate.middle import fill_with_column
from gui.rate.sitting.wording import say
from gui.theme import space
from gui.widgets import Button, Card, InlineError, label

_WIDEST = 760


class BundlePage(QWidget):
    """A row for each pass, and a button that writes the results.

    Signals:
        begun: the number of a session's row.
        write_asked: the results are to be written.
    """

    begun, write_asked = Signal(int), Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._bundle: Bundle | None = None
        self.title, self.who = label("", "heading", wrap=True), label("", "body", "secondary", wrap=True)
        self.what = label("", "body_large", wrap=True)
        self.passes = Card("", flush=True)
        self.write = Button(icon="export", size="button_large")
        self.write.clicked.connect(self.write_asked)
        self.told, self.trouble = InlineError(tone="good"), InlineError()
        self.foot = label("", "small", "tertiary", wrap=True)
        self.buttons: dict[int, Button] = {}
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(space(5), space(6), space(5), space(6))
        column.setSpacing(space(3))
        column.addStretch(2)
        for part in (self.title, self.who, self.what, self.passes, self.told, self.trouble):
            column.addWidget(part)
        row = QHBoxLayout()
        row.addWidget(self.write)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.foot)
        column.addStretch(3)
        fill_with_column(self, inside, _WIDEST)
        self.retranslate()

    def show_bundle(self, bundle: Bundle) -> None:
        """What is to be done by now."""
        self._bundle = bundle
        self.retranslate()

    def tell(self, sentence: str, *, is_trouble: bool = False) -> None:
        """What came of writing or opening."""
        self.told.say("" if is_trouble else sentence)
        self.trouble.say(sentence if is_trouble else "")

    def retranslate(self) -> None:
        """Say it in the language of now."""
        bundle = self._bundle
        self.write.setText(say("bundle.write"))
        self.write.set_keys(self._actions.keys("bundle.write") or None)
        for part in (self.passes, self.write, self.who, self.what, self.foot):
            part.setVisible(bundle is not None)
        if bundle is None:
            self.title.setText(say("page.reading"))
            return
        is_done = bundle.next is None
        self.title.setText(bundle.title)
        self.who.setText(say("bundle.who", rater=bundle.rater))
        self.what.setText(say("bundle.done" if is_done else "bundle.what"))
        self.foot.setText(say("bundle.signer", fingerprint=bundle.known.signer))
        self.write.set_role("primary" if is_done else "plain")
        self.write.setEnabled(any(one.row.rated or one.row.skipped for one in bundle.passes))
        self._show_passes(bundle)

    def _show_passes(self, bundle: Bundle) -> None:
        while (item := self.passes.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = {}
        for one in bundle.passes:
            self.passes.body.addWidget(self._row(one, is_next=one is bundle.next))

    def _row(self, one: Pass, *, is_next: bool) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(space(4), space(3), space(3), space(3))
        row.setSpacing(space(3))
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(label(one.title, "screen", elide=True))
        done = one.row.rated + one.row.skipped
        names.addWidget(label(say("bundle.far", done=done, n=one.row.planned), "table", "secondary"))
        row.addLayout(names, 1)
        word = "bundle.again" if not one.left else "bundle.go_on" if done else "bundle.begin"
        key = "Return" if is_next else None
        button = Button(say(word), role="primary" if is_next else "plain", size="button_large", key=key)
        button.setProperty("session", one.row.id)
        button.clicked.connect(self._on_begun)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.buttons[one.row.id] = button
        return made

    def _on_begun(self) -> None:
        self.begun.emit(int(self.sender().property("session")))
