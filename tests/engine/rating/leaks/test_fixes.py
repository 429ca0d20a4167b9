"""How clips are played: one level for all, nothing clips, silence is trimmed to one length, files stay as they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
import soundfile

from engine.audio import content_hash
from engine.rating.leaks import ClipFix, Fixes, allowed_fixes, most_fixes, playback_fixes
from engine.rating.leaks.fixes import LEAD_S, LOWEST_TARGET_LUFS, TAIL_S, fixes_of
from engine.rating.leaks.sound import ClipSound
from engine.rating.protocols import load_protocol, protocol_ids
from engine.store.blind_answers import BlindAnswer
from tests.engine.rating.leaks.made import study


def answer(number, system=1):
    return BlindAnswer(number, str(number), number, system, "zh", "", "", None, (), number, "")


def sound(lufs=-23.0, peak=-6.0, start=0.5, end=2.0, duration=3.0):
    return ClipSound(duration, start, end, end - start, 8000.0, -90.0, 16000, "WAV PCM_16 1", lufs, peak)


def gains(sounds, systems, gain):
    made = fixes_of(
        [answer(n, system) for n, system in enumerate(systems)], dict(enumerate(sounds)), Fixes(False, gain)
    )
    return [round(made[n].gain_db, 3) for n in range(len(sounds))]


def test_per_clip_all_come_to_one_level():
    # -23 is the target: 7 dB up, 5 dB down, as it is; no peak comes over -1 dBFS
    assert gains([sound(-30.0, -10.0), sound(-18.0), sound(-23.0)], [1, 2, 3], "per_clip") == [7.0, -5.0, 0.0]


def test_the_common_level_is_as_high_as_no_clip_clips():
    # the first may be 2 dB louder, to -28: that is where all come to
    assert gains([sound(-30.0, -3.0), sound(-18.0), sound(-23.0)], [1, 2, 3], "per_clip") == [2.0, -10.0, -5.0]


def test_one_gain_for_a_system_goes_by_the_middle_of_its_clips():
    # middles -26 and -20: 3 dB up and 3 dB down; a soft answer stays soft beside its system's others
    sounds = [sound(-28.0, -12.0), sound(-26.0, -12.0), sound(-22.0, -12.0), sound(-20.0), sound(-20.0)]
    assert gains(sounds, [1, 1, 1, 2, 2], "per_system") == [3.0, 3.0, 3.0, -3.0, -3.0]


def test_no_clip_of_a_system_clips_by_its_one_gain():
    # the second of the first system may be 1 dB louder: to -27 come both systems
    sounds = [sound(-28.0, -20.0), sound(-28.0, -2.0), sound(-20.0, -6.0)]
    assert gains(sounds, [1, 1, 2], "per_system") == [1.0, 1.0, -7.0]


def test_one_click_does_not_make_everything_soft():
    # -50 LUFS with a peak at full scale could not be made louder at all; the others do not follow it there
    made = gains([sound(-50.0, 0.0), sound(-20.0, -6.0)], [1, 2], "per_clip")
    assert made == [0.0, LOWEST_TARGET_LUFS + 20.0]


def test_silence_and_a_clip_without_loudness_are_played_as_they_are():
    silent = sound(math.nan, -200.0, start=0.0, end=0.0)
    made = fixes_of([answer(0)], {0: silent}, Fixes(True, "per_clip"))
    assert made == {0: ClipFix()}


def test_without_a_gain_nothing_is_made_louder():
    assert gains([sound(-30.0), sound(-18.0)], [1, 2], "none") == [0.0, 0.0]


def test_silence_is_trimmed_to_one_length_at_both_ends():
    made = fixes_of([answer(0), answer(1)], {0: sound(start=0.5, end=2.0), 1: sound(start=0.0, end=2.95)}, Fixes(True))
    assert made[0] == ClipFix(pytest.approx(0.5 - LEAD_S), 0.0, pytest.approx(2.0 + TAIL_S))
    assert made[1] == ClipFix(0.0, 0.0, None)  # there is less than that


def test_no_protocol_has_more_evened_out_than_it_allows():
    for name in protocol_ids():
        protocol = load_protocol(name, "en")
        most = most_fixes(protocol)
        assert most.trim == (protocol.may_trim and protocol.perceived != "text")
        assert most.gain == (protocol.gain if protocol.perceived != "text" else "none")
    acoustic = load_protocol("empathy_acoustic", "en")
    assert allowed_fixes(Fixes(False, "per_clip"), acoustic) == Fixes(False, "per_system")
    assert allowed_fixes(Fixes(), acoustic) == Fixes()


def test_the_files_stay_as_they_are(workspace, tmp_path, finish):
    ids = study(workspace, tmp_path / "clips", items=3, systems=2)
    before = {path.name: content_hash(path) for path in (tmp_path / "clips").iterdir()}
    made = finish(playback_fixes(workspace, ids, Fixes(True, "per_clip")))
    assert set(made) == set(ids)
    assert {path.name: content_hash(path) for path in (tmp_path / "clips").iterdir()} == before


def test_what_is_played_has_one_level_and_one_silence_by_other_means(workspace, tmp_path, finish):
    """Levels by pyloudnorm, of the samples as they are played: trimming moves that of a clip of 4 s by 0.1 dB."""
    import pyloudnorm

    def change(item, system, rng):
        return {"level_db": -34.0 + 4 * system + item, "lead_s": 0.1 + 0.2 * system, "spoken_s": 4.0}

    ids = study(workspace, tmp_path / "clips", change, items=3, systems=3)
    made = finish(playback_fixes(workspace, ids, Fixes(True, "per_clip")))
    levels, silences = [], []
    for place, number in enumerate(ids):
        samples, rate = soundfile.read(tmp_path / "clips" / f"{place // 3}-{place % 3}.wav")
        end = None if made[number].stop_s is None else round(made[number].stop_s * rate)
        played = samples[round(made[number].skip_s * rate) : end] * 10 ** (made[number].gain_db / 20)
        assert np.abs(played).max() <= 10 ** (-1 / 20) + 1e-6
        levels.append(pyloudnorm.Meter(rate).integrated_loudness(played))
        silences.append(np.argmax(np.abs(played) > 0.005) / rate)
    assert max(levels) - min(levels) < 0.3
    assert max(silences) - min(silences) < 0.025


def test_a_fix_survives_its_declaration_with_and_without_its_end():
    for fix in (ClipFix(), ClipFix(0.25, -3.0, 2.0), ClipFix(0.25, 6.0)):
        assert ClipFix.of(fix.declaration()) == fix
    assert ClipFix.of([0.5, 2.0]) == ClipFix(0.5, 2.0)
