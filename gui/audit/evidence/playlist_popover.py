"""The playlists: make one of what is chosen, add to one, open it, play it through, rename it, delete it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.store.playlists import Playlist
from engine.store.tags import LONGEST_TAG
from gui.audit.evidence.playlists import Playlists
from gui.audit.evidence.target import Target
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Hairline, IconButton, LineEdit, Popover, label, scroll_area, shown_text

WIDTH, HEIGHT = 440, 360


class PlaylistPopover(Popover):
    """Lists what there is, the newest first.

    Signals:
        open_wanted, play_wanted: a ``Playlist``.
        remove_wanted: a ``Playlist`` to delete, after asking.
    """

    open_wanted, play_wanted, remove_wanted = Signal(object), Signal(object), Signal(object)

    def __init__(self, playlists: Playlists, parent: QWidget) -> None:
        super().__init__(parent)
        self._playlists = playlists
        self._target: Target | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        column.setSpacing(space(2))
        head = QHBoxLayout()
        self._title = label("", "body", weight=600)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        column.addLayout(head)
        making = QHBoxLayout()
        making.setSpacing(space(2))
        self.name = LineEdit()
        self.name.setMaxLength(4 * LONGEST_TAG)
        self.name.returnPressed.connect(self._make)
        self.make_button = Button(icon="plus", size="button_small")
        self.make_button.clicked.connect(self._make)
        making.addWidget(self.name, 1)
        making.addWidget(self.make_button)
        column.addLayout(making)
        self._why = label("", "small", "error", wrap=True)
        self._why.hide()
        column.addWidget(self._why)
        column.addWidget(Hairline())
        self._empty = label("", "body", "secondary", wrap=True)
        column.addWidget(self._empty)
        self._inside = QWidget()
        self._rows = QVBoxLayout(self._inside)
        self._rows.setContentsMargins(0, 0, space(1), 0)
        self._rows.setSpacing(2)
        self._rows.addStretch(1)
        column.addWidget(scroll_area(self._inside), 1)
        playlists.changed.connect(self._show_rows)
        playlists.failed.connect(self._on_failure)
        words.changed.connect(self.close)

    @property
    def rows(self) -> list[PlaylistRow]:
        """The rows, from the top."""
        widgets = (self._rows.itemAt(place).widget() for place in range(self._rows.count() - 1))  # type: ignore[union-attr]
        return [widget for widget in widgets if isinstance(widget, PlaylistRow)]

    def open_for(self, target: Target | None, over: QWidget) -> None:
        """List them; a new one is made of ``target``."""
        self._target = target
        self._title.setText(words.text("evidence.playlist.title"))
        self._close.set_tip(words.text("evidence.close"))
        self.setAccessibleName(words.text("evidence.playlist.title"))
        self.name.setPlaceholderText(words.text("evidence.playlist.name"))
        self.name.setAccessibleName(words.text("evidence.playlist.name"))
        count = 0 if target is None else target.count
        self.make_button.setText(words.text("evidence.playlist.make", count=f"{count:,}"))
        self.make_button.set_tip(words.text("evidence.playlist.make_tip"))
        self._empty.setText(words.text("evidence.playlist.none"))
        self._say("")
        self.name.clear()
        self._show_rows()
        self._playlists.read()
        self.open_near(over, QSize(WIDTH, HEIGHT))
        self.name.setFocus()

    def _show_rows(self) -> None:
        while self._rows.count() > 1:
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, playlist in enumerate(self._playlists.known):
            row = PlaylistRow(playlist, 0 if self._target is None else self._target.count)
            row.opened.connect(partial(self._act, self.open_wanted, playlist))
            row.played.connect(partial(self._act, self.play_wanted, playlist))
            row.removed.connect(partial(self.remove_wanted.emit, playlist))
            row.renamed.connect(partial(self._playlists.rename, playlist))
            row.added.connect(partial(self._add, playlist))
            self._rows.insertWidget(place, row)
        self._empty.setVisible(not self._playlists.known)

    def _act(self, wanted: SignalInstance, playlist: Playlist) -> None:
        self.leave()
        wanted.emit(playlist)

    def _add(self, playlist: Playlist) -> None:
        if self._target is not None:
            self._playlists.add(playlist, self._target)

    def _make(self) -> None:
        self._say("")
        text = self.name.text().strip()
        if text:
            self._playlists.make(text, self._target)
            self.name.clear()
        else:
            self.name.setFocus()

    def _on_failure(self, error: EngineError) -> None:
        if self.isVisible():
            self._say(words.error(error))

    def _say(self, why: str) -> None:
        self._why.setText(why)
        self._why.setVisible(bool(why))


class PlaylistRow(QWidget):
    """A playlist with its buttons; renaming happens in its place.

    Signals:
        opened, played, added, removed: the buttons.
        renamed: another name.
    """

    opened, played, added, removed = Signal(), Signal(), Signal(), Signal()
    renamed = Signal(str)

    def __init__(self, playlist: Playlist, chosen: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        self._name = label(shown_text(playlist.name), "body", family="content", elide=True, weight=500)
        self.edit = _NameEdit(playlist.name)
        self.edit.entered.connect(self._rename)
        self.edit.left.connect(self._stop)
        self._stack = QStackedLayout()
        line.addLayout(self._stack, 1)  # before it has widgets: it shows its first at once, which must have a parent
        self._stack.addWidget(self._name)
        self._stack.addWidget(self.edit)
        line.addWidget(label(words.text("evidence.playlist.count", count=f"{playlist.count:,}"), "small", "tertiary"))
        self.open_button = self._button(line, "waves", "open")
        self.play_button = self._button(line, "play", "play")
        self.add_button = self._button(line, "plus", "add", count=f"{chosen:,}")
        self.rename_button = self._button(line, "pencil-simple", "rename")
        self.remove_button = self._button(line, "trash", "remove")
        self.add_button.setEnabled(bool(chosen))
        for button in (self.open_button, self.play_button):
            button.setEnabled(bool(playlist.count))
        self.open_button.clicked.connect(self.opened)
        self.play_button.clicked.connect(self.played)
        self.add_button.clicked.connect(self.added)
        self.rename_button.clicked.connect(self._edit)
        self.remove_button.clicked.connect(self.removed)
        self.setAccessibleName(playlist.name)

    def _button(self, line: QHBoxLayout, icon: str, name: str, **values: str) -> IconButton:
        button = IconButton(icon, words.text(f"evidence.playlist.{name}", **values), size="button_small")
        line.addWidget(button)
        return button

    def _edit(self) -> None:
        self._stack.setCurrentWidget(self.edit)
        self.edit.selectAll()
        self.edit.setFocus()

    def _rename(self) -> None:
        name = self.edit.text().strip()
        self._stop()
        if name:
            self.renamed.emit(name)

    def _stop(self) -> None:
        self._stack.setCurrentWidget(self._name)
        self.rename_button.setFocus()


class _NameEdit(LineEdit):
    """Return takes the name, Esc leaves it as it was.

    Signals:
        entered, left: Return, Esc.
    """

    entered, left = Signal(), Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setMaxLength(4 * LONGEST_TAG)
        self.setAccessibleName(words.text("evidence.playlist.rename"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
