"""Opens an audio file by its content and gives its samples block by block, as far as they can be decoded."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from engine.audio.container import Promise, read_promise
from engine.audio.formats import container_name
from engine.audio.mended import MendedWave
from engine.audio.refusal import refusal
from engine.audio.sound import frame_length
from engine.errors import EngineError

#: About this many frames are held at a time: 0.5 MB of stereo, and long enough that the calls cost nothing.
_BLOCK_FRAMES = 65536
_RIFF_FORMATS = ("WAV", "WAVEX", "RF64", "W64")
_SEEKABLE = frozenset(("WAV", "RF64", "W64", "FLAC", "AIFF", "AU", "CAF"))


class _Forward(soundfile.SoundFile):  # type: ignore[misc]
    """Reads onwards only: soundfile else seeks after each block, and MP3 decoders lose their state by that."""

    def seekable(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Source:
    """An open audio file. ``promise`` is what its headers say, the samples may end sooner."""

    path: Path
    format: str
    subtype: str
    sample_rate_hz: int
    channels: int
    expected_frames: int
    promise: Promise
    _file: _Forward

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """All frames in order, shape (time, channels), full scale 1.0, non-finite samples as they are.

        Every block but the last holds a whole number of 20 ms frames. Ends without a word where the decoder gives
        up: compare the frames that came with ``promise``. The array is used again for the next block.
        """
        length = frame_length(self.sample_rate_hz)
        buffer = np.empty((max(1, _BLOCK_FRAMES // length) * length, self.channels), np.float32)
        while frames := self._read(buffer):
            yield buffer[:frames]
            if frames < len(buffer):
                return

    def skip_to(self, frame: int) -> int:
        """Go on to ``frame`` where that costs nothing; the frame that ``blocks`` then begin at: ``frame``, else 0.

        Coded sound has to be decoded from the start, and a file whose headers are wrong is read as it lies.
        """
        is_mended = self.promise.riff is not None and self.promise.riff.needs_mending
        if is_mended or self.format not in _SEEKABLE or not 0 < frame <= self._file.frames:
            return 0
        return int(self._file.seek(frame))

    def _read(self, buffer: NDArray[np.float32]) -> int:
        buffer.fill(np.nan)  # so that what a failing decoder still delivered can be told from what it did not
        try:
            return len(self._file.read(out=buffer))
        except soundfile.LibsndfileError:
            missing = np.flatnonzero(np.isnan(buffer[:, 0]))
            return int(missing[0]) if len(missing) else len(buffer)


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """Open one file for one pass over its samples; the content decides what it is, not the name.

    Raises EngineError ``audio.*`` naming the file and what to do when it is missing or not audio that can be read.
    """
    with ExitStack() as stack:
        file = stack.enter_context(_open(path))
        size = os.fstat(file.fileno()).st_size
        promise = read_promise(file, size)
        sound = stack.enter_context(_decoder(path, file, size, promise))
        yield Source(
            path=path,
            format=container_name(sound.format),
            subtype=sound.subtype,
            sample_rate_hz=sound.samplerate,
            channels=sound.channels,
            expected_frames=sound.frames,
            promise=promise,
            _file=sound,
        )


def _decoder(path: Path, file: BinaryIO, size: int, promise: Promise) -> _Forward:
    try:
        if promise.riff is not None and promise.riff.needs_mending:
            return _Forward(MendedWave(file, promise.riff))
        file.seek(0)
        sound = _Forward(file.fileno(), closefd=False)  # no name: libsndfile would guess headerless formats from it
    except soundfile.LibsndfileError as error:
        reason = error.error_string.rstrip(". ") or f"libsndfile {error.code}"
        raise refusal(path, size, reason) from error
    if sound.frames == 0 and promise.riff is None and sound.format in _RIFF_FORMATS:
        sound.close()
        raise refusal(path, size)  # cut inside the head of its data chunk, which libsndfile takes for an empty sound
    return sound


def _open(path: Path) -> BinaryIO:
    where = str(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for a writer
            raise EngineError("audio.not_a_file", path=where)
        return path.open("rb", buffering=0)
    except FileNotFoundError as error:
        code = "dangling_link" if path.is_symlink() else "missing"
        raise EngineError(f"audio.{code}", path=where) from error
    except PermissionError as error:
        raise EngineError("audio.no_permission", path=where) from error
    except OSError as error:
        raise EngineError("audio.cannot_open", path=where, reason=error.strerror or str(error)) from error
