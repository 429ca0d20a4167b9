"""The head of the panel: which instance, whose answer, what kind of system, the reference; texts a key away."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.query.told import ResponseDetail
from gui.audit.cells import key_rest
from gui.audit.detail.full_text import system_title
from gui.strings import words
from gui.theme import font, height, space
from gui.widgets.buttons import Button
from gui.widgets.keycap import key_words
from gui.widgets.labels import label
from gui.widgets.pill import Tag
from gui.widgets.segmented import Segmented
from gui.widgets.text import shown_text, tip_text

_LONGEST_KIND = 40
_LEAST = 160
_LEAST_KEY = 52  # pixels: a short key is never cut
_FOR_NAMES = 250  # pixels that instance, system and reference have before words leave the buttons
_WITH_KIND = 160  # more than that, and the kind of system is told too
SOUND, TEXT = "sound", "text"


class DetailHead(QWidget):
    """One line of 34 pixels; long parts give way from the right, then buttons keep their icons alone.

    Attributes:
        buttons: the layout at the right end, where buttons of the screen go.
        side: in a low panel chooses what is shown of the answer, ``SOUND`` or ``TEXT``.

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
        self._key = label("", "figure", family="mono", weight=500, elide="middle")
        self._system = label("", "table", "secondary", elide=True)
        self._kind = Tag("")
        self._reference_name = label("", "table", "tertiary")
        self._reference = label("", "table", family="content", elide=True)
        self._reference.setFont(font("table", "content"))
        for part in (self._subset, self._key, self._system, self._kind, self._reference_name):
            row.addWidget(part)
        row.addWidget(self._reference, 1)
        self.side = Segmented(((SOUND, ""), (TEXT, "")), size="button_small")
        self.side.hide()
        row.addWidget(self.side)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(space(2))
        row.addLayout(self.buttons)
        self._compare = Button(size="button_small", icon="swap")
        self._compare.clicked.connect(self.compare_wanted)
        self.buttons.addWidget(self._compare)
        self._systems, self._compare_keys, self._text_keys = 1, ("", ""), ""
        self._words, self._wide = _WORDS[0], 0
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

    def set_text_key(self, keys: str) -> None:
        """Name the key that opens the full texts."""
        self._text_keys = keys
        self._say_text()

    def show_sides(self, is_shown: bool) -> None:
        """Let the choice between sound and text stand before the buttons, or none."""
        self.side.setVisible(is_shown)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        """The screen's own buttons may have become wider: more tags stand on the answer."""
        if event.type() == QEvent.Type.LayoutRequest and self._wide_of_buttons() != self._wide:
            self._make_room()
        return bool(super().event(event))

    def _make_room(self) -> None:
        """Of the buttons as much as leaves room for the names; what is left out the tips and the full texts tell."""
        room = self.width() - _FOR_NAMES
        for words_shown in _WORDS:
            self._words = words_shown
            self._say_compare()
            self._say_text()
            self._wide = self._wide_of_buttons()
            left = room - self._wide
            if left >= 0:
                break
        self._kind.setVisible(left >= _WITH_KIND)
        self._reference_name.setVisible(left >= _WITH_KIND)
        self._reference.setVisible(left >= 0)

    def _wide_of_buttons(self) -> int:
        """From the widgets themselves: a layout told to measure anew would ask to be laid out, without an end."""
        places = [item.widget() for place in range(self.buttons.count()) if (item := self.buttons.itemAt(place))]
        shown = [widget for widget in (self.side, *places) if widget is not None and not widget.isHidden()]
        return sum(widget.sizeHint().width() + space(2) for widget in shown) - space(2)

    def show_detail(self, detail: ResponseDetail, systems: int = 1) -> None:
        """Name another answer, or its instance where several systems are beside each other."""
        is_other_count, self._systems = systems != self._systems, systems
        self._detail = detail
        if is_other_count:
            self._make_room()
        self._show_names(detail)

    def _retranslate(self) -> None:
        sides = [words.text(f"audit.detail.side_{name}") for name in (SOUND, TEXT)]
        self.side.set_texts(sides, [words.text(f"audit.detail.side_{name}_tip") for name in (SOUND, TEXT)])
        self.side.setAccessibleName(words.text("audit.detail.side_name"))
        self._make_room()
        self._reference_name.setText(words.text("audit.detail.reference"))
        if self._detail is not None:
            self._show_names(self._detail)

    def _show_names(self, detail: ResponseDetail) -> None:
        subset, key = detail.asked.subset, detail.asked.key
        self._subset.setText(_short(subset))
        self._key.setText(_short(key_rest(subset, key)))
        self._key.setMinimumWidth(min(self._key.sizeHint().width(), _LEAST_KEY))
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
        said = words.text(f"audit.compare.{'button' if is_alone else 'back'}")
        tip = words.text(f"audit.compare.{'button_tip' if is_alone else 'back_tip'}")
        self._say_button(self._compare, said, tip, self._compare_keys[is_alone])

    def _say_text(self) -> None:
        said, tip = words.text("audit.detail.text_button"), words.text("audit.detail.text_tip")
        self._say_button(self._text, said, tip, self._text_keys)

    def _say_button(self, button: Button, said: str, tip: str, keys: str) -> None:
        has_words, has_keys = self._words
        button.setText(said if has_words else "")
        button.setAccessibleName(said)
        button.set_tip(tip if has_keys or not keys else f"{tip} ({key_words(keys)})")
        button.set_keys(keys if has_keys else "")


#: What buttons show, the most first: words, key caps.
_WORDS = ((True, True), (True, False), (False, False))


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
