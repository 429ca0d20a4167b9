"""The evidence of the Audit screen, assembled: its actions, popovers, buttons and dialog, and what they act on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import overload

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from engine.errors import EngineError
from engine.query.ranks import Ids
from engine.query.selection import Selection
from engine.store.evidence import Span
from engine.store.playlists import Entry, Playlist
from gui.audit.acts import register
from gui.audit.columns import sort_keys
from gui.audit.detail.panel import DetailPanel
from gui.audit.evidence.buttons import EvidenceButtons
from gui.audit.evidence.export_dialog import ExportDialog
from gui.audit.evidence.lane_tags import lane_tags
from gui.audit.evidence.model import EvidenceModel
from gui.audit.evidence.note_popover import NotePopover
from gui.audit.evidence.play_through import PlayThrough
from gui.audit.evidence.playlist_popover import PlaylistPopover
from gui.audit.evidence.playlists import Playlists
from gui.audit.evidence.tag_popover import TagPopover
from gui.audit.evidence.target import Target
from gui.audit.filter_bar import FilterBar
from gui.audit.table import Table
from gui.audit.view_model import AuditViewModel
from gui.services import Services

NARROW_HEAD = 780  # pixels under which the buttons show their icons alone


class EvidenceRoom(QObject):
    """Made once by the screen."""

    def __init__(
        self,
        services: Services,
        audit: AuditViewModel,
        detail: DetailPanel,
        table: Table,
        bar: FilterBar,
        screen: QWidget,
    ) -> None:
        super().__init__(screen)
        self._services, self._audit, self._detail, self._table, self._bar = services, audit, detail, table, bar
        self._screen = screen
        self.model = EvidenceModel(services.workspace, services.jobs, self)
        self.playlists = Playlists(services.workspace, services.jobs, self)
        self.play_through = PlayThrough(services.player, detail.model, self)
        self.buttons = EvidenceButtons()
        self._export: ExportDialog | None = None
        self._to_play: tuple[Entry, ...] = ()
        detail.head.buttons.addWidget(self.buttons)
        detail.head.installEventFilter(self)
        self._wire()
        self._add_actions()
        self._retranslate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The head of the detail has other room: words and caps of the buttons come and go."""
        if event.type() == QEvent.Type.Resize and watched is self._detail.head:
            self.buttons.set_narrow(self._detail.head.width() < NARROW_HEAD)
        return False

    @cached_property
    def tags(self) -> TagPopover:
        """The small window for tags, made when it is first wanted."""
        return TagPopover(self.model, self._screen)

    @cached_property
    def notes(self) -> NotePopover:
        """The small window for notes."""
        return NotePopover(self.model, self._screen)

    @cached_property
    def lists(self) -> PlaylistPopover:
        """The small window of the playlists."""
        made = PlaylistPopover(self.playlists, self._screen)
        made.open_wanted.connect(self._open_playlist)
        made.play_wanted.connect(self._play_playlist)
        made.remove_wanted.connect(self._remove_playlist)
        return made

    def target(self) -> Target | None:
        """What would be said something of now: several answers, one, or a span of it; None where none is chosen."""
        count = self._audit.chosen_count
        if not count:
            self._services.say(self._services.words.text("evidence.nothing_chosen"))
            return None
        return self._of(self._audit.chosen, count, self._span() if count == 1 else None)

    def tag(self) -> None:
        """Open the small window for tags."""
        if (target := self.target()) is not None:
            self.tags.open_for(target, self.buttons.tag)

    def note(self) -> None:
        """Open the small window for a note."""
        if (target := self.target()) is not None:
            self.notes.open_for(target, self.buttons.note)

    def send_to_rating(self) -> None:
        """Hand the chosen answers to the Rate screen."""
        if (target := self.target()) is not None:
            self._services.go("rate", target.selection)

    def show_playlists(self) -> None:
        """Open the small window of the playlists."""
        self.lists.open_for(self.target() if self._audit.chosen_count else None, self._bar.playlists)

    def export(self) -> None:
        """Open the dialog that takes answers out."""
        if self._export is None:
            self._export = ExportDialog(self._services, self._screen)
        count = self._audit.chosen_count
        chosen = self._of(self._audit.chosen, count) if count else None
        self._export.open_for(chosen, self._of(self._audit.result, len(self._audit.rows.ids)))

    @property
    def export_dialog(self) -> ExportDialog | None:
        """The dialog, once it was opened."""
        return self._export

    def play_on(self) -> None:
        """Play what is chosen through, or all from the current answer on; or end that."""
        if self.play_through.is_on:
            self.play_through.stop()
            self._services.player.pause()
            return
        ids = self._audit.chosen_ids
        if len(ids) < 2:
            ids = self._audit.rows.ids[max(self._table.currentIndex().row(), 0) :]
        if len(ids):
            self.play_through.start(_Whole(ids))

    # what there is to act on

    def _of(self, selection: Selection, count: int, span: Span | None = None) -> Target:
        return Target(selection, count, self._audit.method, sort_keys(self._audit.sort), span)

    def _span(self) -> Span | None:
        player = self._services.player
        if player.region is None or player.region_lane != "answer":
            return None
        return Span(round(player.region[0], 3), round(player.region[1], 3))

    # wiring

    def _wire(self) -> None:
        model, audit, play = self.model, self._audit, self.play_through
        audit.current_changed.connect(model.show)
        audit.current_changed.connect(play.chosen)
        audit.found.connect(self._on_found)
        model.said_changed.connect(self._show_said)
        model.in_use_changed.connect(self._offer_tags)
        model.written.connect(audit.reread_tags)
        model.written.connect(self._detail.model.reread)
        model.told.connect(self._services.say)
        model.failed.connect(self._on_failure)
        self.playlists.told.connect(self._services.say)
        self.playlists.failed.connect(self._on_failure)
        play.wanted.connect(self._show_answer)
        play.stepped.connect(self._say_step)
        self.buttons.tag.clicked.connect(self.tag)
        self.buttons.note.clicked.connect(self.note)
        self.buttons.rating.clicked.connect(self.send_to_rating)
        self._bar.playlists.clicked.connect(self.show_playlists)
        self._bar.export.clicked.connect(self.export)
        self._services.words.changed.connect(self._retranslate)

    def _add_actions(self) -> None:
        runs = {
            "tag": self.tag,
            "note": self.note,
            "undo": self.model.undo,
            "redo": self.model.redo,
            "playlists": self.show_playlists,
            "play_through": self.play_on,
            "to_rating": self.send_to_rating,
            "export": self.export,
        }
        register(self._services.actions, runs)
        self._services.actions.changed.connect(self._show_keys)
        self._show_keys()

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.buttons.set_keys(keys("audit.tag"), keys("audit.note"), keys("audit.to_rating"))
        self.buttons.set_choosing_keys(keys("audit.choose"), keys("audit.choose_all"))
        self._bar.playlists.set_keys(keys("audit.playlists"))
        self._bar.export.set_keys(keys("audit.export"))

    def _retranslate(self) -> None:
        self._bar.playlists.set_tip(self._services.words.text("evidence.playlist.title"))
        self._bar.export.set_tip(self._services.words.text("evidence.export.tip"))

    # what came of it

    def _show_said(self) -> None:
        standing = [said for said in self.model.evidence if said.stands]
        self.buttons.set_counts(*(sum(said.table == table for said in standing) for table in ("tag", "note")))
        self._detail.lanes.mark_tags(lane_tags(standing))

    def _offer_tags(self) -> None:
        self._audit.offer_tags(tuple(tag.name for tag in self.model.in_use))

    def _on_failure(self, error: EngineError) -> None:
        made = [self.__dict__[name] for name in ("tags", "notes", "lists") if name in self.__dict__]
        if not any(popover.isVisible() for popover in made):  # an open one says it itself
            self._services.say(self._services.words.error(error), "error")

    # playlists

    def _open_playlist(self, playlist: Playlist) -> None:
        self.playlists.read_entries(playlist, partial(self._take_entries, playlist))

    def _play_playlist(self, playlist: Playlist) -> None:
        self.playlists.read_entries(playlist, partial(self._take_entries, playlist, plays=True))

    def _take_entries(self, playlist: Playlist, entries: tuple[Entry, ...], plays: bool = False) -> None:
        if entries:
            self._to_play = entries if plays else ()
            ids = tuple(dict.fromkeys(entry.response_id for entry in entries))
            self._audit.take(Selection(ids=ids))
            self._services.say(self._services.words.text("evidence.playlist.opened", name=playlist.name))
            self._table.setFocus()

    def _remove_playlist(self, playlist: Playlist) -> None:
        say = self._services.words.text
        question = say("evidence.playlist.remove_question", name=playlist.name, count=f"{playlist.count:,}")
        if self._services.confirm(question, say("evidence.playlist.remove_word")):
            self.playlists.remove(playlist)

    def _on_found(self) -> None:
        entries, self._to_play = self._to_play, ()
        if entries:
            self.play_through.start(entries)

    def _show_answer(self, response_id: int) -> None:
        place = self._audit.rows.place_of(response_id)
        if place is None:  # no current answer any more, or filtered out meanwhile
            self.play_through.next()
        else:
            self._table.choose_row(place)

    def _say_step(self, number: int, count: int) -> None:
        say = self._services.words.text
        if not number:
            self._services.say(say("evidence.playlist.plays_end"))
            return
        key = self._services.actions.keys("audit.play_through")
        self._services.say(say("evidence.playlist.plays", number=f"{number:,}", count=f"{count:,}", key=key))


class _Whole(Sequence[Entry]):
    """Whole answers by their ids, made when they are asked for: there may be 168,000."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, place: int) -> Entry: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...

    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(place, slice):
            return _Whole(self._ids[place])
        return Entry(int(self._ids[place]))
