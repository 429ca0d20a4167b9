"""The way through a session: which items there are, what stands of each, which one is next."""

from __future__ import annotations

import statistics
from dataclasses import replace

from engine.rating.heard import Ledger
from engine.rating.protocols import Protocol
from engine.store.standings import Stands
from engine.store.studies import AssignmentRow
from gui.rate.sitting.item import Item, Value, item_of
from gui.rate.sitting.reading import Session, clips_of

_LOOKED_AT = 60  # items whose lengths the first guess of the time is made from


class Course:
    """The items of a session in order; ``at`` is the one that stands before the rater."""

    def __init__(self, session: Session) -> None:
        self.protocol: Protocol = session.protocol
        self.rows: tuple[AssignmentRow, ...] = session.assignments
        self.is_audible = any(clips_of(row, session.protocol) for row in session.assignments)
        self.at = 0
        self.has_training = any(row.kind == "training" for row in session.assignments)
        self._items: dict[int, Item] = {}
        self._stale = session.stale
        self.take(session.said)

    def take(self, said: Stands) -> None:
        """What stands in the store now."""
        self.said = said
        self._done = {row.id for row in self.rows if self._given(row.id) or row.id in said.skipped}
        for item in self._items.values():
            self._put_on(item)

    def remember(self, item: Item) -> None:
        """What stands now of one item, without asking the store."""
        said, number = self.said, item.row.id
        flagged = said.flagged | {number} if item.is_flagged else said.flagged - {number}
        skipped = {key: reason for key, reason in said.skipped.items() if key != number}
        if item.skip_reason:
            skipped[number] = item.skip_reason
        tags = {key: spans for key, spans in said.tags.items() if key != number}
        if item.tags:
            tags[number] = item.tags
        self.said = replace(said, skipped=skipped, flagged=flagged, tags=tags)
        if item.kept or item.skip_reason:
            self._done.add(number)

    def item(self, row: AssignmentRow, question: Ledger) -> Item:
        """The item of a row, with what stands of it; ``question`` is what was heard of its question."""
        item = self._items.get(row.id)
        if item is None:
            item = self._items[row.id] = item_of(row, self.protocol, question)
            self._put_on(item)
        return item

    def reveals(self, item: Item) -> bool:
        """Whether there are words of the answer that are shown after it was rated."""
        texts = [clip.text for clip in (item.row.answer, item.row.other) if clip is not None]
        return self.protocol.reveals == "after_commit" and any(texts)

    def index(self, number: int) -> int:
        """The place of an assignment, from 0."""
        return next(place for place, row in enumerate(self.rows) if row.id == number)

    def first_open(self, start: int) -> int:
        """The first item from ``start`` on, else of all, that was neither rated nor skipped; past the end for none."""
        order = [*range(start, len(self.rows)), *range(start)]
        return next((place for place in order if self.rows[place].id not in self._done), len(self.rows))

    @property
    def following(self) -> AssignmentRow | None:
        """The item behind this one."""
        return self.rows[self.at + 1] if self.at + 1 < len(self.rows) else None

    @property
    def next(self) -> int:
        """Where it goes on from this item: the first that is open, else the one behind it; past the end for none."""
        target = self.first_open(self.at + 1)
        return target if target < len(self.rows) else self.at + 1

    def is_done(self, item: Item) -> bool:
        """Whether an item was rated or skipped."""
        return item.row.id in self._done

    @property
    def done(self) -> int:
        """Items that were rated or skipped."""
        return len(self._done)

    @property
    def has_unsaved(self) -> bool:
        """Whether something is chosen, on whatever item, that is not in the store."""
        return any(item.values != item.kept for item in self._items.values())

    @property
    def is_training(self) -> bool:
        """Whether this item is for practice."""
        return bool(self.rows) and self.rows[min(self.at, len(self.rows) - 1)].kind == "training"

    @property
    def training_again(self) -> int:
        """How many training items are still to be rated once more."""
        return sum(row.id not in self._done and bool(self.said.ratings.get(row.id)) for row in self.rows)

    @property
    def place(self) -> tuple[int, int]:
        """The number of this item and how many there are; of a training item, among those."""
        alike = [i for i, row in enumerate(self.rows) if (row.kind == "training") == self.is_training]
        return alike.index(self.at) + 1, len(alike)

    @property
    def first_guess_s(self) -> float:
        """Seconds for an item, before anybody has rated one: what the protocol reckons with beside the sound."""
        lengths = [
            sum(clip.duration_s or 0.0 for clip in clips_of(row, self.protocol).values())
            for row in self.rows[:_LOOKED_AT]
        ]
        return self.protocol.planning.answer_s + (statistics.median(lengths) if lengths else 0.0)

    def _given(self, number: int) -> dict[str, Value]:
        """The values that stand of an assignment; of training that is held again only what was given since."""
        given = self.said.ratings.get(number, {})
        return {scale: one.value for scale, one in given.items() if one.presentation_id not in self._stale}  # type: ignore[misc]

    def _put_on(self, item: Item) -> None:
        number = item.row.id
        item.kept = self._given(number)
        item.values, item.open_field = dict(item.kept), 0
        item.note = item.kept_note = self.said.notes.get(number, "")
        item.tags = self.said.tags.get(number, ())
        item.is_flagged, item.skip_reason = number in self.said.flagged, self.said.skipped.get(number, "")
        item.was_kept = bool(item.kept)
        item.is_revealed = item.is_revealed or (item.was_kept and self.reveals(item))  # who saw the words knows them
