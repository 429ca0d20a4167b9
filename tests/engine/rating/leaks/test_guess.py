"""The guesser learns on other questions only, and its p says how often chance does as well."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rating.leaks.bins import views_of
from engine.rating.leaks.cues import CUES, Column
from engine.rating.leaks.guess import Answered, _exchanged, guess

KINDS = {kind.id: kind for kind in CUES}


def answered(items=20, systems=4):
    return Answered(np.repeat(np.arange(items), systems), np.tile(np.arange(systems), items))


def guessed(finish, columns, of, seed=0):
    return finish(guess([views_of(column, of.items) for column in columns], [True] * len(columns), of, seed))


def nothing_leaks(of, rng):
    """Five cues that follow the question or nothing at all."""
    n, question = len(of.items), rng.normal(size=int(of.items.max()) + 1)[of.items]
    return [
        Column(KINDS["leading_silence"], rng.uniform(0.1, 0.5, n)),
        Column(KINDS["level"], -26 + question + rng.normal(size=n)),
        Column(KINDS["length"], np.exp2(question + rng.normal(size=n) * 0.3)),
        Column(KINDS["trailing_silence"], rng.exponential(0.5, n)),
        Column(KINDS["opening"], None, (tuple(map(str, rng.integers(0, 6, n))),)),
    ]


def test_systems_whose_figures_never_meet_are_all_guessed(finish):
    of = answered()
    (alone,), together = guessed(finish, [Column(KINDS["level"], -30.0 + 4 * of.systems)], of)
    assert (alone.rate, together.rate) == (1.0, 1.0)
    assert alone.p == 1 / 1000  # no permutation does as well, but the order found counts as one
    assert alone.clearest[1] == 1.0


def test_one_figure_in_the_midst_of_others_that_spread_on_both_sides_is_told(finish):
    """160 ms in one system, 20 to 300 ms in the others: no line between them tells it, a bin does."""
    of, rng = answered(40), np.random.default_rng(3)
    silence = np.where(of.systems == 2, 0.16, rng.uniform(0.02, 0.3, len(of.items)))
    column = Column(KINDS["trailing_silence"], 10 * silence)
    (alone,), _ = guessed(finish, [column], of)
    assert alone.p < 0.01
    assert alone.clearest[0] == 2


def test_one_view_of_a_cue_is_enough(finish):
    """One system always begins with the same word, and never with the same four."""
    of = answered()
    first = tuple("好" if system == 1 else "这" for system in of.systems)
    four = tuple(map(str, range(len(of.items))))
    (alone,), _ = guessed(finish, [Column(KINDS["opening"], None, (first, four))], of)
    assert alone.clearest == (1, 1.0)


def test_a_figure_that_is_missing_is_a_cue_too(finish):
    of, rng = answered(), np.random.default_rng(4)
    level = np.where(of.systems == 1, np.nan, rng.normal(-26, 2, len(of.items)))
    (alone,), _ = guessed(finish, [Column(KINDS["level"], level)], of)
    assert alone.clearest == (1, 1.0)


def test_what_lies_apart_only_beside_the_other_answers_to_the_question_is_told(finish):
    """Lengths follow the question over six octaves; one system is always twice as long as the others to it."""
    of, rng = answered(30), np.random.default_rng(5)
    length = np.exp2(rng.uniform(-3, 3, 30)[of.items] + (of.systems == 3) + rng.normal(0, 0.05, len(of.items)))
    (alone,), _ = guessed(finish, [Column(KINDS["length"], length)], of)
    assert alone.clearest[0] == 3
    assert alone.clearest[1] > 0.9


def test_differences_too_small_to_hear_are_none(finish):
    of = answered()
    quiet = Column(KINDS["level"], -23.0 + 0.1 * of.systems)
    (alone,), _ = guessed(finish, [quiet], of)
    assert (alone.rate, alone.p) == (0.25, 1.0)


def test_answers_to_one_question_are_never_learned_from_and_guessed_at_once(finish):
    """Each system begins its answer to each question in a way of its own, three times: other questions tell nothing."""
    of = Answered(np.repeat(np.arange(10), 12), np.tile(np.repeat(np.arange(4), 3), 10))
    words = tuple(f"{item} {system}" for item, system in zip(of.items, of.systems, strict=True))
    (alone,), _ = guessed(finish, [Column(KINDS["opening"], None, (words,))], of)
    assert len(np.unique(views_of(Column(KINDS["opening"], None, (words,)), of.items)[0])) == 40
    assert alone.rate == 0.25
    assert alone.p > 0.05


def test_permutations_exchange_systems_within_a_question_only():
    of = Answered(np.array([0, 0, 1, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 3, 0, 3]))
    rng = np.random.default_rng(0)
    seen = {tuple(_exchanged(of, rng)) for _ in range(400)}
    assert all(
        sorted(labels[:2]) == [0, 1] and sorted(labels[2:5]) == [1, 2, 3] and sorted(labels[5:]) == [0, 3]
        for labels in seen
    )
    assert len(seen) == 2 * 6 * 2  # every one of them


def test_chance_is_that_of_who_knows_which_systems_answered_a_question():
    # two answers of two systems and three of three: (2 * 1/2 + 3 * 1/3) / 5
    assert Answered(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 2])).chance == pytest.approx(0.4)


def test_who_knows_nothing_is_right_by_chance_where_systems_answered_different_questions(finish):
    of = Answered(np.repeat(np.arange(12), 2), np.array([0, 1] * 6 + [2, 3] * 6))
    (alone,), together = guessed(finish, [Column(KINDS["level"], np.full(24, -23.0))], of)
    assert alone.rate == together.rate == of.chance == 0.5


def test_the_names_of_systems_make_no_difference(finish):
    of, rng = answered(15), np.random.default_rng(8)
    columns = nothing_leaks(of, rng)
    other = Answered(of.items, np.array([2, 0, 3, 1])[of.systems])
    first, second = guessed(finish, columns, of)[1], guessed(finish, columns, other)[1]
    assert first.rate == pytest.approx(second.rate)


def shares_of_small_ps(finish, runs):
    found = []
    for seed in range(runs):
        of = answered()
        alone, together = guessed(finish, nothing_leaks(of, np.random.default_rng(seed)), of, seed)
        found.append([together.p, *(one.p for one in alone)])
    ps = np.array(found)
    return ps[:, 0], ps[:, 1:]


def test_without_a_leak_small_ps_are_rare(finish, monkeypatch):
    monkeypatch.setattr("engine.rating.leaks.guess.PERMUTATIONS", 99)
    together, _ = shares_of_small_ps(finish, 20)
    assert np.sum(together <= 0.05) <= 4  # of 20 tries at 1 in 20, five or more come once in 400 times


@pytest.mark.slow
def test_without_a_leak_ps_are_spread_evenly(finish, monkeypatch):
    """Over 200 made studies a p up to x comes in a share x of them: within three standard errors, or rarer."""
    monkeypatch.setattr("engine.rating.leaks.guess.PERMUTATIONS", 199)
    together, alone = shares_of_small_ps(finish, 200)
    for limit in (0.05, 0.1, 0.25, 0.5):
        error = np.sqrt(limit * (1 - limit) / 200)
        assert np.mean(together <= limit) <= limit + 3 * error
        assert np.mean(alone <= limit) <= limit + 3 * error
    assert np.mean(together <= 0.5) > 0.35  # nor is it only ever cautious
