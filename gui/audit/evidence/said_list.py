"""The tags or notes of an answer, each with when and who, to take back or to let stand again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.store.evidence import Evidence
from gui.audit.detail.text_popover import shown_lines
from gui.strings import words
from gui.theme import space
from gui.waveform.ticks import time_text
from gui.widgets import IconButton, label, scroll_area, shown_text

MOST_SHOWN = 60
_MOST_TALL = 190  # pixels; more scrolls


class SaidList(QWidget):
    """The newest first; what was taken back stands below, greyed.

    Signals:
        take_back_wanted, give_back_wanted: an ``Evidence``.
    """

    take_back_wanted, give_back_wanted = Signal(object), Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: tuple[Evidence, ...] = ()
        self._inside = QWidget()
        self._rows = QVBoxLayout(self._inside)
        self._rows.setContentsMargins(0, 0, space(1), 0)
        self._rows.setSpacing(space(1))
        self._rows.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._none = label("", "small", "tertiary", wrap=True)
        self._area = scroll_area(self._inside)
        column.addWidget(self._none)
        column.addWidget(self._area)

    def sizeHint(self) -> QSize:
        """As tall as its rows, up to a few."""
        if not self._said:
            return QSize(200, self._none.sizeHint().height())
        return QSize(200, min(self._inside.sizeHint().height() + 2, _MOST_TALL))

    @property
    def count(self) -> int:
        """How many rows are shown."""
        return self._rows.count() - 1

    def show_said(self, said: Sequence[Evidence], nothing: str) -> None:
        """Show these; ``nothing`` says what will stand here where there are none."""
        self._none.setText(nothing)
        self._none.setVisible(not said)
        self._area.setVisible(bool(said))
        newest_first = said[::-1]
        ordered = sorted(newest_first, key=lambda one: not one.stands)[:MOST_SHOWN]
        if tuple(ordered) == self._said and self.count:
            return
        self._said = tuple(ordered)
        while self._rows.count() > 1:
            item = self._rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, one in enumerate(ordered):
            self._rows.insertWidget(place, self._row(one))
        self.updateGeometry()

    def _row(self, said: Evidence) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(space(2))
        texts = QVBoxLayout()
        texts.setSpacing(0)
        tone = None if said.stands else "tertiary"
        if said.table == "tag":
            text = label(shown_text(said.text), "table", tone, family="content", elide=True, weight=500)
        else:
            text = label(shown_lines(said.text, 2_000), "body", tone, family="content", wrap=True)
        texts.addWidget(text)
        texts.addWidget(label(about(said), "small", "tertiary", elide=True))
        line.addLayout(texts, 1)
        if said.stands:
            button = IconButton("x", words.text(f"evidence.list.take_back_{said.table}"), size="button_small")
            button.clicked.connect(partial(self.take_back_wanted.emit, said))
        else:
            button = IconButton("arrow-u-up-left", words.text("evidence.list.give_back"), size="button_small")
            button.clicked.connect(partial(self.give_back_wanted.emit, said))
        line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.setAccessibleName(f"{said.text[:80]}, {about(said)}")
        return row


def about(said: Evidence) -> str:
    """When and by whom it was said, on which span, and whether it was taken back."""
    at = when(said.made_at)
    if said.taken_back_at is not None:
        at = words.text("evidence.list.taken_back", at=when(said.taken_back_at))
    parts = [at, words.text("evidence.list.here" if said.is_own else "evidence.list.elsewhere", origin=said.origin[:8])]
    if said.span is not None:
        parts.insert(0, f"{time_text(said.span.start_s)}–{time_text(said.span.end_s)}")
    return " · ".join(parts)


def when(at: str) -> str:
    """A time of the store in this computer's zone, up to the minute."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:  # of another's store
        return at[:16]
