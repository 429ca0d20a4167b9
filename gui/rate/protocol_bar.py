"""Which of a study's questions is looked at: side by side where they fit, else from a list."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.rate import wording
from gui.rate.titles import title_of
from gui.widgets import ComboBox, Spinner


class ProtocolBar(QWidget):
    """A list of the study's protocols, hidden where there is one only, and a spinner while figures are reckoned.

    Signals:
        chosen: the protocol's row in the store.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._numbers: list[int] = []
        self._is_filling = False
        self.box, self._spinner = ComboBox(widest=420), Spinner()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box)
        row.addWidget(self._spinner)
        row.addStretch(1)
        self.box.currentIndexChanged.connect(self._on_chosen)

    def show_protocols(self, protocols: Sequence[tuple[int, str]], chosen: int | None, is_busy: bool) -> None:
        """Offer these, each with the number of its pass."""
        self._is_filling = True
        self._numbers = [number for number, _ in protocols]
        texts = [
            wording.say("results.pass", n=place, title=title_of(name))
            for place, (_, name) in enumerate(protocols, start=1)
        ]
        if [self.box.itemText(place) for place in range(self.box.count())] != texts:
            self.box.clear()
            self.box.addItems(texts)
        if chosen in self._numbers:
            self.box.setCurrentIndex(self._numbers.index(chosen))
        self.box.set_name(wording.say("results.question"))
        self.box.setVisible(len(protocols) > 1)
        self._spinner.setVisible(is_busy)
        self.setVisible(is_busy or len(protocols) > 1)
        self._is_filling = False

    def _on_chosen(self, place: int) -> None:
        if not self._is_filling and 0 <= place < len(self._numbers):
            self.chosen.emit(self._numbers[place])
