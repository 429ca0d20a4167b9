"""Serves one system out of its own environment: ``python -E -s adapter_worker.py ADAPTER.py``.

This file stands alone: the standard library only, and the syntax of Python 3.8; copy it to any machine. It speaks the
worker protocol of Auricle on standard input and output, a JSON object a line.

An adapter is a file with ``load(settings)``. What that returns has ``respond(ask)``, which yields

- ``str``: words to be added to the answer;
- ``(samples, rate)``: mono samples to be added to its sound, as a list, numpy array or torch tensor, full scale 1.0
  (integers of 16 or 32 bits at their own full scale);
- ``pathlib.Path`` or ``bytes``: a WAV file, or its content.

``ask`` has ``turns`` (each ``role``, ``text``, ``audios``: paths), ``instruction``, ``seed``, ``settings``, and

- ``ask.audios``, ``ask.words``: the last turn's audios; the instruction and the last turn's words in one text;
- ``ask.system``: the words of the turns of role "system"; ``ask.history``: the turns before the last, without those;
- ``ask.folder``: a folder for files that last as long as this ask;
- ``ask.flag(name)``: something to be known of the answer; ``ask.cannot(reason)``: this one cannot be answered.

``settings`` is a dictionary; ``settings.folder(name)`` is the folder of weights that are named by a folder or as a
repository of the hub. ``versions()`` of what ``load`` returns, if it has one, names what made the answers, beside
Python and packages.
"""

from __future__ import annotations

import argparse
import array
import base64
import contextlib
import importlib.util
import json
import os
import random
import signal
import struct
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any, BinaryIO, Dict  # noqa: UP035 - Python 3.8 evaluates the alias below

PROTOCOL = 1
LONGEST_LINE = 16 << 20
HEARTBEAT_S = 1.0
_PIECE_SAMPLES = 1 << 20  # of one line: 5.6 MB as base64
_PACKAGES = ("torch", "transformers", "numpy", "torchaudio", "flash_attn", "vllm", "funasr", "peft", "fairseq")
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h

Message = Dict[str, Any]  # noqa: UP006


class Cannot(Exception):  # noqa: N818 - an answer of an adapter, no failure of it
    """The adapter says that this ask cannot be answered, and why."""


class Settings(Dict[str, Any]):  # noqa: UP006
    """What the adapter is told: ``code``, ``weights``, ``device``, and what its declaration says beside."""

    def folder(self, name: str = "weights") -> str:
        """The local folder of the weights that ``name`` names; nothing is fetched: that is done before, with a yes."""
        where = str(self[name])
        if os.path.isdir(where):
            return where
        from huggingface_hub import snapshot_download  # type: ignore[import-not-found, unused-ignore]

        revision = self.get("revision" if name == "weights" else f"{name}_revision") or None
        try:
            return str(snapshot_download(where, revision=revision, local_files_only=True))
        except OSError as error:
            at = f" --revision {revision}" if revision else ""
            raise OSError(f"{where} is not on this machine; fetch it: auricle models fetch {where}{at}") from error


class Turn:
    """One turn: ``role``, ``text`` ("" without), ``audios`` (paths)."""

    def __init__(self, role: str, text: str, audios: list[str]) -> None:
        self.role, self.text, self.audios = role, text, audios


class Ask:
    """What is put before the system."""

    def __init__(self, item: Message, folder: str, is_cancelled: threading.Event) -> None:
        self.id = str(item.get("id"))
        self.turns = [
            Turn(
                str(turn.get("role")),
                turn.get("text") or "",
                [_audio_path(one, folder) for one in turn.get("audios", [])],
            )
            for turn in item.get("turns", [])
        ] or [Turn("user", "", [])]
        self.instruction = item.get("instruction") or ""
        self.seed = int(item.get("seed") or 0)
        self.settings = dict(item.get("settings") or {})
        self.flags: list[str] = []
        self.folder = folder  # for files that last as long as this ask
        self._is_cancelled = is_cancelled

    @property
    def audios(self) -> list[str]:
        """The paths of the last turn's audios."""
        return self.turns[-1].audios

    @property
    def words(self) -> str:
        """The instruction and the last turn's words, "" without either."""
        return "\n".join(text for text in (self.instruction, self.turns[-1].text) if text)

    @property
    def system(self) -> str:
        """The words of all turns of role "system"."""
        return "\n".join(turn.text for turn in self.turns[:-1] if turn.role == "system" and turn.text)

    @property
    def history(self) -> list[Turn]:
        """The turns of user and assistant before the last."""
        return [turn for turn in self.turns[:-1] if turn.role != "system"]

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._is_cancelled.is_set()

    def flag(self, name: str) -> None:
        """Something that is to be known of the answer."""
        if name not in self.flags:
            self.flags.append(name)

    def cannot(self, reason: str) -> None:
        """This one cannot be answered."""
        raise Cannot(reason)


def encode(message: Message) -> bytes:
    """The line of one message; raises ValueError where it is too long."""
    line = json.dumps(message, ensure_ascii=True, separators=(",", ":"), default=str).encode("ascii") + b"\n"
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a line of {len(line)} bytes is over the limit")
    return line


def messages(stream: BinaryIO) -> Iterator[Message]:
    """The messages of a stream until it ends; what is none is passed over."""
    while True:
        line = stream.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
            continue
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict) and isinstance(message.get("type"), str):
            yield message


def float_bytes(samples: Any) -> bytes:
    """Samples of any kind as mono float32, little-endian; several channels become their mean."""
    if hasattr(samples, "detach"):
        samples = samples.detach().cpu().float().numpy()
    if not hasattr(samples, "dtype"):
        values = array.array("f", samples)
        if sys.byteorder == "big":
            values.byteswap()
        return values.tobytes()
    scale = 2.0 ** (8 * samples.dtype.itemsize - 1) if samples.dtype.kind == "i" else 1.0
    samples = samples.astype("float64") / scale
    while samples.ndim > 1:
        samples = (
            samples[0] if len(samples) == 1 else samples.mean(axis=0 if samples.shape[0] <= samples.shape[-1] else -1)
        )
    return bytes(samples.astype("<f4").tobytes())


def wav_samples(data: bytes) -> tuple[Any, int]:
    """The samples of a WAV file, mono, and its rate in Hz; raises ValueError for what is none."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise ValueError("no WAV file")
    place, fmt = 12, b""
    while place + 8 <= len(data):
        name, length = struct.unpack("<4sI", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        if name == b"fmt ":
            fmt = body
        elif name == b"data" and len(fmt) >= 16:
            return _decoded(fmt, data[place + 8 :] if length in (0, 0xFFFFFFFF) else body)
        place += 8 + length + length % 2
    raise ValueError("a WAV file without samples")


def _decoded(fmt: bytes, body: bytes) -> tuple[Any, int]:
    coding, channels, rate, _, _, bits = struct.unpack("<HHIIHH", fmt[:16])
    if coding == 0xFFFE and len(fmt) >= 26:
        coding = struct.unpack("<H", fmt[24:26])[0]
    width = bits // 8
    if (coding, bits) not in ((1, 16), (1, 24), (1, 32), (3, 32), (3, 64)) or not channels:
        raise ValueError(f"a WAV file of coding {coding} with {bits} bits")
    body = body[: len(body) // (width * channels) * width * channels]
    if coding == 1 and bits == 24:  # to 32 bits, by a zero byte below
        wide = bytearray(len(body) // 3 * 4)
        for byte in range(3):
            wide[byte + 1 :: 4] = body[byte::3]
        body, bits = bytes(wide), 32
    values = array.array({(1, 16): "h", (1, 32): "i", (3, 32): "f", (3, 64): "d"}[(coding, bits)], body)
    if sys.byteorder == "big":
        values.byteswap()
    scale = 2.0 ** (bits - 1) if coding == 1 else 1.0
    if channels == 1:
        return [value / scale for value in values], rate
    each = [values[channel::channels] for channel in range(channels)]
    return [sum(frame) / (scale * channels) for frame in zip(*each)], rate


class Server:
    """Answers asks one after another; threads of its own beat, and see a cancel or the end of input meanwhile."""

    def __init__(self, adapter: Path, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._adapter, self._incoming, self._outgoing = adapter, incoming, outgoing
        self._sending = threading.Lock()
        self._asks: Queue[Message | None] = Queue()
        self._cancelled: dict[Any, threading.Event] = {}
        self._system: Any = None
        self._load_settings: Any = None

    def run(self) -> None:
        """Say hello and answer until ``bye``."""
        self._send({"type": "hello", "protocol": PROTOCOL, "abilities": ["load", "respond"], "process": os.getpid()})
        for target in (self._read, self._beat):
            threading.Thread(target=target, daemon=True).start()
        while True:
            ask = self._asks.get()
            if ask is None:
                break
            self._answer(ask)
            self._cancelled.pop(ask.get("id"), None)
        self._send({"type": "bye"})

    def _answer(self, ask: Message) -> None:
        number, kind = ask.get("id"), ask.get("kind")
        if kind not in ("load", "respond"):
            self._fail(number, None, "worker.unknown_kind", kind=kind, known="load, respond")
            return
        try:
            self._load(ask)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code, at the process's edge
            self._told_traceback()
            self._fail(number, None, "adapters.not_loaded", adapter=str(self._adapter), what=_what(error))
            return
        for item in ask.get("items") or []:
            if kind == "load":
                self._send({"type": "result", "id": number, "item": item.get("id"), "values": self._versions()})
            else:
                self._respond(number, item)

    def _load(self, ask: Message) -> None:
        """Load the adapter's system the first time, and again where its settings are others."""
        settings = (ask.get("settings") or {}).get("adapter") or {}
        if self._system is not None and settings == self._load_settings:
            return
        self._send({"type": "progress", "id": ask.get("id"), "label": f"loading {self._adapter.name}"})
        code = settings.get("code")
        if code:  # the system's own checkout: its modules first, and its relative paths
            sys.path.insert(0, str(code))
            os.chdir(str(code))
        spec = importlib.util.spec_from_file_location("adapter", str(self._adapter))
        if spec is None or spec.loader is None:
            raise ImportError(f"{self._adapter} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules["adapter"] = module
        spec.loader.exec_module(module)
        self._system = module.load(Settings(settings))
        self._load_settings = settings

    def _respond(self, number: Any, item: Message) -> None:
        cancelled = self._cancelled.setdefault(number, threading.Event())
        name = item.get("id")
        if cancelled.is_set():
            self._fail(number, name, "worker.cancelled")
            return
        with tempfile.TemporaryDirectory(prefix="auricle-") as folder:
            try:
                ask = Ask(item, folder, cancelled)
                _seed(ask.seed)
                text = self._told_pieces(number, name, ask)
            except Cannot as refusal:
                self._fail(number, name, "adapters.cannot", reason=str(refusal))
            except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code, at the process's edge
                self._told_traceback()
                names = [kind.__name__ for kind in type(error).__mro__]
                short = "OutOfMemoryError" in names or "MemoryError" in names
                self._fail(number, name, "systems.out_of_memory" if short else "systems.raised", what=_what(error))
            else:
                if cancelled.is_set():
                    self._fail(number, name, "worker.cancelled")
                    return
                values = {"text": text, "flags": ask.flags, "versions": self._versions()}
                self._send({"type": "result", "id": number, "item": name, "values": values})

    def _told_pieces(self, number: Any, name: Any, ask: Ask) -> str:
        """Send each piece as it comes; returns the whole text."""
        began, texts = time.perf_counter(), []
        pieces = self._system.respond(ask)
        try:
            for piece in pieces:
                after = time.perf_counter() - began
                told = {"type": "chunk", "id": number, "item": name, "after_s": after}
                if isinstance(piece, str):
                    texts.append(piece)
                    self._send(dict(told, text=piece))
                else:
                    self._send_sound(piece, told)
                if ask.is_cancelled:
                    break
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
        return "".join(texts)

    def _send_sound(self, piece: Any, told: Message) -> None:
        if isinstance(piece, Path):
            piece = wav_samples(piece.read_bytes())
        elif isinstance(piece, (bytes, bytearray)):
            piece = wav_samples(bytes(piece))
        samples, rate = piece
        data = float_bytes(samples)
        for start in range(0, len(data), 4 * _PIECE_SAMPLES):
            part = base64.b64encode(data[start : start + 4 * _PIECE_SAMPLES]).decode("ascii")
            self._send(dict(told, pcm=part, rate=int(rate)))

    def _versions(self) -> dict[str, str]:
        found = {"python": ".".join(map(str, sys.version_info[:3]))}
        for package in _PACKAGES:
            if package in sys.modules:
                found[package] = str(getattr(sys.modules[package], "__version__", "?"))
        own = getattr(self._system, "versions", None)
        return dict(found, **{str(key): str(value) for key, value in (own() if own else {}).items()})

    def _fail(self, number: Any, item: Any, code: str, **values: Any) -> None:
        told = {} if item is None else {"item": item}
        self._send(dict(told, type="error", id=number, code=code, values=values))

    def _send(self, message: Message) -> None:
        line = encode(message)
        with self._sending:
            while line:
                line = line[self._outgoing.write(line) :]

    def _read(self) -> None:
        for message in messages(self._incoming):
            if message["type"] == "ask":
                self._cancelled[message.get("id")] = threading.Event()
                self._asks.put(message)
            elif message["type"] == "cancel" and message.get("id") in self._cancelled:
                self._cancelled[message["id"]].set()
            elif message["type"] == "bye":
                self._asks.put(None)
                return
        _end_group()

    def _beat(self) -> None:
        waiting = threading.Event()
        with contextlib.suppress(OSError, ValueError):
            while not waiting.wait(HEARTBEAT_S):
                self._send({"type": "heartbeat"})

    def _told_traceback(self) -> None:
        traceback.print_exc()
        sys.stderr.flush()


def _audio_path(told: Any, folder: str) -> str:
    """The path of an audio that came as one, or of a file made of its bytes."""
    if isinstance(told, str):
        return told
    if "path" in told:
        return str(told["path"])
    descriptor, path = tempfile.mkstemp(str(told.get("suffix") or ".wav"), dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(base64.b64decode(told["data"]))
    return path


def _seed(seed: int) -> None:
    """Set every source of chance that is loaded."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def _what(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _own_group(with_parent: bool) -> None:
    """Lead a group of its own, so that what is started here ends with it; and end with the parent where asked to."""
    if hasattr(os, "setpgid"):
        with contextlib.suppress(PermissionError):
            os.setpgid(0, 0)
    if with_parent and sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _end_group() -> None:
    """End this process and all it started: nobody is there to answer to."""
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def main() -> None:
    """Serve until the input ends or a ``bye`` comes. What a library prints goes to standard error."""
    outgoing, incoming = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]  # our files are no modules of it
    parser = argparse.ArgumentParser()
    parser.add_argument("adapter", type=Path)
    parser.add_argument("--end-with-parent", action="store_true")
    told = parser.parse_args()
    _own_group(told.end_with_parent)
    # never closed: a thread may be reading
    Server(told.adapter.resolve(), os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb", buffering=0)).run()
    sys.stderr.flush()
    os._exit(0)  # what a system left running must not keep the process


if __name__ == "__main__":
    main()
