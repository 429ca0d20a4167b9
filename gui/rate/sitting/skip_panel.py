"""Why an item is passed over: one digit, or words of one's own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from gui.frame.overlay import Overlay
from gui.rate.sitting.wording import say
from gui.theme import space
from gui.widgets import Button, label

SIZE = (460, 296)
#: Kept as they stand here, so that they can be counted over languages.
REASONS = ("technical", "unclear", "upsetting", "cannot_judge", "other")


class SkipPanel(Overlay):
    """Lies over the screen until a reason is given or Esc is pressed.

    Signals:
        given: one of ``REASONS``.
    """

    given = Signal(str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over, SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.setContentsMargins(space(5), space(4), space(5), space(4))
        self.body.setSpacing(space(2))
        self._title = label("", "screen", weight=600)
        self._why = label("", "body", "secondary", wrap=True)
        self.body.addWidget(self._title)
        self.body.addWidget(self._why)
        self.buttons: list[Button] = []
        for digit, reason in enumerate(REASONS, 1):
            button = Button(role="plain", key=str(digit))
            button.setObjectName(reason)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(self._on_clicked)
            self.buttons.append(button)
            self.body.addWidget(button)
        self.close_button = Button(role="quiet", key="Esc")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.close_button.clicked.connect(self.go_away)
        self.body.addWidget(self.close_button)
        self.body.addStretch(1)

    def show_up(self) -> None:
        """Ask for the reason."""
        self._title.setText(say("skip.title"))
        self._why.setText(say("skip.why"))
        self.setAccessibleName(say("skip.title"))
        for button in self.buttons:
            button.setText(say(f"skip.{button.objectName()}"))
        self.close_button.setText(say("skip.close"))
        self.come_up(self)

    def event(self, event: QEvent) -> bool:
        """While it is up all plain keys are its own, whatever they do on the screen below."""
        is_asked = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_asked and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A digit gives the reason."""
        place = event.key() - Qt.Key.Key_1
        if 0 <= place < len(REASONS):
            self._give(REASONS[place])
        else:
            super().keyPressEvent(event)

    def _on_clicked(self) -> None:
        self._give(self.sender().objectName())

    def _give(self, reason: str) -> None:
        self.go_away()
        self.given.emit(reason)
