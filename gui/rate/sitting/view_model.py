"""The state of a rater's sitting: which page and which item stand there, and what a key does. No widget."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.rating.protocols import Protocol
from engine.store.sittings import Remark, SpanTag
from engine.store.workspace import Workspace
from gui.jobs import JobRunner
from gui.player.player import Player
from gui.rate.sitting.course import Course
from gui.rate.sitting.item import Item
from gui.rate.sitting.listening import Listening
from gui.rate.sitting.reading import Session, read_session
from gui.rate.sitting.saving import Saving
from gui.rate.sitting.work_time import WorkTime
from gui.rate.sitting.writing import (
    Answers,
    Presented,
    Seat,
    Undone,
    write_answers,
    write_heard,
    write_presented,
    write_remark,
    write_skip,
    write_undone,
)


class SittingViewModel(QObject):
    """Leads a rater through a session; everything said is committed before the next item is shown.

    Signals:
        page_changed: ``reading``, ``trouble``, ``check``, ``instructions``, ``warning``, ``item``, ``break``, ``end``.
        item_changed: another item stands there, or more of it is shown.
        answers_changed: other steps are chosen, another scale is open, a flag, a note or a tag is another.
        progress_changed: how far the session is.
        hinted: what the rater has to do first, or what a key did, as the name of a sentence.
        seat_changed: the rater hears by another device, or at another speed, now.
        over: the rater has seen the last page.
    """

    page_changed, item_changed, answers_changed, progress_changed = Signal(str), Signal(), Signal(), Signal()
    hinted, seat_changed, over = Signal(str), Signal(), Signal()

    def __init__(
        self,
        jobs: JobRunner,
        workspace: Workspace,
        session_id: int,
        player: Player,
        parent: QObject | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._workspace, self._session_id, self._player = jobs, workspace, session_id, player
        self.saving, self.listening = Saving(jobs, workspace, self), Listening(jobs, player, self)
        self.playing = self.listening.playing
        self.time = WorkTime(now)
        self.page = "reading"
        self.session: Session | None = None
        self.course: Course | None = None
        self.item: Item | None = None
        self.error: EngineError | None = None
        self.seat = Seat(0)
        self._waits_for_device = self._is_redoing = False
        self._break_began = 0.0
        self._reason = ""  # of the skip that is being saved
        self._tag: SpanTag | None = None  # that is being saved
        self.listening.opened.connect(self.answers_changed)
        self.playing.moved.connect(self._on_moved)
        player.device_changed.connect(self._on_device)

    # the pages around the items

    def start(self) -> None:
        """Read the session; its first page follows."""
        self.error = None
        self._show_page("reading")
        job = self._jobs.call(read_session, self._workspace, self._session_id)
        job.succeeded.connect(self._on_session)
        job.failed.connect(self._on_unread)

    def take_setup(self, setup: Mapping[str, Any]) -> None:
        """The check of level and sides is over; what it found is kept with the sitting."""
        plan = self._player.plan
        device, rate = ("", None) if plan is None else (plan.device, plan.rate_hz)
        self.seat = Seat(self.seat.rater_id, device, rate, dict(setup))
        self._show_page("instructions")

    def go_on(self) -> None:
        """Enter on a page that is read: what comes after it."""
        if self.page == "instructions" and self.protocol.warning:
            self._show_page("warning")
        elif self.page in ("instructions", "warning"):
            self._show(self._way.first_open(0))
        elif self.page == "break" and self._is_training_due:
            self.start()  # as if the rater came back another day
        elif self.page == "break":
            self.time.rest()
            self._show(self._way.at)
        elif self.page == "end":
            self.over.emit()
        elif self.page == "trouble":
            self.start()

    def take_break(self) -> None:
        """Pause now; Enter goes on where it was."""
        if self._free_item() is not None:
            self._leave_item()
            self._show_page("break")

    def leave(self) -> None:
        """The rater gets up: what was heard and noted of the item is kept, and nothing plays."""
        self._leave_item()
        self.saving.close()

    def touch(self) -> None:
        """The rater does something: this time counts as work."""
        self.time.touch(self.item.clock if self.page == "item" and self.item is not None else None)

    # what is heard

    def play(self) -> None:
        """Space: play what is still to be heard, else the answer again; pause; go on. Of an answered item: the next."""
        item = self._free_item()
        if item is None:
            return
        if not item.is_answered:
            self.listening.toggle()
            return
        self._advance()
        if self.page == "item":
            self.listening.play_all_to_hear()

    def replay(self) -> None:
        """Play all of the item from the beginning."""
        if self.page == "item" and self.item is not None:
            self.playing.play(tuple(self.item.clips))

    def play_part(self, part: str) -> None:
        """Play one clip from its beginning."""
        if self.page == "item":
            self.playing.play([part])

    def step(self, by_s: float) -> None:
        """Hear the clip from so many seconds later or earlier."""
        if self.page == "item":
            self.playing.step(by_s)

    def change_speed(self, by: float | None) -> None:
        """Play faster or slower by so much, None for as recorded; where the protocol lets a rater."""
        if self.course is None or not self.course.is_audible:
            return
        if self.protocol.is_speed_locked:
            self.hinted.emit("speed_locked")
        else:
            self._player.set_speed(1.0 if by is None else self._player.speed + by)
            self.seat_changed.emit()

    @property
    def speed(self) -> float:
        """How many times as fast as recorded it plays."""
        return self._player.speed

    # what is said

    def choose(self, key: str) -> bool:
        """A digit on the open scale; False where it means nothing now."""
        return self._chosen(lambda item: item.choose(key))

    def choose_on(self, scale_id: str, key: str) -> bool:
        """A step of a scale by the mouse."""
        return self._chosen(lambda item: item.choose_on(scale_id, key))

    def open_scale(self, scale_id: str) -> None:
        """A scale that was folded is open, by the mouse."""
        item = self._free_item()
        if item is not None:
            item.open_on(scale_id)
            self.answers_changed.emit()

    def step_field(self, by: int) -> None:
        """Another scale is open."""
        if self.item is not None:
            self.item.step_field(by)
            self.answers_changed.emit()

    def set_note(self, text: str) -> None:
        """What the note says now; kept with the commit."""
        if self.item is not None:
            self.item.note = text

    def flag(self) -> None:
        """Flag the item for the owner, or no longer; kept at once."""
        item = self._free_item()
        if item is not None:
            said = Remark("flag", holds=not item.is_flagged)
            job = self.saving.write(self.flag, write_remark, self.seat, item.presented, said)
            job.succeeded.connect(self._on_flagged)

    def tag(self, name: str, part: str, start_s: float, end_s: float) -> None:
        """Put a tag on a stretch of a clip; kept at once."""
        item = self._free_item()
        if item is not None:
            tag = self._tag = SpanTag(name, part, round(start_s, 3), round(end_s, 3))
            said = Remark("span_tag", tag.name, tag.clip, tag.start_s, tag.end_s)
            again = partial(self.tag, name, part, start_s, end_s)
            job = self.saving.write(again, write_remark, self.seat, item.presented, said)
            job.succeeded.connect(self._on_tagged)

    def commit(self) -> None:
        """Enter: keep what is chosen, then go on; where something is missing, say what."""
        item = self._free_item()
        if item is None or self.saving.retry():
            return
        if item.was_kept and not item.is_changed:
            self._advance()
        elif not item.is_open:
            self.hinted.emit("broken" if item.broken else "listen")
        elif item.lacks is not None:
            item.open_field = item.asked.index(item.lacks)
            self.answers_changed.emit()
            self.hinted.emit("choose")
        else:
            self._commit(item)

    def skip(self, reason: str) -> None:
        """Pass over the item, for a reason."""
        item = self._free_item()
        if item is not None:
            again = partial(self.skip, reason)
            told = (item.presented, reason, item.heard(), item.remarks())
            job = self.saving.write(again, write_skip, self.seat, *told)
            self._reason = reason
            job.succeeded.connect(self._on_skipped)

    def previous(self) -> None:
        """The item before this one, as it was rated; from the last page the last item."""
        if self.saving.is_busy or self.course is None or not self.course.rows:
            return
        if self.page == "end":
            self._show(len(self.course.rows) - 1)
        elif self.page == "item" and self.course.at:
            self._show(self.course.at - 1)
        elif self.page == "item":
            self.hinted.emit("first")

    def undo(self, again: bool = False) -> None:
        """Take back the last thing said at this session, on whatever item; ``again`` does it anew."""
        item = self.item
        if self.page not in ("item", "end") or item is None or self.saving.is_busy:
            return
        if not again and item.values != item.kept:  # what was only chosen goes first
            item.values, item.open_field = dict(item.kept), 0
            self.answers_changed.emit()
            return
        job = self.saving.write(partial(self.undo, again), write_undone, self._session_id, again)
        self._is_redoing = again
        job.succeeded.connect(self._on_undone)

    # what is told of it

    @property
    def protocol(self) -> Protocol:
        """How this session is held."""
        return self._way.protocol

    @property
    def left_s(self) -> float:
        """Seconds of work that are left, at the median pace."""
        return self.time.left_s(len(self._way.rows) - self._way.done, self._way.first_guess_s)

    @property
    def is_break_due(self) -> bool:
        """Whether the rater has worked as long as the protocol lets them without a break."""
        return self.time.is_break_due(self.protocol.break_after_min)

    @property
    def _is_training_due(self) -> bool:
        """Whether the break was so long that training is held again."""
        after_min = self.protocol.training.again_after_min
        return self._way.has_training and self.time.now() - self._break_began > after_min * 60 > 0

    @property
    def is_all_saved(self) -> bool:
        """Whether a rater who leaves now loses nothing; a note is kept as they go."""
        waits = self.saving.is_busy or self.saving.trouble is not None
        return not waits and (self.course is None or not self.course.has_unsaved)

    # which item

    @property
    def _way(self) -> Course:
        assert self.course is not None  # nothing is asked of it before the session was read
        return self.course

    def _free_item(self) -> Item | None:
        """The item that stands there, unless something of it is being saved."""
        return self.item if self.page == "item" and not self.saving.is_busy else None

    def _advance(self) -> None:
        """On from this item, over a break where one is due."""
        target = self._way.next
        if target >= len(self._way.rows):
            self._leave_item()
            self._show_page("end")
        elif self.is_break_due:
            self._leave_item()
            self._way.at = target
            self._show_page("break")
        else:
            self._show(target)

    def _show(self, index: int) -> None:
        self._leave_item()
        way = self._way
        if index >= len(way.rows):
            self._show_page("end")
            return
        way.at = index
        row = way.rows[index]
        item = self.item = way.item(row, self.listening.question(row))
        item.stand_anew(Presented(row.id, item.presented.gains))
        self.touch()
        self.listening.take(item, way.following, way.protocol)
        if self.page != "item":
            self._show_page("item")
        self.item_changed.emit()
        self.progress_changed.emit()
        self._present()

    def _leave_item(self) -> None:
        """Nothing plays any more, and what was heard and noted of the item is kept."""
        self.listening.let_go()
        self.keep()

    def keep(self) -> None:
        """Keep what was heard and noted of the item by now, as before the window goes."""
        item = self.item
        if item is None or self.page != "item":
            return
        heard, remarks = item.heard(), item.remarks()
        if heard != item.heard_kept or remarks:
            item.kept_note, item.heard_kept = item.note.strip(), heard
            self.saving.write_aside(write_heard, self.seat, item.presented, heard, remarks)

    def _present(self) -> None:
        """Write down that the item stands there; before the device is known a commit does it, or the device."""
        self._waits_for_device = self._way.is_audible and self._player.plan is None and self._player.trouble is None
        if not self._waits_for_device and self.item is not None:
            self.saving.write_aside(write_presented, self.seat, self.item.presented)

    def _show_page(self, page: str) -> None:
        self.page = page
        if page == "break":
            self._break_began = self.time.now()
        self.page_changed.emit(page)

    def _chosen(self, choose: Callable[[Item], bool]) -> bool:
        item = self._free_item()
        if item is None:
            return False
        if not item.is_open:
            self.hinted.emit("broken" if item.broken else "listen")
            return True
        if not choose(item):
            return False
        self.answers_changed.emit()
        return True

    # what was saved

    def _commit(self, item: Item) -> None:
        self.touch()
        answers = Answers(
            item.changes(), item.heard(), item.remarks(), round(item.clock.active_s, 3), not item.shows_text
        )
        job = self.saving.write(self.commit, write_answers, self.seat, item.presented, answers)
        job.succeeded.connect(self._on_committed)

    def _on_committed(self, _: object) -> None:
        item, way = self.item, self._way
        assert item is not None
        if not way.is_done(item):
            self.time.finish(item.clock.active_s)
        item.settle()
        way.remember(item)
        gives_feedback = item.row.kind == "training" and way.protocol.training.gives_feedback and item.row.expected
        shows_more = (way.reveals(item) and not item.is_revealed) or (gives_feedback and not item.has_feedback)
        if not shows_more:
            self._advance()
            return
        item.is_revealed, item.has_feedback = way.reveals(item), bool(gives_feedback)
        self.item_changed.emit()
        self.progress_changed.emit()

    def _on_skipped(self, _: object) -> None:
        assert self.item is not None
        self.item.pass_over(self._reason)
        self._way.remember(self.item)
        self._advance()

    def _on_flagged(self, _: object) -> None:
        assert self.item is not None
        self.item.is_flagged = not self.item.is_flagged
        self._way.remember(self.item)
        self.answers_changed.emit()
        self.hinted.emit("flagged" if self.item.is_flagged else "unflagged")

    def _on_tagged(self, _: object) -> None:
        assert self.item is not None
        assert self._tag is not None
        self.item.tags = (*(tag for tag in self.item.tags if tag != self._tag), self._tag)
        self._way.remember(self.item)
        self.answers_changed.emit()
        self.hinted.emit(f"tagged:{self._tag.name}")

    def _on_undone(self, undone: Undone) -> None:
        again = self._is_redoing
        if undone.assignment_id is None:
            self.hinted.emit("nothing_to_redo" if again else "nothing_to_undo")
            return
        self._way.take(undone.said)
        index = self._way.index(undone.assignment_id)
        if self.page == "item" and index == self._way.at:
            self.item_changed.emit()
            self.progress_changed.emit()
        else:
            self._show(index)
        self.hinted.emit("redone" if again else "undone")

    # what others say

    def _on_session(self, session: Session) -> None:
        self.session, self.course = session, Course(session)
        self.seat = Seat(session.row.rater_id)
        self.progress_changed.emit()
        page = "check" if self.course.is_audible else "instructions"
        self._show_page(page if self.course.rows else "end")

    def _on_unread(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.error = error
        self._show_page("trouble")

    def _on_moved(self, _part: str, _second: float) -> None:
        if self.playing.is_playing:
            self.touch()

    def _on_device(self) -> None:
        """Other headphones are another sitting: they stand in its row."""
        plan, seat = self._player.plan, self.seat
        if plan is not None and seat.rater_id and (seat.device, seat.sample_rate_hz) != (plan.device, plan.rate_hz):
            self.seat = Seat(seat.rater_id, plan.device, plan.rate_hz, seat.setup)
            self.seat_changed.emit()
        if self._waits_for_device and self.page == "item":
            self._present()
