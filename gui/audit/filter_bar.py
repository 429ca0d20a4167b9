"""The filter over the table: chips and the line to type in, how many were found and how fast, and whose rules count."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.query.complete import Suggestion
from gui.audit.filter_entry import FilterEntry, entry_height
from gui.audit.view_model import AuditViewModel
from gui.strings import words
from gui.theme import font, height, paint_icon, radius, space, theme
from gui.widgets import Button, Chip, ChipPart, Glyph, IconButton, Segmented, Spinner, label, paint_box, paint_focus

_METHODS = ("published", "corrected")
_NARROW = 900  # under it the time a search took is left out
_SPIN_AFTER_MS = 250
OTHERS = 2  # buttons for which room is kept until they come
_AROUND, _ENTRY, _LEAST_CHIP, _REST = 66, 90, 150, 40  # pixels: funnel and cross, the line, a chip, "+2"


class FilterBar(QWidget):
    """A bar of 44 px; under it a sentence where what is typed cannot be read.

    Signals:
        left_down: the keyboard wants to go on to the table.
        columns_asked: the button of the columns was pressed.
    """

    left_down = Signal()
    columns_asked = Signal()

    def __init__(self, model: AuditViewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._key = ""
        self._error: EngineError | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.field = _Field(model, self)
        self._found = _FoundLabel(self)
        self._spinner = Spinner(14)
        self._spinner.hide()
        self._spin_soon = QTimer(self)
        self._spin_soon.setSingleShot(True)
        self._spin_soon.setInterval(_SPIN_AFTER_MS)
        self._spin_soon.timeout.connect(self._spinner.show)
        self.method = Segmented([(method, method) for method in _METHODS], size="button")
        self.method.set_value(model.method)
        self.columns = IconButton("columns")
        self.playlists, self.export = IconButton("list-bullets"), IconButton("export")
        self._columns_key = ""
        self._why = label(type="small", tone="error", elide=True)
        self._why_row = QWidget(self)
        self._lay_out()
        self._wire()
        self._retranslate()

    def focus(self) -> None:
        """Put the keyboard into the field."""
        self.field.entry.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.entry.selectAll()

    def set_keys(self, focus_key: str, columns_key: str) -> None:
        """Name the key that leads here, and that of the columns."""
        self._key, self._columns_key = focus_key, columns_key
        self._retranslate()

    def give_up_room(self) -> None:
        """The buttons of others come now: the room kept for them goes."""
        self.tools.removeItem(self._room)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme().color("surface.line"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say_found()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(space(3), 0, space(3), 0)
        row.setSpacing(space(2) + 2)
        row.addWidget(self.field, 1)
        row.addWidget(self._spinner)
        row.addWidget(self._found)
        row.addWidget(self.method)
        for button in (self.columns, self.playlists, self.export):
            row.addWidget(button)
        self.tools = row  # others add their buttons at its end
        self._room = QSpacerItem(OTHERS * (height("button") + row.spacing()), 0)
        row.addItem(self._room)
        bar = QWidget(self)
        bar.setFixedHeight(height("screen_bar"))
        bar.setLayout(row)
        below = QHBoxLayout(self._why_row)
        below.setContentsMargins(space(5), 0, space(3), space(2))
        below.setSpacing(6)
        below.addWidget(Glyph("warning-circle", "verdict.fail", 14))
        below.addWidget(self._why, 1)
        self._why_row.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._why_row)

    def _wire(self) -> None:
        model = self._model
        model.error_changed.connect(self._tell_error)
        model.found.connect(self._say_found)
        model.chosen_changed.connect(self._say_found)
        model.overview_changed.connect(self._say_found)
        model.busy_changed.connect(self._on_busy)
        model.method_changed.connect(self.method.set_value)
        self.method.chosen.connect(self._on_method)
        self.columns.clicked.connect(self.columns_asked)
        self.field.left_down.connect(self.left_down)
        words.changed.connect(self._retranslate)

    def _tell_error(self, error: EngineError | None) -> None:
        self._error = error
        self._why.setText("" if error is None else words.error(error))
        self._why_row.setVisible(error is not None)
        self.field.point_at(error)

    def _say_found(self) -> None:
        model = self._model
        if model.elapsed_ms is None:
            self._found.say("", "", "")
            return
        total = "…" if model.total is None else f"{model.total:,}"
        rest = f" / {total}"
        if self.width() >= _NARROW:
            rest += f" · {max(model.elapsed_ms, 1):.0f} ms"
        several = model.chosen_count > 1
        chosen = words.text("audit.filter.chosen", count=f"{model.chosen_count:,}") + " · " if several else ""
        self._found.say(chosen, f"{model.rows.rowCount():,}", rest)

    def _on_busy(self, busy: bool) -> None:
        if busy:
            self._spin_soon.start()
        else:
            self._spin_soon.stop()
            self._spinner.hide()

    def _on_method(self, method: object) -> None:
        self._model.use_method(str(method))

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.filter.name"))
        texts = [words.text(f"audit.filter.{method}") for method in _METHODS]
        self.method.set_texts(texts, [words.text(f"audit.filter.{method}_tip") for method in _METHODS])
        self.method.setAccessibleName(words.text("audit.filter.method"))
        self.columns.set_tip(words.text("audit.columns.title"))
        self.columns.set_keys(self._columns_key)
        self._found.setToolTip(words.text("audit.filter.found"))
        self.field.retranslate(self._key)
        if not self._why_row.isHidden() and self._error is not None:
            self._why.setText(words.error(self._error))


class _Field(QWidget):
    """The framed field: funnel, chips, entry, and a button that clears all."""

    left_down = Signal()

    def __init__(self, model: AuditViewModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._chips: list[Chip] = []
        self._told: list[tuple[int, list[ChipPart]]] = []
        self._needed: int | None = None  # the chip that the keyboard is on
        self._wrong = False
        self.setFixedHeight(entry_height())
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(30, 0, 4, 0)
        self._row.setSpacing(6)
        self.entry = FilterEntry(model.suggest, self)
        self.entry.setMinimumWidth(_ENTRY)
        self.rest = Button(role="quiet", size="button_small", parent=self)
        self.rest.setCursor(Qt.CursorShape.ArrowCursor)
        self.rest.clicked.connect(self._on_rest)
        self.rest.hide()
        self._row.addWidget(self.rest)
        self.clear = IconButton("x-circle", size="button_small")
        self.clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._row.addWidget(self.entry, 1)
        self._row.addWidget(self.clear)
        self.entry.typed.connect(model.type)
        self.entry.entered.connect(self._on_entered)
        self.entry.left_back.connect(self._on_left_back)
        self.entry.left_down.connect(self.left_down)
        self.entry.left_left.connect(self._on_left_left)
        self.entry.earlier_asked.connect(self._offer_earlier)
        self.entry.picked.connect(self._on_picked)
        self.entry.cleared.connect(self._on_cleared)
        self.clear.clicked.connect(model.clear)
        model.filter_changed.connect(self._show_terms)
        self.entry.installEventFilter(self)

    def point_at(self, error: EngineError | None) -> None:
        """Underline the characters an error speaks of; it may also be none of the text's."""
        values = {} if error is None else error.values
        place = (values["start"], values["end"]) if {"start", "end"} <= values.keys() else None
        self._wrong = place is not None
        self.entry.set_wrong(place)
        self.update()

    def retranslate(self, key: str) -> None:
        """Say everything in the language of now."""
        self.entry.setPlaceholderText(words.text("audit.filter.placeholder" if self._chips else "audit.filter.empty"))
        tip = words.text("audit.filter.tip")
        self.entry.setToolTip(f"{tip} ({key})" if key else tip)
        self.entry.setAccessibleName(words.text("audit.filter.name"))
        self.clear.set_tip(words.text("audit.filter.clear"))
        self._show_terms()

    def minimumSizeHint(self) -> QSize:
        return QSize(200, entry_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme()
        edge = "verdict.fail" if self._wrong else "surface.control_edge"
        ground = colours.color("surface.panel")
        paint_box(painter, self.rect(), radius("control"), ground, colours.color(edge))
        paint_icon(painter, QRectF(9, (self.height() - 16) / 2, 16, 16), "funnel", "text.secondary")
        if self.entry.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.entry.setFocus(Qt.FocusReason.MouseFocusReason)

    def eventFilter(self, watched: object, event: object) -> bool:
        """The frame shows the entry's focus; the arrows go from chip to chip and back to the entry."""
        if watched is self.entry and isinstance(event, QEvent):
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                self.update()
        elif isinstance(watched, Chip) and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._go_from(self._chips.index(watched), Qt.Key(event.key()))
        return False

    def _go_from(self, at: int, key: Qt.Key) -> bool:
        to = {Qt.Key.Key_Left: at - 1, Qt.Key.Key_Right: at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._chips),
              Qt.Key.Key_Escape: len(self._chips)}.get(key)  # fmt: skip
        if to is None:
            return False
        self._focus_chip(max(to, 0))
        return True

    def _focus_chip(self, place: int) -> None:
        """Put the keyboard on a chip, or into the entry behind the last."""
        target = self._chips[place] if place < len(self._chips) else self.entry
        self._needed = place if place < len(self._chips) else None
        self._fit_chips()
        target.setFocus(Qt.FocusReason.TabFocusReason)
        if target is self.entry:
            self.entry.deselect()
            self.entry.home(False)

    def _show_terms(self) -> None:
        told = [(place, [ChipPart(part.text, _KINDS[part.kind]) for part in chip.parts])
                for place, chip in enumerate(self._model.chips())]  # fmt: skip
        if self._model.among_count is not None:
            sent = words.text("audit.filter.sent", count=self._model.among_count)
            told.insert(0, (-1, [ChipPart(sent, "value")]))
        if told != self._told:  # typing does not change the chips
            self._told = told
            self._make_chips(told)
        self.entry.set_text(self._model.draft)
        self.entry.setPlaceholderText(words.text("audit.filter.placeholder" if self._chips else "audit.filter.empty"))
        self.clear.setVisible(bool(self._chips or self._model.draft))
        self._fit_chips()

    def _make_chips(self, told: list[tuple[int, list[ChipPart]]]) -> None:
        for chip in self._chips[len(told) :]:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        del self._chips[len(told) :]
        self._needed = None
        for chip, (place, parts) in zip(self._chips, told):
            chip.set_parts(parts)
            chip.setProperty("place", place)
        for place, parts in told[len(self._chips) :]:
            self._add(Chip(parts), place)

    def _add(self, chip: Chip, place: int) -> None:
        chip.setParent(self)
        chip.setCursor(Qt.CursorShape.ArrowCursor)
        chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        chip.setProperty("place", place)
        chip.removed.connect(self._on_removed)
        chip.edited.connect(self._on_edited)
        chip.installEventFilter(self)
        self._row.insertWidget(len(self._chips) + 1, chip)  # behind the button that stands for those without room
        self._chips.append(chip)
        if len(self._chips) > 1:
            QWidget.setTabOrder(self._chips[-2], chip)
        QWidget.setTabOrder(chip, self.entry)

    def _fit_chips(self) -> None:
        """Show the last chips, or those from the needed one on, as far as there is room; a button counts the rest."""
        needed = len(self._chips) - 1 if self._needed is None else min(self._needed, len(self._chips) - 1)
        room = self.width() - _AROUND - _ENTRY
        wide = [min(chip.sizeHint().width(), _LEAST_CHIP) + self._row.spacing() for chip in self._chips]
        shown = set(range(len(wide)))
        if sum(wide) > room:
            room -= _REST
            end = len(wide)
            while end > needed + 1 and sum(wide[needed:end]) > room:
                end -= 1
            first = needed
            while first > 0 and sum(wide[first - 1 : end]) <= room:
                first -= 1
            shown = set(range(max(first, 0), end))
        for place, chip in enumerate(self._chips):
            chip.setVisible(place in shown)
        hidden = [chip.accessibleName() for place, chip in enumerate(self._chips) if place not in shown]
        self.rest.setText(f"+{len(hidden)}")
        self.rest.set_tip("\n".join([*hidden, words.text("audit.filter.rest")]))
        self.rest.setVisible(bool(hidden))
        self._row.invalidate()
        self.updateGeometry()

    def _on_rest(self) -> None:
        self._focus_chip(next((place for place, chip in enumerate(self._chips) if chip.isHidden()), 0))

    def _on_removed(self) -> None:
        chip = self.sender()
        assert isinstance(chip, Chip)
        place, at, by_keyboard = chip.property("place"), self._chips.index(chip), chip.hasFocus()
        if place < 0:
            self._model.leave_selection()
        else:
            self._model.remove(place)
        self._focus_chip(min(at, len(self._chips) - 1) if by_keyboard and self._chips else len(self._chips))

    def _on_edited(self) -> None:
        place = self.sender().property("place")
        if place >= 0:
            self._model.reopen(place)
        self.entry.setFocus(Qt.FocusReason.OtherFocusReason)
        self.entry.end(False)

    def _on_entered(self) -> None:
        if not self.entry.text().strip():
            self.left_down.emit()
        else:
            self._model.commit()

    def _on_left_back(self) -> None:
        if self._model.chips():
            self._model.reopen(len(self._model.chips()) - 1)
        elif self._model.among_count is not None:
            self._model.leave_selection()

    def _on_left_left(self) -> None:
        if self._chips:
            self._focus_chip(len(self._chips) - 1)

    def _offer_earlier(self) -> None:
        self.entry.offer([Suggestion("filter", text, "", 0, 0) for text in self._model.earlier()])

    def _on_picked(self, picked: Suggestion) -> None:
        self._model.use_filter(picked.text)

    def _on_cleared(self) -> None:
        if self._chips or self.entry.text():
            self._model.clear()
        else:
            self.left_down.emit()


class _FoundLabel(QWidget):
    """How many are chosen, in the accent, how many were found, in ink, and of how many and how fast, in grey."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = ("", "", "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def say(self, chosen: str, found: str, rest: str) -> None:
        """Show the numbers."""
        if (chosen, found, rest) != self._parts:
            self._parts = (chosen, found, rest)
            self.setAccessibleName(chosen + found + rest)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + 2, height("button"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        left = 0
        for text, own, ink, wide in zip(self._parts, _fonts(), _INKS, self._widths()):
            painter.setFont(own)
            painter.setPen(theme().color(ink))
            painter.drawText(self.rect().adjusted(left, 0, 0, 0), flags, text)
            left += wide

    def _widths(self) -> list[int]:
        return [QFontMetrics(own).horizontalAdvance(text) for text, own in zip(self._parts, _fonts())]


_KINDS = {"field": "field", "word": "field", "value": "value"}


_INKS = ("accent.base", "text.primary", "text.secondary")


def _fonts() -> tuple[QFont, QFont, QFont]:
    return font("body", weight=600), font("body", weight=600), font("body")
