"""Writes audio files so that a file is either whole or not there: temporary name, fsync, rename."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
from os import PathLike
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.audio.finite import are_finite
from engine.errors import EngineError

#: Endings that can be written: the container and its usual coding. Opus for speech that is kept small.
_FORMATS = {
    ".wav": ("WAV", "PCM_16"),
    ".flac": ("FLAC", "PCM_16"),
    ".ogg": ("OGG", "OPUS"),
    ".opus": ("OGG", "OPUS"),
}
_OPUS_RATES_HZ = (8000, 12000, 16000, 24000, 48000)  # RFC 6716, section 2
_BLOCK_FRAMES = 65536  # libsndfile's Ogg writer overflows its stack on very large single writes


def write_audio(
    path: str | PathLike[str], samples: NDArray[np.floating], sample_rate_hz: int, subtype: str | None = None
) -> Path:
    """Write samples to ``path`` and return it; the ending says the format (.wav, .flac, .ogg, .opus).

    An existing file is replaced at the end, in one step; after a failure the old file is still there.

    Args:
        samples: shape (time,) or (time, channels), finite, full scale 1.0; what goes over is clipped in integer
            codings. Reading a 16-bit file and writing it again gives the same samples.
        subtype: libsndfile's name of a coding, e.g. ``PCM_24`` or ``FLOAT``; by default 16 bits, or Opus in Ogg.

    Raises:
        EngineError: ``audio.write_format``, ``audio.write_opus_rate``, ``audio.write_not_finite`` or
            ``audio.cannot_write``, each naming the file.
    """
    path = Path(path)
    write_bytes(path, encode_audio(path, samples, sample_rate_hz, subtype))
    return path


def encode_audio(path: Path, samples: NDArray[np.floating], sample_rate_hz: int, subtype: str | None = None) -> bytes:
    """The bytes of the file that ``write_audio`` would write at ``path``."""
    if path.suffix.lower() not in _FORMATS:
        raise EngineError("audio.write_format", path=str(path), extension=path.suffix or "-")
    container, usual = _FORMATS[path.suffix.lower()]
    coding = subtype or usual
    if coding == "OPUS" and sample_rate_hz not in _OPUS_RATES_HZ:
        raise EngineError("audio.write_opus_rate", path=str(path), rate=sample_rate_hz)
    if wrong := samples.size - int(np.count_nonzero(are_finite(samples))):
        raise EngineError("audio.write_not_finite", path=str(path), count=wrong)
    memory = io.BytesIO()
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    with soundfile.SoundFile(memory, "w", sample_rate_hz, channels, coding, format=container) as file:
        for start in range(0, len(samples), _BLOCK_FRAMES):
            file.write(_as_stored(samples[start : start + _BLOCK_FRAMES], coding))
    return memory.getvalue()


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file or none: to a temporary name beside it, fsync, then rename. Folders are made.

    Raises EngineError ``audio.cannot_write`` with the system's reason; nothing is left behind then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise EngineError("audio.cannot_write", path=str(path), reason=error.strerror or str(error)) from error


def _as_stored(samples: NDArray[np.floating], coding: str) -> NDArray[np.generic]:
    """Integers on the scale that reading divides by; libsndfile's own scaling (32767) would not come back the same."""
    if coding == "PCM_16":
        return np.asarray(np.clip(np.rint(samples * 2.0**15), -(2**15), 2**15 - 1), np.int16)
    if coding == "PCM_24":
        steps = np.clip(np.rint(np.asarray(samples, np.float64) * 2.0**23), -(2**23), 2**23 - 1)
        return np.asarray(steps * 256, np.int32)
    return samples


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder cannot be opened, and renames are on disk by themselves
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
