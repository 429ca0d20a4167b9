"""The buttons in the head of the detail: tag, note, and send to rating."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.strings import words
from gui.theme import space
from gui.widgets import Button


class EvidenceButtons(QWidget):
    """Tag and note say how many stand on the answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tag = Button(size="button_small", icon="tag")
        self.note = Button(size="button_small", icon="note-pencil")
        self.rating = Button(size="button_small", icon="paper-plane-tilt")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        for button in (self.tag, self.note, self.rating):
            row.addWidget(button)
        self._counts = (0, 0)
        self._is_narrow = False
        self._keys, self._several = ("", "", ""), ("", "")
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_counts(self, tags: int, notes: int) -> None:
        """Show how many stand."""
        self._counts = (tags, notes)
        self._retranslate()

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave the words and the key caps away; tool tips name both."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._retranslate()

    def set_keys(self, tag: str, note: str, rating: str) -> None:
        """Name the keys: on caps where there is room, else in the tool tips; that of rating always there."""
        self._keys = (tag, note, rating)
        self._retranslate()

    def set_choosing_keys(self, one: str, all_of_them: str) -> None:
        """Name the keys by which one more answer and all of them are chosen, for who would send several."""
        self._several = (one, all_of_them)
        self._retranslate()

    def _retranslate(self) -> None:
        for button, name, count, key in zip(
            (self.tag, self.note), ("tag", "note"), self._counts, self._keys, strict=False
        ):
            tip = words.text(f"evidence.{name}.tip", count=count)
            button.setText(str(count) if count else "")
            button.set_keys(None if self._is_narrow else key or None)
            button.set_tip(f"{tip} ({key})" if self._is_narrow and key else tip)
            button.setAccessibleName(tip)
        said = words.text("evidence.rating.button")
        tip = words.text("evidence.rating.tip")
        key = self._keys[2]
        self.rating.setText("" if self._is_narrow else said)
        tip = f"{tip} ({key})" if key else tip
        one, all_of_them = self._several
        several = words.text("audit.choosing.several", one=one, all=all_of_them)
        self.rating.set_tip(f"{tip}\n{several}" if one and all_of_them else tip)
        self.rating.setAccessibleName(said)
