"""Recognises speech: any length, many clips at once, by one of several back ends of equal standing."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from engine.errors import EngineError
from engine.speech import with_faster_whisper, with_openai_whisper, with_transformers
from engine.speech.values import SAMPLE_RATE_HZ, BackEnd, Heard, RecogniserMaker, RecogniserSpec, Samples, Transcript
from engine.speech.windows import LONGEST_S, SHORTEST_S, Window, windows_of

RECOGNISERS: dict[str, Callable[[RecogniserSpec], BackEnd]] = {
    "faster-whisper": with_faster_whisper.load,
    "openai-whisper": with_openai_whisper.load,
    "transformers": with_transformers.load,
}

#: Nobody speaks: the model says so (speech gives it under 0.05) and is unsure of what it wrote (speech: over -0.5).
NO_SPEECH = 0.6
NO_SPEECH_LOG_PROBABILITY = -0.6
#: Whisper's own limits for a loop (zlib's ratio) and for a text that it does not believe.
LOOP_RATIO = 2.4
UNSURE_LOG_PROBABILITY = -1.0
_AUTO = "auto"


def load_recogniser(spec: RecogniserSpec) -> Recogniser:
    """A recogniser with its weights in memory.

    Nothing is fetched. Raises EngineError ``speech.*`` where a package, the weights or
    a permission is missing, and says how to mend it.
    """
    if spec.backend not in RECOGNISERS:
        raise EngineError("speech.unknown_recogniser", name=spec.backend, known=list(RECOGNISERS))
    return Recogniser(spec, RECOGNISERS[spec.backend](spec))


class Recogniser:
    """One loaded recogniser. The rules on silence, loops and long clips are the same for every back end."""

    def __init__(self, spec: RecogniserSpec, back_end: BackEnd) -> None:
        self.spec = spec
        self._back_end = back_end

    @property
    def weights_sha256(self) -> str:
        """SHA-256 of the weights as they lie on disk."""
        return self._back_end.weights_sha256

    @property
    def maker(self) -> RecogniserMaker:
        """What decides the text: two transcripts compare when these are equal, libraries aside."""
        settings = {
            "compute_type": self._back_end.compute_type,
            "beam_size": self.spec.beam_size,
            "window_s": [SHORTEST_S, LONGEST_S],
            "no_speech": [NO_SPEECH, NO_SPEECH_LOG_PROBABILITY],
            "loop_ratio": LOOP_RATIO,
            **self._back_end.settings,
        }
        return RecogniserMaker(self.spec.backend, self.weights_sha256, settings, self._back_end.libraries)

    def transcribe(self, clips: Sequence[Samples], language: str = _AUTO) -> list[Transcript]:
        """What is heard in each clip (finite mono samples at 16 kHz, full scale 1.0), in the order given."""
        found = dict(self.stream(clips, language))
        return [found[index] for index in range(len(clips))]

    def stream(self, clips: Sequence[Samples], language: str = _AUTO) -> Generator[tuple[int, Transcript], None, None]:
        """The same as pairs of index and transcript, each as soon as it is complete; one step is one batch at most.

        Args:
            language: ``zh``, ``en``, another code of Whisper's, or ``auto``: each clip's is detected in its first
                window that sounds. A silent clip gives an empty text, flag ``silent``, and is not sent.
        """
        asked = None if language == _AUTO else language
        work = [_Clip(samples, asked) for samples in clips]
        for index, clip in enumerate(work):
            if clip.is_complete:
                yield index, clip.transcript()
        first = [(clip, clip.open[0]) for clip in work if clip.open and asked is None]
        yield from self._decoded(work, first)
        yield from self._decoded(work, [(clip, place) for clip in work for place in clip.open])

    def _decoded(
        self, work: list[_Clip], places: list[tuple[_Clip, int]]
    ) -> Generator[tuple[int, Transcript], None, None]:
        # windows of like length have like many words: a batch is as slow as its longest answer
        places = sorted(places, key=lambda item: len(item[0].windows[item[1]].samples))
        for start in range(0, len(places), self.spec.batch_size):
            batch = places[start : start + self.spec.batch_size]
            samples = [clip.windows[place].samples for clip, place in batch]
            heard = self._hear(samples, [clip.language for clip, _ in batch])
            for (clip, place), item in zip(batch, heard, strict=True):
                clip.take(place, item, self._back_end.longest_answer)
            for clip in dict.fromkeys(clip for clip, _ in batch):
                if clip.is_complete:
                    yield work.index(clip), clip.transcript()

    def _hear(self, samples: list[Samples], languages: list[str | None]) -> list[Heard]:
        """One batch; what loops is decoded again with another beam, since sampling would not be repeatable."""
        beam, times = self.spec.beam_size, self.spec.word_times
        heard = self._back_end.hear(samples, languages, beam, times)
        looping = [index for index, item in enumerate(heard) if _ratio(item.text) > LOOP_RATIO]
        if looping:
            chosen = [languages[index] or heard[index].language for index in looping]
            again = self._back_end.hear([samples[i] for i in looping], chosen, 1 if beam > 1 else 5, times)
            for index, item in zip(looping, again, strict=True):
                heard[index] = min(heard[index], item, key=lambda each: _ratio(each.text))
        return heard


class _Clip:
    """One clip on its way: its windows, and what was heard in them."""

    def __init__(self, samples: Samples, language: str | None) -> None:
        self.language = language
        self.windows: list[Window] = windows_of(samples)
        self._seconds = len(samples) / SAMPLE_RATE_HZ
        self._heard: dict[int, Heard] = {}
        self._flags: set[str] = set()

    @property
    def open(self) -> list[int]:
        """Places of the windows that sound and are not decoded yet."""
        return [place for place, window in enumerate(self.windows) if not window.silent and place not in self._heard]

    @property
    def is_complete(self) -> bool:
        return not self.open

    def take(self, place: int, heard: Heard, longest_answer: int) -> None:
        """Keep what was heard in one window, under the rules on silence and loops."""
        self.language = self.language or heard.language
        flags = _flags_of(heard, longest_answer)
        self._flags |= flags
        self._heard[place] = replace(heard, text="", words=()) if "no_speech" in flags else heard

    def transcript(self) -> Transcript:
        parts = [(self.windows[place].start_s, self._heard[place]) for place in sorted(self._heard)]
        text = _joined([heard.text for _, heard in parts])
        words = tuple(
            replace(word, start_s=word.start_s + offset, end_s=word.end_s + offset)
            for offset, heard in parts
            for word in heard.words
        )
        flags = self._flags if self._heard else {"silent"}
        return Transcript(text, self.language or "", words, self._seconds, tuple(sorted(flags)))


def _flags_of(heard: Heard, longest_answer: int) -> set[str]:
    if heard.no_speech > NO_SPEECH and heard.mean_log_probability < NO_SPEECH_LOG_PROBABILITY:
        return {"no_speech"}
    flags = set()
    if _ratio(heard.text) > LOOP_RATIO:
        flags.add("repetitive")
    if heard.mean_log_probability < UNSURE_LOG_PROBABILITY:
        flags.add("unsure")
    if heard.token_count >= longest_answer:
        flags.add("cut_by_limit")
    return flags


def _joined(texts: list[str]) -> str:
    """Window texts in one: a blank only where Latin script meets Latin script."""
    joined = ""
    for text in filter(None, texts):
        blank = bool(joined) and joined[-1].isascii() and text[0].isascii()
        joined += f" {text}" if blank else text
    return joined


def _ratio(text: str) -> float:
    """How often zlib could fold the text, 1.0 for an empty one; Whisper's sign of a loop."""
    data = text.encode()
    return len(data) / len(zlib.compress(data)) if data else 1.0
