"""Whatever a rater does in whatever order, the store says what a plain list of it says."""

from __future__ import annotations

import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.store.sittings import (
    Remark,
    commit,
    current_ratings,
    flagged_in,
    redoable,
    skip,
    skipped_in,
    undo,
    undoable,
)
from engine.store.studies import session_of
from engine.store.workspace import open_workspace
from tests.engine.store.rated import sat_down, with_answers

ITEMS = 3
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PLACE = st.integers(0, ITEMS - 1)
VALUES = st.dictionaries(st.sampled_from(["empathy", "emotion"]), st.sampled_from([1, 2.5, "sad", None]), min_size=1)
STEPS = st.lists(
    st.tuples(
        st.one_of(
            st.tuples(st.just("commit"), PLACE, VALUES, st.sampled_from([None, True, False])),
            st.tuples(st.just("skip"), PLACE),
            st.tuples(st.just("undo")),
            st.tuples(st.just("redo")),
            st.tuples(st.just("restart")),
        ),
        st.integers(-1000, 1000),  # hours by which the clock is wrong
    ),
    max_size=14,
)


class Plain:
    """A rater's acts as two lists."""

    def __init__(self) -> None:
        self.done: list[tuple] = []
        self.undone: list[tuple] = []

    def do(self, step: tuple) -> None:
        self.done.append(step)
        self.undone.clear()

    def state(self) -> tuple[dict, set, set]:
        """Values by place and scale, what is skipped, what is flagged."""
        rated: dict[int, dict] = {}
        skipped, flagged = set(), set()
        for kind, place, *more in self.done:
            if kind == "skip":
                rated.pop(place, None)
                skipped.add(place)
                continue
            values, flag = more
            rated.setdefault(place, {}).update(values)
            skipped.discard(place)
            flagged = flagged if flag is None else flagged | {place} if flag else flagged - {place}
        kept = {place: {s: v for s, v in values.items() if v is not None} for place, values in rated.items()}
        return {place: values for place, values in kept.items() if values}, skipped, flagged


class Store:
    """The same acts in a workspace."""

    def __init__(self, folder: Path) -> None:
        self.sat = sat_down(with_answers(open_workspace(folder, create=True)), count=ITEMS)
        self.db = self.sat.db
        self.session = self.sat.session.id
        self.places = {item.id: place for place, item in enumerate(self.sat.items)}

    def do(self, step: tuple, at: datetime) -> None:
        shown = self.sat.shown(step[1])
        if step[0] == "skip":
            skip(self.db, shown, "no", at=at)
            return
        _, _, values, flag = step
        commit(self.db, shown, values, (), [] if flag is None else [Remark("flag", holds=flag)], at=at)

    def restart(self) -> None:
        self.db.close()
        self.db = open_workspace(self.sat.workspace.folder).connect(durable=True)
        object.__setattr__(self.sat, "db", self.db)

    def state(self) -> tuple[dict, set, set]:
        found = current_ratings(self.db, self.session)
        rated = {self.places[n]: {s: one.value for s, one in scales.items()} for n, scales in found.items()}
        skipped = {self.places[n] for n in skipped_in(self.db, self.session)}
        return rated, skipped, {self.places[n] for n in flagged_in(self.db, self.session)}


def check(steps: list[tuple]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain, store = Plain(), Store(Path(folder) / "w")
        with closing(store.db):
            for step, hours in steps:
                at = NOON + timedelta(hours=hours)
                if step[0] == "restart":
                    store.restart()
                elif step[0] in ("undo", "redo"):
                    back = step[0] == "undo"
                    act = (undoable if back else redoable)(store.db, store.session)
                    source, target = (plain.done, plain.undone) if back else (plain.undone, plain.done)
                    assert (act is None) == (not source)
                    if act is not None:
                        undo(store.db, act, at=at)
                        target.append(source.pop())
                else:
                    plain.do(step)
                    store.do(step, at)
                assert store.state() == plain.state()
            row = session_of(store.db, store.session)
            assert (row.rated, row.skipped) == (len(plain.state()[0]), len(plain.state()[1]))
            store.db.close()


QUIET = [HealthCheck.too_slow]


@settings(max_examples=20, deadline=None, suppress_health_check=QUIET, derandomize=True)
@given(STEPS)
def test_any_sequence_of_acts_says_what_a_plain_list_says(steps):
    check(steps)


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=400, deadline=None, suppress_health_check=QUIET)
@given(STEPS)
def test_many_sequences_of_acts_say_what_a_plain_list_says(steps):
    check(steps)
