"""The three back ends of equal standing on the same real weights and the same speech."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.errors import EngineError
from engine.speech.recognise import Recogniser, load_recogniser
from engine.speech.values import RecogniserSpec
from tests.engine.speech.conftest import pooled
from tests.shared import needs_shared

RATE = 16_000
FEW = 0.2  # of a short clip that Whisper base reads well, one syllable more or less is 0.07
TORCH = ["openai-whisper", "transformers"]

pytestmark = [
    pytest.mark.torch,
    # openai-whisper leaves its vocabulary file to the garbage collector
    pytest.mark.filterwarnings("ignore:.*tiktoken:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module", params=TORCH)
def other(request, transformers_folder):
    """A recogniser by torch, in float32, greedy: what is compared is the back end."""
    if request.param == "openai-whisper":
        pytest.importorskip("whisper")
    spec = RecogniserSpec(request.param, str(transformers_folder), beam_size=1, word_times=True, cpu_threads=2)
    return load_recogniser(spec)


def without_times(recogniser):
    """The same loaded model at half the work."""
    return Recogniser(replace(recogniser.spec, word_times=False), recogniser._back_end)


@needs_shared
def test_each_reads_the_shared_recording_with_few_errors(other, recording):
    (transcript,) = without_times(other).transcribe([recording.samples], "zh")
    assert recording.errors(transcript.text) <= 0.08


def test_each_detects_languages_and_leaves_silence_and_noise_empty(other, sample_speech):
    clips = [sample_speech[1], sample_speech[-1]]
    hiss = (0.01 * np.random.default_rng(3).standard_normal(2 * RATE)).astype(np.float32)
    asked = [*(clip.samples for clip in clips), hiss, np.zeros(RATE, np.float32)]
    *spoken, noise, silence = without_times(other).transcribe(asked)
    assert [transcript.language for transcript in spoken] == ["zh", "en"]
    assert pooled(clips, spoken) <= FEW
    assert (noise.text, noise.flags) == ("", ("no_speech",))
    assert (silence.text, silence.flags) == ("", ("silent",))


def test_each_times_words_as_the_default_does(other, recogniser, sample_speech):
    samples = sample_speech[0].samples
    ours, theirs = recogniser.transcribe([samples], "zh")[0].words, other.transcribe([samples], "zh")[0].words
    shared = [(mine, word) for mine in ours for word in theirs if mine.text == word.text]
    assert len(shared) >= len(ours) // 2
    assert np.median([abs(mine.start_s - word.start_s) for mine, word in shared]) <= 0.1


def test_a_search_with_beams_reads_as_well(transformers_folder, sample_speech):
    spec = RecogniserSpec("transformers", str(transformers_folder), beam_size=3, cpu_threads=2)
    (transcript,) = load_recogniser(spec).transcribe([sample_speech[1].samples], "zh")
    assert sample_speech[1].errors(transcript.text) <= FEW


def test_makers_tell_the_same_weights_by_the_same_hash(other, recogniser, transformers_folder):
    again = load_recogniser(RecogniserSpec("transformers", str(transformers_folder)))
    assert other.weights_sha256 == again.weights_sha256 != recogniser.weights_sha256
    assert other.maker.settings["compute_type"] == "float32"


def test_a_pickle_of_openai_whisper_is_read_when_allowed(openai_file, sample_speech):
    spec = RecogniserSpec("openai-whisper", str(openai_file), allow_pickle=True, beam_size=1, cpu_threads=2)
    clip = sample_speech[1]
    assert clip.errors(load_recogniser(spec).transcribe([clip.samples], "zh")[0].text) <= FEW


def test_an_unknown_language_is_refused(other):
    clip = np.full(RATE, 0.1, np.float32) * np.sin(np.arange(RATE, dtype=np.float32))
    with pytest.raises(EngineError, match="tlh"):
        other.transcribe([clip], "tlh")
