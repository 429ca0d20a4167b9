"""Training is held again after a pause as long as the protocol says, and goes on where it was broken off."""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.rating.practice import practised_too_long_ago

START = datetime(2026, 12, 1, 9)
TRAINING = {1, 2}


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def again(given, now, after=60):
    return practised_too_long_ago({item: at(minute) for item, minute in given.items()}, TRAINING, after, at(now))


def test_after_a_longer_pause_all_training_is_held_again():
    assert again({1: 0, 2: 1, 3: 2}, now=63) == TRAINING


def test_a_pause_of_just_as_long_is_none():
    assert again({1: 0, 2: 1, 3: 2}, now=62) == set()


def test_who_works_on_for_hours_is_not_called_back():
    assert again({1: 0, 2: 1, 3: 50, 4: 100, 5: 150}, now=200) == set()


def test_training_that_was_broken_off_after_the_pause_goes_on_where_it_was():
    assert again({1: 100, 2: 1, 3: 2}, now=101) == {2}  # item 1 was held again at minute 100


def test_once_rating_went_on_after_the_pause_training_is_over():
    assert again({1: 0, 2: 1, 3: 2, 4: 100}, now=101) == set()


def test_no_minutes_ask_for_none_and_a_clock_set_back_makes_no_pause():
    assert again({1: 0, 2: 1}, now=1000, after=0) == set()
    assert again({1: 500, 2: 501}, now=0) == set()


def test_who_rated_nothing_yet_has_no_training_to_hold_again():
    assert again({}, now=1000) == set()
