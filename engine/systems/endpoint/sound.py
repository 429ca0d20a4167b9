"""The sound of a reply: base64 or bytes in pieces, raw PCM or WAV as they come, other codings when all is there."""

from __future__ import annotations

import base64
import binascii
import io
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.audio.riff import Riff, read_riff

_LONGEST_HEAD = 1 << 16
_CODED = ("mp3", "flac", "opus")
_EXTENSIBLE = 0xFFFE
_KINDS = {(1, 8): "|u1", (1, 16): "<i2", (1, 24): "<i3", (1, 32): "<i4", (3, 32): "<f4", (3, 64): "<f8"}


class UnreadableSoundError(ValueError):
    """The bytes are not the sound they should be."""


class Base64Pieces:
    """Joins base64 that comes in pieces cut anywhere, each padded or only the last."""

    def __init__(self) -> None:
        self._rest = ""

    def add(self, text: str) -> bytes:
        """The bytes that are complete; raises UnreadableSoundError for what is no base64."""
        if text.startswith("data:"):
            text = text.partition(",")[2]
        told = self._rest + "".join(text.split())
        whole = len(told) // 4 * 4
        told, self._rest = told[:whole], told[whole:]
        found = bytearray()
        while told:
            end = told.find("=")
            end = len(told) if end < 0 else (end // 4 + 1) * 4  # padding ends a group: another text may follow
            try:
                found += base64.b64decode(told[:end], validate=True)
            except (binascii.Error, ValueError) as error:  # ValueError: characters beyond ASCII
                raise UnreadableSoundError(str(error)) from error
            told = told[end:]
        return bytes(found)

    def end(self) -> bytes:
        """What was left without its padding."""
        told, self._rest = self._rest, ""
        return self.add(told + "=" * (-len(told) % 4)) if told else b""


@dataclass(frozen=True, slots=True)
class _Coding:
    """How samples lie in the bytes."""

    rate: int
    channels: int
    kind: str  # numpy's name of one sample; "<i3" for 24 bits

    @property
    def frame_bytes(self) -> int:
        return self.channels * int(self.kind[-1])


class SoundStream:
    """Mono samples out of the bytes of one answer, as soon as they can be read.

    PCM of 16 bits at ``pcm_rate_hz`` unless a WAV header says otherwise; each piece may begin with a header of its
    own. MP3, FLAC and Ogg come out of ``end``.
    """

    def __init__(self, audio_format: str, pcm_rate_hz: int) -> None:
        self._pcm = self._coding = _Coding(pcm_rate_hz, 1, "<i2")
        self._is_coded = audio_format in _CODED
        self._head, self._rest, self._all = b"", b"", bytearray()
        self._left: int | None = None  # bytes of the samples that the last header promised
        self._begun = False

    @property
    def sample_rate_hz(self) -> int:
        """The rate of the samples given last."""
        return self._coding.rate

    def add(self, data: bytes) -> NDArray[np.float32]:
        """The samples that are complete with these bytes, shape (time,); may be none. Raises UnreadableSoundError."""
        if not self._begun and data:
            self._is_coded = self._is_coded or data[:4] in (b"fLaC", b"OggS") or data[:3] == b"ID3"
            self._begun = True
        if self._is_coded:
            self._all += data
            return np.zeros(0, np.float32)
        if self._head or (data[:4] == b"RIFF" and data[8:12] in (b"WAVE", b"")):
            data = self._after_header(self._head + data)
        return self._samples(data)

    def end(self) -> NDArray[np.float32]:
        """What could not be given before the end; raises UnreadableSoundError."""
        if self._head:
            raise UnreadableSoundError("the sound ends inside its header")
        if not self._all:
            return np.zeros(0, np.float32)
        import soundfile

        try:
            samples, rate = soundfile.read(io.BytesIO(bytes(self._all)), dtype="float32", always_2d=True)
        except soundfile.LibsndfileError as error:
            raise UnreadableSoundError(error.error_string) from error
        self._coding = _Coding(rate, samples.shape[1], "<f4")
        return np.asarray(samples.mean(axis=1), np.float32)

    def _after_header(self, data: bytes) -> bytes:
        riff = read_riff(io.BytesIO(data), len(data)) if len(data) >= 12 else None
        if riff is None:
            if len(data) > _LONGEST_HEAD:
                raise UnreadableSoundError("the WAV header has no samples after it")
            self._head = data
            return b""
        self._head, self._rest = b"", b""
        self._coding = _coding_of(riff)
        self._left = None if riff.length_unset or riff.declared_bytes == 0 else riff.declared_bytes
        return data[riff.data_start :]

    def _samples(self, data: bytes) -> NDArray[np.float32]:
        if self._left is not None:
            data = data[: self._left]  # what follows the samples are other chunks
            self._left -= len(data)
        data = self._rest + data
        whole = len(data) // self._coding.frame_bytes * self._coding.frame_bytes
        self._rest = data[whole:]
        samples = _decoded(data[:whole], self._coding.kind).reshape(-1, self._coding.channels)
        return np.asarray(samples[:, 0] if self._coding.channels == 1 else samples.mean(axis=1), np.float32)


def _coding_of(riff: Riff) -> _Coding:
    tag, channels, rate, _, _, bits = struct.unpack("<HHIIHH", riff.fmt[:16])
    if tag == _EXTENSIBLE and len(riff.fmt) >= 26:
        tag = struct.unpack("<H", riff.fmt[24:26])[0]
    kind = _KINDS.get((tag, bits))
    if kind is None or not channels or not rate:
        raise UnreadableSoundError(f"WAV of coding {tag} with {bits} bits")
    return _Coding(rate, channels, kind)


def _decoded(data: bytes, kind: str) -> NDArray[np.float32]:
    if kind == "<i3":
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return np.asarray(wide.reshape(-1).view("<i4") / 2.0**31, np.float32)
    values = np.frombuffer(data, kind)
    if kind == "|u1":
        return np.asarray((values.astype(np.float32) - 128) / 128, np.float32)
    if kind.startswith("<f"):
        return np.asarray(values, np.float32)
    return np.asarray(values / 2.0 ** (8 * int(kind[-1]) - 1), np.float32)
