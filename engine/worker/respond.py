"""A system at work in a worker: asked item by item, its answer checked and kept whole, its misdeeds told."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import time
import traceback
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.audio.write import encode_audio
from engine.errors import EngineError
from engine.systems.adapting import adapted
from engine.systems.declaration import SystemDeclaration, from_told
from engine.systems.kinds import open_system
from engine.systems.repetition import is_repetition_loop
from engine.systems.values import (
    LONGEST_ANSWER_S,
    TIME_LIMIT_S,
    Ask,
    AudioPiece,
    BatchingSystem,
    Finished,
    Options,
    Piece,
    SpokenTurn,
    System,
    TextPiece,
)
from engine.worker.answer import Answer
from engine.worker.carried import written
from engine.worker.protocol import pcm_text
from engine.worker.scratch import own_scratch
from engine.worker.serve import Chunk, Done, Failed, Request, Step

_LOAD_LIMIT_S = 3600.0
_PART_BYTES = 6 << 20  # of a file that is sent in lines
_loaded: dict[str, System] = {}


def respond(request: Request) -> Iterator[Done | Failed | Step | Chunk]:
    """Answers of a system: ``items`` of {id, turns, instruction, seed}.

    Several items are asked at once where the system can and the options' batch size says so.

    A turn is {role, text, audios}, an audio {path} or {data, suffix} (base64 of a file's bytes). ``settings``: system
    (a declaration as told), options, time_limit_s, longest_answer_s, ``chunks`` ("first", or "all" for each piece as
    it comes), ``answers`` (a folder of this machine for the audio; without it the file comes in chunks with ``file``).
    The first chunk of an item is {began}. A result has text, flags, versions, adapted, timings by this clock, audio
    {path, sha256, bytes, frames, rate} or null, and {code, values} as ``error`` where the answer is not as it should.
    """
    yield Step("loading the system", float(request.settings.get("load_limit_s", _LOAD_LIMIT_S)))
    system, options = _system(request)
    if options.batch_size > 1 and len(request.items) > 1 and isinstance(system, BatchingSystem):
        yield from _answered_together(system, system, options, request)
        return
    for item in request.items:
        if request.is_cancelled:
            return
        try:
            yield from _answered(system, options, item, request)
        except EngineError as error:
            if error.code in ("audio.cannot_write", "store.gone"):
                raise  # that stands in the way of all
            yield Failed(item.get("id"), error)


@dataclass(slots=True)
class _Asked:
    """One item that is being answered: what was changed of it for this system, and what has come of it.

    ``trouble`` says why nothing more of it is heard before its end; ``is_over`` that nothing more is.
    """

    item: Mapping[str, Any]
    changed: tuple[str, ...]
    settings: Mapping[str, Any]
    limit_s: float
    answer: Answer
    began: float = 0.0
    trouble: EngineError | None = None
    is_over: bool = False

    def take(self, piece: Piece) -> Iterator[Chunk]:
        """Hear a piece, and tell it where pieces of its kind are asked for."""
        every, is_first, is_end = self.settings.get("chunks") == "all", self.answer.is_first(piece), False
        self.trouble = self.answer.take(piece)
        if isinstance(piece, Finished):
            is_end = True
        elif every or is_first:
            yield Chunk(self.item["id"], _told(piece, self.answer, with_samples=every))
        if self.trouble is None and time.perf_counter() - self.began > self.limit_s:
            self.trouble = EngineError("systems.over_time", seconds=round(self.limit_s))
        self.is_over = is_end or self.trouble is not None


def _asked(
    system: System, options: Options, item: Mapping[str, Any], request: Request, limit_s: float
) -> tuple[Ask, _Asked]:
    settings = request.settings
    ask, changed = adapted(_ask(item, settings, options, limit_s), system.abilities, _scratch(options))
    answer = Answer(float(settings.get("longest_answer_s", LONGEST_ANSWER_S)))
    return ask, _Asked(item, changed, settings, limit_s, answer)


def _answered(system: System, options: Options, item: Mapping[str, Any], request: Request) -> Iterator[Done | Chunk]:
    """Ask one item, tell its pieces, and its result."""
    me = os.getpid()
    ask, asked = _asked(system, options, item, request, _limit_s(request))
    asked.began = time.perf_counter()
    yield Chunk(item["id"], {"began": True})
    pieces = system.respond(ask)
    try:
        for piece in pieces:
            if os.getpid() != me:
                os._exit(70)  # the system forked and the child came back: there must be one voice
            if request.is_cancelled:
                return
            yield from asked.take(piece)
            if asked.is_over:
                break
    except EngineError:
        raise
    except MemoryError as error:
        raise EngineError("systems.out_of_memory", what=str(error)) from error
    except (Exception, SystemExit) as error:  # the edge of somebody else's code: its bug is this item's failure
        traceback.print_exc()
        sys.stderr.flush()
        raise _raised(error) from error
    finally:
        _close(pieces)
    yield from _ended(system, asked)


def _answered_together(
    system: System, batching: BatchingSystem, options: Options, request: Request
) -> Iterator[Done | Failed | Chunk]:
    """Ask several items at once. What the system raises ends the request: its items are asked again one by one."""
    me, limit_s = os.getpid(), _limit_s(request) * len(request.items)
    asks: list[Ask] = []
    going: dict[str, _Asked] = {}
    for item in request.items:
        try:
            ask, asked = _asked(system, options, item, request, limit_s)
        except EngineError as error:
            yield Failed(item["id"], error)
            continue
        asks.append(ask)
        going[ask.id] = asked
        yield Chunk(item["id"], {"began": True})
    began = time.perf_counter()
    for asked in going.values():
        asked.began = began
    pieces = batching.respond_together(asks) if asks else iter(())
    try:
        for name, piece in pieces:
            if os.getpid() != me:
                os._exit(70)
            if request.is_cancelled:
                return
            if name not in going:
                continue
            asked = going[name]
            if isinstance(piece, EngineError):
                del going[name]
                yield Failed(asked.item["id"], piece)
                continue
            yield from asked.take(piece)
            if asked.is_over:
                del going[name]
                yield from _ended(system, asked)
    finally:
        _close(pieces)
    for asked in going.values():
        yield from _ended(system, asked)


def _limit_s(request: Request) -> float:
    """The seconds that one item may take."""
    return float(request.settings.get("time_limit_s", TIME_LIMIT_S))


def _close(pieces: Any) -> None:
    """End what gives the pieces, where it can be ended."""
    close = getattr(pieces, "close", None)
    if close is not None:
        close()


def _ended(system: System, asked: _Asked) -> Iterator[Done | Chunk]:
    after_s = asked.answer.timings["generation_s"] = time.perf_counter() - asked.began
    yield Chunk(asked.item["id"], {"after_s": after_s, "ended": True})
    yield from _kept(system, asked)


def _kept(system: System, asked: _Asked) -> Iterator[Done | Chunk]:
    item, settings, answer = asked.item, asked.settings, asked.answer
    samples, wrong = answer.samples()
    text = answer.text
    finished = answer.finished or Finished(text)
    if is_repetition_loop(text):
        answer.flags.add("repetition_loop")
    trouble = asked.trouble or wrong
    if trouble is None and samples is None and system.abilities.speech_out and settings.get("speech_wanted", True):
        trouble = EngineError("systems.no_audio") if text.strip() else None
    audio = None
    if samples is not None:
        answer.timings["duration_s"] = len(samples) / answer.rate
        audio = yield from _handed_over(asked, samples)
    yield Done(
        item["id"],
        {
            "text": text,
            "flags": sorted({*answer.flags, *finished.flags}),
            "versions": dict(finished.versions),
            "adapted": list(dict.fromkeys((*asked.changed, *finished.adapted))),
            "timings": {**answer.timings, **{f"{part}_s": spent for part, spent in finished.spent_s.items()}},
            "audio": audio,
            "error": None if trouble is None else {"code": trouble.code, "values": trouble.values},
        },
    )


def _handed_over(asked: _Asked, samples: NDArray[np.float32]) -> Generator[Chunk, None, dict[str, Any]]:
    """The sound as a file: in the folder of the answers where there is one, else in parts with the messages."""
    rate, folder = asked.answer.rate, asked.settings.get("answers")
    data = encode_audio(Path("answer.flac"), samples, rate)
    sha256 = hashlib.sha256(data).hexdigest()
    audio = {"sha256": sha256, "bytes": len(data), "frames": len(samples), "rate": rate, "path": None}
    if folder:
        audio["path"] = str(_written(Path(str(folder)), sha256, data))
    else:
        for start in range(0, len(data), _PART_BYTES):
            part = base64.b64encode(data[start : start + _PART_BYTES]).decode("ascii")
            yield Chunk(asked.item["id"], {"file": part})
    return audio


def _written(folder: Path, sha256: str, data: bytes) -> Path:
    """The file of an answer. Raises EngineError ``audio.cannot_write`` or ``store.gone``."""
    if not folder.is_dir():  # and not made: a workspace that was moved away must not come to life again
        raise EngineError("store.gone", path=str(folder))
    path = folder / f"{sha256}-{os.getpid()}.flac"
    try:
        path.write_bytes(data)  # who takes it syncs it, many at once
    except OSError as error:
        path.unlink(missing_ok=True)
        raise EngineError("audio.cannot_write", path=str(path), reason=error.strerror or str(error)) from error
    return path


def _raised(error: BaseException) -> EngineError:
    what = f"{type(error).__name__}: {error}"[:500]
    names = {kind.__name__ for kind in type(error).__mro__}
    code = "systems.out_of_memory" if "OutOfMemoryError" in names else "systems.raised"
    return EngineError(code, what=what)


def _told(piece: TextPiece | AudioPiece, answer: Answer, *, with_samples: bool) -> dict[str, Any]:
    if isinstance(piece, TextPiece):
        return {"text": answer.texts[-1], "after_s": piece.after_s}
    pcm = pcm_text(np.asarray(piece.samples, np.float32)) if with_samples else ""
    return {"pcm": pcm, "rate": piece.sample_rate_hz, "after_s": piece.after_s}


def _ask(item: Mapping[str, Any], settings: Mapping[str, Any], options: Options, limit_s: float) -> Ask:
    turns = tuple(
        SpokenTurn(str(turn["role"]), turn.get("text"), tuple(_audio(told, options) for told in turn.get("audios", ())))
        for turn in item.get("turns", ())
    )
    own = {**(settings.get("ask") or {}), **(item.get("settings") or {})}
    return Ask(str(item["id"]), turns, item.get("instruction"), int(item.get("seed", 0)), limit_s, own)


def _audio(told: Mapping[str, Any], options: Options) -> Path:
    if "path" in told:
        return Path(str(told["path"]))
    return written(told, _scratch(options))


def _system(request: Request) -> tuple[System, Options]:
    """The system that is asked for, loaded once and kept; another one takes its place in memory."""
    told = request.settings.get("system") or {}
    options = Options.from_told(
        {**(request.settings.get("options") or {}), "worker": request.settings.get("worker", 0)}
    )
    key = json.dumps([told, options.told()], sort_keys=True, default=str)
    if key not in _loaded:
        for system in _loaded.values():
            system.close()
        _loaded.clear()
        declaration: SystemDeclaration = from_told(told)
        _loaded[key] = open_system(declaration, replace(options, scratch=_scratch(options)))
    return _loaded[key], options


def _scratch(options: Options) -> Path:
    if options.scratch is not None:
        options.scratch.mkdir(parents=True, exist_ok=True)
        return options.scratch
    return own_scratch()
