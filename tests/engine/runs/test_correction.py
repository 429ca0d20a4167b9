"""A person's transcript: what it changes at once, what it never changes, how it follows the sound and the rules."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.query.alignment import shown_alignment
from engine.query.detail import detail_of
from engine.runs.correction import correct, take_correction_back, undo_correction
from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.runs.measure import MeasureOptions, measure_workspace
from engine.scoring.compare import recogniser_floors
from engine.scoring.derive import refresh
from engine.scoring.score import scores
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.plans import Scope
from engine.store.results import JudgementRow, TranscriptRow, put_judgements, put_transcripts
from engine.store.transaction import transaction
from tests.engine.runs.made import response, tone, with_benchmark

TEXT, HEARD = "节气是夏至，在六月二十一日前后。", "节气是下至在六月十一日前后前后"
WEAK = Maker("recogniser", "weak", settings={"weights": "base"})


def rates(workspace, finish):
    def work():
        with driving(workspace, "measure", {}) as drive:
            yield from measure_error_rates(drive, Scope())

    finish(work())


@pytest.fixture
def heard(workspace, finish, tmp_path):
    """One answer, right by its text, misheard by a recogniser too weak to decide."""
    with_benchmark(workspace)
    answer = response(0, TEXT, audio=tone(tmp_path / "a.wav", 6.0))
    finish(take_responses(workspace, "vocalbench_zh", "s", [answer]))
    db = workspace.connect(durable=True)
    with transaction(db):
        recogniser = maker_id(db, WEAK)
        set_floors(db, recogniser, [Floor("zh", "syllable_error_rate", 97, 1000, 25, "made")])
        words = [(character, n * 0.4, n * 0.4 + 0.4, 0.9) for n, character in enumerate(HEARD)]
        audio = db.execute("SELECT audio_id FROM response").fetchone()[0]
        put_transcripts(db, recogniser, [TranscriptRow(1, audio, "scored", HEARD, "zh", words)])
        judge = maker_id(db, Maker("judge", "j"))
        put_judgements(db, judge, [JudgementRow(1, "knowledge", "scored", "correct")])
        refresh(db, [1])
    rates(workspace, finish)
    yield db
    db.close()


def row(db, response_id=1):
    return dict(db.execute("SELECT * FROM audit_row WHERE response_id = ?", (response_id,)).fetchone())


PUBLISHED = ("published_error_rate", "published_recogniser_id", "published_s2s_state", "published_s2s_why")


def test_the_corrected_method_follows_the_person_at_once_and_the_published_one_never(heard):
    before = row(heard)
    assert before["corrected_s2s_why"] == "recogniser_too_weak"
    done = correct(heard, 1, "节气是夏至在六月二十一日前后")
    after = row(heard)
    assert (after["syllable_error_rate"], after["mismatch"]) == (0.0, "")
    assert (after["corrected_s2s_state"], after["corrected_s2s_verdict"]) == ("scored", "right")
    assert after["transcript"] == "节气是夏至在六月二十一日前后"
    assert {name: after[name] for name in PUBLISHED} == {name: before[name] for name in PUBLISHED}
    assert [(f.method, f.subject, f.kind) for f in done.flips] == [
        ("corrected", "speech", "state"),
        ("corrected", "error_rate", "cut"),
    ]


def test_a_person_has_no_floor_and_stands_in_no_figure_of_floors(heard):
    correct(heard, 1, "节气")
    assert row(heard)["corrected_s2s_verdict"] == "wrong"  # decided, though no floor is known
    assert set(recogniser_floors(heard)) == {"weak base"}
    corrected = next(s for s in scores(heard) if s.method == "corrected")
    assert corrected.figure("syllable_error_rate.mean_of_items").makers == {"person": 1}


def test_taken_back_everything_is_as_it_was_and_undo_brings_it_again(heard):
    before = row(heard)
    correct(heard, 1, TEXT)
    kept = row(heard)
    back = take_correction_back(heard, 1)
    assert row(heard) == before
    assert heard.execute("SELECT COUNT(*) FROM transcript").fetchone()[0] == 1
    undo_correction(heard, 1, back.uid)
    again = row(heard)
    assert {k: v for k, v in again.items() if k != "transcript_id"} == {
        k: v for k, v in kept.items() if k != "transcript_id"
    }
    assert take_correction_back(heard, 1).uid is not None
    assert take_correction_back(heard, 1).uid is None


def test_the_search_finds_what_the_person_heard_and_no_longer_what_the_recogniser_did(heard):
    from engine.store.search import find_responses

    assert find_responses(heard, "下至") == [1]
    correct(heard, 1, "节气是夏至")
    assert find_responses(heard, "下至") == []
    take_correction_back(heard, 1)
    assert find_responses(heard, "下至") == [1]


def test_the_alignment_gives_the_printed_rate_and_keeps_the_recognisers_times(heard):
    correct(heard, 1, "节气是夏至在六月二十一日前后")
    detail = detail_of(heard, 1)
    shown = shown_alignment(detail)
    assert (shown.transcript.maker.kind, shown.times.source) == ("person", "words")
    counted = {entry.metric: entry for entry in shown.drawn.counts}
    assert counted["syllable_error_rate"].errors / counted["syllable_error_rate"].reference_length == 0.0
    spans = {cell.reference: span for cell, span in zip(shown.drawn.cells, shown.times.spans)}
    assert spans["节"] == pytest.approx((0.0, 0.4))
    assert spans["夏"] == pytest.approx((1.2, 1.6))  # heard as 下 then
    assert shown_alignment(detail, "published").transcript.maker.name == "weak"


def test_an_answer_that_came_later_with_the_same_sound_has_the_correction(workspace, heard, finish, tmp_path):
    correct(heard, 1, "节气是夏至")
    answer = response(0, "节气是夏至。", audio=tmp_path / "a.wav")
    finish(take_responses(workspace, "vocalbench_zh", "t", [answer]))
    finish(measure_workspace(workspace, Scope(), MeasureOptions(recognise=False, quality=False)))
    other = heard.execute("SELECT response_id FROM audit_row WHERE system = 't'").fetchone()[0]
    assert row(heard, other)["syllable_error_rate"] == 0.0
    take_correction_back(heard, 1)
    assert row(heard, other)["transcript"] is None


def test_new_rules_rate_the_persons_transcript_anew_and_say_what_flips(workspace, heard, finish, monkeypatch):
    correct(heard, 1, TEXT)
    monkeypatch.setattr("engine.runs.error_rates.RULES_VERSION", "2")
    rates(workspace, finish)
    made = heard.execute(
        "SELECT COUNT(*) FROM measurement JOIN maker ON maker.id = maker_id"
        " WHERE code_version = '2' AND metric = 'syllable_error_rate'"
    ).fetchone()[0]
    assert made == 2
    assert row(heard)["syllable_error_rate"] == 0.0


def test_where_recognising_failed_a_person_may_still_write_what_is_said(workspace, finish, tmp_path):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林", audio=tone(tmp_path / "a.wav"))]))
    db = workspace.connect(durable=True)
    with transaction(db):
        put_transcripts(db, maker_id(db, WEAK), [TranscriptRow(1, 1, "failed", None, error="audio.no_samples")])
        refresh(db, [1])
    assert row(db)["transcript_state"] == "failed"
    correct(db, 1, "少林")
    assert (row(db)["transcript_state"], row(db)["syllable_error_rate"]) == ("scored", 0.0)
    assert row(db)["published_error_rate"] is None
    db.close()


def test_a_refused_text_leaves_nothing(heard):
    before = row(heard)
    with pytest.raises(EngineError):
        correct(heard, 1, "长" * 30_000)
    assert row(heard) == before
