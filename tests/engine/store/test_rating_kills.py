"""A process killed at any moment: what was shown as committed is there, once, whole and in order."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.killpoints import VARIABLE
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.sittings import current_ratings
from engine.store.studies import sessions_of
from engine.store.workspace import Workspace, open_workspace
from tests.engine.store.fast_rater import value_at
from tests.engine.store.rated import sat_down, with_answers

ITEMS = 8
POINTS = {"before_commit": 20, "after_commit": 20, "between_tables": 11, "act_committed": 11}  # reached how often
FOLDER = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    """A workspace with a session of eight items, its connection closed."""
    folder = tmp_path_factory.mktemp("rated") / "w"
    sat_down(with_answers(open_workspace(folder, create=True), count=4)).db.close()
    return folder


def rate(folder: Path, kill_at: str = "") -> tuple[int, list]:
    """Exit code and what was shown as done, of a rater in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.engine.store.fast_rater", str(folder)],
        env={**os.environ, VARIABLE: kill_at},
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode in (0, -9), ended.stderr
    return ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()]


def state(workspace: Workspace) -> tuple[dict[int, dict], list]:
    """Values by position, and of every act that ever was its rows: ratings, remarks, in the order of their numbers."""
    with closing(workspace.connect()) as db:
        session = sessions_of(db)[0].id
        positions = {row[0]: row[1] for row in db.execute("SELECT id, position FROM assignment")}
        rated = {
            positions[number]: {scale: one.value for scale, one in found.items()}
            for number, found in current_ratings(db, session).items()
        }
        acts = db.execute(
            "SELECT act, MAX(position), SUM(said = 'rating'), SUM(said = 'remark') FROM"
            " (SELECT act, presentation_id, 'rating' AS said FROM rating"
            "  UNION ALL SELECT act, presentation_id, 'remark' FROM remark)"
            " JOIN presentation ON presentation.id = presentation_id JOIN assignment ON assignment.id = assignment_id"
            " GROUP BY act ORDER BY act"
        ).fetchall()
        derived = {row[0]: row[1] for row in db.execute("SELECT assignment_id, state FROM assignment_state")}
    assert {positions[number] for number in derived} == set(rated)
    return rated, [tuple(act) for act in acts]


def check(prepared: Path, tmp_path: Path, kill_at: str) -> None:
    folder = tmp_path / kill_at.replace(":", "-")
    shutil.copytree(prepared, folder)
    ended, shown = rate(folder, kill_at)
    assert ended == -9, kill_at
    workspace = open_workspace(folder)
    rated, acts = state(workspace)
    assert all(act[2:] == (2, 1) for act in acts)  # each is whole: two ratings and a note
    assert len(shown) <= len(acts) <= len(shown) + 1  # all that was shown, and at most what was about to be
    assert [act[1] for act in acts[: len(shown)]] == [position for _, position in shown]
    if len(acts) == len(shown) and shown:
        assert (shown[-1][1] in rated) == (shown[-1][0] == "rated")
    assert all(values == {"empathy": value_at(position), "emotion": "sad"} for position, values in rated.items())

    assert rate(folder)[0] == 0  # the same rater comes back
    with closing(workspace.connect()) as db:
        rows, notes = rating_rows(db), remark_rows(db)
        assert [(row.position, row.value) for row in rows if row.scale == "empathy"] == [
            (position, value_at(position)) for position in range(1, ITEMS + 1)
        ]
        assert [note.text for note in notes] == [f"note {position}" for position in range(1, ITEMS + 1)]
        for table in ("rating", "remark", "heard", "presentation"):
            numbers = [row[0] for row in db.execute(f"SELECT origin_seq FROM {table} ORDER BY id")]
            assert numbers == sorted(set(numbers))
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.mark.parametrize("kill_at", ["before_commit:7", "between_tables:6", "act_committed:5"])
def test_what_was_shown_as_committed_survives_a_kill(prepared, tmp_path, kill_at):
    check(prepared, tmp_path, kill_at)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_what_was_shown_as_committed_survives_two_hundred_kills(prepared, tmp_path):
    dice = random.Random(6)
    for _ in range(200):
        name = dice.choice(list(POINTS))
        kill_at = f"{name}:{dice.randint(1, POINTS[name])}"
        check(prepared, tmp_path, kill_at)
        shutil.rmtree(tmp_path / kill_at.replace(":", "-"))
