"""Reads stored judge replies again by today's rules, without asking anybody, and lists what flipped."""

from __future__ import annotations

from collections.abc import Generator
from typing import TextIO

from engine.judges.declaration import load_judges
from engine.judges.read import read_reply
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import driving
from engine.store.results import replace_reading, replies
from engine.store.transaction import transaction
from engine.store.workspace import Workspace


def reread_replies(workspace: Workspace, follower: TextIO | None = None) -> Generator[Progress, None, list[str]]:
    """Replace readings that today's reader reads otherwise; returns a line for each that flipped."""
    judges = load_judges()
    flipped: list[str] = []
    with driving(workspace, "reread", {}, follower) as drive:
        stored = replies(drive.db)
        for done, reply in enumerate(stored, start=1):
            if reply.judge in judges:
                reading = read_reply(judges[reply.judge], reply.language, reply.raw_reply)
                if (reading.state, reading.verdict, reading.score) != (reply.state, reply.verdict, reply.score):
                    with transaction(drive.db):
                        replace_reading(drive.db, reply.id, reading)
                        rederive(drive, [reply.response_id])
                    before = reply.verdict or reply.state
                    after = reading.verdict or reading.state
                    flipped.append(f"{reply.judge}, response {reply.response_id}: {before} -> {after}")
            yield Progress(done, len(stored), reply.judge)
    return [*flipped, f"{len(stored)} replies read again, {len(flipped)} read otherwise"]
