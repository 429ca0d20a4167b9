"""The page of keys: find an action, press another key for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.actions import Action
from gui.preferences.key_capture import KeyCapture
from gui.preferences.keys_list import KeysList
from gui.preferences.keys_model import KeysModel
from gui.preferences.page import Page, in_a_row
from gui.services import Services
from gui.theme import space
from gui.widgets import Button, Card, Chip, ChipPart, Hairline, InlineError, LineEdit, key_words, label

LIST_HEIGHT = 150


class KeysPage(Page):
    """Every action, its keys, and what changes them."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._words, self._actions = services, services.words, services.actions
        self._replaces = True
        self.model = KeysModel(self._actions, self)
        self.search = LineEdit(icon_name="magnifying-glass")
        self.list = KeysList(self.model)
        self.change, self.more = Button(icon="keyboard"), Button(icon="plus")
        self.reset, self.reset_all = Button(icon="arrow-counter-clockwise"), Button(size="button_small", role="quiet")
        self.capture = KeyCapture()
        self.capture.hide()
        self.error = InlineError()
        self._title = label("", "body", weight=600, elide=True)
        self.chips: list[Chip] = []
        self._lay_out()
        self._wire()
        self._retranslate()
        self._choose(self.model.first())

    def find_key(self) -> None:
        """Type what an action is called."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def shown(self) -> None:
        """Actions of screens that were opened meanwhile."""
        self._refresh()

    def _lay_out(self) -> None:
        self._card = Card(" ", flush=True)
        self._card.head.addWidget(self.reset_all)
        top = QHBoxLayout()
        top.setContentsMargins(space(3), 0, space(3), space(2))
        top.addWidget(self.search)
        self._card.body.setSpacing(0)
        self._card.body.addLayout(top)
        self._card.body.addWidget(Hairline())
        self.list.setMinimumHeight(LIST_HEIGHT)
        self._card.body.addWidget(self.list, 1)
        self._card.body.addWidget(Hairline())
        self._chips = QHBoxLayout()
        self._chips.setSpacing(space(1))
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._title, 1)
        head.addLayout(self._chips)
        self._buttons = QWidget()
        self._buttons.setLayout(in_a_row(self.change, self.more, self.reset))
        bottom = QVBoxLayout()
        bottom.setContentsMargins(space(3), space(2) + 2, space(3), space(2) + 2)
        bottom.setSpacing(space(2))
        bottom.addLayout(head)
        bottom.addWidget(self._buttons)
        bottom.addWidget(self.capture)
        bottom.addWidget(self.error)
        self._card.body.addLayout(bottom)
        self.add(self._card)

    def _wire(self) -> None:
        self.search.textChanged.connect(self._on_typed)
        self.search.returnPressed.connect(self._to_the_list)
        self.list.moved.connect(self._on_moved)
        self.list.change_asked.connect(self._on_change)
        self.list.clear_asked.connect(self._on_clear)
        self.change.clicked.connect(self._on_change)
        self.more.clicked.connect(self._on_more)
        self.reset.clicked.connect(self._on_reset)
        self.reset_all.clicked.connect(self._on_reset_all)
        self.capture.captured.connect(self._on_captured)
        self.capture.left.connect(self._on_capture_left)
        self._actions.changed.connect(self._on_actions)
        self._words.changed.connect(self._retranslate)

    @property
    def _action(self) -> Action | None:
        return next((action for action in self._actions if action.id == self.list.current), None)

    def _on_typed(self, typed: str) -> None:
        chosen = self.list.current
        self.model.narrow(typed)
        place = self.model.place_of(chosen)
        self._choose(place if place >= 0 else self.model.first())

    def _to_the_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, place: int) -> None:
        self.list.setCurrentIndex(self.model.index(place))
        self._show_action()

    def _on_moved(self, _: str) -> None:
        self.error.clear()
        self._stop_capture()
        self._show_action()

    def _on_change(self) -> None:
        self._start_capture(replaces=True)

    def _on_more(self) -> None:
        self._start_capture(replaces=False)

    def _start_capture(self, *, replaces: bool) -> None:
        if self._action is None:
            return
        self._replaces = replaces
        self.error.clear()
        self._buttons.hide()
        self.capture.show()
        self.capture.setFocus(Qt.FocusReason.OtherFocusReason)

    def _stop_capture(self) -> None:
        self.capture.hide()
        self._buttons.show()

    def _on_capture_left(self) -> None:
        if not self.capture.isHidden():
            had_focus = self.capture.hasFocus()
            self._stop_capture()
            if had_focus:
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_captured(self, keys: str) -> None:
        action = self._action
        self._stop_capture()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if action is not None:
            rest = action.keys[1:] if self._replaces else action.keys
            others = tuple(key for key in rest if key != keys)
            self._rebind(action, (keys, *others) if self._replaces else (*others, keys))

    def _on_clear(self) -> None:
        if self._action is not None:
            self._rebind(self._action, ())

    def _on_reset(self) -> None:
        if self._action is not None:
            self._rebind(self._action, self._action.default_keys)

    def _on_reset_all(self) -> None:
        say = self._words.text
        if self._services.confirm(say("preferences.keys.reset_all_question"), say("preferences.keys.reset_all")):
            self.error.clear()
            self._actions.reset_all()

    def take_away(self, key: str) -> None:
        """The chosen action has one key less."""
        if self._action is not None:
            self._rebind(self._action, tuple(other for other in self._action.keys if other != key))

    def _rebind(self, action: Action, keys: tuple[str, ...]) -> None:
        self.error.clear()
        try:
            self._actions.rebind(action.id, keys)
        except EngineError as error:
            self.error.say(self._words.error(error), code=error.code)
            self.bring_into_view(self.error)

    def _on_actions(self) -> None:
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        chosen, top = self.list.current, self.list.verticalScrollBar().value()
        self.model.refresh()
        place = self.model.place_of(chosen)
        self._choose(place if place >= 0 else self.model.first())
        self.list.verticalScrollBar().setValue(top)
        self._retranslate()

    def _show_action(self) -> None:
        action = self._action
        for chip in self.chips:
            self._chips.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [_KeyChip(key, self) for key in action.keys] if action is not None else []
        for chip in self.chips:
            self._chips.addWidget(chip)
        self._title.setText(self._actions.title(action.id) if action else self._words.text("preferences.keys.nothing"))
        for button in (self.change, self.more):
            button.setEnabled(action is not None)
        self.more.setEnabled(action is not None and bool(action.keys))
        self.reset.setEnabled(action is not None and action.keys != action.default_keys)

    def _retranslate(self) -> None:
        say = self._words.text
        self._card.set_title(say("preferences.keys.title"))
        unopened = [say(f"window.rail.{screen}") for screen in self.model.unopened()]
        names = say("preferences.keys.and").join(unopened)
        self._card.set_foot(say("preferences.keys.unopened", screens=names) if unopened else "")
        self.search.setPlaceholderText(say("preferences.keys.search"))
        self.search.setAccessibleName(say("preferences.keys.search"))
        keys = self._actions.keys("settings.find_key")
        self.search.setToolTip(f"{say('preferences.keys.search')} ({keys})" if keys else say("preferences.keys.search"))
        self.list.setAccessibleName(say("preferences.keys.title"))
        self.list.setToolTip("")
        for button, name in (
            (self.change, "change"),
            (self.more, "more"),
            (self.reset, "reset"),
            (self.reset_all, "reset_all"),
        ):
            button.setText(say(f"preferences.keys.{name}"))
            button.set_tip(say(f"preferences.keys.{name}_tip"))
        self.change.set_keys("Return")
        self._show_action()


class _KeyChip(Chip):
    """One key of the chosen action; its cross takes it away."""

    def __init__(self, key: str, page: KeysPage) -> None:
        super().__init__([ChipPart(key_words(key), "value")])
        self._key, self._page = key, page
        self.removed.connect(self._on_removed)

    def _on_removed(self) -> None:
        self._page.take_away(self._key)
