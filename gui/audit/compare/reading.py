"""What the compare panel shows, read on a pool thread: the answers of some systems to one instance."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from engine.metrics.clauses import Voice
from engine.progress import Progress
from engine.query.compare import Beside, beside, compared_systems, voice_of
from engine.store.workspace import Workspace
from gui.audit.compare.series import series_places
from gui.audit.detail.view_model import Loaded, read_answer
from gui.player.clip import Clip

NO_VOICE = Voice((), 0.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """One lane: a system and its answer, which is None where it gave none to this instance.

    Attributes:
        place: its colour and mark.
        text: what the lane shows; ``is_heard`` says that it is a transcript, for the answer came without text.
    """

    system: str
    place: int
    loaded: Loaded | None = None
    voice: Voice = NO_VOICE
    text: str = ""
    is_heard: bool = False

    @property
    def clip(self) -> Clip | None:
        """What is heard of it."""
        return None if self.loaded is None else self.loaded.answer

    @property
    def response_id(self) -> int | None:
        """The id of the answer."""
        return None if self.loaded is None else self.loaded.detail.answered.id


@dataclass(frozen=True, slots=True)
class Compared:
    """The lanes, and every system that could be one."""

    response_id: int
    method: str
    there: tuple[Beside, ...]
    answers: tuple[Answer, ...]

    @property
    def own(self) -> int:
        """The lane of the answer that was chosen."""
        ids = [answer.response_id for answer in self.answers]
        return ids.index(self.response_id) if self.response_id in ids else 0


def read_compared(
    workspace: Workspace, response_id: int, method: str, kept: Sequence[str], count: int
) -> Generator[Progress, None, Compared]:
    """The answers of ``count`` systems to the instance of an answer; ``kept`` are the systems chosen before."""
    own = read_answer(workspace, response_id, method)
    with closing(workspace.connect()) as db:
        there = beside(db, response_id)
    ids = {entry.system: entry.response_id for entry in there} | {own.detail.system.name: response_id}
    systems = compared_systems(there, own.detail.system.name, kept, count)
    places = series_places([entry.system for entry in there], systems)
    answers = []
    for done, system in enumerate(systems):
        yield Progress(done, len(systems), system)
        wanted = ids.get(system)
        if wanted is None:
            answers.append(Answer(system, places[system]))
            continue
        loaded = own if wanted == response_id else read_answer(workspace, wanted, method)
        answers.append(_answer(system, places[system], loaded))
    return Compared(response_id, method, there, tuple(answers))


def _answer(system: str, place: int, loaded: Loaded) -> Answer:
    detail = loaded.detail
    text = detail.answered.text
    heard = detail.transcript("corrected") if text is None else None
    said = text if text is not None else (heard.text or "") if heard is not None else ""
    return Answer(system, place, loaded, voice_of(detail), said, is_heard=heard is not None)
