"""What flipped in a run: each kind with how many answers, and whose results count now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.run import wording
from gui.theme import space, theme
from gui.widgets import Button, Card, label
from gui.widgets.empty import Glyph

if TYPE_CHECKING:
    from engine.runs.before import MakerPair
    from engine.scoring.flips import FlipGroup

_ROW = 34
_MOST = 8


@dataclass(frozen=True, slots=True)
class Flipped:
    """What the card shows.

    Attributes:
        would: the results stand beside the old ones, which were chosen to count: this is what would flip.
        counts: ``before`` or ``after``: whose results count now; "" where no two makers did the same.
        is_chosen: somebody chose that; else the newest counts.
    """

    run_id: int
    answers: int
    groups: tuple[FlipGroup, ...]
    pairs: tuple[MakerPair, ...]
    would: bool = False
    counts: str = ""
    is_chosen: bool = False


class FlippedCard(Card):
    """One row for each kind of flip; hidden where a run met no earlier result.

    Signals:
        open_asked: the FlipGroup whose answers are to be shown.
        count_asked: ``before`` or ``after``: whose results are to count.
    """

    open_asked, count_asked = Signal(object), Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self._shown: tuple[object, ...] = ()
        self._holder: QWidget | None = None
        self.body.setSpacing(0)
        self._counts = label("", "table", "secondary", elide=True)
        self.count_button = Button(size="button_small")
        self.count_button.clicked.connect(self._on_count)
        self._ground = QWidget()
        row = QHBoxLayout(self._ground)
        row.setContentsMargins(11, space(1), space(2), space(1))
        row.addWidget(self._counts, 1)
        row.addWidget(self.count_button)
        self.body.addWidget(self._ground)
        self._flipped: Flipped | None = None
        self.hide()

    def show_flipped(self, flipped: Flipped | None, language: str) -> None:
        """Show this, or nothing."""
        self._flipped = flipped
        self.setVisible(flipped is not None)
        if flipped is None:
            return
        self.set_title(wording.say("flipped.would" if flipped.would else "flipped.title"))
        self.set_note(wording.say("flipped.note", count=wording.count(flipped.answers)))
        shown = (flipped.groups, language)
        if shown != self._shown:
            self._shown = shown
            self._fill(flipped.groups)
        self._say_counts(flipped)

    @property
    def texts(self) -> list[str]:
        """Each row in words, for tests."""
        rows = self.findChildren(_Row)
        return [row.accessibleName() for row in rows] + [self._counts.text()]

    def _fill(self, groups: Sequence[FlipGroup]) -> None:
        if self._holder is not None:
            self.body.removeWidget(self._holder)
            self._holder.setParent(None)
            self._holder.deleteLater()
        self._holder = QWidget()
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for group in groups[:_MOST]:
            column.addWidget(_Row(group, self))
        rest = groups[_MOST:]
        said = wording.say("flipped.more", count=len(rest)) if rest else "" if groups else wording.say("flipped.none")
        if said:
            more = label(said, "table", "secondary")
            more.setContentsMargins(11, space(2), 11, space(1))
            column.addWidget(more)
        self._holder.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._holder.setFixedHeight(column.minimumSize().height())
        self.body.insertWidget(0, self._holder)

    def _say_counts(self, flipped: Flipped) -> None:
        said, makers = "", ""
        if flipped.pairs:
            first, rest = flipped.pairs[0], len(flipped.pairs) - 1
            makers = wording.say("flipped.makers", before=first.before, after=first.after)
            makers += wording.say("flipped.more_makers", count=rest) if rest else ""
        if flipped.counts:
            key = flipped.counts if flipped.is_chosen else "newest"
            said = wording.say(f"flipped.counts_{key}")
        self._counts.setText(" · ".join(filter(None, (makers, said))))
        self._ground.setVisible(bool(makers or said))
        other = "before" if flipped.counts == "after" else "after"
        self.count_button.setVisible(bool(flipped.counts))
        self.count_button.setText(wording.say(f"flipped.let_{other}"))
        self.count_button.set_tip(wording.say(f"flipped.let_{other}_tip"))

    def _on_count(self) -> None:
        if self._flipped is not None:
            self.count_asked.emit("before" if self._flipped.counts == "after" else "after")


class _Row(QWidget):
    def __init__(self, group: FlipGroup, card: FlippedCard) -> None:
        super().__init__()
        self._group, self._card = group, card
        self.setFixedHeight(_ROW)
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 0, space(2), 1)
        row.setSpacing(space(2) + 2)
        subject, change = wording.flip_subject(group), wording.flip_change(group)
        size = wording.count(len(group.response_ids))
        named = label(subject, "body", "secondary", elide=True)
        named.setFixedWidth(150)
        number = label(size, "figure", family="mono", weight=600)
        number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        number.setMinimumWidth(40)
        tip = wording.say("wrong.open_tip", count=size)
        opens = Button(wording.say("wrong.open"), size="button_small", tip=tip)
        opens.setAccessibleDescription(f"{subject}: {change}")
        opens.clicked.connect(self._open)
        row.addWidget(Glyph("swap", "text.tertiary", 14))
        row.addWidget(named)
        row.addWidget(label(change, "body", elide=True), 1)
        row.addWidget(number)
        row.addWidget(opens)
        self.setAccessibleName(f"{subject}: {change}, {size}")

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, self.height() - 1, self.width(), 1, theme().color("surface.line"))

    def _open(self) -> None:
        self._card.open_asked.emit(self._group)
