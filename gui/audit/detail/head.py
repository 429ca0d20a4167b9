"""The head of the panel: which instance, whose answer, what kind of system, the reference; texts a key away."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.query.detail import ResponseDetail
from gui.audit.detail.full_text import system_title
from gui.strings import words
from gui.theme import font, height, space
from gui.widgets.buttons import Button
from gui.widgets.labels import label
from gui.widgets.pill import Tag
from gui.widgets.text import shown_text, tip_text

_LONGEST_KIND = 40
_LEAST = 160


class DetailHead(QWidget):
    """One line of 34 pixels; long parts give way from the right.

    Attributes:
        buttons: the layout at the right end, where buttons of the screen go.

    Signals:
        text_wanted: the button for the full texts.
        compare_wanted: the button that puts other systems beside this answer, or goes back.
    """

    text_wanted, compare_wanted = Signal(), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height("card_head"))
        self.setMinimumWidth(_LEAST)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), 0, space(2), 0)
        row.setSpacing(space(2))
        self._subset = label("", "body", weight=600, elide=True)
        self._key = label("", "figure", family="mono", weight=500)
        self._system = label("", "table", "secondary", elide=True)
        self._kind = Tag("")
        self._reference_name = label("", "table", "tertiary")
        self._reference = label("", "table", family="content", elide=True)
        self._reference.setFont(font("table", "content"))
        for part in (self._subset, self._key, self._system, self._kind, self._reference_name):
            row.addWidget(part)
        row.addWidget(self._reference, 1)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        row.addLayout(self.buttons)
        self._compare = Button(size="button_small", icon="swap")
        self._compare.clicked.connect(self.compare_wanted)
        self.buttons.addWidget(self._compare)
        self._systems, self._compare_keys, self._is_narrow = 1, ("", ""), False
        self._text = Button(size="button_small", icon="file-text")
        self._text.clicked.connect(self.text_wanted)
        self.buttons.addWidget(self._text)
        self._detail: ResponseDetail | None = None
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def text_button(self) -> Button:
        """Opens the full texts."""
        return self._text

    def set_compare_keys(self, back: str, compare: str) -> None:
        """Name the keys that lead to the comparison and back."""
        self._compare_keys = (back, compare)
        self._say_compare()

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave out what the full texts tell too: the kind of system and the word before the reference."""
        self._kind.setVisible(not is_narrow)
        self._is_narrow = is_narrow
        self._say_compare()
        self._reference_name.setVisible(not is_narrow)

    def show_detail(self, detail: ResponseDetail, systems: int = 1) -> None:
        """Name another answer, or its instance where several systems are beside each other."""
        self._detail, self._systems = detail, systems
        self._retranslate()

    def _retranslate(self) -> None:
        self._text.setText(words.text("audit.detail.text_button"))
        self._text.set_tip(words.text("audit.detail.text_tip"))
        self._say_compare()
        self._reference_name.setText(words.text("audit.detail.reference"))
        detail = self._detail
        if detail is None:
            return
        subset, key = detail.asked.subset, detail.asked.key
        self._subset.setText(_short(subset))
        self._key.setText(_short(key.removeprefix(f"{subset}-")))
        self._key.setToolTip(tip_text(f"{detail.asked.benchmark} / {subset} / {key}"))
        is_alone = self._systems == 1
        self._system.setText(
            _short(detail.system.name) if is_alone else words.text("audit.compare.count", count=self._systems)
        )
        self._system.setToolTip(tip_text(system_title(detail)))
        self._kind.set_text(kind_words(detail))
        self._kind.setToolTip(tip_text(system_title(detail)))
        reference = detail.asked.reference
        self._reference.setText(reference if reference is not None else words.text("audit.detail.no_reference"))
        self.setAccessibleName(f"{subset} {key}, {detail.system.name}")

    def _say_compare(self) -> None:
        is_alone = self._systems == 1
        self._compare.setText(words.text(f"audit.compare.{'button' if is_alone else 'back'}"))
        self._compare.set_tip(words.text(f"audit.compare.{'button_tip' if is_alone else 'back_tip'}"))
        self._compare.set_keys("" if self._is_narrow else self._compare_keys[is_alone])


def kind_words(detail: ResponseDetail) -> str:
    """What kind of system answered, by its own declared label where it has one."""
    label_told = detail.system.declaration.get("label")
    if isinstance(label_told, dict):
        return str(label_told.get(words.language) or label_told.get("en", ""))[:_LONGEST_KIND]
    try:
        return words.text(f"audit.detail.system_kind.{detail.system.kind}")
    except KeyError:
        return detail.system.kind[:_LONGEST_KIND]


def _short(text: str, longest: int = 48) -> str:
    return shown_text(text, longest)
