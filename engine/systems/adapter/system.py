"""A system that an adapter serves from its own environment."""

from __future__ import annotations

import base64
import binascii
import hashlib
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engine.audio.read import load_mono
from engine.audio.source import opened
from engine.audio.write import write_audio
from engine.errors import EngineError
from engine.systems.adapter.adapter_worker import PROTOCOL, Message
from engine.systems.adapter.process import AdapterProcess, Death
from engine.systems.adapter.settings import AdapterSettings
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Ask, AudioPiece, Finished, Options, Piece, SpokenTurn, TextPiece

_START_S = 60.0
_CANCEL_S = 30.0
_CODES = frozenset(("adapters.cannot", "adapters.not_loaded", "systems.out_of_memory", "systems.raised"))


class AdapterSystem:
    """Starts the adapter when made, and again after a death; one ask at a time."""

    def __init__(self, declaration: SystemDeclaration, settings: AdapterSettings, options: Options) -> None:
        self.abilities = declaration.abilities
        self._name, self._settings = declaration.id, settings
        self._own = None if options.scratch else tempfile.TemporaryDirectory(prefix="auricle-adapter-")
        self._scratch = options.scratch or Path(self._own.name if self._own else "")
        self._process: AdapterProcess | None = None
        self._last_ask = self._busy_with = 0
        try:
            self._started()
        except BaseException:
            self.close()
            raise

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The pieces as they come; raises EngineError ``adapters.*`` or ``systems.*``."""
        process = self._free_process()
        number = self._send(process, "respond", [self._item(ask)])
        deadline = time.monotonic() + ask.time_limit_s
        self._busy_with = number
        try:
            while True:
                event = self._event(process, number, deadline)
                if event["type"] == "chunk":
                    yield _piece(event)
                elif event["type"] == "result":
                    self._busy_with = 0
                    yield _finished(event.get("values"), self._settings.weights)
                    return
        except GeneratorExit:
            if self._busy_with:
                process.send({"type": "cancel", "id": number})
            raise

    def close(self) -> None:
        """End the process and remove what was made for it."""
        if self._process is not None:
            self._process.end()
            self._process = None
        if self._own is not None:
            self._own.cleanup()

    def _started(self) -> AdapterProcess:
        """The running process with its system loaded; starts one where none runs."""
        if self._process is not None:
            return self._process
        log_file = self._scratch / f"{self._name}.log"
        process = AdapterProcess(self._settings.command, log_file, self._settings.environment)
        self._process = process
        deadline = time.monotonic() + _START_S
        while (hello := process.next(deadline)) is not None and not isinstance(hello, Death):
            if hello["type"] == "hello":
                break
        if not isinstance(hello, dict):
            reason = "no answer" if hello is None else str(hello)
            log = self._dropped(process)
            raise EngineError("adapters.no_hello", system=self._name, reason=reason, log=log)
        if hello.get("protocol") != PROTOCOL:
            self._dropped(process)
            raise EngineError("worker.other_protocol", theirs=hello.get("protocol"), ours=PROTOCOL)
        number = self._send(process, "load", [{"id": "load"}])
        deadline = time.monotonic() + self._settings.load_limit_s
        while self._event(process, number, deadline)["type"] != "result":
            pass
        return process

    def _free_process(self) -> AdapterProcess:
        """The process, no longer at work on an ask that was given up."""
        if self._process is not None and self._busy_with:
            deadline = time.monotonic() + _CANCEL_S
            while self._busy_with:
                event = self._process.next(deadline)
                if not isinstance(event, dict):
                    self._dropped(self._process)
                elif event.get("id") == self._busy_with and event["type"] in ("result", "error"):
                    self._busy_with = 0
        return self._started()

    def _send(self, process: AdapterProcess, kind: str, items: list[Message]) -> int:
        self._last_ask += 1
        settings = {"adapter": dict(self._settings.told)}
        process.send({"type": "ask", "id": self._last_ask, "kind": kind, "items": items, "settings": settings})
        return self._last_ask

    def _event(self, process: AdapterProcess, number: int, deadline: float) -> Message:
        """The next message about that ask; an error, a death or the deadline is raised."""
        while True:
            event = process.next(deadline)
            if event is None:
                log = self._dropped(process)
                raise EngineError("adapters.over_time", system=self._name, log=log)
            if isinstance(event, Death):
                log = self._dropped(process)
                raise EngineError("adapters.died", system=self._name, ending=str(event), log=log)
            if event.get("id") != number:
                continue
            if event["type"] == "error":
                self._busy_with = 0
                raise self._failure(event, process)
            return event

    def _failure(self, event: Message, process: AdapterProcess) -> EngineError:
        code, told = str(event.get("code")), event.get("values")
        values: dict[str, Any] = dict(told) if isinstance(told, Mapping) else {}
        if code not in _CODES:
            code, values = "systems.raised", {"what": f"{code} {values}"}
        if code == "adapters.not_loaded":
            values |= {"system": self._name, "log": process.log_tail()}
        return EngineError(code, **values)

    def _dropped(self, process: AdapterProcess) -> str:
        """Kill the process; the next ask starts another. Returns its last lines."""
        process.kill()
        self._process, self._busy_with = None, 0
        return process.log_tail()

    def _item(self, ask: Ask) -> Message:
        turns = [self._turn(turn) for turn in ask.turns]
        values = {"id": ask.id, "turns": turns, "instruction": ask.instruction, "seed": ask.seed}
        return {**values, "settings": dict(ask.settings)}

    def _turn(self, turn: SpokenTurn) -> Message:
        audios = [self._handed(path) for path in turn.audios]
        if self._settings.send_bytes:
            told = [
                {"data": base64.b64encode(path.read_bytes()).decode("ascii"), "suffix": path.suffix} for path in audios
            ]
        else:
            told = [{"path": str(path)} for path in audios]
        return {"role": turn.role, "text": turn.text, "audios": told}

    def _handed(self, path: Path) -> Path:
        """The audio as the adapter wants it: as it is, or as mono WAV of 16 bits at its rate, made once."""
        rate = self._settings.input_rate_hz
        if not rate:
            return path.absolute()
        with opened(path) as source:
            if (source.format, source.subtype, source.channels, source.sample_rate_hz) == ("WAV", "PCM_16", 1, rate):
                return path.absolute()
        told = path.stat()
        name = hashlib.sha256(f"{path.absolute()} {told.st_size} {told.st_mtime_ns} {rate}".encode()).hexdigest()[:24]
        made = self._scratch / f"handed-{name}.wav"
        if not made.exists():
            write_audio(made, load_mono(path, rate), rate)
        return made.absolute()


def _piece(event: Message) -> TextPiece | AudioPiece:
    try:
        after_s = float(event.get("after_s", 0.0))
        if "pcm" not in event:
            return TextPiece(str(event.get("text", "")), after_s)
        samples = np.frombuffer(base64.b64decode(str(event["pcm"]), validate=True), "<f4").astype(np.float32)
        return AudioPiece(samples, int(event["rate"]), after_s)
    except (binascii.Error, KeyError, TypeError, ValueError) as error:
        raise EngineError("systems.raised", what=f"a damaged piece: {error}") from error


def _finished(told: Any, weights: str) -> Finished:
    values = told if isinstance(told, Mapping) else {}
    versions = values.get("versions") if isinstance(values.get("versions"), Mapping) else {}
    flags = values.get("flags") if isinstance(values.get("flags"), list) else []
    return Finished(
        str(values.get("text", "")),
        tuple(map(str, flags or ())),
        ({"weights": weights} if weights else {}) | {str(key): str(value) for key, value in (versions or {}).items()},
    )
