"""Tags on places of a clip: T where the place begins, a letter where it ends."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.rate.sitting.view_model import SittingViewModel
from gui.rate.sitting.wording import say

#: Kept as they stand here, so that they can be counted over languages; and the letter of each.
TAGS = (("noise", "N"), ("mispronounced", "P"), ("repeated", "R"), ("cut_off", "C"), ("tone", "E"), ("other", "O"))
#: A place marked while nothing moved on is this long, up to where it was marked.
_SHORTEST_S = 0.25
_BEFORE_S = 1.0


class Tagging(QObject):
    """Waits for the letter of a tag.

    Signals:
        changed: it began to wait, or ended.
    """

    changed = Signal()

    def __init__(self, model: SittingViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.is_on = False
        self._part, self._start_s, self._now_s = "", 0.0, 0.0
        model.playing.moved.connect(self._on_moved)
        model.item_changed.connect(self._on_item)

    def begin(self) -> None:
        """The place begins here; without one that was heard there is nothing to tag."""
        if self._model.page != "item":
            return
        if not self._part:
            self._model.hinted.emit("nothing_to_tag")
            return
        self.is_on, self._start_s = True, self._now_s
        self.changed.emit()

    def end(self) -> None:
        """Wait no longer."""
        self.is_on = False
        self.changed.emit()

    def knows(self, letter: str) -> bool:
        """Whether a tag has this letter."""
        return any(key == letter.upper() for _, key in TAGS)

    def take_key(self, letter: str) -> bool:
        """Tag the place with the tag of this letter; False for a letter of none."""
        name = next((name for name, key in TAGS if key == letter.upper()), None)
        if name is None:
            return False
        start_s, end_s = self._start_s, self._now_s
        if end_s - start_s < _SHORTEST_S:
            start_s = max(end_s - _BEFORE_S, 0.0)
        self.end()
        self._model.tag(name, self._part, start_s, end_s)
        return True

    def sentence(self) -> str:
        """Which letters there are."""
        entries = [say("tag.entry", letter=key, name=say(f"tag.{name}")) for name, key in TAGS]
        return say("hint.tagging", tags=" · ".join(entries))

    def _on_moved(self, part: str, second: float) -> None:
        self._part, self._now_s = part, second

    def _on_item(self) -> None:
        self.is_on, self._part = False, ""
