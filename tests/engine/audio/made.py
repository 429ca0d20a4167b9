"""Small sounds and hand-made WAV bytes for the tests of this room."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio import AudioFacts


def triangle(frames: int, period: int = 96, peak: float = 0.25) -> NDArray[np.float32]:
    """A triangle wave that starts at -peak and touches +peak and -peak once a period."""
    phase = np.arange(frames) % period / period
    return (peak * (1 - np.abs(4 * phase - 2))).astype(np.float32)


def chunk(name: bytes, body: bytes, pad: bool = True) -> bytes:
    return name + struct.pack("<I", len(body)) + body + (b"\0" if pad and len(body) % 2 else b"")


def fmt(rate: int = 24000, channels: int = 1, bits: int = 16, coding: int = 1) -> bytes:
    frame = channels * bits // 8
    return chunk(b"fmt ", struct.pack("<HHIIHH", coding, channels, rate, rate * frame, frame, bits))


def riff(*chunks: bytes, size: int | None = None) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if size is None else size) + body


def pcm16(samples: NDArray[np.float32]) -> bytes:
    return np.rint(samples * 32768).clip(-32768, 32767).astype("<i2").tobytes()


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def codes(facts: AudioFacts) -> list[str]:
    """The codes of the faults, each of which must have its sentence, with the file's name, in both languages."""
    assert all(fault.values["name"] in fault.sentence(language) for fault in facts.faults for language in ("en", "zh"))
    return [fault.code for fault in facts.faults]
