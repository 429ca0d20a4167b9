"""DNSMOS: how good a listener would find the speech, from the models that the package speechmos carries."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.installing import install_extra
from engine.speech.cache import sha256_of_all
from engine.speech.mel import mel_spectrogram
from engine.speech.threads import thread_count
from engine.speech.values import SAMPLE_RATE_HZ, Samples

#: The models hear 9.01 s at a time, and the window moves on by a second (package speechmos 0.0.1.1, dnsmos.py).
WINDOW_S = 9.01
_WINDOW = int(WINDOW_S * SAMPLE_RATE_HZ)
_P808_CUT = 160  # samples left out at the end before P.808's spectrogram, one of its hops
_BATCH = 8
_FILES = ("sig_bak_ovr.onnx", "model_v8.onnx")

#: From the model's raw values to the scale of ITU-T P.835, highest power first (the same file).
_SIG = (-0.08397278, 1.22083953, 0.0052439)
_BAK = (-0.13166888, 1.60915514, -0.39604546)
_OVRL = (-0.06766283, 1.11546468, 0.04602535)


@dataclass(frozen=True, slots=True)
class Dnsmos:
    """Predicted mean opinion scores, about 1 to 5, higher is better.

    ``ovrl``, ``sig`` and ``bak``: overall, speech and background by ITU-T P.835; ``p808``: overall by ITU-T P.808.
    """

    ovrl: float
    sig: float
    bak: float
    p808: float


NO_VALUE = Dnsmos(math.nan, math.nan, math.nan, math.nan)


def dnsmos(samples: Samples) -> Dnsmos:
    """DNSMOS of mono ``samples`` at 16 kHz, finite, shape (time,); the mean over windows of 9.01 s, a second apart.

    A clip shorter than a window is repeated until it fills one, as the package does. Samples beyond full scale are
    clipped to it, which is what a listener would hear. Without a sample, or with none but zeros, there is no value
    (NaN): the models would give digital silence a mark that says nothing about speech.
    Raises EngineError ``speech.extra_missing`` without the packages speechmos and onnxruntime.
    """
    if not len(samples) or not np.any(samples):
        return NO_VALUE
    windows = _windows(np.clip(samples, -1.0, 1.0))
    values = np.concatenate([_scores(windows[start : start + _BATCH]) for start in range(0, len(windows), _BATCH)])
    ovrl, sig, bak, p808 = values.mean(axis=0).tolist()
    return Dnsmos(ovrl, sig, bak, p808)


def dnsmos_weights_sha256() -> str:
    """SHA-256 over the two models, for a result's maker."""
    return sha256_of_all([_folder() / name for name in _FILES])


def _windows(samples: Samples) -> NDArray[np.float32]:
    """Windows of shape (count, 144160), those that the package hears.

    Its ends are products of floats, and a window whose end falls a sample short by rounding is left out (those that
    start 7 to 23 s into a clip). That is kept, or values would not compare with published ones.
    """
    while len(samples) < _WINDOW:
        samples = np.concatenate([samples, samples])
    count = int(len(samples) // SAMPLE_RATE_HZ - WINDOW_S) + 1
    spans = [(index * SAMPLE_RATE_HZ, int((index + WINDOW_S) * SAMPLE_RATE_HZ)) for index in range(count)]
    whole = [(start, end) for start, end in spans if end - start == _WINDOW and end <= len(samples)]
    return np.stack([samples[start:end] for start, end in whole]).astype(np.float32)


def _scores(windows: NDArray[np.float32]) -> NDArray[np.float64]:
    """One row of ovrl, sig, bak and p808 for each window."""
    primary, p808 = _sessions()
    raw_sig, raw_bak, raw_ovrl = primary.run(None, {"input_1": windows})[0].T.astype(np.float64)
    mels = np.stack([_p808_input(window) for window in windows])
    columns = (np.polyval(_OVRL, raw_ovrl), np.polyval(_SIG, raw_sig), np.polyval(_BAK, raw_bak),
               p808.run(None, {"input_1": mels})[0][:, 0].astype(np.float64))  # fmt: skip
    return np.stack(columns, axis=1)


def _p808_input(window: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mel spectrogram (frames, 120) in dB under its maximum, 80 dB deep, scaled to -1..1."""
    power = mel_spectrogram(window[:-_P808_CUT])
    decibels = 10 * np.log10(np.maximum(power, 1e-10)) - 10 * np.log10(max(1e-10, float(power.max())))
    return np.asarray(((np.maximum(decibels, decibels.max() - 80.0) + 40) / 40).T, np.float32)


@cache
def _sessions() -> tuple[Any, Any]:
    """Both models, loaded at the first call and kept."""
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="onnxruntime", command=install_extra("offline")) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(2, thread_count())
    options.inter_op_num_threads = 1
    primary, p808 = (
        onnxruntime.InferenceSession(str(_folder() / name), options, providers=["CPUExecutionProvider"])
        for name in _FILES
    )
    return primary, p808


def _folder() -> Path:
    spec = importlib.util.find_spec("speechmos")
    if spec is None or spec.origin is None:
        raise EngineError("speech.extra_missing", package="speechmos", command=install_extra("offline"))
    return Path(spec.origin).parent / "dnsmos_models"
