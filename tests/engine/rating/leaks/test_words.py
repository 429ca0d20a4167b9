"""The report in sentences: cue and rate, in both languages, and never a system."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rating.leaks.cues import CUES
from engine.rating.leaks.values import Cue, Fixes, LeakReport, NameSaid
from engine.rating.leaks.words import cue_sentence, remedy_of, sentences_of

SILENCE = Cue("leading_silence", True, 0.93, 0.001, 0.011, 0.95, 0.16, 0.02, "trim")
REPORT = LeakReport(0.93, 0.2, 0.001, 0.26, (SILENCE,), (), Fixes(), 60, 300, 5, 0, Fixes(True, "per_system"))


def test_a_cue_is_told_with_its_rate_chance_figures_and_remedy():
    assert cue_sentence(SILENCE, REPORT) == (
        "System guessable at 93 % (chance 20 %) from the silence before the first sound: 160 ms in one, 20 ms in the"
        " rest. Trimming silence on playback removes it."
    )
    assert cue_sentence(SILENCE, REPORT, "zh") == (
        "能以 93 % 猜中系统（纯猜为 20 %），线索是开口前的静音：其中一个是 160 毫秒，其余是 20 毫秒。播放时剪去静音就没有了。"
    )


def test_one_system_that_is_told_far_better_than_the_rest_is_spoken_of():
    one = replace(SILENCE, guess_rate=0.4, clearest=0.98)
    assert "One system is told at 98 %." in cue_sentence(one, REPORT)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", CUES, ids=lambda kind: kind.id)
def test_every_cue_has_its_sentence(kind, language):
    figures = (2.5, 1.25) if kind.step else (None, None)
    cue = Cue(kind.id, kind.is_heard, 0.9, 0.001, 0.01, 0.9, *figures, kind.remedy)
    told = cue_sentence(cue, REPORT, language)
    assert "90 %" in told
    assert "{" not in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_report_is_told_line_by_line(language):
    said = NameSaid(7, "uid", "text", "千问", "千问", 2, 4, False, True)
    coding = Cue("coding", False, 0.6, 0.001, 0.011, 0.9, None, None, "none")
    told = sentences_of(replace(REPORT, cues=(SILENCE, coding), name_sayers=(said, said), left_out=3), language)
    assert len(told) == 5
    assert "300" not in "".join(told)
    assert "1" in told[3]  # one answer, twice


@pytest.mark.parametrize("language", ["en", "zh"])
def test_too_few_questions_give_no_rate(language):
    few = replace(REPORT, guess_rate=None, chance=None, p=None, detectable=None, cues=(), n=6)
    (told,) = sentences_of(few, language)
    assert "6" in told
    assert "%" not in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_nothing_leaks_it_is_said_how_much_could_have_been_missed(language):
    told = sentences_of(replace(REPORT, guess_rate=0.21, p=0.4, cues=()), language)
    assert "21 %" in told[0]
    assert "26 %" in told[0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_rate_that_could_be_chance_is_not_told_as_a_leak_where_one_cue_is(language):
    partly = sentences_of(replace(REPORT, guess_rate=0.25, p=0.2), language)
    clear = sentences_of(REPORT, language)
    assert partly[0] != clear[0]
    assert "25 %" in partly[0]
    assert len(partly) == len(clear) == 2


def test_where_only_all_cues_together_tell_the_strongest_are_named_with_what_helps():
    silence = replace(SILENCE, guess_rate=0.32, p=0.02, adjusted_p=0.2, clearest=0.35)
    length = Cue("length", True, 0.3, 0.05, 0.4, 0.3, 4.5, 3.0, "none")
    rate = Cue("speaking_rate", True, 0.28, 0.08, 0.5, 0.3, 4.5, 3.0, "none")
    level = Cue("level", True, 0.22, 0.3, 1.0, 0.3, -20.0, -21.0, "gain")
    noise = Cue("noise_floor", True, 0.15, 0.9, 1.0, 0.2, -60.0, -61.0, "none")
    coding = Cue("coding", False, 0.6, 0.03, 0.3, 0.9, None, None, "none")
    report = replace(REPORT, guess_rate=0.4, p=0.001, cues=(noise, level, coding, rate, length, silence))
    told = sentences_of(report)
    assert told[0].startswith("A system can be guessed at 40 %")
    assert told[1] == (
        "No cue does it alone, but this adds to it: the silence before the first sound: 160 ms in one, 20 ms in the"
        " rest (alone right at 32 %, chance 20 %). Trimming silence on playback removes it."
    )
    assert "the length of the speech" in told[2] and "the speaking rate" in told[3]
    assert told[4].startswith("Check again") and not any("noise" in said or "kind of audio" in said for said in told)
    assert "单凭它猜对 32 %" in sentences_of(report, "zh")[1]
    assert not any("adds" in said for said in sentences_of(replace(report, p=0.4)))


def test_of_two_systems_there_is_one_and_the_other():
    assert "20 ms in the other." in cue_sentence(SILENCE, replace(REPORT, systems=2))


def test_the_voice_is_spoken_of_where_it_was_heard():
    level = replace(SILENCE, id="level", adjusted_p=1.0)
    assert "voice" in sentences_of(replace(REPORT, cues=(SILENCE, level)))[-1]
    assert "voice" not in sentences_of(REPORT)[-1]


@pytest.mark.parametrize(
    ("cue", "fixes", "allowed", "told"),
    [
        ("leading_silence", Fixes(), Fixes(True), "Trimming"),
        ("leading_silence", Fixes(), Fixes(), "the protocol has it rated"),
        ("leading_silence", Fixes(True), Fixes(True), "what remains"),
        ("level", Fixes(True), Fixes(True, "per_clip"), "One level on playback"),
        ("level", Fixes(True), Fixes(True), "the protocol has it rated"),
        ("level", Fixes(False, "per_system"), Fixes(True, "per_system"), "what remains"),
        ("bandwidth", Fixes(), Fixes(True, "per_clip"), "changes the voice"),
        ("length", Fixes(), Fixes(True, "per_clip"), "part of the answer"),
        ("name", Fixes(), Fixes(True, "per_clip"), "leave them out"),
    ],
)
def test_a_remedy_is_offered_where_it_is_allowed_and_not_yet_taken(cue, fixes, allowed, told):
    kind = next(kind for kind in CUES if kind.id == cue)
    assert told in remedy_of(
        replace(SILENCE, id=cue, remedy=kind.remedy), replace(REPORT, fixes=fixes, allowed=allowed)
    )
