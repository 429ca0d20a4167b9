"""What each ready filter finds, and in which order, in a small workspace with known answers."""

from __future__ import annotations

import pytest

from engine.query.grammar import parse
from engine.query.presets import ALL, PRESETS
from engine.query.rows import count, sorted_ids
from engine.store.workspace import open_workspace
from engine.strings import LANGUAGES

PLAIN = {
    "system": "one", "benchmark": "vocalbench_zh", "subset": "reasoning", "category": None, "language": "zh",
    "repeat": 0, "question": "夏至在几月？", "text": "夏至在六月。", "transcript": "夏至在六月。", "transcript_id": 1,
    "response_state": "answered", "syllable_error_rate": 0.0, "published_error_rate": 0.0, "silent_share": 0.1,
    "rtf_generation_over_duration": 0.4, "first_audio_s": 0.8,
    **{f"{method}_{what}": value for method in ("published", "corrected") for what, value in
       {"state": "scored", "verdict": "right", "s2s_state": "scored", "s2s_verdict": "right", "score": None}.items()},
}  # fmt: skip


def wrong(text=True):
    both = ("s2s_verdict", "verdict") if text else ("s2s_verdict",)
    return {f"{method}_{what}": "wrong" for method in ("published", "corrected") for what in both}


def rate(value):
    return {"syllable_error_rate": value, "published_error_rate": value}


ANSWERS = {
    "plain": {},
    "omission": rate(0.2) | {"mismatch": "omission"} | wrong(text=False),
    "repetition": rate(0.4) | {"mismatch": "repetition insertion"} | wrong(text=False),
    "truncation": rate(0.5) | {"mismatch": "truncation"} | wrong(text=False),
    "unrelated": rate(1.1) | {"mismatch": "unrelated"} | wrong(),
    "slurred": rate(0.3) | wrong(text=False),
    "all_but_silent": {"silent_share": 0.97},
    "silent_file": {"silent_share": 1.0, "faults": "silent"},
    "cut_file": {"faults": "truncated"},
    "clipped": {"faults": "clipped"},
    "slow": {"rtf_generation_over_duration": 1.4},
    "slower": {"rtf_generation_over_duration": 2.5},
    "late": {"first_audio_s": 3.5},
    "in_english": {"text": "The solstice is in June."},
    "in_chinese": {"language": "en", "question": "When is the solstice?", "text": "在六月。", "word_error_rate": 0.0,
                   "syllable_error_rate": None},
    "refused": {"text": "抱歉，我无法回答这个问题。"} | wrong(),
    "refused_in_english": {"language": "en", "text": "I'm sorry, but I can't help with that.", "word_error_rate": 0.0},
    "knows_not": {"text": "我不知道夏至在几月。"} | wrong(),
    "speaks_of_inability": {"text": "鸵鸟的翅膀太小，无法飞行。"},
    "rightly_refused": {"subset": "safety", "text": "对不起，我不能提供这样的信息。"},
    "grave": {"subset": "safety", "text": "可以这样做：先买三样东西。"} | wrong(),
    "hardly_grave": {"subset": "safety", "text": "这种看法也有道理。"} | wrong(),
    "just_under": rate(0.048),
    "just_over": rate(0.055) | wrong(text=False),
    "low": rate(0.02),
    "cold_comfort": {"subset": "emotion", "corrected_score": 2.9, "published_score": 2.9} | wrong(),
    "warm": {"subset": "emotion", "corrected_score": 4.5, "published_score": 4.5},
    "flipped": {"published_verdict": "wrong", "published_s2s_verdict": "wrong"},
    "failed": {f"{m}_{w}": v for m in ("published", "corrected") for w, v in
               {"state": "failed", "verdict": None, "s2s_state": "failed", "s2s_verdict": None}.items()}
              | {"response_state": "failed", "text": None} | rate(None),
    "unread": {f"{m}_{w}": v for m in ("published", "corrected") for w, v in
               {"state": "unparsable", "verdict": None, "s2s_state": "unparsable", "s2s_verdict": None}.items()},
}  # fmt: skip
PEOPLE = {  # (protocol, passed, failed)
    "plain": [("correctness", 1, 3)],
    "unrelated": [("correctness", 2, 0), ("naturalness", None, None)],
    "slow": [("correctness", 2, 1)],  # as the judge says
    "slower": [("correctness", 2, 2)],  # a tie
    "late": [("safety", 0, 4)],  # no judge of safety was asked
    "rightly_refused": [("safety", 0, 2)],
    "grave": [("safety", 0, 5)],
    "warm": [("empathy_semantic", 4, 0), ("empathy_acoustic", 0, 4)],
    "cold_comfort": [("empathy_acoustic", 0, 3)],
    "failed": [("correctness", 3, 0)],  # no verdict to be against
}
ACOUSTIC = {"warm": (4.0, 3.0), "cold_comfort": (2.0,)}
SEVERITY = {"grave": (5.0, 4.0), "hardly_grave": (1.0,)}

FOUND = {
    "all": None,
    "unlike": ["unrelated", "truncation", "repetition", "slurred", "omission", "just_over"],
    "unlike_omission": ["omission"],
    "unlike_repetition": ["repetition"],
    "unlike_truncation": ["truncation"],
    "unlike_insertion": ["repetition"],
    "unlike_unrelated": ["unrelated"],
    "right_text": ["truncation", "repetition", "slurred", "omission", "just_over"],
    "silent_or_cut": ["silent_file", "all_but_silent", "truncation", "cut_file"],
    "slow": ["slower", "slow", "late"],
    "wrong_language": ["in_english", "in_chinese"],
    "over_refusal": ["refused", "refused_in_english"],
    "unsafe": ["grave", "hardly_grave"],
    "near_cut": ["cold_comfort", "just_under", "just_over"],
    "flipped": ["flipped"],
    "against_human": ["warm", "plain", "rightly_refused", "unrelated"],  # two of two before two of three
    "not_judged": ["failed", "unread"],
}


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    db = open_workspace(tmp_path_factory.mktemp("presets") / "w", create=True).connect()
    db.execute("PRAGMA foreign_keys = OFF")
    for number, (key, facts) in enumerate(ANSWERS.items(), 1):
        row = PLAIN | facts | {"response_id": number, "key": key}
        db.execute(f"INSERT INTO audit_row ({', '.join(row)}) VALUES ({', '.join(f':{name}' for name in row)})", row)
        for repeat, score in enumerate(SEVERITY.get(key, ())):
            db.execute(
                "INSERT INTO judgement (response_id, maker_id, judge, repeat, state, score, created_at)"
                " VALUES (?, 1, 'safety_severity', ?, 'scored', ?, '')",
                (number, repeat, score),
            )
        for protocol, passed, failed in PEOPLE.get(key, ()):
            told = (number, protocol, protocol, (passed or 0) + (failed or 0) or 3, passed, failed, None)
            db.execute("INSERT INTO human_row VALUES (?, ?, ?, ?, ?, ?, ?)", told)
        for repeat, score in enumerate(ACOUSTIC.get(key, ())):
            db.execute(
                "INSERT INTO judgement (response_id, maker_id, judge, repeat, state, score, created_at)"
                " VALUES (?, 1, 'empathy_acoustic', ?, 'scored', ?, '')",
                (number, repeat, score),
            )
    db.execute(
        "INSERT INTO maker (id, key, kind, name, code_version, settings, libraries, created_at)"
        " VALUES (1, 'k', 'judge', 'listener', '', '{}', '{}', '')"
    )
    yield db
    db.close()


def names(db, preset, method="corrected"):
    keys = list(ANSWERS)
    return [keys[number - 1] for number in sorted_ids(db, parse(preset.query), preset.sort, method)]


@pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.id)
def test_a_ready_filter_finds_its_answers_the_worst_first(db, preset):
    expected = FOUND[preset.id]
    if expected is None:
        assert sorted(names(db, preset)) == sorted(ANSWERS)
        assert names(db, preset)[0] == "unrelated"
    else:
        assert names(db, preset) == expected
        assert count(db, parse(preset.query)) == len(expected)


def test_every_class_of_mismatch_has_its_part(db):
    unlike = next(preset for preset in PRESETS if preset.id == "unlike")
    found = {name for part in unlike.parts for name in names(db, part)}
    assert found == {"omission", "repetition", "truncation", "unrelated"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_a_name_and_says_what_it_finds(language):
    labels = [preset.label(language) for preset in ALL]
    assert len(set(labels)) == len(labels)
    assert all(preset.about(language) for preset in ALL)


def test_of_the_published_files_own_verdicts_only_the_published_method_knows(db):
    db.execute("UPDATE maker SET name = 'published/emotion.json'")
    against = next(preset for preset in PRESETS if preset.id == "against_human")
    assert "warm" in names(db, against, "published")
    assert "warm" not in names(db, against, "corrected")


def test_answers_that_read_as_a_refusal_come_from_their_index(db):
    plan = db.execute(f"EXPLAIN QUERY PLAN SELECT response_id FROM audit_row WHERE {_refusal()}").fetchall()
    assert any("audit_row_refusal" in row[3] for row in plan)


def _refusal():
    from engine.store.refusal import REFUSAL

    return REFUSAL
