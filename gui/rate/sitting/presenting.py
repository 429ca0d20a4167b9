"""Puts the state of a sitting on its screen: which words and marks each part shows. Decides nothing."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from engine.errors import EngineError
from engine.rating.protocols import Scale
from gui.rate.sitting.foot import Foot
from gui.rate.sitting.hints import hint_of
from gui.rate.sitting.item import Item, Value
from gui.rate.sitting.item_page import ItemPage
from gui.rate.sitting.tagging import Tagging
from gui.rate.sitting.top_bar import TopBar
from gui.rate.sitting.view_model import SittingViewModel
from gui.rate.sitting.wording import clock, minutes, say
from gui.strings import words

_HINT_MS = 6000


class Presenting(QObject):
    """Listens to the view-model and tells the widgets."""

    def __init__(
        self, model: SittingViewModel, top: TopBar, page: ItemPage, foot: Foot, tagging: Tagging, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._model, self._top, self._page, self._foot, self._tagging = model, top, page, foot, tagging
        self._positions: dict[str, float] = {}
        self._said = ""
        self._no_sound: EngineError | None = None
        self._protocol: object = None
        self._forget = QTimer(self)
        self._forget.setSingleShot(True)
        self._forget.setInterval(_HINT_MS)
        self._forget.timeout.connect(self._on_forget)
        model.item_changed.connect(self._on_item)
        model.answers_changed.connect(self._on_answers)
        model.listening.changed.connect(self._on_heard)
        model.listening.opened.connect(self._on_opened)
        model.progress_changed.connect(self.show_progress)
        model.saving.changed.connect(self._on_saving)
        model.seat_changed.connect(self.show_frame)
        model.playing.changed.connect(self._on_playing)
        model.playing.moved.connect(self._on_moved)
        model.playing.failed.connect(self._on_no_sound)
        tagging.changed.connect(self._show_hint)

    def show_frame(self) -> None:
        """The bars around another page."""
        session, model = self._model.session, self._model
        if session is None:
            return
        row, protocol = session.row, session.protocol
        if self._protocol is not protocol:
            self._protocol = protocol
            self._page.take_protocol(protocol)
        pass_ = say("top.pass", n=row.number, all=row.passes) if row.passes > 1 else ""
        self._top.show_title(protocol.title, pass_)
        self._top.break_button.setEnabled(model.page == "item")
        seat = model.seat
        rate = "" if seat.sample_rate_hz is None else f"{seat.sample_rate_hz / 1000:g}"
        self._foot.show_all(
            say("foot.revealed" if session.is_disclosed else "foot.blind"),
            self._speed(),
            say("foot.device", device=seat.device, rate=rate) if seat.device else "",
            say("foot.protocol", title=protocol.title, language=protocol.language, version=protocol.version),
            f"#{row.protocol_sha256[:4]}",
            is_sealed=not session.is_disclosed,
        )
        self.show_progress()
        self._on_saving()

    def _speed(self) -> str:
        course = self._model.course
        if course is None or not course.is_audible:
            return ""
        if self._model.protocol.is_speed_locked:
            return say("foot.speed")
        return say("foot.speed_now", speed=f"{self._model.speed:g}")

    def show_progress(self) -> None:
        """Which item, how many, how long still."""
        model = self._model
        if model.course is None or not model.course.rows:
            return
        on_item = model.page in ("item", "break")
        number, count = model.course.place
        key = "top.training" if model.course.is_training else "top.place"
        break_in_s = model.time.break_in_s(model.protocol.break_after_min)
        left, rest = minutes(model.left_s), minutes(break_in_s)
        has_break = model.protocol.break_after_min > 0 and break_in_s < model.left_s
        time = say("top.left_and_break", time=left, rest=rest) if has_break else say("top.left", time=left)
        shown = model.course.done < len(model.course.rows)
        self._top.done.set_wanted(on_item)
        self._top.show_progress(
            say(key, n=number, all=count) if on_item else "",
            time if on_item and shown else "",
            model.course.done / len(model.course.rows),
        )

    def show_field(self) -> None:
        """Bring the open scale into view."""
        if self._model.item is not None:
            self._page.show_field(self._model.item)

    def show_note(self) -> None:
        """The note's line, where there is one to read or to write."""
        if self._model.item is not None:
            self._page.show_note(self._model.item)

    def hint(self, what: str) -> None:
        """Say for a while what a key did, or what has to be done first."""
        self._said = what
        self._forget.start()
        self._show_hint()

    def retranslate(self) -> None:
        """Say all of it in the language of now."""
        self.show_frame()
        self._page.acts.retranslate()
        if self._model.item is not None:
            self._show_item(self._model.item)

    # what the model says

    def _on_item(self) -> None:
        item = self._model.item
        if item is not None:
            self._positions, self._no_sound = {}, None
            self._forget.stop()
            self._said = ""
            self._show_item(item)
            self._page.to_top()

    def _show_item(self, item: Item) -> None:
        self._show_head(item)  # first: how much room the rest has hangs on it
        self._page.show_item(item)
        self._show_feedback(item)
        self._on_answers()

    def _on_answers(self) -> None:
        item = self._model.item
        if item is not None:
            self._show_head(item)
            self._page.show_answers(item)
            self._page.show_heard(item)
            self._show_commit(item)
            self._show_hint()
            self._on_playing()

    def _on_heard(self) -> None:
        item = self._model.item
        if item is not None:
            self._page.show_heard(item)
            if not item.is_open:
                self._show_hint()

    def _on_opened(self) -> None:
        """In a low window the scale comes into view once it can be answered."""
        item = self._model.item
        if item is not None and item.is_open and item.clips:
            self.show_field()

    def _on_moved(self, part: str, second: float) -> None:
        self._positions[part] = second
        if self._model.item is not None:
            self._page.show_playing(self._model.item, self._heard_now(), self._positions)

    def _on_playing(self) -> None:
        model, item = self._model, self._model.item
        if item is None:
            return
        if model.playing.is_playing:
            self._no_sound = None
        self._page.show_playing(item, self._heard_now(), self._positions)
        if item.is_answered:
            word, icon = "next_play", "play"
        elif model.playing.is_playing:
            word, icon = "pause", "pause"
        elif model.playing.is_paused:
            word, icon = "resume", "play"
        else:
            was_heard = all(item.is_heard(part) for part in item.clips)
            word, icon = ("again", "play") if was_heard else ("play", "play")
        self._page.acts.show_play(word, icon, bool(item.clips))

    def _on_no_sound(self, error: EngineError) -> None:
        """A file may lie under a telling name: of one that cannot be read no path is shown."""
        self._no_sound = error
        self._show_hint()

    def _on_saving(self) -> None:
        model = self._model
        found = model.saving.trouble
        trouble = "" if found is None else words.error(found)
        self._page.trouble.say(trouble, say("acts.retry") if trouble else "", found.code if found else "")
        if model.saving.saved_at is not None:
            self._foot.show_saved(say("foot.saved"), clock(model.saving.saved_at))
        if model.item is not None:
            self._show_commit(model.item)
            self._show_hint()

    def _on_forget(self) -> None:
        self._said = ""
        self._show_hint()

    # what is said of an item

    def _show_head(self, item: Item) -> None:
        row, protocol = item.row, item.protocol
        letters = row.letter if row.other_letter is None else f"{row.letter} {row.other_letter}"
        is_silent = protocol.question == "audio" and "question" not in item.clips  # then at least its words
        has_words = (protocol.question in ("text", "both") or is_silent) and bool(row.question.text)
        turns = row.context if protocol.question != "none" else ()
        if has_words:
            question, caption = row.question.text, say("head.asked")
        else:
            question, caption = say(f"head.{_what_to_do(item)}"), ""
        self._page.head.show_item(letters, caption, turns, question, say(f"head.{_about_words(item)}"))

    def _show_feedback(self, item: Item) -> None:
        if not item.has_feedback or not item.row.expected:
            self._page.feedback.clear()
            return
        lines, is_right = [], True
        for scale in item.asked:
            expected = item.row.expected.get(scale.id)
            if expected is not None:
                key = _judged(item.protocol.screening.gold_within, scale, item.values.get(scale.id), expected)
                is_right = is_right and key == "right"
                step = scale.step_of(expected)  # type: ignore[arg-type]
                lines.append(say(f"feedback.{key}", expected=f"{step.key} “{step.label}”", anchor=step.anchor))
        self._page.feedback.say("\n".join(lines), tone="good" if is_right else "note")

    def _show_commit(self, item: Item) -> None:
        model = self._model
        if model.saving.is_busy:
            self._page.acts.show_commit("saving" if model.saving.is_slow else "commit", False)
        elif model.saving.trouble is not None:
            self._page.acts.show_commit("retry", True)
        elif item.was_kept and not item.is_changed:
            self._page.acts.show_commit("next", True)
        else:
            self._page.acts.show_commit("commit", item.is_open and item.lacks is None)

    def _show_hint(self) -> None:
        self._page.hint.tell(*hint_of(self._model, self._tagging, self._said, self._no_sound))

    def _heard_now(self) -> str:
        playing = self._model.playing
        return playing.now if playing.is_playing else ""


def _what_to_do(item: Item) -> str:
    if item.is_answered:
        return "look"
    if item.was_kept and item.is_changed:
        return "changed"
    if not item.clips:
        return "read"
    if item.row.other is not None:
        return "listen_both"
    return "listen" if any(part.startswith("question") for part in item.clips) else "listen_answer"


def _about_words(item: Item) -> str:
    if item.row.perceived == "text":
        return "text_only"
    if item.is_revealed:
        return "revealed"
    return item.protocol.reveals


def _judged(within: int, scale: Scale, given: Value | None, expected: int | float | str) -> str:
    if given == expected:
        return "right"
    if (
        scale.kind != "choice"
        and isinstance(given, int)
        and isinstance(expected, int)
        and abs(given - expected) <= within
    ):
        return "near"
    return "wrong"
