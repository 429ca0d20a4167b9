"""The alignment with its legend above, or the sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.query.alignment import NotShown, ShownAlignment
from engine.query.readings import SideRead
from gui.audit.correction.part import CorrectionPart
from gui.audit.detail.alignment_view import LINE_GAP, AlignmentView
from gui.audit.detail.cell_paint import LINE_HEIGHT
from gui.audit.detail.cell_words import GLYPHS, counts_said, hint_said, kinds_said
from gui.audit.detail.spoken_view import HEIGHT as SPOKEN_HEIGHT
from gui.audit.detail.spoken_view import SpokenView
from gui.audit.detail.spoken_words import sections_of
from gui.strings import words
from gui.theme import font, space, theme, width
from gui.widgets.buttons import Button
from gui.widgets.labels import label
from gui.widgets.text import tip_text

_LEGEND = 22
_NARROW = 640


class AlignmentPanel(QWidget):
    """Shows what ``shown_alignment`` gave, or in its place the text as written and as spoken.

    Signals:
        cell_activated: the number of the cell to be heard.
        spoken_wanted: whether the text as spoken is to be shown.
    """

    cell_activated, spoken_wanted = Signal(int), Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(1), 0, 0)
        column.setSpacing(0)
        self.legend = _Legend()
        self.part: CorrectionPart | None = None
        self._head = QHBoxLayout()
        self._head.setContentsMargins(0, 0, space(3), 0)
        self._head.addWidget(self.legend, 1)
        self.spoken_button = Button(role="quiet", size="button_small", icon="text-aa")
        self.spoken_button.setCheckable(True)
        self.spoken_button.clicked.connect(self.spoken_wanted)
        self._head.addWidget(self.spoken_button)
        self.spoken = SpokenView()
        self.spoken.hide()
        self._reads: tuple[SideRead, ...] = ()
        self.view = AlignmentView()
        self.view.cell_activated.connect(self.cell_activated)
        self._why = label("", "body", "secondary", wrap=True)
        self._why.setContentsMargins(space(3), space(2), space(3), space(2))
        column.addLayout(self._head)
        column.addWidget(self.view, 1)
        column.addWidget(self.spoken, 1)
        column.addWidget(self._why)
        column.addStretch(0)
        self._shown: ShownAlignment | NotShown | None = None
        self._is_english = False
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def is_spoken_shown(self) -> bool:
        """Whether the text as spoken stands in place of the alignment."""
        return self.spoken_button.isChecked()

    def set_spoken(self, is_shown: bool) -> None:
        """Show the text as spoken in place of the alignment, or the alignment again."""
        self.spoken_button.setChecked(is_shown)
        self._retranslate()

    def show_readings(self, reads: Sequence[SideRead]) -> None:
        """Say how the sides of the answer are spoken."""
        self._reads = tuple(reads)
        self.spoken.show_sections(sections_of(self._reads))

    def show_alignment(self, shown: ShownAlignment | NotShown, is_english: bool) -> None:
        """Draw another alignment, or say why there is none."""
        if shown == self._shown:
            return  # the place that was chosen in it stays
        self._shown, self._is_english = shown, is_english
        self.view.show_alignment(shown if isinstance(shown, ShownAlignment) else None)
        self._retranslate()

    def put_below(self, part: CorrectionPart) -> None:
        """Let a part stand under the lines, and its button beside the legend."""
        self.part = part
        self._head.addWidget(part.open_button)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.addWidget(part)
        part.room_changed.connect(self._make_room)

    def sizeHint(self) -> QSize:
        return QSize(400, _LEGEND + space(1) + self.view.sizeHint().height() + self._below())

    def wanted_height(self) -> int:
        """How tall it would have to be to show every line."""
        if self.is_spoken_shown:
            return _LEGEND + space(1) + SPOKEN_HEIGHT + self._below()
        return _LEGEND + space(2) + self.view.content_height() + self._below()

    def minimumSizeHint(self) -> QSize:
        lines = 0 if self.part is not None and self.part.is_open else LINE_HEIGHT + LINE_GAP
        return QSize(160, _LEGEND + space(1) + lines + self._below())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.size().width() < _NARROW) != (event.oldSize().width() < _NARROW):
            self._retranslate()
        self._make_room()

    def _make_room(self) -> None:
        """Where there is no room for both, what is typed stands in the place of the lines."""
        is_typed = self.part is not None and self.part.is_open
        line = space(1) + LINE_HEIGHT + self._below()
        self.legend.setHidden(is_typed and self.height() < _LEGEND + line)
        self.spoken_button.setHidden(self.legend.isHidden())
        is_tight = is_typed and self.height() < line
        is_spoken = self.is_spoken_shown
        self.view.setVisible(isinstance(self._shown, ShownAlignment) and not is_tight and not is_spoken)
        self.spoken.setVisible(is_spoken and not is_tight)
        self.updateGeometry()

    def _below(self) -> int:
        return self.part.needed_height if self.part is not None else 0

    def _retranslate(self) -> None:
        shown = self._shown
        is_drawn = isinstance(shown, ShownAlignment)
        is_narrow = self.width() < _NARROW
        self.spoken_button.setText("" if is_narrow else words.text("audit.detail.spoken.button"))
        self.spoken_button.setAccessibleName(words.text("audit.detail.spoken.button"))
        self.spoken_button.set_tip(words.text("audit.detail.spoken.tip"))
        if self.part is not None:
            self.part.set_narrow(is_narrow)
        self.legend.set_shown(is_drawn)
        self._make_room()
        self._why.setVisible(isinstance(shown, NotShown) and not self.is_spoken_shown)
        if self._reads:
            self.spoken.show_sections(sections_of(self._reads))
        if isinstance(shown, ShownAlignment):
            self.legend.say(kinds_said(shown), counts_said(shown), hint_said(shown, self._is_english))
        elif shown is not None:
            self._why.setText(words.text(f"audit.detail.alignment.{shown.why}"))
        self.updateGeometry()


class _Legend(QWidget):
    """One line: each kind of edit in its colour, the counts, how to hear; what has no room is left to the tip."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: list[tuple[str, str]] = []
        self._counts = self._hint = ""
        self._is_shown = True
        self.setFixedHeight(_LEGEND)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_shown(self, is_shown: bool) -> None:
        """Say something, or leave the line to the button beside it."""
        if not is_shown:
            self._kinds, self._counts, self._hint = [], "", ""
            self.setToolTip("")
            self.setAccessibleName("")
        self._is_shown = is_shown
        self.update()

    def say(self, kinds: list[tuple[str, str]], counts: str, hint: str) -> None:
        self._kinds, self._counts, self._hint = kinds, counts, hint
        said = "\n".join([*(f"{GLYPHS[kind]} {text}" for kind, text in kinds), counts, hint]).strip()
        self.setToolTip(tip_text(said))
        self.setAccessibleName(said.replace("\n", ", "))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_shown:
            return
        painter = QPainter(self)
        small, bold = font("small"), font("small", weight=600)
        metrics = QFontMetrics(small)
        x, right = width("lane_head"), self.width() - space(3)
        hint_width = metrics.horizontalAdvance(self._hint)
        for kind, text in self._kinds or [("", words.text("audit.detail.alignment.same"))]:
            glyph = GLYPHS.get(kind, "")
            painter.setPen(theme().color(f"mark.{kind}" if kind else "text.secondary"))
            painter.setFont(bold)
            painter.drawText(x, 0, 20, self.height(), int(Qt.AlignmentFlag.AlignVCenter), glyph)
            x += QFontMetrics(bold).horizontalAdvance(glyph) + 4 if glyph else 0
            painter.setPen(theme().color("text.secondary"))
            painter.setFont(small)
            room = max(right - x, 0)
            cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(x, 0, room, self.height(), int(Qt.AlignmentFlag.AlignVCenter), cut)
            if cut != text:
                return  # the tip tells the rest
            x += metrics.horizontalAdvance(text) + space(4)
        counts = metrics.elidedText(self._counts, Qt.TextElideMode.ElideRight, max(right - x, 0))
        painter.drawText(x, 0, max(right - x, 0), self.height(), int(Qt.AlignmentFlag.AlignVCenter), counts)
        x += metrics.horizontalAdvance(counts) + space(5)
        if x + hint_width <= right:
            painter.setPen(theme().color("text.tertiary"))
            painter.drawText(
                right - hint_width, 0, hint_width + 2, self.height(), int(Qt.AlignmentFlag.AlignVCenter), self._hint
            )
