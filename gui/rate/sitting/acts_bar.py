"""The buttons below an item: back, undo, flag, skip, note on the left, play and commit on the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.actions import Actions
from gui.rate.sitting.wording import say
from gui.theme import space
from gui.widgets import Button

#: Action, its word, its icon.
_LEFT = (
    ("previous", "back", "caret-left"),
    ("undo", "undo", "arrow-u-up-left"),
    ("flag", "flag", "flag"),
    ("skip", "skip", "skip-forward"),
    ("note", "note", "note-pencil"),
)
_LEAST = 300


class ActsBar(QWidget):
    """Each button shows the key that does the same, as it is bound now.

    Signals:
        asked: the name of an action, such as ``commit``.
    """

    asked = Signal(str)

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._play_word, self._commit_word, self._is_flagged = "play", "commit", False
        self._told: tuple[object, ...] = ()
        self.buttons: dict[str, Button] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        for name, _, icon in _LEFT:
            row.addWidget(self._button(name, icon, "quiet"))
        row.addStretch(1)
        row.addWidget(self._button("play", "play", "plain"))
        row.addSpacing(space(1))
        row.addWidget(self._button("commit", None, "primary"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(_LEAST)

    def show_play(self, word: str, icon: str, can_play: bool) -> None:
        """What Space does now: ``play``, ``again``, ``pause``, ``resume`` or ``next``."""
        self._play_word = word
        self.buttons["play"].set_icon(icon)
        self.buttons["play"].setVisible(can_play)
        self._say()

    def show_commit(self, word: str, can_commit: bool) -> None:
        """What Enter does now: ``commit``, ``next``, ``saving`` or ``retry``."""
        self._commit_word = word
        self.buttons["commit"].setEnabled(can_commit)
        self._say()

    def show_flag(self, is_flagged: bool) -> None:
        """Whether the item is flagged."""
        self._is_flagged = is_flagged
        self.buttons["flag"].setCheckable(True)
        self.buttons["flag"].setChecked(is_flagged)
        self._say()

    def show_note_button(self, shown: bool) -> None:
        """Where the note's own line is on screen it needs no button."""
        self.buttons["note"].setVisible(shown)
        self._say()

    def retranslate(self) -> None:
        """Say the words of the language of now, and the keys as they are bound now."""
        self._say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say()

    def _button(self, name: str, icon: str | None, role: str) -> Button:
        made = self.buttons[name] = Button(icon=icon, role=role, size="button_large")
        made.setObjectName(name)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.clicked.connect(self._on_clicked)
        return made

    def _say(self) -> None:
        words = {name: word for name, word, _ in _LEFT}
        words |= {"flag": "flagged" if self._is_flagged else "flag"}
        words |= {"play": self._play_word, "commit": self._commit_word}
        shown = tuple(not button.isHidden() for button in self.buttons.values())
        keys = tuple(self._keys(name) for name in self.buttons)
        told = (self.width(), shown, keys, tuple(say(f"acts.{words[name]}") for name in self.buttons))
        if told == self._told:
            return
        self._told = told
        for name, button in self.buttons.items():
            button.set_keys(self._keys(name))
            button.set_tip(say(f"acts.{words[name]}"))
            button.setAccessibleName(say(f"acts.{words[name]}"))
        left = tuple(name for name, _, _ in _LEFT)
        for shorter, without in (
            ((), ()),
            (("skip",), ()),
            ((), left),
            ((), (*left, "play")),
        ):  # words go that do not fit
            for name, button in self.buttons.items():
                word = f"{words[name]}_short" if name in shorter else words[name]
                button.setText("" if name in without else say(f"acts.{word}"))
            if self._needs() <= self.width():
                return

    def _needs(self) -> int:
        """Pixels that all of it takes."""
        shown = [button.sizeHint().width() for button in self.buttons.values() if not button.isHidden()]
        return sum(shown) + (len(shown) + 2) * space(1)

    def _keys(self, name: str) -> str | None:
        return next((a.keys[0] for a in self._actions if a.id == f"sitting.{name}" and a.keys), None)

    def _on_clicked(self) -> None:
        self.asked.emit(self.sender().objectName())
