"""Speed of recognition as the product runs it, against the plain way to run the same weights."""

from __future__ import annotations

import json
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.audio.read import load_mono
from engine.metrics.error_rates import error_rate
from engine.shipped import shipped
from engine.speech.packaged import packaged_whisper
from engine.speech.recognise import load_recogniser
from engine.speech.threads import thread_count
from engine.speech.values import SAMPLE_RATE_HZ, RecogniserSpec
from tests.bench import Figure, figure

CLIPS = 8  # Mandarin clips of the sample pack whose words are known


@figure("recognise.rtf")
def recognise_rtf() -> Figure:
    """Seconds of computing per second of speech, batched int8 with beams, against one by one in float32, greedy."""
    clips, texts = known_speech(CLIPS)
    seconds = sum(map(len, clips)) / SAMPLE_RATE_HZ
    recogniser = load_recogniser(RecogniserSpec(word_times=True))
    plain = plain_pipeline()
    recogniser.transcribe(clips[:1], "zh")
    plain(clips[0])
    first_s, heard = timed(lambda: [transcript.text for transcript in recogniser.transcribe(clips, "zh")])
    baseline_s, plainly = timed(lambda: [plain(clip) for clip in clips])
    second_s, _ = timed(lambda: recogniser.transcribe(clips, "zh"))  # before and after: the machine may not be idle
    value, baseline = (first_s + second_s) / 2 / seconds, baseline_s / seconds
    note = (
        f"{len(clips)} clips, {seconds:.0f} s, {thread_count()} threads, word times included; syllable error"
        f" {syllable_error(texts, heard):.3f}, baseline {syllable_error(texts, plainly):.3f}"
    )
    return Figure("recognise.rtf", value, "x", baseline, baseline / value, note)


def known_speech(count: int) -> tuple[list[NDArray[np.float32]], list[str]]:
    """Mandarin clips of the sample pack at 16 kHz, and what is said in each."""
    listed = shipped("data/sample/speech/floor.jsonl")
    entries = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines() if line]
    chosen = [entry for entry in entries if entry["language"] == "zh"][:count]
    pack = listed.parent.parent
    return [load_mono(pack / entry["audio"], SAMPLE_RATE_HZ) for entry in chosen], [entry["text"] for entry in chosen]


def plain_pipeline() -> Callable[[NDArray[np.float32]], str]:
    """The pipeline of transformers as its documentation shows it, with the packaged weights in float32."""
    import torch
    from transformers import pipeline

    from tests.engine.speech.convert import write_transformers

    torch.set_num_threads(thread_count())
    with tempfile.TemporaryDirectory() as folder:
        model = str(write_transformers(packaged_whisper(), Path(folder) / "whisper-base"))
        run: Any = pipeline("automatic-speech-recognition", model=model, dtype=torch.float32, device="cpu")

    def heard(clip: NDArray[np.float32]) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return str(run(clip.copy(), generate_kwargs={"language": "zh", "task": "transcribe"})["text"])

    return heard


def syllable_error(said: list[str], heard: list[str]) -> float:
    """Corrected syllable errors over reference length of all clips."""
    rates = [error_rate("syllable", reference, hypothesis) for reference, hypothesis in zip(said, heard, strict=True)]
    return sum(rate.errors for rate in rates) / sum(rate.reference_length for rate in rates)


def timed(work: Callable[[], list[Any]]) -> tuple[float, list[Any]]:
    """Seconds that ``work`` took, and what it gave."""
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found
