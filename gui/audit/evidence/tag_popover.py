"""Tags by keyboard: type, choose among those in use, Enter adds and waits for the next; Esc is done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.query.complete import Suggestion
from engine.store.tags import LONGEST_TAG, TagInUse
from gui.audit.evidence.model import EvidenceModel
from gui.audit.evidence.said_list import SaidList
from gui.audit.evidence.target import Target
from gui.audit.filter_entry import Offers
from gui.strings import words
from gui.theme import space
from gui.widgets import IconButton, LineEdit, Popover, Segmented, label

WIDTH = 340
_MOST_OFFERED = 6


class TagPopover(Popover):
    """Says what it will tag, offers the tags in use, lists those of the answer."""

    def __init__(self, model: EvidenceModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._target: Target | None = None
        self._whole: Target | None = None
        self._over: QWidget | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        column.setSpacing(space(2))
        head = QHBoxLayout()
        self._title = label("", "body", weight=600)
        self._on = label("", "small", "secondary", elide=True)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        head.addWidget(self._title)
        head.addWidget(self._on, 1)
        head.addWidget(self._close)
        column.addLayout(head)
        self.place_choice = Segmented([("span", ""), ("whole", "")])
        column.addWidget(self.place_choice, 0, Qt.AlignmentFlag.AlignLeft)
        self.entry = _TagEntry()
        self.entry.entered.connect(self._add)
        self.entry.textEdited.connect(self._offer)
        column.addWidget(self.entry)
        self.offers = _TagOffers(self.entry)
        self.offers.chosen.connect(self._on_picked)
        self.entry.offers = self.offers
        column.addWidget(self.offers)
        self._why = label("", "small", "error", wrap=True)
        self._why.hide()
        column.addWidget(self._why)
        self.list = SaidList()
        self.list.take_back_wanted.connect(model.take_back)
        self.list.give_back_wanted.connect(model.give_back)
        column.addWidget(self.list, 1)
        model.said_changed.connect(self._show_said)
        model.in_use_changed.connect(self._offer)
        model.kept.connect(self._on_kept)
        model.failed.connect(self._on_failure)
        words.changed.connect(self.close)

    def open_for(self, target: Target, over: QWidget) -> None:
        """Tag ``target``; where it is a span, the whole answer can be chosen in its place."""
        self._target = target
        self._whole = Target(target.selection, target.count, target.method, target.sort)
        self._title.setText(words.text("evidence.tag.title"))
        self._on.setText(target.words if target.span is None else "")
        self._close.set_tip(words.text("evidence.close"))
        self.setAccessibleName(words.text("evidence.tag.title"))
        self.place_choice.set_texts([target.words, self._whole.words])
        self.place_choice.setAccessibleName(words.text("evidence.tag.place"))
        self.place_choice.set_value("span")
        self.place_choice.setVisible(target.span is not None)
        self.entry.setPlaceholderText(words.text("evidence.tag.placeholder"))
        self.entry.setAccessibleName(words.text("evidence.tag.placeholder"))
        self.entry.clear()
        self._say("")
        self._show_said()
        self.list.setVisible(target.count == 1)
        self._offer()
        self._over = over
        self._open()
        self.entry.setFocus()

    def _open(self) -> None:
        """As tall as what it holds, near what it was opened for."""
        if self._over is not None:
            self.open_near(self._over, QSize(WIDTH, self.sizeHint().height()))

    def _show_said(self) -> None:
        if self.isVisible() or self._target is not None:
            self.list.show_said(self._model.of("tag"), words.text("evidence.tag.none"))
        self._fit()

    def _offer(self, *_: object) -> None:
        begun = self.entry.text().strip().casefold()
        known = [tag for tag in self._model.in_use if begun in tag.name.casefold()]
        known.sort(key=lambda tag: not tag.name.casefold().startswith(begun))
        self.offers.show_tags(known[:_MOST_OFFERED], len(self.entry.text()))
        self._fit()

    def _fit(self) -> None:
        if self.isVisible():
            self._open()

    def _add(self) -> None:
        """Take what Up and Down chose, else what is typed; nothing typed means done."""
        picked = self.offers.current()
        text = picked.text if picked is not None else self.entry.text()
        if not text.strip():
            self.leave()
        elif self._target is not None:
            is_whole = self._target.span is None or self.place_choice.value == "whole"
            target = self._whole if is_whole else self._target
            assert target is not None
            self._say("")
            self.entry.setReadOnly(True)  # until it is committed
            self._model.add_tag(target, text)

    def _on_picked(self, picked: Suggestion) -> None:
        self.entry.setText(picked.text)
        self._add()

    def _on_kept(self, table: str) -> None:
        if table == "tag" and self.isVisible():
            self.entry.setReadOnly(False)
            self.entry.clear()
            self._offer()

    def _on_failure(self, error: EngineError) -> None:
        if self.isVisible():
            self.entry.setReadOnly(False)
            self._say(words.error(error))

    def _say(self, why: str) -> None:
        self.entry.setReadOnly(False)
        self.entry.set_error(why)
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._fit()


class _TagEntry(LineEdit):
    """A line whose Up and Down choose among the offers below it.

    Signals:
        entered: Return was pressed.
    """

    entered = Signal()

    def __init__(self) -> None:
        super().__init__(icon_name="tag")
        self.offers: Offers | None = None
        self.setMaxLength(4 * LONGEST_TAG)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.offers is not None:
            self.offers.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)


class _TagOffers(Offers):
    """The offers inside the popover, below the entry."""

    def show_tags(self, tags: Sequence[TagInUse], typed: int) -> None:
        """Offer these tags, each with on how many answers it stands."""
        told = [words.text("evidence.tag.in_use", count=f"{tag.count:,}") for tag in tags]
        self._offered = [Suggestion("value", tag.name, said, 0, typed) for tag, said in zip(tags, told, strict=True)]
        self._at = -1
        self.setVisible(bool(tags))
        self.setFixedHeight(self.sizeHint().height())
        self.update()
