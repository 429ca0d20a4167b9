"""The window killed while keys come: what the screen showed as saved is in the store, once, and the next start goes on."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.killpoints import VARIABLE
from engine.store.sittings import current_ratings
from engine.store.workspace import Workspace
from tests.gui.rate.sitting.made import session_of_all, spoken_workspace
from tests.gui.rate.sitting.typing_rater import value_at

ROOT = Path(__file__).parents[4]
POINTS = ("before_commit", "after_commit", "act_committed")


def types(workspace: Workspace, session: int, folder: Path, kill_at: str = "") -> tuple[int, list]:
    """Exit code and what was shown as done, of a rater in a process of its own."""
    places = {"QT_QPA_PLATFORM": "offscreen", "AURICLE_CONFIG": str(folder), "AURICLE_LOG": str(folder)}
    ended = subprocess.run(
        [sys.executable, "-m", "tests.gui.rate.sitting.typing_rater", str(workspace.folder), str(session)],
        env=os.environ | places | {VARIABLE: kill_at}, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ended.returncode in (0, -9), ended.stderr
    return ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()]


def stands(workspace: Workspace, session: int) -> dict[int, int]:
    """What stands in the store, by position."""
    with closing(workspace.connect()) as db:
        positions = dict(db.execute("SELECT id, position FROM assignment").fetchall())
        found = current_ratings(db, session)
        kept = {positions[number]: rating["naturalness"].value for number, rating in found.items()}
        doubled = db.execute(
            "SELECT COUNT(*) FROM (SELECT 1 FROM rating WHERE undoes IS NULL GROUP BY presentation_id, scale HAVING COUNT(*) > 1)"
        ).fetchone()[0]
    assert doubled == 0
    return kept


def agrees(shown: list, kept: dict[int, int]) -> None:
    """All that was shown is there; at most the one act that was under way when the process died is there besides."""
    told: dict[int, int] = {}
    for what, position in shown:
        if what == "rated":
            told[position] = value_at(position)
        else:
            told.pop(position, None)
    odd = {position for position in told.keys() | kept.keys() if told.get(position) != kept.get(position)}
    assert len(odd) <= 1
    assert all(kept[position] == value_at(position) for position in kept)
    if odd:
        last = shown[-1][1] if shown else 0
        assert odd <= {last, last + 1}


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 33))])
def test_a_window_killed_while_keys_come_loses_nothing_it_showed_as_saved(tmp_path, seed):
    chance = random.Random(seed)
    workspace = spoken_workspace(tmp_path, 4)
    session = session_of_all(workspace, "naturalness")
    point = f"{POINTS[seed % len(POINTS)]}:{chance.randint(2, 9)}"
    code, shown = types(workspace, session, tmp_path, point)
    assert code == -9
    agrees(shown, stands(workspace, session))
    code, _ = types(workspace, session, tmp_path)
    assert code == 0
    assert stands(workspace, session) == {position: value_at(position) for position in range(1, 9)}
