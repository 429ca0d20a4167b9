"""One scale: its question, and its steps as cards side by side or as rows."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.rating.protocols import Scale
from gui.rate.sitting.step_card import StepCard
from gui.theme import font, space, theme
from gui.widgets import Button, label, set_tone

_GAP, _ROW_GAP, _LOW_GAP = 10, 6, 4
_MOST_IN_A_ROW = 5
ROWS_UNDER = 1040  # of the column: a window of 1100


class Steps(QWidget):
    """The cards of a scale, all of one height.

    Signals:
        chosen: the digit of the card that was clicked.
    """

    chosen = Signal(str)

    def __init__(self, scale: Scale, with_anchors: bool, family: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_row = self._is_low = False
        self.cards = [StepCard(step, with_anchors, family, self) for step in scale.steps]
        for card in self.cards:
            card.clicked.connect(self._on_clicked)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(200)

    def lie_down(self, is_row: bool, low: bool) -> None:
        """Rows in place of cards."""
        self._is_row, self._is_low = is_row, low
        for card in self.cards:
            card.lie_down(is_row, low, bare=self._is_in_two)
        self.updateGeometry()
        self._place()

    def show_chosen(self, value: int | str | None, is_locked: bool) -> None:
        """Which step is chosen, and whether any can be."""
        for card in self.cards:
            card.setChecked(value is not None and card.step.value == value)
            card.show_locked(is_locked)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        rows, _, tall = self._grid(width)
        return rows * tall + (rows - 1) * self._gap

    def sizeHint(self) -> QSize:
        return QSize(600, self.heightForWidth(self.width() or 600))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the least height is another at another width
        self._place()

    @property
    def _gap(self) -> int:
        return _GAP if not self._is_row else _LOW_GAP if self._is_low else _ROW_GAP

    @property
    def _is_in_two(self) -> bool:
        """Whether many rows stand in two columns, names alone, because there is little height."""
        return self._is_row and self._is_low and len(self.cards) > _MOST_IN_A_ROW

    def _grid(self, width: int) -> tuple[int, int, int]:
        """Rows, columns and the height of one card."""
        count = len(self.cards)
        in_cards = math.ceil(count / math.ceil(count / _MOST_IN_A_ROW))
        columns = in_cards if not self._is_row else 2 if self._is_in_two else 1
        wide = (width - (columns - 1) * _GAP) // columns
        return math.ceil(count / columns), columns, max(card.tall(wide) for card in self.cards)

    def _place(self) -> None:
        _, columns, tall = self._grid(self.width())
        gap = self._gap
        wide = (self.width() - (columns - 1) * _GAP) / columns
        for place, card in enumerate(self.cards):
            row, column = divmod(place, columns)
            left, right = round(column * (wide + _GAP)), round(column * (wide + _GAP) + wide)
            card.setGeometry(QRect(left, row * (tall + gap), right - left, tall))

    def _on_clicked(self) -> None:
        card = self.sender()
        if isinstance(card, StepCard):
            self.chosen.emit(card.step.key)


class ScaleField(QWidget):
    """A scale with its question; where there are several, the number and a mark on the one that is open.

    Folded it is one line: the question and the step that was chosen, which a click opens.

    Signals:
        chosen: id of the scale, digit of the step that was clicked.
        opened: id of the scale that is to be unfolded.
    """

    chosen, opened = Signal(str, str), Signal(str)

    def __init__(
        self, scale: Scale, number: int | None, is_main: bool, family: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.scale = scale
        self._is_open = False
        self._has_number = number is not None
        self.steps = Steps(scale, is_main or scale.kind != "choice", family)
        self.steps.chosen.connect(self._on_chosen)
        self._number = label("" if number is None else str(number), "question", "tertiary", weight=400)
        self._number.setVisible(number is not None)
        self._type, self._family = "question" if number is None else "verdict", family
        self.question = label(scale.question, self._type, family=family, weight=600, wrap=True)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._number, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.question, 1)
        self.answer = Button(icon="check", size="button_small")
        self.answer.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.answer.clicked.connect(self._on_answer)
        self.answer.hide()
        head.addWidget(self.answer, 0, Qt.AlignmentFlag.AlignVCenter)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(3))
        column.addLayout(head)
        column.addWidget(self.steps)
        self.setAccessibleName(scale.question)

    def fit(self, *, rows: bool, tight: bool, low: bool) -> None:
        """Cards or rows; much room, less or little."""
        self._column.setSpacing(space(1) if low else space(2) if tight else space(3))
        self.question.setFont(font("screen" if low else self._type, self._family, 600))
        self._number.setFont(self.question.font())
        self.steps.lie_down(rows, low)

    def tall(self, width: int) -> int:
        """How tall it is at a width, also while it is not asked."""
        beside = self._number.sizeHint().width() + space(2) if self._has_number else 0
        head = max(self.question.heightForWidth(width - beside), self._number.sizeHint().height())
        return head + self._column.spacing() + self.steps.heightForWidth(width)

    @property
    def tall_folded(self) -> int:
        """How tall it is as one line."""
        return max(self.question.fontMetrics().height(), self.answer.sizeHint().height())

    def fold(self, is_folded: bool, value: int | str | None) -> None:
        """Be one line that tells what was chosen, or show the steps."""
        self.steps.setVisible(not is_folded)
        self.answer.setVisible(is_folded and value is not None)
        if value is not None:
            step = self.scale.step_of(value)
            self.answer.setText(f"{step.key}  {step.label}")
            self.answer.setAccessibleName(f"{self.scale.question} {step.label}")

    def show_values(self, values: Mapping[str, int | str], is_locked: bool, is_open: bool) -> None:
        """What is chosen on it, and whether the next digit answers it."""
        self.steps.show_chosen(values.get(self.scale.id), is_locked)
        if is_open != self._is_open:
            self._is_open = is_open
            set_tone(self._number, "accent" if is_open else "tertiary")
            self.update()

    @property
    def is_open(self) -> bool:
        """Whether the next digit answers it."""
        return self._is_open

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_open and self._has_number:
            under = QRect(self._number.x(), self._number.geometry().bottom() - 2, self._number.width(), 3)
            QPainter(self).fillRect(under, theme().color("accent.base"))

    def _on_chosen(self, key: str) -> None:
        self.chosen.emit(self.scale.id, key)

    def _on_answer(self) -> None:
        self.opened.emit(self.scale.id)
