"""The way through: seven steps from a question to a report, each with how far it is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from engine.store.overview import Overview
from gui.library.wording import counted
from gui.strings import words
from gui.theme import font, paint_icon, radius, theme
from gui.theme.fonts import line_height
from gui.widgets import Card, paint_focus, paint_text, tip_text

#: Each step: its icon, and the screen that opens; "" for those whose screen is not there yet.
STEPS = {
    "instances": ("books", "import"),
    "answers": ("chat-circle-dots", "audit"),
    "measurements": ("ruler", "run"),
    "judgements": ("circle-wavy-check", "run"),
    "ratings": ("star-half", "rate"),
    "calibration": ("scales", ""),
    "report": ("chart-bar-horizontal", ""),
}
NOTHING = "—"
SIDE, TOP, ICON = 16, 13, 16
SEVEN_FROM = 740
NARROW_CELL = 140
LEAST_SHARE = 100


@dataclass(frozen=True, slots=True)
class StepState:
    """What a cell shows: a count, and a note of up to two lines."""

    value: str
    note: str
    is_begun: bool


class WayCell(QAbstractButton):
    """One step; a button where its screen is there, else only told."""

    def __init__(self, step: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self._icon, self.opens = STEPS[step]
        self._state = StepState("0", "", False)
        self.first_of_row, self.first_row = False, True
        self.setEnabled(bool(self.opens))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self.opens else Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor if self.opens else Qt.CursorShape.ArrowCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_state(self, state: StepState) -> None:
        """Show a count and a note in the language of now."""
        self._state = state
        title = words.text(f"library.way.{self.step}")
        key = "go" if self.opens else "stays"
        values = {"step": title, "value": state.value, "note": state.note}
        if self.opens:
            is_import = self.opens == "import"
            name = "library.import.title" if is_import else f"window.rail.{self.opens}"
            values["screen"] = words.text(name)
        told = words.text(f"library.way.{key}", **values)
        self.setText(title)
        self.setAccessibleName(told)
        self.setToolTip(tip_text(told))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for two lines of note."""
        return QSize(104, TOP + 20 + line_height("question") + 2 * line_height("small") + 12)

    @property
    def needs(self) -> int:
        """The width in which the name stands whole with air after it."""
        return 11 + ICON + 6 + QFontMetrics(font("table")).horizontalAdvance(self.text()) + 11

    def minimumSizeHint(self) -> QSize:
        """The note elides before the cell pushes."""
        return QSize(64, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon and name, the count, the note; a line to the left of all but the first."""
        painter, colours = QPainter(self), theme()
        if self.opens and (self.underMouse() or self.isDown()):
            painter.fillRect(self.rect(), colours.color("surface.hover"))
        if not self.first_of_row:
            painter.fillRect(0, 0, 1, self.height(), colours.color("surface.line"))
        if not self.first_row:
            painter.fillRect(0, 0, self.width(), 1, colours.color("surface.line"))
        left = 11 if self.width() < NARROW_CELL else SIDE
        paint_icon(painter, QRectF(left, TOP + 1, ICON, ICON), self._icon, "text.secondary")
        wide = self.width() - left - 6
        name = QRect(left + ICON + 6, TOP, self.width() - left - ICON - 7, 18)
        paint_text(painter, name, self.text(), font("table"), colours.color("text.secondary"))
        count = QRect(left, TOP + 20, wide, line_height("question"))
        ink = "text.primary" if self._state.is_begun else "text.secondary"
        paint_text(painter, count, self._state.value, font("question"), colours.color(ink))
        painter.setFont(font("small"))
        painter.setPen(colours.color("text.secondary"))
        note = QRect(left, count.bottom() + 1, wide, 2 * line_height("small"))
        painter.drawText(note, int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop), self._state.note)
        if self.hasFocus():
            paint_focus(painter, self.rect().adjusted(1, 1, -1, -1), radius("control"))


class WayThrough(Card):
    """The seven steps in a row, or in two where there is no room.

    Signals:
        asked: the screen of the step that was pressed; ``import`` for the import of this screen.
    """

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self.cells = {step: WayCell(step) for step in STEPS}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self.body.addLayout(self._grid)
        self._columns = 0
        self._overview: Overview | None = None
        self._has_report = False
        for cell in self.cells.values():
            cell.clicked.connect(self._on_clicked)
        self._place(len(STEPS))
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_overview(self, overview: Overview | None, *, has_report: bool = False) -> None:
        """Show how far the workspace is; None where there is none."""
        self._overview, self._has_report = overview, has_report
        self._retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two rows where seven cells would be too narrow."""
        super().resizeEvent(event)
        self._place(len(STEPS) if self.width() >= SEVEN_FROM else 4)

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, cell in enumerate(self.cells.values()):
            self._grid.addWidget(cell, number // columns, number % columns)
            cell.first_of_row, cell.first_row = number % columns == 0, number < columns
        self._share_room()

    def _share_room(self) -> None:
        """A cell with a longer name is wider, where all stand in one row."""
        for column, cell in enumerate(self.cells.values()):
            own = max(LEAST_SHARE, cell.needs) if self._columns == len(STEPS) else 1
            self._grid.setColumnStretch(column, own if column < self._columns else 0)

    def _on_clicked(self) -> None:
        cell = self.sender()
        if isinstance(cell, WayCell):
            self.asked.emit(cell.opens)

    def _retranslate(self) -> None:
        self.set_title(words.text("library.way.title"))
        self.set_note(words.text("library.way.note"))
        states = states_of(self._overview, has_report=self._has_report)
        for step, cell in self.cells.items():
            cell.show_state(states[step])
        self._share_room()


def states_of(found: Overview | None, *, has_report: bool = False) -> dict[str, StepState]:
    """What each cell shows of an overview."""
    say = words.text
    nothing = {step: StepState("0", say(f"library.way.{step}_none"), False) for step in STEPS}
    nothing |= {step: StepState(NOTHING, say(f"library.way.{step}_none"), False) for step in ("calibration", "report")}
    if found is None:
        return nothing
    told = dict(nothing)
    if found.instances:
        note = say(
            "library.way.instances_some",
            subsets=counted("subsets", len(found.subsets)),
            benchmarks=counted("benchmarks", len(found.benchmarks)),
        )
        told["instances"] = StepState(f"{found.instances:,}", note, True)
    if found.answers:
        note = say("library.way.answers_some", systems=counted("systems", found.answering))
        told["answers"] = StepState(f"{found.answers:,}", note, True)
    if found.measured:
        note = say("library.way.measurements_some", total=found.spoken)
        told["measurements"] = StepState(f"{found.measured:,}", note, True)
    if found.judged:
        key = "judgements_some" if found.waiting else "judgements_all"
        note = say(f"library.way.{key}", waiting=found.waiting, total=found.answers)
        told["judgements"] = StepState(f"{found.judged:,}", note, True)
        told["report"] = StepState(NOTHING, say("library.way.report_some"), False)
    if has_report:
        told["report"] = StepState("1", say("library.way.report_here"), True)
    if found.ratings:
        told["ratings"] = StepState(f"{found.ratings:,}", nothing["ratings"].note, True)
    return told
