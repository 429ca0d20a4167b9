"""Waits for one key or chord and says which it was."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, height, radius, theme
from gui.widgets import key_words, paint_box, paint_focus, paint_text

_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
_LOCKS = (Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_ScrollLock, Qt.Key.Key_unknown)
_PADDING = 10
_WIDE = 300


class KeyCapture(QWidget):
    """Takes every key while it has the focus, those of commands too; Esc and Tab leave it.

    Signals:
        captured: the keys, as QKeySequence writes them.
        left: nothing was chosen.
    """

    captured, left = Signal(str), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._held = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)  # or Pinyin would swallow the letters
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def sizeHint(self) -> QSize:
        return QSize(_WIDE, height("button"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # the key comes here, and not to the command that has it
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.left.emit()
        elif key in _MODIFIERS or key in _LOCKS:
            self._held = _held(event.modifiers())
            self.update()
        else:
            self.captured.emit(keys_of(event))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._held = _held(event.modifiers())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._held = ""
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self.left.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme()
        paint_box(
            painter,
            self.rect(),
            radius("control"),
            colours.color("surface.panel"),
            colours.color("surface.control_edge"),
        )
        room = self.rect().adjusted(_PADDING, 0, -_PADDING, 0)
        said = f"{key_words(self._held)} …" if self._held else words.text("preferences.keys.press")
        paint_text(painter, room, said, font("body"), colours.color("text.secondary"))
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def _retranslate(self) -> None:
        said = words.text("preferences.keys.press")
        self.setAccessibleName(said)
        self.setToolTip(said)
        self.update()


def keys_of(event: QKeyEvent) -> str:
    """The keys of an event as actions name them: a sign that needs Shift, such as ``?``, is told without it."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    types_a_sign = len(event.text()) == 1 and event.text().isprintable() and not event.text().isspace()
    only_shift = modifiers == Qt.KeyboardModifier.ShiftModifier
    if only_shift and types_a_sign and not event.text().isalpha():
        modifiers = Qt.KeyboardModifier.NoModifier
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    sequence = QKeySequence(QKeyCombination(modifiers, key))
    return str(sequence.toString(QKeySequence.SequenceFormat.PortableText))


def _held(modifiers: Qt.KeyboardModifier) -> str:
    names = (
        (Qt.KeyboardModifier.ControlModifier, "Ctrl"),
        (Qt.KeyboardModifier.AltModifier, "Alt"),
        (Qt.KeyboardModifier.ShiftModifier, "Shift"),
        (Qt.KeyboardModifier.MetaModifier, "Meta"),
    )
    return "+".join(name for modifier, name in names if modifiers & modifier)
