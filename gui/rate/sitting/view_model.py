"""The state of a rater's sitting: which item stands there, what is being saved, what comes next. No widget."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.rating.heard import Ledger
from engine.rating.pace import ActiveClock, time_left_s
from engine.rating.protocols import Protocol
from engine.store.sittings import Remark
from engine.store.studies import AssignmentRow, Shown
from engine.store.workspace import Workspace
from gui.jobs import Job, JobRunner
from gui.player.clip import Clip
from gui.player.player import Player
from gui.rate.sitting.item import Item, item_of
from gui.rate.sitting.playing import Playing
from gui.rate.sitting.reading import Said, Session, Voiced, clips_of, read_session, read_voiced_of
from gui.rate.sitting.writing import (
    Answers,
    Pen,
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

#: Seconds after which a save that is not back is told: the store may be locked by others for ten.
SLOW_MS = 800


class SittingViewModel(QObject):
    """Leads a rater through a session; everything said is committed before the next item is shown.

    Signals:
        page_changed: ``reading``, ``trouble``, ``check``, ``instructions``, ``warning``, ``item``, ``break``, ``end``.
        item_changed: another item stands there, or more of it is shown.
        answers_changed: other steps are chosen, another scale is open, a flag, a note or a tag is another.
        heard_changed: more of the clips was heard, or where they speak is known.
        progress_changed: how far the session is.
        saving_changed: something is being saved, was saved, or could not be.
        hinted: what the rater has to do first, as the name of a sentence.
        seat_changed: the rater hears by another device, or at another speed, now.
        over: the rater has seen the last page.
    """

    page_changed, item_changed, answers_changed, heard_changed = Signal(str), Signal(), Signal(), Signal()
    progress_changed, saving_changed, hinted, over = Signal(), Signal(), Signal(str), Signal()
    seat_changed = Signal()

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
        self._pen = Pen(workspace)
        self._now = now
        self.playing = Playing(player, self)
        self.page = "reading"
        self.session: Session | None = None
        self.said = Said()
        self.item: Item | None = None
        self.trouble: EngineError | None = None
        self.saved_at: float | None = None
        self.is_slow = False
        self.seat = Seat(0)
        self._at = 0
        self._items: dict[int, Item] = {}
        self._voiced: dict[int, Voiced] = {}
        self._questions: dict[str, Ledger] = {}
        self._done: set[int] = set()
        self._saving: Job | None = None
        self._again: Callable[[], None] | None = None
        self._tag: Remark | None = None
        self._taken_s: list[float] = []
        self._clock = ActiveClock()
        self._since_break_s = 0.0
        self._underruns = 0
        self._is_redoing = self._waits_for_device = self._is_audible = False
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(self._on_slow)
        self.playing.heard.connect(self._on_heard)
        self.playing.moved.connect(self._on_moved)
        player.underruns_changed.connect(self._on_underruns)
        player.device_changed.connect(self._on_device)

    # from the beginning to the first item

    def start(self) -> None:
        """Read the session; its first page follows."""
        self.trouble = None
        self._show_page("reading")
        job = self._jobs.call(read_session, self._workspace, self._session_id)
        job.succeeded.connect(self._on_session)
        job.failed.connect(self._on_unread)

    def take_setup(self, setup: Mapping[str, Any]) -> None:
        """The check of level and sides is over; what it found is kept with the sitting."""
        assert self.session is not None
        plan = self._player.plan
        device, rate = ("", None) if plan is None else (plan.device, plan.rate_hz)
        self.seat = Seat(self.session.row.rater_id, device, rate, dict(setup))
        self._show_page("instructions")

    def go_on(self) -> None:
        """Enter on a page that is read: what comes after it."""
        if self.page == "instructions" and self.protocol.warning:
            self._show_page("warning")
        elif self.page in ("instructions", "warning"):
            self._show(self._first_open(0))
        elif self.page == "break":
            self._since_break_s = self._clock.active_s
            self._show(self._at)
        elif self.page == "end":
            self.over.emit()
        elif self.page == "trouble":
            self.start()

    def take_break(self) -> None:
        """Pause now; Enter goes on where it was."""
        if self.page == "item" and self._saving is None:
            self.playing.stop()
            self._put_aside()
            self._show_page("break")

    # the item

    def play(self) -> None:
        """Space: play what is still to be heard, else the answer again; pause; go on. Of an answered item: the next."""
        item = self.item
        if self.page != "item" or item is None or self._saving is not None:
            return
        if item.is_answered:
            self._advance()
            self._play_all_to_hear()
        elif self.playing.is_playing:
            self.playing.pause()
        elif self.playing.is_paused:
            self.playing.go_on()
        else:
            self._play_all_to_hear()

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
        if self.session is None or not self.is_audible:
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

    def choose(self, key: str) -> bool:
        """A digit on the open scale; False where it means nothing now."""
        return self._chosen(lambda item: item.choose(key))

    def choose_on(self, scale_id: str, key: str) -> bool:
        """A step of a scale by the mouse."""
        return self._chosen(lambda item: item.choose_on(scale_id, key))

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
        item = self.item
        if self.page == "item" and item is not None and self._saving is None:
            wanted = not item.is_flagged
            self._again = self.flag
            self._save(write_remark, item.presented, Remark("flag", holds=wanted)).succeeded.connect(self._on_flagged)

    def tag(self, name: str, part: str, start_s: float, end_s: float) -> None:
        """Put a tag on a stretch of a clip; kept at once."""
        item = self.item
        if self.page == "item" and item is not None and self._saving is None:
            said = Remark("span_tag", name, part, round(start_s, 3), round(end_s, 3))
            self._again = partial(self.tag, name, part, start_s, end_s)
            self._tag = said
            self._save(write_remark, item.presented, said).succeeded.connect(self._on_tagged)

    def commit(self) -> None:
        """Enter: keep what is chosen, then go on; where something is missing, say what."""
        item = self.item
        if self.page != "item" or item is None or self._saving is not None:
            return
        if (item.is_answered or item.was_kept) and not item.is_changed:
            self._advance()
            return
        if not item.is_open:
            self.hinted.emit("broken" if item.broken else "listen")
            return
        if item.lacks is not None:
            item.open_field = item.asked.index(item.lacks)
            self.answers_changed.emit()
            self.hinted.emit("choose")
            return
        self.touch()
        answers = Answers(
            item.changes(), item.heard(), item.remarks(), round(item.clock.active_s, 3), not item.shows_text
        )
        self._again = self.commit
        self._save(write_answers, item.presented, answers).succeeded.connect(self._on_committed)

    def skip(self, reason: str) -> None:
        """Pass over the item, for a reason."""
        item = self.item
        if self.page != "item" or item is None or self._saving is not None:
            return
        self._again = partial(self.skip, reason)
        job = self._save(write_skip, item.presented, reason, item.heard(), item.remarks())
        item.skip_reason = reason
        job.succeeded.connect(self._on_skipped)

    def previous(self) -> None:
        """The item before this one, as it was rated; from the last page the last item."""
        if self._saving is None and self.page in ("item", "end") and self.rows:
            if self.page == "end":
                self._show(len(self.rows) - 1)
            elif self._at > 0:
                self._show(self._at - 1)
            else:
                self.hinted.emit("first")

    def undo(self, again: bool = False) -> None:
        """Take back the last thing said at this session, on whatever item; ``again`` does it anew."""
        item = self.item
        if self.page not in ("item", "end") or item is None or self._saving is not None:
            return
        if not again and item.values != item.kept:  # what was only chosen goes first
            item.values, item.open_field = dict(item.kept), 0
            self.answers_changed.emit()
            return
        self._again = partial(self.undo, again)
        self._is_redoing = again
        job = self._call(write_undone, self._pen, self._session_id, again)
        job.succeeded.connect(self._on_undone)

    def retry(self) -> None:
        """Try once more what could not be saved; without such a thing, save what is chosen."""
        again = self._again if self.trouble is not None else None
        if self._saving is None:
            (again or self.commit)()

    def touch(self) -> None:
        """The rater does something: this time counts as work."""
        now = self._now()
        self._clock.touch(now)
        if self.page == "item" and self.item is not None:
            self.item.clock.touch(now)

    def leave(self) -> None:
        """The rater gets up: what was heard and noted of the item is kept, and nothing plays."""
        self.playing.stop()
        self._put_aside()
        self._jobs.call(self._pen.put_down, pool="writing")

    # what is told of it

    @property
    def protocol(self) -> Protocol:
        """How this session is held."""
        assert self.session is not None
        return self.session.protocol

    @property
    def rows(self) -> tuple[AssignmentRow, ...]:
        """All there is to rate, in order."""
        return () if self.session is None else self.session.assignments

    @property
    def is_saving(self) -> bool:
        """Whether the screen waits for the store."""
        return self._saving is not None

    @property
    def place(self) -> tuple[int, int]:
        """The number of this item and how many there are; of a training item, among those."""
        training = [row.kind == "training" for row in self.rows]
        alike = [i for i, one in enumerate(training) if one == training[self._at]]
        return alike.index(self._at) + 1, len(alike)

    @property
    def is_training(self) -> bool:
        """Whether this item is for practice."""
        return bool(self.rows) and self.rows[self._at].kind == "training"

    @property
    def done(self) -> int:
        """Items that were rated or skipped."""
        return len(self._done)

    @property
    def skipped(self) -> int:
        """Items that were passed over."""
        return len(self.said.skipped)

    @property
    def left_s(self) -> float:
        """Seconds of work that are left, at the median pace."""
        return time_left_s(self._taken_s, len(self.rows) - len(self._done), self._first_guess_s())

    @property
    def break_in_s(self) -> float:
        """Seconds of work until a break is offered."""
        return max(self.protocol.break_after_min * 60 - (self._clock.active_s - self._since_break_s), 0.0)

    @property
    def worked_s(self) -> float:
        """Seconds of work since the last break."""
        return self._clock.active_s - self._since_break_s

    @property
    def is_break_due(self) -> bool:
        """Whether the rater has worked as long as the protocol lets them without a break."""
        return self.worked_s >= self.protocol.break_after_min * 60 > 0

    @property
    def is_audible(self) -> bool:
        """Whether anything of the items sounds."""
        return self._is_audible

    # which item

    def _first_open(self, start: int) -> int:
        """The first item from ``start`` on, else of all, that was neither rated nor skipped; past the end for none."""
        rows = self.rows
        order = [*range(start, len(rows)), *range(start)]
        return next((i for i in order if rows[i].id not in self._done), len(rows))

    def _advance(self) -> None:
        """On from this item: to the first that is open, else to the one behind it, else to the end."""
        target = self._first_open(self._at + 1)
        if target == len(self.rows):
            target = self._at + 1
        if target >= len(self.rows):
            self._put_aside()
            self.playing.stop()
            self._show_page("end")
        elif self.is_break_due:
            self._put_aside()
            self.playing.stop()
            self._at = target
            self._show_page("break")
        else:
            self._show(target)

    def _show(self, index: int) -> None:
        if index >= len(self.rows):
            self._show_page("end")
            return
        self._put_aside()
        self._at = index
        row = self.rows[index]
        item = self.item = self._items.get(row.id) or self._new_item(row)
        item.presented = Presented(row.id, item.presented.gains)
        item.plays, item.heard_kept, item.underruns, item.open_field, item.has_feedback = {}, (), 0, 0, False
        item.voiced = self._voiced.get(row.id)
        item.clock.begin()
        self.touch()
        following = self.rows[index + 1] if index + 1 < len(self.rows) else None
        ahead = {} if following is None else clips_of(following, self.protocol)
        self.playing.take(
            {part: _clip(shown) for part, shown in item.clips.items() if shown.sound is not None},
            {part: (shown.skip_s, shown.stop_s) for part, shown in item.clips.items()},
            [_clip(shown) for shown in ahead.values() if shown.sound is not None],
        )
        if self.page != "item":
            self._show_page("item")
        self.item_changed.emit()
        self.progress_changed.emit()
        self._present()
        for one in (row, following):
            if one is not None and one.id not in self._voiced:
                self._jobs.call(_voiced_of, one.id, clips_of(one, self.protocol)).succeeded.connect(self._on_voiced)

    def _present(self) -> None:
        """Write down that the item stands there; before the device is known a commit does it, or the device."""
        self._waits_for_device = self.is_audible and self._player.plan is None and self._player.trouble is None
        if not self._waits_for_device and self.item is not None:
            self._call_aside(write_presented, self._pen, self.seat, self.item.presented)

    def _new_item(self, row: AssignmentRow) -> Item:
        question = self._questions.setdefault(row.question.sha256 or row.uid, Ledger())
        item = self._items[row.id] = item_of(row, self.protocol, question)
        self._take_said(item)
        return item

    def _take_said(self, item: Item) -> None:
        """Put on the item what stands of it in the store."""
        number = item.row.id
        item.kept = {scale: rating.value for scale, rating in self.said.ratings.get(number, {}).items()}  # type: ignore[misc]
        item.values, item.open_field = dict(item.kept), 0
        item.note = item.kept_note = self.said.notes.get(number, "")
        item.is_flagged, item.skip_reason = number in self.said.flagged, self.said.skipped.get(number, "")
        item.was_kept = bool(item.kept)
        item.is_revealed = item.is_revealed or (item.was_kept and self._reveals(item))  # who saw the words knows them

    def _put_aside(self) -> None:
        """Keep what was heard and noted of the item that is left."""
        item = self.item
        if item is None or self.page != "item":
            return
        heard, remarks = item.heard(), item.remarks()
        if heard != item.heard_kept or remarks:
            item.kept_note, item.heard_kept = item.note.strip(), heard
            self._call_aside(write_heard, self._pen, self.seat, item.presented, heard, remarks)

    def _show_page(self, page: str) -> None:
        self.page = page
        self.page_changed.emit(page)

    def _play_all_to_hear(self) -> None:
        item = self.item
        if self.page == "item" and item is not None:
            questions = [part for part in item.clips if part.startswith("question") and item.wants_hearing(part)]
            self.playing.play([*questions, *(part for part in item.clips if not part.startswith("question"))])

    def _chosen(self, choose: Callable[[Item], bool]) -> bool:
        item = self.item
        if self.page != "item" or item is None or self._saving is not None:
            return False
        if not item.is_open:
            self.hinted.emit("broken" if item.broken else "listen")
            return True
        if not choose(item):
            return False
        self.answers_changed.emit()
        return True

    def _reveals(self, item: Item) -> bool:
        texts = [clip.text for clip in (item.row.answer, item.row.other) if clip is not None]
        return self.protocol.reveals == "after_commit" and any(texts)

    def _first_guess_s(self) -> float:
        lengths = [
            sum((shown.duration_s or 0.0) for shown in clips_of(row, self.protocol).values()) for row in self.rows[:60]
        ]
        return self.protocol.planning.answer_s + (statistics.median(lengths) if lengths else 0.0)

    # saving

    def _save(self, write: Callable[..., Any], presented: Presented, *rest: Any) -> Job:
        return self._call(write, self._pen, self.seat, presented, *rest)

    def _call(self, write: Callable[..., Any], *arguments: Any) -> Job:
        """Write something that the screen waits for."""
        self.trouble, self.is_slow = None, False
        job = self._saving = self._jobs.call(write, *arguments, pool="writing")
        job.failed.connect(self._on_unsaved)
        job.succeeded.connect(self._on_saved)
        self._slow.start()
        self.saving_changed.emit()
        return job

    def _call_aside(self, write: Callable[..., Any], *arguments: Any) -> None:
        """Write something that nobody waits for; what fails is told, and made good by the next commit."""
        self._jobs.call(write, *arguments, pool="writing").failed.connect(self._on_aside_unsaved)

    def _on_saved(self, _: object) -> None:
        self._saving, self.is_slow = None, False
        self._slow.stop()
        self.saved_at = time.time()
        self.saving_changed.emit()

    def _on_unsaved(self, error: Exception) -> None:
        self._saving, self.is_slow = None, False
        self._slow.stop()
        if self.item is not None and self.item.row.id not in self.said.skipped:
            self.item.skip_reason = ""
        if not isinstance(error, EngineError):
            raise error
        self.trouble = error
        self.saving_changed.emit()

    def _on_aside_unsaved(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.trouble = error
        self.saving_changed.emit()

    def _on_slow(self) -> None:
        self.is_slow = self._saving is not None
        self.saving_changed.emit()

    def _on_committed(self, _: object) -> None:
        item = self.item
        assert item is not None
        is_first = item.row.id not in self._done
        item.settle()
        self._remember(item)
        if is_first:
            self._taken_s.append(item.clock.active_s)
        gives_feedback = item.row.kind == "training" and self.protocol.training.gives_feedback and item.row.expected
        shows_more = (self._reveals(item) and not item.is_revealed) or (gives_feedback and not item.has_feedback)
        if not shows_more:
            self._advance()
            return
        item.is_revealed, item.has_feedback = self._reveals(item), bool(gives_feedback)
        self.item_changed.emit()
        self.progress_changed.emit()

    def _on_skipped(self, _: object) -> None:
        item = self.item
        assert item is not None
        reason = item.skip_reason
        item.values = {}
        item.settle()
        item.skip_reason, item.was_kept = reason, False
        self._remember(item)
        self._advance()

    def _on_flagged(self, _: object) -> None:
        if self.item is not None:
            self.item.is_flagged = not self.item.is_flagged
            self._remember(self.item)
            self.answers_changed.emit()

    def _on_tagged(self, _: object) -> None:
        if self.item is not None and self._tag is not None:
            self.item.tags.append(self._tag)
        self.answers_changed.emit()

    def _remember(self, item: Item) -> None:
        """What stands now of one item, without asking the store."""
        said, number = self.said, item.row.id
        flagged = said.flagged | {number} if item.is_flagged else said.flagged - {number}
        skipped = {key: reason for key, reason in said.skipped.items() if key != number}
        if item.skip_reason:
            skipped[number] = item.skip_reason
        self.said = Said(said.ratings, skipped, flagged, said.notes, True, False)
        if item.kept or item.skip_reason:
            self._done.add(number)
        self.progress_changed.emit()

    def _on_undone(self, undone: Undone) -> None:
        self.said = undone.said
        self._done = {row.id for row in self.rows if self.said.ratings.get(row.id) or row.id in self.said.skipped}
        if not undone.changed:
            self.hinted.emit("nothing_to_redo" if self._is_redoing else "nothing_to_undo")
            self.progress_changed.emit()
            return
        for number in undone.changed:
            item = self._items.get(number)
            if item is not None:
                self._take_said(item)
        index = next(i for i, row in enumerate(self.rows) if row.id == undone.changed[0])
        if self.page == "item" and index == self._at:
            self.item_changed.emit()
            self.progress_changed.emit()
        else:
            self._show(index)
        self.hinted.emit("redone" if self._is_redoing else "undone")

    # what others say

    def _on_session(self, session: Session) -> None:
        self.session, self.said = session, session.said
        self._done = {row.id for row in self.rows if self.said.ratings.get(row.id) or row.id in self.said.skipped}
        self.seat = Seat(session.row.rater_id)
        self._is_audible = any(clips_of(row, session.protocol) for row in session.assignments)
        self.progress_changed.emit()
        if not self.rows:
            self._show_page("end")
        else:
            self._show_page("check" if self.is_audible else "instructions")

    def _on_unread(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.trouble = error
        self._show_page("trouble")

    def _on_voiced(self, found: tuple[int, Voiced]) -> None:
        number, voiced = found
        self._voiced[number] = voiced
        if self.item is not None and self.item.row.id == number:
            self.item.voiced = voiced
            self.heard_changed.emit()

    def _on_heard(self, part: str, start_s: float, end_s: float, speed: float) -> None:
        if self.item is not None and self.page == "item":
            was_open = self.item.is_open
            self.item.hear(part, start_s, end_s, speed)
            self.heard_changed.emit()
            if self.item.is_open != was_open:
                self.answers_changed.emit()

    def _on_moved(self, _part: str, _second: float) -> None:
        if self.playing.is_playing:
            self.touch()

    def _on_underruns(self, count: int) -> None:
        if self.item is not None:
            self.item.underruns += max(count - self._underruns, 0)
        self._underruns = count

    def _on_device(self) -> None:
        """Other headphones are another sitting: they stand in its row."""
        plan = self._player.plan
        if (
            plan is not None
            and self.seat.rater_id
            and (self.seat.device, self.seat.sample_rate_hz)
            != (
                plan.device,
                plan.rate_hz,
            )
        ):
            self.seat = Seat(self.seat.rater_id, plan.device, plan.rate_hz, self.seat.setup)
            self.seat_changed.emit()
        if self._waits_for_device and self.page == "item":
            self._present()


def _clip(shown: Shown) -> Clip:
    assert shown.sound is not None
    return Clip(None, shown.sound, shown.duration_s, gain_db=shown.gain_db)


def _voiced_of(number: int, clips: Mapping[str, Shown]) -> tuple[int, Voiced]:
    return number, read_voiced_of(clips)
