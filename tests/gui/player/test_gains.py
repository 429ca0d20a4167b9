"""How much louder or softer recordings are played, and when that is known."""

from __future__ import annotations

import math
import threading
from contextlib import closing

import numpy as np
import pytest

from engine.progress import Progress
from engine.store import loudness
from engine.store.audio import take_audio
from engine.store.transaction import transaction
from gui.player.clip import Clip

RATE = 16000


def tone(dbfs, seconds=1.0):
    """A tone of 997 Hz: as many LUFS as dBFS, less 3."""
    return 10 ** (dbfs / 20) * np.sin(2 * np.pi * 997 * np.arange(round(seconds * RATE)) / RATE)


def lufs(player, lane="answer"):
    clip = player._tracks.clip(lane)
    return None if clip is None else player.loudness_lufs(clip)


def known(qtbot, player, lane="answer"):
    qtbot.waitUntil(lambda: lufs(player, lane) is not None and player.is_gain_known(lane), timeout=5000)


@pytest.fixture
def answers(workspace, clip):
    """Three answers of one system, at -10, -20 and -40 dBFS, and the question to the first; as clips."""
    found = {}
    with closing(workspace.connect()) as db, transaction(db):
        db.execute("INSERT INTO benchmark VALUES (1, 'bench', NULL, '2026')")
        db.execute("INSERT INTO system (id, name, kind, created_at) VALUES (1, 's', 'recorded', '2026')")
        db.execute("INSERT INTO run VALUES (1, 'u', 'import', '{}', 'done', 0, 0, 0, NULL, NULL, '2026', NULL)")
        for number, level in enumerate((-10, -20, -40), start=1):
            db.execute(
                "INSERT INTO instance VALUES (?, 1, 's', ?, ?, 'q', NULL, NULL, 'zh', NULL, '{}', 'r')",
                (number, str(number), number),
            )
            path = clip(f"a{number}", tone(level)).path
            audio_id = take_audio(db, workspace, path, keep="reference")
            db.execute(
                "INSERT INTO response (id, uid, run_id, instance_id, system_id, state, audio_id, content_sha256,"
                " created_at) VALUES (?, ?, 1, ?, 1, 'answered', ?, 'c', '2026')",
                (number, f"u{number}", number, audio_id),
            )
            found[level] = Clip(audio_id, path, 1.0, RATE, 1, workspace=workspace)
    return found


def test_as_shipped_everything_is_played_as_it_was_recorded(player, clip, playing):
    samples = tone(-30)
    player.load(None, clip("a", samples))
    output = playing()
    output.play(1.2)
    assert player.gain_mode == "none"
    assert player.gain_db("answer") == 0.0
    assert np.abs(output.heard).max() == np.abs(samples.astype(np.float32)).max()


def test_the_loudness_of_what_is_loaded_is_told(player, clip, qtbot):
    with qtbot.waitSignal(player.gains_changed):
        player.load(None, clip("a", tone(-20)))
    assert lufs(player) == pytest.approx(-23.0, abs=0.1)
    assert lufs(player, "question") is None


def test_each_clip_is_brought_to_the_same_loudness(player, clip, playing, qtbot):
    player.set_gain_mode("clip")
    for name, level in (("a", -30), ("b", -12)):
        player.load(None, clip(name, tone(level)))
        output = playing()
        before = len(output.heard)
        output.play(1.2)
        assert player.gain_db("answer") == pytest.approx(-20.0 - level, abs=0.1)
        assert np.abs(output.heard[before:]).max() == pytest.approx(10 ** (-20 / 20), rel=0.02)
        player.pause()


def test_play_waits_for_the_gain_instead_of_beginning_at_another_level(player, clip, qtbot, sound, monkeypatch):
    gate = threading.Event()
    monkeypatch.setattr(
        "gui.player.gains.measured_loudness", lambda *given: held(gate, loudness.measured_loudness(*given))
    )
    player.set_gain_mode("clip")
    player.load(None, clip("a", tone(-30)))
    player.play()
    qtbot.waitUntil(lambda: bool(sound.opened) and not player._device.is_busy)
    sound.opened[-1].play(0.2)
    assert not sound.opened[-1].heard.any()
    gate.set()
    qtbot.waitUntil(lambda: player._wanted is None)
    sound.opened[-1].play(0.3)
    assert np.abs(sound.opened[-1].heard).max() == pytest.approx(0.1, rel=0.02)


def held(gate, work):
    """Some work that goes on when the test opens the gate."""
    yield Progress(0, 1)
    gate.wait(10)
    return (yield from work)


def test_no_sample_clips_by_a_gain(player, clip, qtbot):
    samples = tone(-40)
    samples[8000] = 10 ** (-3 / 20)
    player.set_gain_mode("clip")
    player.load(None, clip("a", samples))
    known(qtbot, player)
    assert player.gain_db("answer") == pytest.approx(2.0, abs=0.01)  # up to -1 dBFS
    assert player.is_gain_limited("answer")


def test_one_gain_holds_for_all_answers_of_a_system(player, answers, qtbot):
    player.set_gain_mode("system")
    for level in (-20, -40):
        player.load(None, answers[level])
        known(qtbot, player)
        assert player.gain_db("answer") == pytest.approx(0.0, abs=0.1)  # the middle one is at -23 LUFS
        assert not player.is_gain_limited("answer")


def test_another_mode_is_heard_at_once_through_silence(player, clip, playing, qtbot):
    player.load(None, clip("a", tone(-30, 4)))
    output = playing()
    output.play(0.5)
    known(qtbot, player)
    before = len(output.heard)
    player.set_gain_mode("clip")
    qtbot.waitUntil(lambda: player.gain_db("answer") > 1)
    output.play(0.3)
    ramp = round(0.005 * RATE)
    assert np.abs(output.heard[before + ramp - 3 : before + ramp + 3]).max() < 0.01
    assert np.abs(output.heard[before + 3 * ramp :]).max() == pytest.approx(0.1, rel=0.02)


def test_a_recording_without_loudness_is_played_as_it_is(player, clip, playing):
    player.set_gain_mode("clip")
    player.load(None, clip("a", 0.5 * np.ones(3000)))
    output = playing()
    output.play(0.3)
    assert math.isnan(lufs(player))
    assert player.gain_db("answer") == 0.0
    assert np.abs(output.heard).max() == 0.5


def test_a_recording_that_is_missing_says_so_when_it_is_played(player, clip, qtbot):
    player.set_gain_mode("clip")
    there = clip("a", tone(-20))
    there.path.unlink()
    player.load(None, there)
    with qtbot.waitSignal(player.failed) as failed:
        player.play()
    assert failed.args[0].code == "audio.missing"


def test_other_clips_end_the_measuring_of_those_before(player, clip, qtbot, jobs):
    player.set_gain_mode("clip")
    for number in range(5):
        player.load(None, clip(f"a{number}", tone(-20 - number)))
    known(qtbot, player)
    assert lufs(player) == pytest.approx(-27.0, abs=0.1)
    assert set(player._gains._clips) == set(player._tracks.clips)


def test_the_mode_is_kept_in_the_settings_and_nonsense_there_means_none(player, settings):
    player.set_gain_mode("system")
    assert settings.get("sound_gain") == "system"
    settings.set("sound_gain", "louder")
    assert player.gain_mode == "none"


def test_nothing_is_written_to_the_recording(player, clip, playing, qtbot):
    there = clip("a", tone(-30))
    before = (there.path.read_bytes(), there.path.stat().st_mtime_ns)
    player.set_gain_mode("clip")
    player.load(None, there)
    playing().play(1.2)
    assert (there.path.read_bytes(), there.path.stat().st_mtime_ns) == before
