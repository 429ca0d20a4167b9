"""One registry of everything a key can do: the keys, the palette, the ``?`` sheet and Settings are made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from engine.errors import EngineError
from gui.settings import Settings
from gui.strings import Words


@dataclass(slots=True)
class Action:
    """Something the user can do; ``screen`` is None where it works on all of them.

    ``for_owner`` marks what is not for the raters of a screen that both use. While it ``is_awaited``, ``run`` only sees
    to it that the part which does it is made.
    """

    id: str
    default_keys: tuple[str, ...]
    run: Callable[[], object]
    screen: str | None = None
    icon: str = ""
    in_palette: bool = True
    keys: tuple[str, ...] = ()
    for_owner: bool = False
    is_awaited: bool = False
    _made: list[QAction] = field(default_factory=list)


class Actions(QObject):
    """Holds the actions and gives each its keys.

    A key that types (a letter, a digit, Space) belongs to a text field while one has the focus: Qt sees to that, since
    its text fields claim such keys before shortcuts are looked up.

    Signals:
        changed: an action came, went or has other keys.
    """

    changed = Signal()

    def __init__(self, words: Words, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words, self._settings = words, settings
        self._actions: dict[str, Action] = {}
        self._window: QWidget | None = None
        self._screen = ""
        self._allows: Callable[[Action], bool] = _all
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.changed)

    def belong_to(self, window: QWidget) -> None:
        """Make the keys work in ``window``."""
        self._window = window
        for action in self._actions.values():
            self._give_keys(action)

    def add(
        self,
        action_id: str,
        keys: str | tuple[str, ...],
        run: Callable[[], object],
        *,
        screen: str | None = None,
        icon: str = "",
        in_palette: bool = True,
        for_owner: bool = False,
    ) -> None:
        """Register an action; its title is the string ``actions.<id, _ for .>``. ValueError for an id that is there.

        One that was ``expect``ed is done by ``run`` from now on and keeps its place and keys.

        Args:
            keys: one or several, as QKeySequence writes them; the first is the one that is shown.
            screen: the screen on which it works; None for all.
            for_owner: not for raters, who see its screen too.
        """
        known = self._actions.get(action_id)
        if known is not None and known.is_awaited:
            known.run, known.is_awaited = run, False
            return
        if known is not None:
            raise ValueError(f"the action {action_id} is registered already")
        default = (keys,) if isinstance(keys, str) else keys
        default = tuple(k for k in default if k)
        own = self._settings.get("keys").get(action_id)
        chosen = tuple(str(k) for k in own) if isinstance(own, list) else default
        action = Action(action_id, default, run, screen, icon, in_palette, chosen, for_owner)
        self._actions[action_id] = action
        self._give_keys(action)
        if not self._soon.isActive():  # a screen adds twenty at once: they are told together
            self._soon.start()

    def expect(
        self, action_id: str, keys: str | tuple[str, ...], run: Callable[[], object], *, screen: str, icon: str = ""
    ) -> None:
        """Register an action whose part is made later: until ``add`` is called for it, its keys run ``run``."""
        self.add(action_id, keys, run, screen=screen, icon=icon)
        self._actions[action_id].is_awaited = True

    def run(self, action_id: str) -> None:
        """Do what an action does."""
        self._actions[action_id].run()

    def remove(self, action_id: str) -> None:
        """Forget an action, when what it acts on is gone."""
        action = self._actions.pop(action_id)
        self._take_keys(action)
        self.changed.emit()

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions.values())

    def keys(self, action_id: str) -> str:
        """The key that is shown for an action, as this platform writes it; "" where it has none."""
        action = self._actions.get(action_id)
        return shown_keys(action.keys[0]) if action is not None and action.keys else ""

    def title(self, action_id: str) -> str:
        """What the action does, in the user's language."""
        return self._words.text(f"actions.{action_id.replace('.', '_')}")

    def enter(self, screen: str) -> None:
        """``screen`` is shown: its actions work now, those of other screens do not."""
        self._screen = screen
        for action in self._actions.values():
            self._enable(action)

    def allow(self, allows: Callable[[Action], bool]) -> None:
        """Only what ``allows`` says works from now on, by key and in the palette."""
        self._allows = allows
        for action in self._actions.values():
            self._enable(action)
        self.changed.emit()

    def here(self) -> list[Action]:
        """The actions that work on the screen now shown."""
        return [a for a in self._actions.values() if self._works(a)]

    def rebind(self, action_id: str, keys: tuple[str, ...]) -> None:
        """Give an action other keys and remember them.

        Raises EngineError ``window.keys_taken`` where another action that works on the same screen has one of them.
        """
        action = self._actions[action_id]
        for other in self._actions.values():
            meets = other.screen is None or action.screen is None or other.screen == action.screen
            if other is not action and meets:
                taken = [k for k in keys if any(_is_same(k, o) for o in other.keys)]
                if taken:
                    raise EngineError("window.keys_taken", keys=shown_keys(taken[0]), action=self.title(other.id))
        action.keys = keys
        own = {name: chosen for name, chosen in self._settings.get("keys").items() if name != action_id}
        if keys != action.default_keys:
            own[action_id] = list(keys)
        self._settings.set("keys", own)
        self._take_keys(action)
        self._give_keys(action)
        self.changed.emit()

    def reset_all(self) -> None:
        """Give every action the keys that ship."""
        self._settings.set("keys", {})
        for action in self._actions.values():
            if action.keys != action.default_keys:
                action.keys = action.default_keys
                self._take_keys(action)
                self._give_keys(action)
        self.changed.emit()

    def clashes(self) -> list[tuple[str, str, str]]:
        """Pairs of actions that share a key where both work: (key, id, id); none in what ships."""
        found = []
        actions = list(self._actions.values())
        for place, one in enumerate(actions):
            for other in actions[place + 1 :]:
                if one.screen is None or other.screen is None or one.screen == other.screen:
                    found += [(k, one.id, other.id) for k in one.keys if any(_is_same(k, o) for o in other.keys)]
        return found

    def _give_keys(self, action: Action) -> None:
        if self._window is None:
            return
        made = QAction(self._window)
        made.setObjectName(action.id)
        made.setShortcuts([QKeySequence(k) for k in action.keys])
        made.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        made.setAutoRepeat(True)
        made.triggered.connect(partial(self.run, action.id))  # what does it may be another by then
        self._window.addAction(made)
        action._made = [made]
        self._enable(action)

    def _take_keys(self, action: Action) -> None:
        for made in action._made:
            if self._window is not None:
                self._window.removeAction(made)
            made.deleteLater()
        action._made = []

    def _enable(self, action: Action) -> None:
        for made in action._made:
            made.setEnabled(self._works(action))

    def _works(self, action: Action) -> bool:
        return action.screen in (None, self._screen) and self._allows(action)


def shown_keys(keys: str) -> str:
    """``keys`` as this platform writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _all(_: Action) -> bool:
    return True


def _is_same(one: str, other: str) -> bool:
    return QKeySequence(one) == QKeySequence(other)
