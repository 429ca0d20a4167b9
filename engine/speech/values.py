"""What recognisers are asked with and what they answer, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

SAMPLE_RATE_HZ = 16_000
PACKAGED = "packaged"


@dataclass(frozen=True, slots=True)
class RecogniserSpec:
    """Which recogniser, with which weights, run how.

    Attributes:
        backend: a name in ``RECOGNISERS``: ``faster-whisper``, ``openai-whisper`` or ``transformers``.
        weights: ``packaged`` (Whisper base from the installed packages), a folder or file, or a hub id ``owner/name``.
        revision: commit, tag or branch of a hub id.
        compute_type: ``default`` (int8 on a CPU and float16 on a GPU for faster-whisper, float32 else) or a type the
            back end knows: ``int8``, ``float32``, ``float16``, ``bfloat16``.
        device: ``auto``, ``cpu`` or ``cuda``.
        batch_size: windows of up to 30 s decoded together; changes the speed and not the text.
        beam_size: hypotheses kept in the beam search; 1 is greedy.
        word_times: whether each word gets its start, end and probability.
        cpu_threads: 0 takes up to four of the cores this process may use.
        allow_download: whether who begins the work may fetch a hub id that is not here; a recogniser never does.
        allow_pickle: whether weights in Python's pickle format may be loaded: they can run any code.
    """

    backend: str = "faster-whisper"
    weights: str = PACKAGED
    revision: str | None = None
    compute_type: str = "default"
    device: str = "auto"
    batch_size: int = 8
    beam_size: int = 5
    word_times: bool = False
    cpu_threads: int = 0
    allow_download: bool = False
    allow_pickle: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One heard word, or one Chinese character: its times from the start of the clip, its probability 0..1."""

    text: str
    start_s: float
    end_s: float
    probability: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a recogniser heard in one clip.

    Attributes:
        text: as the recogniser wrote it, without outer blanks; empty where nothing was said.
        language: ``zh``, ``en`` or another code: as asked, or as detected.
        words: in order; empty unless word times were asked for.
        seconds: length of the clip.
        flags: ``silent`` (nothing sounds: the recogniser was not asked), ``no_speech`` (it heard no speech in a part
            that sounds, and what it made up there was dropped), ``repetitive`` (a part loops even after a second
            try), ``unsure`` (mean log probability under -1), ``cut_by_limit`` (a part has more tokens than the
            recogniser may write).
    """

    text: str
    language: str
    words: tuple[Word, ...] = ()
    seconds: float = 0.0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What a back end heard in one window, before any rule about silence or loops.

    ``words`` count from the start of the window; ``no_speech`` is the model's probability that nobody speaks;
    ``mean_log_probability`` is per token, the end token included; ``token_count`` leaves special tokens out.
    """

    text: str
    language: str
    mean_log_probability: float
    no_speech: float
    token_count: int
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class RecogniserMaker:
    """What makes a transcript, for a result's maker: back end and weights, settings that matter, library versions."""

    name: str
    weights_sha256: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()


class BackEnd(Protocol):
    """One way to run Whisper. A language of None asks for detection."""

    weights_sha256: str
    compute_type: str
    libraries: tuple[str, ...]
    longest_answer: int

    @property
    def settings(self) -> Mapping[str, Any]:
        """What else of its own decides the text."""
        ...

    def hear(
        self, windows: Sequence[Samples], languages: Sequence[str | None], beam_size: int, word_times: bool
    ) -> list[Heard]:
        """What is heard in each window of at most 30 s at 16 kHz, decoded as one batch."""
        ...
