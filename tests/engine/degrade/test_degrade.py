"""Clean speech is made worse as declared: each level is measured here by other means than the program's own."""

from __future__ import annotations

import json
import shutil
from contextlib import closing

import numpy as np
import pytest
import soundfile

from engine.benchmarks.vocalbench_zh import read_vocalbench_zh
from engine.degrade.declaration import chosen, load_interferences
from engine.degrade.make import MANIFEST, degrade
from engine.degrade.sources import sources_of_folder, sources_of_subset
from engine.errors import EngineError
from engine.runs.imports import take_benchmark

RATE = 16_000
SPOKEN = slice(RATE // 2, 2 * RATE)  # of ``speech``: 0.5 s of silence, 1.5 s of sound, 1 s of silence


def speech(seed: int) -> np.ndarray:
    """Sound of one strength between silences, as 16 bits hold it."""
    samples = np.zeros(3 * RATE)
    samples[SPOKEN] = 0.1 * np.sin(2 * np.pi * (200 + 30 * seed) * np.arange(SPOKEN.stop - SPOKEN.start) / RATE)
    return samples


@pytest.fixture
def folder(tmp_path):
    for number in range(3):
        write(tmp_path / "clean" / f"{number}.wav", speech(number))
    (tmp_path / "clean" / "0.txt").write_text("你好吗？", encoding="utf-8")
    return tmp_path / "clean"


@pytest.fixture
def made(folder, finish, tmp_path):
    """Degrade a folder; what was written of its first file, and what the program measured of it."""

    def make(kind, level, *settings, source=folder, name="out"):
        finish(degrade(sources_of_folder(source), tmp_path / name, chosen([kind], [level], settings)))
        item = json.loads((tmp_path / name / MANIFEST).read_text(encoding="utf-8"))["items"][0]
        return soundfile.read(tmp_path / name / "audio" / item["audio"])[0], item

    return make


def write(path, samples, rate=RATE):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, subtype="FLOAT")
    return path


def test_the_conditions_are_the_36_of_the_published_list():
    names = {entry.id: [level.name for level in entry.levels] for entry in load_interferences().values()}
    snrs = [f"snr_{value}" for value in (-5, 0, 5, 10, 15, 20)]
    assert names == {
        "white_noise": snrs,
        "background_noise": snrs,
        "reverberation": [f"rt60_{value}" for value in ("05", "10", "15", "20", "25", "30")],
        "farfield": [f"filter_{value}hz" for value in range(100, 801, 100)],
        "packet_loss": [f"dropping_{value}" for value in ("0.10", "0.30", "0.50", "0.70", "0.90")],
        "distortion": [f"clipping_{value}" for value in ("0.0001", "0.0010", "0.0100", "0.1000", "0.5000")],
    }
    assert {entry.headline for entry in chosen(headline=True)} == {
        "snr_-5", "rt60_30", "filter_400hz", "dropping_0.70", "clipping_0.0001",
    }  # fmt: skip
    assert sum(len(entry.levels) for entry in chosen(headline=True)) == 6


@pytest.mark.parametrize("kind", ["white_noise", "background_noise"])
@pytest.mark.parametrize("level", [-5.0, 10.0])
def test_noise_lies_under_the_speech_by_the_ratio(made, kind, level):
    written, item = made(kind, f"snr_{level:.0f}")
    if kind == "white_noise":  # heard where nothing is spoken
        noise = np.concatenate((written[: SPOKEN.start], written[SPOKEN.stop :]))
    else:  # babble has pauses of its own: what is left when the clean tone is taken away
        noise = written - item["gain"] * speech(0)
    spoken = item["gain"] ** 2 * 0.1**2 / 2  # of a sine
    assert 10 * np.log10(spoken / np.mean(noise**2)) == pytest.approx(level, abs=0.15)
    assert item["measured"]["snr_db"] == pytest.approx(level, abs=0.15)
    assert np.max(np.abs(written)) < 1


def test_babble_is_of_the_other_clips_and_a_folder_of_noise_takes_its_place(made, folder, finish, tmp_path):
    assert set(made("background_noise", "snr_0")[1]["noise"]) == {"1.wav", "2.wav"}
    hum = write(tmp_path / "noise" / "hum.wav", 0.2 * np.sin(2 * np.pi * 1000 * np.arange(RATE) / RATE))
    finish(
        degrade(sources_of_folder(folder), tmp_path / "b", chosen(["background_noise"], ["snr_0"]), noise=hum.parent)
    )
    told = json.loads((tmp_path / "b" / MANIFEST).read_text(encoding="utf-8"))
    written, _ = soundfile.read(tmp_path / "b" / "audio" / told["items"][0]["audio"])
    spectrum = np.abs(np.fft.rfft(written[SPOKEN.stop :]))
    assert np.argmax(spectrum) == pytest.approx(1000, abs=2)  # 1 s: a bin is 1 Hz
    assert list(told["background"]) == ["hum.wav"]


@pytest.mark.parametrize(("level", "seconds"), [("rt60_05", 0.5), ("rt60_30", 3.0)])
def test_a_click_decays_in_the_reverberation_time(made, tmp_path, level, seconds):
    click = np.zeros(RATE // 2)
    click[0] = 0.9
    source = write(tmp_path / "click" / "a.wav", click).parent
    written, item = made("reverberation", level, "reverberation.level=none", source=source)
    decibels = 10 * np.log10(np.cumsum(written[::-1] ** 2)[::-1] / np.sum(written**2) + 1e-20)
    early, late = np.argmax(decibels < -10), np.argmax(decibels < -30)  # 20 dB of the decay, read off at two places
    assert (late - early) / RATE * 3 == pytest.approx(seconds, rel=0.1)
    assert item["measured"]["rt60_s"] == pytest.approx(seconds, rel=0.1)
    assert len(written) == len(click) + round(seconds * RATE) - 1
    tail = np.sum(written[1:] ** 2)
    assert 10 * np.log10(written[0] ** 2 / tail) == pytest.approx(0, abs=0.1)  # direct to reverberant


def test_reverberation_leaves_the_speech_as_loud_and_may_keep_its_length(made):
    written, item = made("reverberation", "rt60_05", "reverberation.tail=cut")
    assert len(written) == 3 * RATE
    middle = slice(RATE, 2 * RATE)
    assert np.mean(written[middle] ** 2) / item["gain"] ** 2 == pytest.approx(0.1**2 / 2, rel=0.3)


@pytest.mark.parametrize("cut_off", [100, 400, 800])
def test_a_tone_at_the_cut_off_comes_out_3_db_weaker(made, tmp_path, cut_off):
    time = np.arange(2 * RATE) / RATE
    write(tmp_path / "tones" / "0.wav", 0.2 * np.random.default_rng(1).standard_normal(2 * RATE).clip(-4, 4))
    write(tmp_path / "tones" / "1.wav", 0.5 * np.sin(2 * np.pi * cut_off * time))
    write(tmp_path / "tones" / "2.wav", 0.5 * np.sin(2 * np.pi * 2 * cut_off * time))
    _, item = made("farfield", f"filter_{cut_off}hz", source=tmp_path / "tones")
    assert item["measured"]["cut_off_hz"] == pytest.approx(cut_off, rel=0.08)
    octave = np.tan(2 * np.pi * cut_off / RATE) / np.tan(np.pi * cut_off / RATE)  # bilinear: a little over 2
    for number, weaker in ((1, 3.01), (2, 10 * np.log10(1 + octave**8))):  # 4th order
        written, _ = soundfile.read(tmp_path / "out/audio/robust/farfield" / f"filter_{cut_off}hz" / f"00{number}.wav")
        power = np.mean(written[RATE:] ** 2) / (0.5**2 / 2)
        assert -10 * np.log10(power) == pytest.approx(weaker, abs=0.1)


@pytest.mark.parametrize(("kind", "cut_off"), [("lowpass", 200), ("lowpass", 800), ("highpass", 400)])
def test_the_cut_off_is_found_in_speech_that_has_little_below(made, tmp_path, kind, cut_off):
    rng = np.random.default_rng(2)
    harmonics = sum(np.sin(2 * np.pi * 180 * n * np.arange(2 * RATE) / RATE) / n for n in range(1, 30))
    voiced = 0.05 * harmonics + 0.01 * np.diff(rng.standard_normal(2 * RATE + 1))
    source = write(tmp_path / "voice" / "a.wav", voiced).parent
    _, item = made("farfield", f"filter_{cut_off}hz", f"farfield.filter={kind}", source=source)
    assert item["measured"]["cut_off_hz"] == pytest.approx(cut_off, rel=0.1)


@pytest.mark.parametrize("share", [0.1, 0.7])
@pytest.mark.parametrize("burst", [1, 5])
def test_the_share_of_frames_is_lost(made, tmp_path, share, burst):
    source = write(tmp_path / "steady" / "a.wav", np.full(RATE, 0.25)).parent
    written, item = made("packet_loss", f"dropping_{share:.2f}", f"packet_loss.burst_frames={burst}", source=source)
    by_frame = written.reshape(-1, RATE // 50)  # 20 ms
    lost = np.all(by_frame == 0, axis=1)
    assert np.mean(lost) == pytest.approx(share) == item["measured"]["dropped_share"]
    assert np.all(by_frame[~lost] == 0.25)
    shorter, _ = made("packet_loss", f"dropping_{share:.2f}", "packet_loss.fill=delete", source=source, name="b")
    assert len(shorter) == pytest.approx((1 - share) * RATE)


def test_a_higher_share_loses_the_same_frames_and_more(made):
    few, many = (made("packet_loss", f"dropping_{share}", name=share)[0] == 0 for share in ("0.30", "0.70"))
    assert np.all(many[few])


@pytest.mark.parametrize("level", [0.01, 0.1, 0.5])
def test_a_sine_is_cut_off_at_the_share_of_its_peak_and_as_high_as_before(made, tmp_path, level):
    tone = 0.5 * np.sin(2 * np.pi * 50.3 * np.arange(2 * RATE) / RATE)
    source = write(tmp_path / "tone" / "a.wav", tone).parent
    written, item = made("distortion", f"clipping_{level:.4f}", source=source)
    assert np.max(np.abs(written)) == pytest.approx(0.5, abs=1e-3)
    flat = np.mean(np.abs(written) > 0.4999)
    assert flat == pytest.approx(1 - 2 / np.pi * np.arcsin(level), abs=0.01)  # the part of a period that is over it
    assert item["measured"]["clipping_level"] == pytest.approx(level, rel=0.02)
    plain, _ = made("distortion", f"clipping_{level:.4f}", "distortion.level=none", source=source, name="b")
    assert np.max(np.abs(plain)) == pytest.approx(0.5 * level, abs=4e-5)


def test_a_folder_of_recordings_becomes_a_robust_set_that_imports(folder, workspace, finish, tmp_path):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("one", "two"):
        done = finish(degrade(sources_of_folder(folder), tmp_path / name, chosen(), with_clean=True))
        assert (done.count, done.conditions, done.problems) == (3 * 36, 36, ())
    written = {p.relative_to(tmp_path / "one"): p.read_bytes() for p in (tmp_path / "one").rglob("*") if p.is_file()}
    assert written == {
        p.relative_to(tmp_path / "two"): p.read_bytes() for p in (tmp_path / "two").rglob("*") if p.is_file()
    }
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    read = finish(read_vocalbench_zh(tmp_path / "one"))
    stored = finish(take_benchmark(workspace, read, tmp_path / "one"))
    assert set(read.subsets) == {"robust", "robust_clean"}
    assert not [problem for problem in read.problems if not problem.kept]
    assert stored.added == 3 * 36 + 3 and stored.audio_missing == 0
    with closing(workspace.connect()) as db:
        row = db.execute(
            "SELECT question, category, labels FROM instance WHERE key = 'robust-farfield-filter_100hz-000'"
        )
        question, category, labels = row.fetchone()
    assert (question, category) == ("你好吗？", "farfield")
    assert json.loads(labels)["Made"]["settings"] == {"filter": "lowpass", "order": 4, "level": "none"}
    told = json.loads((tmp_path / "one" / MANIFEST).read_text(encoding="utf-8"))
    assert {entry["id"] for entry in told["interferences"]} == set(load_interferences())
    assert all(len(item["measured"]) >= 1 and item["sha256"] for item in told["items"])


def test_an_imported_subset_is_degraded_under_its_own_numbers(folder, workspace, finish, tmp_path):
    finish(degrade(sources_of_folder(folder), tmp_path / "first", chosen(["farfield"]), with_clean=True))
    finish(take_benchmark(workspace, finish(read_vocalbench_zh(tmp_path / "first")), tmp_path / "first"))
    sources = sources_of_subset(workspace, "vocalbench_zh", "robust_clean", limit=2)
    assert [(source.number, source.question) for source in sources] == [("000", "你好吗？"), ("001", "")]
    done = finish(degrade(sources, tmp_path / "second", chosen(headline=True), seed=7))
    assert done.count == 2 * 6
    records = json.loads((tmp_path / "second" / "json" / "robust.json").read_text(encoding="utf-8"))
    assert {record["Made"]["seed"] for record in records} == {7}
    assert not (tmp_path / "second" / "json" / "robust_clean.json").exists()


def test_another_seed_draws_otherwise(folder, finish, tmp_path):
    for seed in (0, 1):
        finish(degrade(sources_of_folder(folder), tmp_path / str(seed), chosen(["white_noise"], ["snr_0"]), seed=seed))
    first, second = ((tmp_path / seed / "audio/robust/white_noise/snr_0/000.wav").read_bytes() for seed in "01")
    assert first != second


def test_what_cannot_be_done_is_told_and_the_rest_is_made(folder, finish, tmp_path):
    write(folder / "silent.wav", np.zeros(RATE))
    done = finish(degrade(sources_of_folder(folder), tmp_path / "out", chosen(["white_noise"], ["snr_0"])))
    assert done.count == 3
    assert [(name, error.code) for name, error in done.problems] == [("white_noise/snr_0/silent.wav", "degrade.silent")]
    alone = write(tmp_path / "alone" / "a.wav", speech(0)).parent
    lone = finish(degrade(sources_of_folder(alone), tmp_path / "b", chosen(["background_noise"], ["snr_0"])))
    assert [error.code for _, error in lone.problems] == ["degrade.no_noise"]


def test_originals_and_folders_that_hold_something_are_not_written_over(folder, finish, tmp_path):
    kinds = chosen(["farfield"], ["filter_100hz"])
    shutil.copytree(folder, tmp_path / "set" / "audio")
    for out, code in ((tmp_path / "set", "degrade.over_originals"), (folder.parent, "degrade.over_originals")):
        with pytest.raises(EngineError) as raised:
            finish(degrade(sources_of_folder(tmp_path / "set" / "audio"), out, kinds, replace=True))
        assert raised.value.code == code
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(EngineError) as raised:
        finish(degrade(sources_of_folder(folder), tmp_path / "full", kinds))
    assert raised.value.code == "degrade.exists"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"kinds": ["hum"]}, "unknown_kind"),
        ({"levels": ["snr_3"]}, "unknown_level"),
        ({"settings": ["reverberation.tail=maybe"]}, "bad_setting"),
        ({"settings": ["reverberation.colour=pink"]}, "bad_setting"),
        ({"settings": ["packet_loss.burst_frames=0"]}, "bad_setting"),
    ],
)
def test_what_is_not_declared_is_refused_with_what_there_is(values, code):
    with pytest.raises(EngineError) as raised:
        chosen(**values)
    assert raised.value.code == f"degrade.{code}"
    assert raised.value.sentence("zh")
