"""One item as the rater works on it: what was chosen, what was heard, and whether it may be committed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.rating.heard import Ledger
from engine.rating.pace import ActiveClock
from engine.rating.protocols import Protocol, Scale
from engine.store.sittings import Heard, Remark, SpanTag
from engine.store.studies import AssignmentRow, Shown
from gui.rate.sitting.reading import Voiced, clips_of
from gui.rate.sitting.writing import Presented

Value = int | str
#: A share this near to what is needed is enough: the last frame of a clip may be rounded away.
ROUNDING = 0.002


@dataclass(slots=True)
class Item:
    """What is known of an item at this sitting; nothing in it tells the system.

    Attributes:
        kept: the values that stand in the store, by scale. values: those chosen on screen.
        ledgers: what was heard of each clip at this sitting; a question's is shared by all items that ask it.
        plays: what was heard in this presentation, which is kept with it.
        was_kept: it was rated before, now or earlier.
        is_revealed: the answer's text was shown after a rating. has_feedback: the expected values are shown.
        heard_kept: what of the hearing is in the store with this presentation.
        open_field: the place, among the scales that are asked, of the one that the next digit answers.
    """

    row: AssignmentRow
    protocol: Protocol
    presented: Presented
    clips: dict[str, Shown]
    ledgers: dict[str, Ledger]
    kept: dict[str, Value] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    plays: dict[str, Ledger] = field(default_factory=dict)
    voiced: Voiced | None = None
    note: str = ""
    kept_note: str = ""
    is_flagged: bool = False
    skip_reason: str = ""
    was_kept: bool = False
    is_revealed: bool = False
    open_field: int = 0
    underruns: int = 0
    has_feedback: bool = False
    heard_kept: tuple[Heard, ...] = ()
    tags: tuple[SpanTag, ...] = ()
    clock: ActiveClock = field(default_factory=ActiveClock)

    # what is asked

    @property
    def asked(self) -> tuple[Scale, ...]:
        """The scales that are asked after what was chosen so far."""
        return tuple(scale for scale in self.protocol.scales if scale.is_asked(self.values))

    @property
    def open_scale(self) -> Scale | None:
        """The scale that the next digit answers."""
        asked = self.asked
        return asked[min(self.open_field, len(asked) - 1)] if asked else None

    def choose(self, key: str) -> bool:
        """Take the step with this digit on the open scale and go on to the next one; False for a digit it lacks."""
        scale = self.open_scale
        step = None if scale is None else next((step for step in scale.steps if step.key == key), None)
        if scale is None or step is None:
            return False
        self.values[scale.id] = step.value
        asked = {one.id for one in self.asked}
        self.values = {name: value for name, value in self.values.items() if name in asked}
        order = [one.id for one in self.asked]
        following = order.index(scale.id) + 1
        self.open_field = following if following < len(order) else following - 1
        return True

    def choose_on(self, scale_id: str, key: str) -> bool:
        """The same on one scale, as a click does."""
        self.open_on(scale_id)
        return self.choose(key)

    def open_on(self, scale_id: str) -> None:
        """Let the next digit answer this scale, where it is asked."""
        self.open_field = next((i for i, scale in enumerate(self.asked) if scale.id == scale_id), self.open_field)

    def step_field(self, by: int) -> None:
        """Let the next digit answer the scale before or after."""
        self.open_field = min(max(self.open_field + by, 0), max(len(self.asked) - 1, 0))

    @property
    def lacks(self) -> Scale | None:
        """The first scale that has to be answered and is not."""
        return next((scale for scale in self.asked if scale.is_required and scale.id not in self.values), None)

    @property
    def is_changed(self) -> bool:
        """Whether something on screen is not in the store."""
        return self.values != self.kept or self.note.strip() != self.kept_note

    def changes(self) -> dict[str, Value | None]:
        """What is committed: the values that are others now, and None for a scale that is not asked any more."""
        gone: dict[str, Value | None] = {scale: None for scale in self.kept if scale not in self.values}
        return gone | {scale: value for scale, value in self.values.items() if self.kept.get(scale) != value}

    @property
    def is_answered(self) -> bool:
        """Whether it was committed and stands there only to be read: Enter or the next play goes on."""
        return (self.is_revealed or self.has_feedback) and self.was_kept and not self.is_changed

    @property
    def shows_text(self) -> bool:
        """Whether the answer's words are on screen."""
        return self.protocol.reveals == "from_the_start" or self.row.perceived == "text" or self.is_revealed

    # what was heard

    def hear(self, part: str, start_s: float, end_s: float, speed: float) -> None:
        """A stretch of a clip reached the device."""
        for ledgers in (self.ledgers, self.plays):
            ledgers.setdefault(part, Ledger()).add(start_s, end_s, speed)

    def share(self, part: str) -> float:
        """Share 0 to 1 of a clip's speech that was heard at this sitting; 0.0 until it is known where it speaks."""
        if self.voiced is None or part not in self.voiced.spans:
            return 0.0
        return self.ledgers.setdefault(part, Ledger()).share_of(self.voiced.spans[part])

    def is_heard(self, part: str) -> bool:
        """Whether as much of a clip was heard as the protocol asks for."""
        return self.share(part) >= self.protocol.heard_at_least - ROUNDING

    def wants_hearing(self, part: str) -> bool:
        """Whether a clip is played by itself: too little of it was heard, or nothing where nothing is asked for."""
        return not self.is_heard(part) or not self.ledgers[part].plays

    @property
    def to_hear(self) -> tuple[str, ...]:
        """The clips of which too little was heard, in order."""
        return tuple(part for part in self.clips if not self.is_heard(part))

    @property
    def broken(self) -> frozenset[str]:
        """The clips that cannot be played."""
        return frozenset() if self.voiced is None else self.voiced.broken

    @property
    def is_open(self) -> bool:
        """Whether the scales may be answered: enough was heard, now or when it was rated before."""
        return self.was_kept or not self.to_hear

    def heard(self) -> tuple[Heard, ...]:
        """What is kept of the hearing with this presentation."""
        return tuple(
            Heard(part, ledger.plays, self.share(part), self.underruns if part == "answer" else 0)
            for part, ledger in self.plays.items()
            if part in ("question", "answer", "other") and ledger.plays
        )

    # what else is said

    def remarks(self) -> tuple[Remark, ...]:
        """The note, where it is another than the one in the store."""
        note = self.note.strip()
        return (Remark("note", note),) if note != self.kept_note else ()

    def stand_anew(self, presented: Presented) -> None:
        """It is put before the rater, once more or for the first time."""
        self.presented = presented
        self.plays, self.heard_kept, self.underruns = {}, (), 0
        self.open_field, self.has_feedback = 0, False
        self.clock.begin()

    def pass_over(self, reason: str) -> None:
        """It was skipped: what was rated of it counts no longer."""
        self.values = {}
        self.settle()
        self.skip_reason, self.was_kept = reason, False

    def settle(self) -> None:
        """What is on screen stands in the store now."""
        self.heard_kept = self.heard()
        self.kept, self.kept_note, self.skip_reason = dict(self.values), self.note.strip(), ""
        self.was_kept = True


def item_of(row: AssignmentRow, protocol: Protocol, question: Ledger) -> Item:
    """An item that nobody has touched; ``question`` is what was heard of its question at this sitting."""
    clips = clips_of(row, protocol)
    ledgers = {part: Ledger() for part in clips} | ({"question": question} if "question" in clips else {})
    return Item(row, protocol, Presented(row.id, gains_of(clips)), clips, ledgers)


def gains_of(clips: Mapping[str, Shown]) -> dict[str, dict[str, float | None]]:
    """What is done to each clip on playback, as a presentation keeps it."""
    return {
        part: {"gain_db": clip.gain_db, "skip_s": clip.skip_s, "stop_s": clip.stop_s} for part, clip in clips.items()
    }
