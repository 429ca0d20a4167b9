"""One system's lane: its mark and figures, its waveform on the common scale, its text with the clause that is said."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.errors import EngineError
from engine.metrics.clauses import Landing
from gui.audit.compare.lane_text import LaneText
from gui.audit.compare.lane_words import Fact, figures, letter, name_said, verdict_facts
from gui.audit.compare.reading import Answer
from gui.audit.compare.series import paint_mark
from gui.strings import words
from gui.theme import font, line, paint_icon, theme, width
from gui.waveform.load import Outline
from gui.waveform.outline import Inks, columns_of, picture
from gui.waveform.row import LINES_DBFS
from gui.waveform.ticks import decibel_text
from gui.waveform.view import TimeView
from gui.widgets import cap_width, paint_key_cap, paint_state, paint_text, paint_verdict, tip_text
from gui.widgets.keycap import CAP_HEIGHT

HEAD, NARROW_HEAD = 176, 132
LEAST_HEIGHT = 58
_BAR, _LEFT, _LINE = 3, 10, 17
_STRIP = 7
_BODY = 0.5  # of the series' colour in the peaks around the core
_MOST_LINES = 4


class LaneView(QWidget):
    """Paints one ``Answer``; the panel tells it what is heard.

    Signals:
        head_clicked: the head: hear this one.
        pointed: a second of the waveform, and whether it is to be played.
        zoomed: a factor, and the second that stays where it is.
        scrolled: a part of what is on screen.
    """

    head_clicked, pointed = Signal(), Signal(float, bool)
    zoomed, scrolled = Signal(float, float), Signal(float)

    def __init__(self, answer: Answer, number: int, method: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer, self.number, self._method = answer, number, method
        self.outline: Outline | None = None
        self.error: EngineError | None = None
        self._view = TimeView()
        self._head = HEAD
        self._is_heard = False
        self._second: float | None = None
        self._landing: Landing | None = None
        self._said: int | None = None
        self._text = LaneText(answer.text)
        self._key: tuple[Any, ...] = ()
        self._tile: QPixmap | None = None
        self._axis = width("dbfs_axis")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(LEAST_HEIGHT)
        self.describe()

    @property
    def plot_width(self) -> float:
        """Pixels of the time line."""
        return float(max(1, self.width() - self._head - self._axis))

    @property
    def duration_s(self) -> float:
        """Seconds of the recording as far as known."""
        if self.outline is not None:
            return self.outline.duration_s
        return (self.answer.clip.duration_s or 0.0) if self.answer.clip is not None else 0.0

    def set_view(self, view: TimeView, head: int) -> None:
        """Show these seconds, beside a head of this width."""
        self._view, self._head = view, head
        self.update()

    def set_heard(self, is_heard: bool) -> None:
        """Say that this lane is the one that is heard, or not."""
        self._is_heard = is_heard
        self._landing = None if is_heard else self._landing
        self._second = self._second if is_heard else None
        self.describe()
        self.update()

    def set_second(self, second: float, said: int | None) -> None:
        """Move the playhead of the lane that is heard; ``said`` is the clause there."""
        for at in (self._second, second):
            if at is not None:
                self._update_at(at)
        self._second = second
        if said != self._said:
            self._said = said
            self._show_clause(said)

    def set_landing(self, found: Landing | None) -> None:
        """Show where a switch to this lane would go."""
        if found == self._landing:
            return
        for one in (self._landing, found):
            if one is not None:
                self._update_at(one.at_s)
        changed = (found and found.clause) != (self._landing and self._landing.clause)
        self._landing = found
        if changed or found is None:
            self._said = None if found is None else found.clause
            self._show_clause(self._said)

    def set_outline(self, outline: Outline) -> None:
        """Draw what was read of the recording."""
        self.outline = outline
        self.update()

    def set_error(self, error: EngineError) -> None:
        """Say why the recording cannot be read."""
        self.error = error
        self.describe()
        self.update()

    def describe(self) -> None:
        """Say everything in the language of now, for hover and for assistive tools."""
        facts = [fact.said for fact in self._facts()]
        said = [name_said(self.number, self.answer.system), *facts, *figures(self.answer.loaded, self._method)]
        if self._is_heard:
            said.insert(1, words.text("audit.compare.heard"))
        self.setAccessibleName(", ".join(said[:4]))
        self.setAccessibleDescription("\n".join([*said[4:], self._sentence() or self.answer.text[:400]]))
        self.setToolTip(tip_text("\n".join(said)))
        self._tile, self._key = None, ()
        self._text.forget()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, 120)

    # --- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
        elif event.position().x() < self._head:
            self.head_clicked.emit()
        elif event.position().y() < self._wave_height() and self.answer.clip is not None:
            self.pointed.emit(self._second_at(event.position()), False)
        event.ignore()  # what is around takes the focus

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.position().x() >= self._head and self.answer.clip is not None:
            self.pointed.emit(self._second_at(event.position()), True)

    def wheelEvent(self, event: Any) -> None:
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1.25 ** (turned.y() / 120), self._second_at(event.position()))
            return
        sideways = turned.x() or (turned.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0)
        if sideways:
            self.scrolled.emit(-sideways / 120 * 0.12)
            return
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._text.forget()
            self.update()
        super().changeEvent(event)

    def _second_at(self, at: QPointF) -> float:
        return self._view.second(at.x() - self._head)

    # --- paint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        dirty = event.rect()
        colour = theme().color
        wave = self._wave_height()
        plot = QRect(self._head, 0, int(self.plot_width), wave)
        painter.fillRect(self.rect(), colour("surface.panel"))
        painter.fillRect(plot, colour("surface.lane"))
        if dirty.left() < self._head:
            self._paint_head(painter)
        sentence = self._sentence()
        if sentence:
            tone = "verdict.fail" if self.error is not None else "text.tertiary"
            room = QRectF(plot).adjusted(12, 0, -12, 0)
            paint_text(painter, room, sentence, font("small"), colour(tone))
        elif self.outline is not None:
            self._paint_wave(painter, plot)
        painter.save()
        painter.setClipRect(plot)
        self._paint_clause(painter, plot)
        self._paint_landing(painter, plot)
        self._paint_playhead(painter, plot)
        painter.restore()
        self._paint_axis(painter, plot)
        below = QRect(self._head + 6, wave + 2, int(self.plot_width) - 10, self.height() - wave - 4)
        if dirty.bottom() > wave:
            self._paint_text(painter, below)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colour("surface.line"))

    def _paint_head(self, painter: QPainter) -> None:
        colour, wide = theme().color, self._head
        ground = "surface.selected" if self._is_heard else "surface.panel"
        painter.fillRect(0, 0, wide, self.height() - 1, colour(ground))
        painter.fillRect(0, 0, _BAR, self.height() - 1, theme().series(self.answer.place))
        key = letter(self.number)
        cap = QRect(_LEFT, 5, cap_width(key), CAP_HEIGHT)
        paint_key_cap(painter, cap, key)
        paint_mark(painter, QRectF(cap.right() + 5, 5, 12, CAP_HEIGHT), self.answer.place)
        left = cap.right() + 22
        right = wide - 4
        if self._is_heard:
            paint_icon(painter, QRectF(right - 16, 5, 16, 16), "speaker-high", "accent.base")
            right -= 20
        face = font("table", weight=600)
        paint_text(painter, QRectF(left, 4, right - left, _LINE), self.answer.system, face, colour("text.primary"))
        x = float(_LEFT)
        for fact in self._facts():
            x = self._paint_fact(painter, fact, x, 23)
        for place, said in enumerate(figures(self.answer.loaded, self._method)):
            top = 41 + place * 16
            if top + 14 < self.height():
                room = QRectF(_LEFT, top, wide - _LEFT - 4, 15)
                paint_text(painter, room, said, font("small"), colour("text.secondary"))

    def _paint_fact(self, painter: QPainter, fact: Fact, x: float, top: float) -> float:
        ink = theme().color("text.tertiary")
        wide = paint_text(painter, QRectF(x, top, self._head - x, 16), fact.name, font("small"), ink)
        x += wide + 4
        mark = QRectF(x, top, 14, 16)
        if fact.kind in ("right", "wrong"):
            paint_verdict(painter, mark, fact.kind == "right")
        elif fact.kind == "state":
            paint_state(painter, mark, fact.state)
        else:
            primary = theme().color("text.primary")
            wide = paint_text(
                painter, QRectF(x, top, self._head - x, 16), fact.text, font("small", weight=600), primary
            )
            return x + wide + 10
        return x + 22

    def _paint_wave(self, painter: QPainter, plot: QRect) -> None:
        assert self.outline is not None
        ratio = self.devicePixelRatioF()
        key = (theme().name, ratio, self._view, plot.size().toTuple(), id(self.outline))
        if key != self._key or self._tile is None:
            self._tile, self._key = self._draw_wave(plot, ratio), key
        painter.drawPixmap(plot.topLeft(), self._tile)

    def _draw_wave(self, plot: QRect, ratio: float) -> QPixmap:
        assert self.outline is not None
        wide, high = max(1, round(plot.width() * ratio)), max(1, round(plot.height() * ratio))
        columns = columns_of(self.outline.pyramid, self.outline.samples, self._view.start_s, self._view.end_s, wide)
        core = theme().series(self.answer.place)
        body = _mixed(core, theme().color("surface.lane"), _BODY)
        inks = Inks(body, core, theme().color("audio.clip"), theme().color("state.failed"))
        tile = QPixmap.fromImage(picture(columns, high, self._scale(plot.height()) * ratio, inks))
        tile.setDevicePixelRatio(ratio)
        painter = QPainter(tile)
        pen = QPen(theme().color("surface.line_strong"), 1)
        pen.setDashPattern([1.0, 4.0])
        painter.setPen(pen)
        for dbfs in LINES_DBFS:
            for side in (-1, 1):
                y = round(plot.height() / 2 + side * 10 ** (dbfs / 20) * self._scale(plot.height())) + 0.5
                painter.drawLine(QPointF(0, y), QPointF(plot.width(), y))
        painter.end()
        return tile

    def _paint_clause(self, painter: QPainter, plot: QRect) -> None:
        """A tint with edges over the clause that is heard here, or that a switch would go to."""
        clauses = self.answer.voice.clauses
        if self._said is None or self._said >= len(clauses):
            return
        clause = clauses[self._said]
        if clause.start_s is None or clause.end_s is None:
            return
        left, right = (plot.left() + self._view.x(second) for second in (clause.start_s, clause.end_s))
        painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), theme().color("audio.loop_fill"))
        pen = QPen(theme().color("audio.loop"), 1)
        pen.setDashPattern([2.0, 2.0])
        painter.setPen(pen)
        for x in (round(left) + 0.5, round(right) - 0.5):
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))

    def _paint_landing(self, painter: QPainter, plot: QRect) -> None:
        """A wedge where a switch would go on, with ≈ where that is an estimate."""
        found = self._landing
        if found is None or self.answer.clip is None:
            return
        x = round(plot.left() + self._view.x(found.at_s)) + 0.5
        ink = theme().color("text.secondary")
        pen = QPen(ink, 1)
        pen.setDashPattern([3.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPolygon(QPolygonF([QPointF(x, 0), QPointF(x + 8, 5), QPointF(x, 10)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if found.is_estimated:
            painter.setPen(ink)
            painter.setFont(font("axis"))
            painter.drawText(QPointF(x + 10, 10), "≈")

    def _paint_playhead(self, painter: QPainter, plot: QRect) -> None:
        if not self._is_heard or self._second is None:
            return
        x = plot.left() + self._view.x(self._second)
        ink = theme().color("audio.playhead")
        painter.fillRect(QRectF(x, plot.top(), line("playhead"), plot.height()), ink)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPolygon(QPolygonF([QPointF(x - 5, 0), QPointF(x + 6, 0), QPointF(x + 0.5, 6)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_axis(self, painter: QPainter, plot: QRect) -> None:
        if self.outline is None:
            return
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        room = painter.fontMetrics().height()
        last = -float(room)
        for dbfs in LINES_DBFS:
            y = plot.height() / 2 - 10 ** (dbfs / 20) * self._scale(plot.height())
            if y - last >= room - 2:
                box = QRectF(plot.right() + 8, y - room / 2, self._axis - 8, room)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), decibel_text(dbfs, 0))
                last = y

    def _paint_text(self, painter: QPainter, room: QRect) -> None:
        if self.answer.loaded is None:
            return
        if not self.answer.text:
            none = words.text("audit.compare.no_text")
            paint_text(painter, QRectF(room), none, font("small"), theme().color("text.tertiary"))
            return
        left = room.left()
        if self.answer.is_heard:
            paint_icon(painter, QRectF(left, room.top() + 2, 14, 14), "ear", "text.tertiary")
            room = room.adjusted(20, 0, 0, 0)
        self._text.paint(painter, room, is_heard=self._is_heard)

    def _show_clause(self, place: int | None) -> None:
        clauses = self.answer.voice.clauses
        self._text.mark(clauses[place].span if place is not None and place < len(clauses) else None)
        self.update()

    def _facts(self) -> tuple[Fact, ...]:
        return () if self.answer.loaded is None else verdict_facts(self.answer.loaded, self._method)

    def _sentence(self) -> str:
        if self.error is not None:
            return words.error(self.error)
        if self.answer.loaded is None:
            return words.text("audit.compare.no_answer", system=self.answer.system)
        answered = self.answer.loaded.detail.answered
        if answered.state != "answered":
            said = words.text(f"audit.table.{answered.state}")
            return f"{said}: {_one_line(answered.error or '')}" if answered.error else said
        return words.text("audit.detail.no_audio") if self.answer.clip is None else ""

    def _wave_height(self) -> int:
        lines = min(max((self.height() - 40) // 20, 1), _MOST_LINES) if self.answer.loaded is not None else 0
        if lines > 1:
            lines = min(lines, self._text.lines(int(self.plot_width) - 10))
        return self.height() - max(lines, 1) * self._text.line_height - 6

    def _scale(self, high: int) -> float:
        return high / 2 - 2

    def _update_at(self, second: float) -> None:
        x = int(self._head + self._view.x(second))
        self.update(QRect(x - _STRIP, 0, 2 * _STRIP + 16, self._wave_height()))


def _mixed(one: QColor, other: QColor, share: float) -> QColor:
    parts = [
        round(a * share + b * (1 - share))
        for a, b in zip(one.getRgb()[:3], other.getRgb()[:3])  # type: ignore[index]
    ]
    return QColor(*parts)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:300]
