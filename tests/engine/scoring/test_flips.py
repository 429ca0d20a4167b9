"""What flips between two derived rows, and between two makers' results of the same answers."""

from __future__ import annotations

import pytest

from engine.runs.imports import take_responses
from engine.scoring.counting import flips_of_makers, let_count
from engine.scoring.derive import refresh
from engine.scoring.flips import COLUMNS, Side, flips_between, from_told, grouped, is_result, maker_pairs, told
from engine.store.choices import alike, answers_of_both, choosable, choose, ranks, rivals
from engine.store.derivation import derivation_of
from engine.store.makers import Maker, maker_id
from engine.store.plans import Scope
from engine.store.results import JudgementRow, put_judgements
from engine.store.transaction import transaction
from tests.engine.runs.made import response, with_benchmark

ONE = Maker("judge", "one", settings={"judge": "knowledge", "language": "zh"}, rubric_sha256="a")
TWO = Maker("judge", "two", settings={"judge": "knowledge", "language": "zh"}, rubric_sha256="a")


def row(**changed):
    """A derived row of a Chinese answer nobody has judged or heard."""
    plain = dict.fromkeys(COLUMNS) | {"response_id": 7, "language": "zh"}
    for method in ("published", "corrected"):
        plain |= {f"{method}_state": "unscored", f"{method}_why": "not_judged_yet"}
        plain |= {f"{method}_s2s_state": "unscored", f"{method}_s2s_why": "not_judged_yet"}
    return plain | changed


def judged(verdict, maker=1, **more):
    told = {"corrected_state": "scored", "corrected_why": "judge", "corrected_verdict": verdict}
    speech = {"corrected_s2s_state": "scored", "corrected_s2s_why": "judge", "corrected_s2s_verdict": verdict}
    return row(**told, **speech, corrected_maker_id=maker, **more)


def test_a_first_result_is_no_flip():
    assert flips_between(row(), judged("right")) == []
    assert not is_result(row())
    assert is_result(judged("right"))


def test_a_verdict_that_turns_is_told_once_with_both_makers():
    (flip,) = flips_between(judged("right", 1), judged("wrong", 2))
    assert (flip.method, flip.subject, flip.kind) == ("corrected", "text", "verdict")
    assert (flip.before.verdict, flip.before.maker_id) == ("right", 1)
    assert (flip.after.verdict, flip.after.maker_id) == ("wrong", 2)
    assert maker_pairs([flip]) == {(1, 2): 1}
    assert from_told(told(flip)) == flip


def test_a_state_that_changes_is_a_flip_and_so_is_one_that_goes_back_to_nothing():
    failed = judged("right") | {"corrected_state": "failed", "corrected_verdict": None}
    failed |= {"corrected_why": "judge_failed", "corrected_s2s_state": "failed", "corrected_s2s_why": "judge_failed"}
    failed |= {"corrected_s2s_verdict": None}
    assert [flip.kind for flip in flips_between(failed, judged("right"))] == ["state"]
    assert [(f.kind, f.after.state) for f in flips_between(judged("right"), row())] == [("state", "unscored")]


def test_a_speech_verdict_of_its_own_is_told_beside_the_text():
    heard = {"corrected_s2s_why": "error_rate", "recogniser_id": 5}
    before = judged("right") | heard | {"corrected_s2s_verdict": "wrong", "syllable_error_rate": 0.2}
    after = judged("right") | heard | {"corrected_s2s_verdict": "right", "syllable_error_rate": 0.0, "recogniser_id": 6}
    found = flips_between(before, after)
    assert [(f.subject, f.kind) for f in found] == [("speech", "verdict"), ("error_rate", "cut")]
    assert found[1].before == Side("scored", "over", 0.2, None, 5)
    assert found[1].after == Side("scored", "under", 0.0, None, 6)


@pytest.mark.parametrize(("was", "now", "flips"), [(0.0499, 0.05, 1), (0.05, 0.3, 0), (0.0, 0.049, 0), (None, 0.3, 0)])
def test_a_rate_flips_where_it_crosses_the_cut(was, now, flips):
    found = flips_between(judged("right", syllable_error_rate=was), judged("right", syllable_error_rate=now))
    assert len(found) == flips


def test_english_is_decided_by_words_and_the_published_method_by_its_own_rate():
    before = row(language="en", word_error_rate=0.01, syllable_error_rate=0.9, published_error_rate=0.01)
    after = row(language="en", word_error_rate=0.01, syllable_error_rate=0.0, published_error_rate=0.06)
    assert [(f.method, f.subject) for f in flips_between(before, after)] == [("published", "error_rate")]


def test_scores_are_counted_by_their_direction():
    before = [judged(None) | {"corrected_score": 3.0, "response_id": n} for n in range(3)]
    after = [judged(None) | {"corrected_score": s, "response_id": n} for n, s in enumerate((4.0, 2.0, 3.0))]
    found = [flip for was, now in zip(before, after) for flip in flips_between(was, now)]
    (group,) = grouped(found)
    assert (group.method, group.kind, group.response_ids, group.risen) == ("corrected", "score", (0, 1), 1)


def test_what_flips_alike_under_both_methods_is_told_once():
    def both(verdict):
        return judged(verdict) | {
            f"published_{n}": v for n, v in (("state", "scored"), ("why", "judge"), ("verdict", verdict))
        }

    (group,) = grouped(flips_between(both("right"), both("wrong")))
    assert (group.method, group.before, group.after) == ("both", "right", "wrong")


def test_a_speech_verdict_that_the_judge_turned_names_the_judges():
    heard = {"corrected_s2s_why": "error_rate", "recogniser_id": 5}
    before = judged("right", 1) | heard | {"corrected_s2s_state": "unscored", "corrected_s2s_verdict": None}
    (flip,) = [f for f in flips_between(before, judged("wrong", 2, recogniser_id=5)) if f.subject == "speech"]
    assert (flip.before.maker_id, flip.after.maker_id) == (1, 2)


def test_nothing_flips_between_a_row_and_itself():
    whole = judged("wrong") | {"syllable_error_rate": 0.2, "corrected_score": 2.0}
    assert flips_between(whole, whole) == []


# in a store


@pytest.fixture
def db(workspace, finish):
    """Three answers that one judge found right, and another wrong but for the last."""
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(n, f"武当{n}") for n in range(3)]))
    opened = workspace.connect(durable=True)
    with transaction(opened):
        for maker, verdicts in ((ONE, ("correct",) * 3), (TWO, ("incorrect", "incorrect", "correct"))):
            made = [JudgementRow(n, "knowledge", "scored", v) for n, v in enumerate(verdicts, start=1)]
            put_judgements(opened, maker_id(opened, maker), made)
        refresh(opened, [1, 2, 3])
    yield opened
    opened.close()


def verdicts(db):
    return [r[0] for r in db.execute("SELECT corrected_verdict FROM audit_row ORDER BY response_id")]


def test_the_newest_counts_until_somebody_chooses_and_again_after(db, finish):
    assert verdicts(db) == ["wrong", "wrong", "right"]
    assert finish(let_count(db, [ONE.key])) == 3
    assert verdicts(db) == ["right", "right", "right"]
    finish(let_count(db, [TWO.key]))
    assert verdicts(db) == ["wrong", "wrong", "right"]
    finish(let_count(db, [TWO.key], counts=False))
    assert verdicts(db) == ["right", "right", "right"]
    finish(let_count(db, [ONE.key], counts=False))
    assert verdicts(db) == ["wrong", "wrong", "right"]
    assert db.execute("SELECT COUNT(*) FROM maker_choice").fetchone()[0] == 4


def test_a_choice_is_a_row_that_is_never_changed(db, finish):
    import sqlite3

    finish(let_count(db, [ONE.key]))
    for statement in ("UPDATE maker_choice SET counts = 0", "DELETE FROM maker_choice"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            db.execute(statement)


def test_choices_of_two_installations_merge_in_any_order(db):
    choose(db, [ONE.key], True)
    theirs = ("u", "elsewhere", 1, TWO.key, 1, "2999-01-01T00:00:00.000Z")
    columns = "uid, origin, origin_seq, maker_key, counts, made_at"
    db.execute(f"INSERT INTO maker_choice ({columns}) VALUES (?, ?, ?, ?, ?, ?)", theirs)
    assert list(ranks(db)) == [ONE.key, TWO.key]
    earlier = ("v", "elsewhere", 2, TWO.key, 0, "2000-01-01T00:00:00.000Z")
    db.execute(f"INSERT INTO maker_choice ({columns}) VALUES (?, ?, ?, ?, ?, ?)", earlier)
    assert list(ranks(db)) == [ONE.key, TWO.key]


def test_many_rows_are_known_not_to_be_whole_until_the_last(db, finish, monkeypatch):
    monkeypatch.setattr("engine.scoring.counting.CHUNK", 1)
    work = let_count(db, [ONE.key])
    next(work)
    work.close()
    assert derivation_of(db) == "rebuilding"
    finish(let_count(db, [ONE.key]))
    assert derivation_of(db) != "rebuilding"
    assert verdicts(db) == ["right"] * 3


def test_two_makers_results_are_compared_whichever_counts(db, finish):
    one, two = (entry.id for entry in choosable(db))
    answers = answers_of_both(db, *alike(db, one, two), Scope())
    there = finish(flips_of_makers(db, [one], [two], answers))
    back = finish(flips_of_makers(db, [two], [one], answers))
    assert {(f.response_id, f.before.verdict, f.after.verdict) for f in there if f.subject == "text"} == {
        (1, "right", "wrong"),
        (2, "right", "wrong"),
    }
    assert {(f.response_id, f.before, f.after) for f in back} == {(f.response_id, f.after, f.before) for f in there}
    finish(let_count(db, [ONE.key]))
    assert finish(flips_of_makers(db, [one], [two], answers)) == there
    assert rivals(db, [two])[0][0].id == one


def test_makers_that_do_other_things_are_not_compared(db):
    from engine.errors import EngineError

    with transaction(db):
        other = maker_id(db, Maker("recogniser", "x"))
    with pytest.raises(EngineError) as raised:
        alike(db, other, choosable(db)[0].id)
    assert raised.value.code == "runs.other_kinds"
