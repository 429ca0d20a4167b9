"""A maker is told from another by all that decides its results, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.store.makers import Floor, Maker, find_maker, floors_of, library_versions, maker_id, set_floors
from engine.store.transaction import transaction

MAKER = Maker("recogniser", "faster-whisper", "1", {"beam_size": 5, "weights": "packaged"}, "abc", None, ("numpy",))


@pytest.mark.parametrize(
    "other",
    [
        replace(MAKER, kind="quality"),
        replace(MAKER, name="openai-whisper"),
        replace(MAKER, code_version="2"),
        replace(MAKER, settings={"beam_size": 1, "weights": "packaged"}),
        replace(MAKER, weights_sha256="abd"),
        replace(MAKER, rubric_sha256="x"),
    ],
)
def test_anything_that_decides_a_result_makes_another_maker(other):
    assert other.key != MAKER.key


def test_library_versions_and_the_order_of_settings_do_not():
    assert replace(MAKER, libraries=()).key == MAKER.key
    assert replace(MAKER, settings={"weights": "packaged", "beam_size": 5}).key == MAKER.key


def test_a_maker_is_stored_once_with_the_versions_of_its_libraries(workspace):
    db = workspace.connect()
    assert find_maker(db, MAKER) is None
    with transaction(db):
        first, second = maker_id(db, MAKER), maker_id(db, replace(MAKER, libraries=()))
    assert first == second == find_maker(db, MAKER)
    assert '"numpy":"' in db.execute("SELECT libraries FROM maker").fetchone()[0]


def test_a_library_that_is_not_installed_is_left_out():
    assert library_versions(("numpy", "no-such-package")).keys() == {"numpy"}


def test_floors_are_kept_by_language_and_metric_and_measured_again_replaced(workspace):
    db = workspace.connect()
    with transaction(db):
        maker = maker_id(db, MAKER)
        set_floors(db, maker, [Floor("zh", "syllable_error_rate", 7, 100, 12, "sample")])
        set_floors(db, maker, [Floor("zh", "syllable_error_rate", 3, 120, 12, "sample")])
    assert floors_of(db, maker)["zh", "syllable_error_rate"].rate == pytest.approx(0.025)
