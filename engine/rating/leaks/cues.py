"""What a rater may tell a system by, as columns of figures or words over the answers of a study."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.rating.leaks.sound import ClipSound
from engine.rating.leaks.values import ClipFix, NameSaid, Remedy
from engine.store.blind_answers import BlindAnswer
from engine.text.script import fold

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:'[^\W_]+)*")  # a Han character, or another word
_OPENINGS = (1, 2, 4)  # words or characters
_WRITING = (
    ("heading", re.compile(r"^#{1,6} ", re.M)),
    ("bold", re.compile(r"\*\*")),
    ("bullets", re.compile(r"^\s*[-*•] ", re.M)),
    ("numbers", re.compile(r"^\s*\d+[.、)] ?", re.M)),
    ("lines", re.compile(r"\n\s*\S")),
    ("emoji", re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")),
    ("half_width", re.compile(r"[\u4e00-\u9fff][,?!:;]")),
)


@dataclass(frozen=True, slots=True)
class Given:
    """All that is known of one answer, as it is played."""

    answer: BlindAnswer
    sound: ClipSound | None
    fix: ClipFix
    names: tuple[NameSaid, ...]


@dataclass(frozen=True, slots=True)
class CueKind:
    """A cue and how it is read.

    Attributes:
        of: what of the answer has to be perceived for it: its audio, its text, or either.
        step: the least difference a rater could notice from one clip to the next; figures nearer than that are one.
            0.0 for words.
        is_ratio: the step is one of log2, for what is heard in proportions.
        read: figures (NaN where there is none) or words of one answer, one for each view of the cue.
    """

    id: str
    is_heard: bool
    of: str
    remedy: Remedy
    step: float
    is_ratio: bool
    read: Callable[[Given], Sequence[float | str]]


@dataclass(frozen=True, slots=True)
class Column:
    """One cue over all answers: ``figures`` of shape (answers,), or ``words``, each with one entry per answer."""

    kind: CueKind
    figures: NDArray[np.float64] | None
    words: tuple[tuple[str, ...], ...] = ()


def columns_of(given: Sequence[Given], perceived: str) -> list[Column]:
    """Every cue that answers perceived as ``text``, ``audio`` or ``both`` may leak by; in the table's order."""
    kinds = [kind for kind in CUES if kind.of == "either" or perceived in (kind.of, "both")]
    return [_column(kind, given) for kind in kinds]


def _column(kind: CueKind, given: Sequence[Given]) -> Column:
    read = [kind.read(one) for one in given]
    if kind.step:
        return Column(kind, np.array([row[0] for row in read], np.float64))
    return Column(kind, None, tuple(zip(*[tuple(map(str, row)) for row in read], strict=True)))


def _of_sound(figure: Callable[[ClipSound, ClipFix], float]) -> Callable[[Given], Sequence[float]]:
    return lambda given: (math.nan if given.sound is None else figure(given.sound, given.fix),)


def _trailing(sound: ClipSound, fix: ClipFix) -> float:
    return (sound.duration_s if fix.stop_s is None else fix.stop_s) - sound.end_s


def _noise(sound: ClipSound, fix: ClipFix) -> float:
    return max(sound.noise_dbfs + fix.gain_db, -90.0) if not math.isnan(sound.noise_dbfs) else math.nan


def _said(given: Given) -> str:
    """The words a rater hears, else those that were written."""
    return given.answer.transcript or given.answer.text or ""


def _rate(given: Given) -> Sequence[float]:
    if given.sound is None or given.sound.spoken_s <= 0:
        return (math.nan,)
    return (_positive(len(_TOKEN.findall(_said(given))) / given.sound.spoken_s),)


def _opening(given: Given) -> Sequence[str]:
    words = [match[0] for match in _TOKEN.finditer(fold(_said(given)[:200]))]
    return [" ".join(words[:count]) for count in _OPENINGS]


def _writing(given: Given) -> Sequence[str]:
    text = given.answer.text or ""
    return [" ".join(name for name, mark in _WRITING if mark.search(text))]


def _positive(value: float) -> float:
    return value if value > 0 else math.nan


#: Steps: a silence differs by more than a key press does; a decibel; 3 dB of noise; a sixth of an octave; a tenth.
CUES: tuple[CueKind, ...] = (
    CueKind("leading_silence", True, "audio", "trim", 0.05, False, _of_sound(lambda s, f: s.start_s - f.skip_s)),
    CueKind("trailing_silence", True, "audio", "trim", 0.25, False, _of_sound(_trailing)),
    CueKind("level", True, "audio", "gain", 1.0, False, _of_sound(lambda s, f: s.lufs + f.gain_db)),
    CueKind("noise_floor", True, "audio", "none", 3.0, False, _of_sound(_noise)),
    CueKind("bandwidth", True, "audio", "none", 1 / 6, True, _of_sound(lambda s, f: s.cut_off_hz)),
    CueKind("length", True, "audio", "none", 0.15, True, _of_sound(lambda s, f: _positive(s.end_s - s.start_s))),
    CueKind("speaking_rate", True, "audio", "none", 0.15, True, _rate),
    CueKind("opening", True, "either", "none", 0.0, False, _opening),
    CueKind("written_length", True, "text", "none", 0.15, True, lambda g: (_positive(len(g.answer.text or "")),)),
    CueKind("writing", True, "text", "none", 0.0, False, _writing),
    CueKind("name", True, "either", "leave_out", 0.0, False, lambda g: (g.names[0].name if g.names else "",)),
    CueKind("sample_rate", False, "audio", "none", 0.0, False, lambda g: (g.sound.sample_rate_hz if g.sound else "",)),
    CueKind("coding", False, "audio", "none", 0.0, False, lambda g: (g.sound.coding if g.sound else "",)),
)  # fmt: skip
