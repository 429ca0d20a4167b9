"""What leaks is found and named, what does not is not; after trimming and gain the cue is gone."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from engine.rating.leaks import Fixes, LeakReport, check_leaks, most_fixes
from engine.rating.protocols import load_protocol
from engine.runs.sample import take_sample
from tests.engine.rating.leaks.made import study

ACOUSTIC = load_protocol("empathy_acoustic", "en")
QUALITY = load_protocol("speech_quality", "en")
SEMANTIC = load_protocol("empathy_semantic", "en")


@pytest.fixture
def checked(workspace, tmp_path, finish):
    """Check a made study; ``again`` checks the same one otherwise."""

    class Checked:
        def __call__(self, change=None, protocol=ACOUSTIC, fixes=Fixes(), **more):  # noqa: B008
            self.ids = study(workspace, tmp_path / "clips", change, **more)
            return self.again(protocol, fixes)

        def again(self, protocol=ACOUSTIC, fixes=Fixes()):  # noqa: B008
            return finish(check_leaks(workspace, self.ids, protocol, fixes=fixes))

    return Checked()


def one_system(**changed):
    """The last of four systems differs; nobody is told that it is the last."""
    return lambda item, system, rng: changed if system == 3 else {}


def test_nothing_is_found_where_nothing_leaks(checked):
    report = checked()
    assert not report.is_leaking
    assert report.cues and not report.leaking and not report.in_files
    assert (report.n, report.answers, report.systems, report.chance) == (16, 64, 4, 0.25)
    assert abs(report.guess_rate - 0.25) < 0.15


@pytest.mark.parametrize(
    ("cue", "changed", "apart"),
    [
        ("leading_silence", {"lead_s": 0.46}, 0.46),
        ("trailing_silence", {"tail_s": 1.5}, 1.5),
        ("level", {"level_db": -18.0}, None),
        ("bandwidth", {"below_hz": 4000.0}, 4000.0),
        ("noise_floor", {"floor_db": -66.0}, -66.0),
    ],
)
def test_the_one_cue_that_leaks_is_found_and_named(checked, cue, changed, apart):
    report = checked(one_system(**changed))
    assert report.is_leaking
    assert [found.id for found in report.leaking] == [cue]
    assert report.leaking[0].clearest > 0.8
    assert report.guess_rate > report.detectable
    if apart is not None:
        assert report.leaking[0].apart == pytest.approx(apart, rel=0.15)


def test_160_ms_of_silence_before_one_system_are_told_and_trimmed_away(checked):
    lead = lambda item, system, rng: {"lead_s": 0.16 if system == 3 else 0.02}  # noqa: E731
    (found,) = checked(lead).leaking
    assert (found.id, found.remedy, found.clearest) == ("leading_silence", "trim", 1.0)
    assert (found.apart, found.others) == (pytest.approx(0.16), pytest.approx(0.02, abs=0.021))
    assert checked.again(ACOUSTIC, Fixes(trim=True)).leaking == ()


@pytest.mark.parametrize(
    ("cue", "changed", "protocol"),
    [
        ("leading_silence", {"lead_s": 0.46}, ACOUSTIC),
        ("trailing_silence", {"tail_s": 1.5}, ACOUSTIC),
        ("level", {"level_db": -18.0}, ACOUSTIC),  # one gain for each system
        ("level", {"level_db": -18.0}, QUALITY),  # one for each clip
    ],
)
def test_after_trimming_and_gain_the_cue_is_gone(checked, cue, changed, protocol):
    (before,) = checked(one_system(**changed), protocol).leaking
    assert before.id == cue
    fixed = checked.again(protocol, most_fixes(protocol))
    assert fixed.fixes.trim
    assert not fixed.is_leaking
    after = next(found for found in fixed.cues if found.id == cue)
    assert not after.leaks
    assert after.guess_rate < before.guess_rate


def test_several_cues_together_tell_more_than_the_best_of_them(checked):
    apart = {
        0: {"lead_s": 0.46},
        1: {"below_hz": 4000.0},
        2: {"level_db": -18.0},
        3: {},
    }
    report = checked(lambda item, system, rng: apart[system])
    assert {found.id for found in report.leaking} == {"leading_silence", "bandwidth", "level"}
    assert report.guess_rate > 0.85
    assert report.guess_rate > max(found.guess_rate for found in report.cues)


def test_what_an_answers_question_brings_with_it_tells_no_system(checked):
    """Length, silence and level follow the question; two of four systems answered each."""

    def change(item, system, rng):
        own = {"spoken_s": 0.6 + 0.1 * item, "lead_s": 0.1 + 0.05 * (item % 4), "level_db": -30.0 + item % 8}
        return own | {"text": f"第{item}题的答案"}

    assert not checked(change).is_leaking


def test_a_question_that_only_some_systems_answered_does_not_tell_them(workspace, tmp_path, finish):
    """Systems 0 and 1 answered short questions, 2 and 3 long ones: chance is a half, and the length adds nothing."""
    made = study(workspace, tmp_path, lambda item, system, rng: {"spoken_s": 0.6 if item < 8 else 1.6})
    kept = [number for place, number in enumerate(made) if (place % 16 < 8) == (place // 16 < 2)]
    report = finish(check_leaks(workspace, kept, ACOUSTIC))
    assert (report.n, report.answers, report.systems, report.chance) == (16, 32, 4, 0.5)
    assert not report.is_leaking


def test_what_only_the_files_tell_is_told_apart_from_what_is_heard(checked):
    report = checked(one_system(subtype="PCM_24"))
    assert report.leaking == ()
    assert [found.id for found in report.in_files] == ["coding"]
    assert not report.is_leaking


def test_another_sample_rate_is_seen_in_the_files_and_heard_as_bandwidth(checked):
    report = checked(one_system(rate=8000))
    assert {found.id for found in report.leaking} == {"bandwidth"}
    assert {found.id for found in report.in_files} == {"sample_rate"}


def test_a_way_to_begin_and_a_way_to_write_are_cues_of_texts(checked):
    def change(item, system, rng):
        return {"text": f"好的，这是第{item}个答案。\n- 一\n- 二"} if system == 3 else {}

    report = checked(change, SEMANTIC)
    assert {found.id for found in report.cues} == {"opening", "written_length", "writing", "name"}
    assert {found.id for found in report.leaking} >= {"opening", "writing"}
    assert all(found.remedy == "none" for found in report.leaking)


def test_under_ten_questions_no_rate_is_told(checked):
    report = checked(one_system(lead_s=0.46), items=9)
    assert not report.is_enough
    assert (report.guess_rate, report.p, report.cues, report.n) == (None, None, (), 9)
    assert not report.is_leaking


def test_a_protocol_that_rates_the_level_or_the_pauses_leaves_them_alone(checked):
    import dataclasses

    strict = dataclasses.replace(ACOUSTIC, gain="none", may_trim=False)
    report = checked(one_system(level_db=-18.0), strict, Fixes(True, "per_clip"))
    assert report.fixes == Fixes()
    assert [found.id for found in report.leaking] == ["level"]


def test_the_same_seed_gives_the_same_report_and_nothing_is_read_again(checked, workspace, monkeypatch):
    first = checked()
    monkeypatch.setattr("engine.rating.leaks.sound.opened", None)
    assert checked.again() == first


def test_a_report_survives_its_declaration_and_names_no_system(checked):
    report = checked(lambda item, system, rng: {"text": "我是通义千问。"} if system == 2 and item == 3 else {})
    told = json.dumps(report.declaration(), ensure_ascii=False, allow_nan=False)
    assert LeakReport.of(json.loads(told)) == report
    assert "made-" not in told
    assert "system_id" not in told


def test_a_clip_that_is_gone_is_left_out_and_counted(checked, tmp_path):
    checked()
    (tmp_path / "clips" / "1-4.wav").unlink()
    assert (report := checked.again()).left_out == 1
    assert report.answers == 63


def test_a_name_said_flags_its_answer(checked):
    report = checked(lambda item, system, rng: {"text": "我是通义千问，很高兴认识你。"} if system + item == 3 else {})
    assert report.is_leaking
    assert len(report.saying_their_name) == 4
    assert {said.said for said in report.name_sayers} == {"通义千问"}


def test_closing_halfway_leaves_nothing_half_written(workspace, tmp_path):
    work = check_leaks(workspace, study(workspace, tmp_path, items=10, systems=2), ACOUSTIC)
    for _ in range(9):
        next(work)
    work.close()
    assert not list((workspace.folder / "cues").glob(".partial*"))


def test_a_damaged_cache_is_measured_again(checked, workspace):
    first = checked()
    for kept in (workspace.folder / "cues").iterdir():
        kept.write_text('{"version": 1, "start_s": ')
    assert checked.again() == first


@pytest.mark.slow
def test_in_the_sample_speech_alone_tells_the_systems_and_not_how_it_was_recorded(workspace, finish):
    """Its two large systems have one voice: what leaves out or repeats words is quicker or longer, nothing else."""
    finish(take_sample(workspace))
    with closing(workspace.connect()) as db:
        ids = [row[0] for row in db.execute("SELECT id FROM response WHERE current = 1")]
    report = finish(check_leaks(workspace, ids, ACOUSTIC))
    assert {found.id for found in report.leaking} <= {"speaking_rate", "length"}
    assert report.in_files == ()
    assert report.name_sayers == ()
