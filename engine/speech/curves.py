"""Pitch and energy of speech along time, by librosa: what a lane draws over the waveform when asked to."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.installing import install_extra
from engine.speech.values import SAMPLE_RATE_HZ, Samples

#: A value each 10 ms.
HOP = 160
#: 64 ms: four periods of the lowest voice that is looked for.
FRAME = 1024
LOWEST_HZ, HIGHEST_HZ = 65.0, 600.0
_PIECE = 20 * SAMPLE_RATE_HZ  # pyin's table of paths grows with the length: a piece takes 50 MB
_BESIDE = HOP * 50  # looked at before and after a piece, so that its ends are as sure as its middle
_MAGIC = b"AURCURV1"
_HEADER = struct.Struct("<8sfIIH")  # magic, step, values, CRC-32 of what follows, bytes of the maker's name


@dataclass(frozen=True, slots=True)
class Curves:
    """Pitch and energy of one recording, a value each ``step_s`` from its start, both of shape (values,).

    Attributes:
        pitch_hz: NaN where nothing is voiced.
        energy_dbfs: root mean square of 64 ms, 0 dB for a mean square of 1; minus infinity for digital silence.
        made_by: what computed them, with its version.
    """

    step_s: float
    pitch_hz: NDArray[np.float32]
    energy_dbfs: NDArray[np.float32]
    made_by: str

    def to_bytes(self) -> bytes:
        """The curves for the cache."""
        name = self.made_by.encode()
        body = name + self.pitch_hz.astype("<f4").tobytes() + self.energy_dbfs.astype("<f4").tobytes()
        return _HEADER.pack(_MAGIC, self.step_s, len(self.pitch_hz), zlib.crc32(body), len(name)) + body


def curves_from_bytes(data: bytes | None) -> Curves | None:
    """The curves that ``to_bytes`` stored; None for anything else."""
    if data is None or len(data) < _HEADER.size or not data.startswith(_MAGIC):
        return None
    _, step_s, count, checksum, named = _HEADER.unpack_from(data)
    body = data[_HEADER.size :]
    if zlib.crc32(body) != checksum or len(body) != named + 8 * count:
        return None
    values = np.frombuffer(body, "<f4", offset=named).astype(np.float32)
    return Curves(round(step_s, 6), values[:count], values[count:], body[:named].decode())


def curve_pieces(samples: Samples) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Pitch and energy of mono samples at 16 kHz, a piece of at most 20 s at a time, in order.

    An empty sound gives no piece. Raises EngineError ``speech.extra_missing`` without librosa.
    """
    try:
        import librosa
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="librosa", command=install_extra("features")) from error
    for start in range(0, len(samples), _PIECE):
        before = min(_BESIDE, start)
        part = samples[start - before : start + _PIECE + _BESIDE]
        wanted = slice(before // HOP, before // HOP + -(-min(_PIECE, len(samples) - start) // HOP))
        yield _pitch(librosa, part)[wanted], _energy(librosa, part)[wanted]


def made_by() -> str:
    """What ``curve_pieces`` computes with."""
    return f"librosa {version('librosa')} pyin, {LOWEST_HZ:g}-{HIGHEST_HZ:g} Hz"


def _pitch(librosa, samples: Samples) -> NDArray[np.float32]:  # type: ignore[no-untyped-def]
    if not np.any(samples):  # nothing is voiced in silence, and pyin divides by its power
        return np.full(1 + len(samples) // HOP, np.nan, np.float32)
    found, _, _ = librosa.pyin(
        samples, fmin=LOWEST_HZ, fmax=HIGHEST_HZ, sr=SAMPLE_RATE_HZ, frame_length=FRAME, hop_length=HOP
    )
    return np.asarray(found, np.float32)


def _energy(librosa, samples: Samples) -> NDArray[np.float32]:  # type: ignore[no-untyped-def]
    power = librosa.feature.rms(y=samples, frame_length=FRAME, hop_length=HOP)[0]
    with np.errstate(divide="ignore"):
        return np.asarray(20 * np.log10(power), np.float32)
