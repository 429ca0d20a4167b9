"""What the Rate screen shows of a workspace, read at once on a pool thread."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.store.raters import Rater
    from engine.store.studies import SessionRow, StudyRow
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RoomRead:
    """Studies newest first, all sessions, all raters, and whether there is any answer to rate."""

    studies: tuple[StudyRow, ...] = ()
    sessions: tuple[SessionRow, ...] = ()
    raters: tuple[Rater, ...] = ()
    has_answers: bool = False

    def sessions_of(self, study_id: int) -> tuple[SessionRow, ...]:
        """The sessions of one study, by pass and rater."""
        return tuple(session for session in self.sessions if session.study_id == study_id)

    def sessions_by(self, rater_uid: str) -> tuple[SessionRow, ...]:
        """The sessions of one rater."""
        found = {rater.id for rater in self.raters if rater.uid == rater_uid}
        return tuple(session for session in self.sessions if session.rater_id in found)


def read_room(workspace: Workspace) -> RoomRead:
    """Read it all; a study of 20 raters has some hundred sessions, which is nothing."""
    from engine.store.contents import contents_of
    from engine.store.raters import raters_of
    from engine.store.studies import sessions_of, studies_of

    with closing(workspace.connect()) as db:
        studies = sorted(studies_of(db), key=lambda study: study.id, reverse=True)
        sessions = sorted(sessions_of(db), key=lambda each: (each.study_id, each.number, each.rater_name, each.id))
        return RoomRead(tuple(studies), tuple(sessions), raters_of(db), contents_of(db).answers > 0)
