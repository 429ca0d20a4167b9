"""The evidence of the Audit screen, assembled: its actions, popovers and buttons, and what they act on."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from engine.store.evidence import Span
from gui.audit.columns import sort_keys
from gui.audit.detail.panel import DetailPanel
from gui.audit.evidence.buttons import EvidenceButtons
from gui.audit.evidence.lane_tags import lane_tags
from gui.audit.evidence.model import EvidenceModel
from gui.audit.evidence.note_popover import NotePopover
from gui.audit.evidence.tag_popover import TagPopover
from gui.audit.evidence.target import Target
from gui.audit.view_model import AuditViewModel
from gui.services import Services


class EvidenceRoom(QObject):
    """Made once by the screen."""

    def __init__(self, services: Services, audit: AuditViewModel, detail: DetailPanel, screen: QWidget) -> None:
        super().__init__(screen)
        self._services, self._audit, self._detail, self._screen = services, audit, detail, screen
        self.model = EvidenceModel(services.workspace, services.jobs, self)
        self.tags = TagPopover(self.model, screen)
        self.notes = NotePopover(self.model, screen)
        self.buttons = EvidenceButtons()
        detail.head.buttons.addWidget(self.buttons)
        self._wire()
        self._add_actions()

    def target(self) -> Target | None:
        """What would be said something of now; None where nothing is chosen."""
        count = self._audit.chosen_count
        if not count:
            return None
        span = self._span() if count == 1 else None
        return Target(self._audit.chosen, count, self._audit.method, sort_keys(self._audit.sort), span)

    def tag(self) -> None:
        """Open the small window for tags."""
        target = self.target()
        if target is None:
            self._services.say(self._services.words.text("evidence.nothing_chosen"))
        else:
            self.tags.open_for(target, self.buttons.tag)

    def note(self) -> None:
        """Open the small window for a note."""
        target = self.target()
        if target is None:
            self._services.say(self._services.words.text("evidence.nothing_chosen"))
        else:
            self.notes.open_for(target, self.buttons.note)

    def _span(self) -> Span | None:
        player = self._services.player
        if player.region is None or player.region_lane != "answer":
            return None
        return Span(round(player.region[0], 3), round(player.region[1], 3))

    def _wire(self) -> None:
        model = self.model
        self._audit.current_changed.connect(model.show)
        model.said_changed.connect(self._show_said)
        model.in_use_changed.connect(self._offer_tags)
        model.written.connect(self._audit.reread_tags)
        model.written.connect(self._detail.model.reread)
        model.told.connect(self._services.say)
        model.failed.connect(self._on_failure)
        self.buttons.tag.clicked.connect(self.tag)
        self.buttons.note.clicked.connect(self.note)

    def _add_actions(self) -> None:
        add = self._services.actions.add
        add("audit.tag", "T", self.tag, screen="audit", icon="tag")
        add("audit.note", "N", self.note, screen="audit", icon="note-pencil")
        add("audit.undo", "Ctrl+Z", self.model.undo, screen="audit", icon="arrow-u-up-left")
        add("audit.redo", ("Ctrl+Shift+Z", "Ctrl+Y"), self.model.redo, screen="audit", icon="arrow-clockwise")
        self._services.actions.changed.connect(self._show_keys)
        self._show_keys()

    def _show_keys(self) -> None:
        keys = self._services.actions.keys
        self.buttons.set_keys(keys("audit.tag"), keys("audit.note"), keys("audit.to_rating"))

    def _show_said(self) -> None:
        standing = [said for said in self.model.evidence if said.stands]
        self.buttons.set_counts(*(sum(said.table == table for said in standing) for table in ("tag", "note")))
        self._detail.lanes.mark_tags(lane_tags(standing))

    def _offer_tags(self) -> None:
        self._audit.offer_tags(tuple(tag.name for tag in self.model.in_use))

    def _on_failure(self, error: object) -> None:
        if not (self.tags.isVisible() or self.notes.isVisible()):
            self._services.say(self._services.words.error(error), "error")  # type: ignore[arg-type]
