"""The default recogniser on real speech, silence and noise; error rates are asserted, never texts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import EngineError
from engine.speech.packaged import SHA256
from engine.speech.recognise import Recogniser, load_recogniser
from engine.speech.values import Heard, RecogniserSpec
from engine.speech.with_faster_whisper import padded_length
from tests.engine.speech.conftest import pooled
from tests.shared import needs_shared

RATE = 16_000


def noise(seconds, dbfs):
    rng = np.random.default_rng(3)
    return (rng.standard_normal(round(seconds * RATE)) * 10 ** (dbfs / 20)).astype(np.float32)


@needs_shared
def test_the_shared_recording_of_51_s_is_read_with_few_errors_and_words_in_order(recogniser, recording):
    (transcript,) = recogniser.transcribe([recording.samples], "zh")
    assert recording.errors(transcript.text) <= 0.08
    starts = [word.start_s for word in transcript.words]
    assert starts == sorted(starts)
    assert all(0 <= word.start_s <= word.end_s <= transcript.seconds for word in transcript.words)
    assert transcript.words[-1].end_s > 49  # times count from the start of the clip, not of a window
    assert "".join(word.text for word in transcript.words).replace(" ", "") == transcript.text.replace(" ", "")


def test_clips_of_the_sample_pack_are_read_together_each_in_its_detected_language(recogniser, sample_speech):
    transcripts = recogniser.transcribe([clip.samples for clip in sample_speech])
    assert [transcript.language for transcript in transcripts] == [clip.language for clip in sample_speech]
    assert pooled(sample_speech, transcripts) <= 0.12
    assert all(transcript.words for transcript in transcripts)


def test_a_clip_is_read_alike_alone_and_among_others(recogniser, sample_speech):
    clip = sample_speech[0]
    (alone,) = recogniser.transcribe([clip.samples], "zh")
    among = recogniser.transcribe([other.samples for other in sample_speech[:3]], "zh")[0]
    assert among.language == alone.language == "zh"
    assert abs(clip.errors(among.text) - clip.errors(alone.text)) <= 0.05


@pytest.mark.parametrize("samples", [np.zeros(3 * RATE, np.float32), np.zeros(0, np.float32), noise(2, -75)])
def test_silence_is_not_sent_and_says_so(samples):
    recogniser = Recogniser(RecogniserSpec(), MadeUp("thanks for watching"))
    (transcript,) = recogniser.transcribe([samples], "zh")
    assert (transcript.text, transcript.flags, transcript.words) == ("", ("silent",), ())
    assert transcript.seconds == len(samples) / RATE


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("dbfs", [-50, -30])
def test_noise_gives_no_stock_phrase(recogniser, dbfs, language):
    (transcript,) = recogniser.transcribe([noise(4, dbfs)], language)
    assert (transcript.text, transcript.flags) == ("", ("no_speech",))


@pytest.mark.parametrize(("seconds", "padded"), [(0.1, 20), (12.0, 20), (12.1, 25), (17.5, 30), (25.0, 30), (30.0, 30)])
def test_a_window_is_padded_with_at_least_8_s_of_silence_while_30_s_allow(seconds, padded):
    assert padded_length(round(seconds * RATE)) == padded * RATE


def test_the_maker_tells_what_decides_the_text(recogniser):
    maker = recogniser.maker
    assert (maker.name, maker.weights_sha256) == ("faster-whisper", SHA256)
    assert maker.settings["compute_type"] == "int8"
    assert maker.settings["beam_size"] == 5
    assert "batch_size" not in maker.settings


def test_an_unknown_recogniser_is_refused_with_the_known_ones():
    with pytest.raises(EngineError, match="faster-whisper, openai-whisper, transformers"):
        load_recogniser(RecogniserSpec(backend="wav2letter"))


def test_an_unknown_language_is_refused(recogniser):
    with pytest.raises(EngineError, match="tlh"):
        recogniser.transcribe([noise(1, -20)], "tlh")


class MadeUp:
    """A back end that always hears the same; notes each batch's size and beam."""

    weights_sha256, compute_type, libraries, longest_answer, settings = "0", "float32", (), 444, {}

    def __init__(self, *texts, log_probability=-0.2, no_speech=0.0, tokens=5):
        self.texts, self.asked = list(texts), []
        self.answer = {"mean_log_probability": log_probability, "no_speech": no_speech, "token_count": tokens}

    def hear(self, windows, languages, beam_size, word_times):
        self.asked.append((len(windows), beam_size))
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return [Heard(text, language or "zh", **self.answer) for language in languages]


LOOP = "我们来看看" * 40


def heard_by(back_end, clips=1, **spec):
    return Recogniser(RecogniserSpec(**spec), back_end).transcribe([noise(1, -20)] * clips, "zh")


def test_a_loop_is_decoded_again_with_another_beam():
    back_end = MadeUp(LOOP, "说了一句话")
    (transcript,) = heard_by(back_end)
    assert (transcript.text, transcript.flags) == ("说了一句话", ())
    assert back_end.asked == [(1, 5), (1, 1)]


def test_what_loops_twice_is_kept_and_flagged_since_a_system_may_really_repeat_itself():
    (transcript,) = heard_by(MadeUp(LOOP))
    assert (transcript.text, transcript.flags) == (LOOP, ("repetitive",))


@pytest.mark.parametrize(
    ("answer", "flags"),
    [
        ({"log_probability": -1.2}, ("unsure",)),
        ({"no_speech": 0.9, "log_probability": -0.7}, ("no_speech",)),
        ({"no_speech": 0.9, "log_probability": -0.3}, ()),  # it is sure of what it heard
        ({"tokens": 444}, ("cut_by_limit",)),
    ],
)
def test_flags_say_how_far_a_transcript_can_be_trusted(answer, flags):
    (transcript,) = heard_by(MadeUp("谢谢", **answer))
    assert transcript.flags == flags
    assert transcript.text == ("" if "no_speech" in flags else "谢谢")


def test_windows_of_many_clips_share_batches():
    back_end = MadeUp("好")
    assert len(heard_by(back_end, clips=10, batch_size=4)) == 10
    assert [size for size, _ in back_end.asked] == [4, 4, 2]


def test_transcripts_come_as_each_is_complete():
    back_end = MadeUp("好")
    clips = [noise(40, -20), noise(1, -20), np.zeros(RATE, np.float32)]
    stream = Recogniser(RecogniserSpec(batch_size=1), back_end).stream(clips, "zh")
    assert [index for index, _ in stream] == [2, 1, 0]  # silence at once, then the short one, then the long one


def test_windows_join_without_blanks_in_chinese_and_with_one_in_english():
    long = noise(40, -20)
    for said, joined in (("好", "好好"), ("Yes.", "Yes. Yes.")):
        (transcript,) = Recogniser(RecogniserSpec(), MadeUp(said)).transcribe([long], "zh")
        assert transcript.text == joined
