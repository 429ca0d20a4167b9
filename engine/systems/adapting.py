"""Makes an ask fit what a system can take: as the papers did, each change told; what does not fit is refused."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.audio.read import inspect_audio, load_mono
from engine.audio.write import write_audio
from engine.errors import EngineError
from engine.systems.values import Abilities, Ask, SpokenTurn

JOIN_SILENCE_S = 0.5  # Dynamic-SUPERB Phase-2, section 4.1: between audios of a system that takes one
_SPEAKERS = {"user": "User", "assistant": "Assistant"}


def adapted(ask: Ask, abilities: Abilities, folder: Path) -> tuple[Ask, tuple[str, ...]]:
    """``ask`` as a system of these abilities can take it, and what was changed, in the order it was done.

    - Several audios of the last turn are joined with 0.5 s of silence: ``joined_audios``.
    - Written turns before the last one become an instruction, each line with its speaker: ``history_as_instruction``.
    - A last audio above ``longest_audio_s`` stays as it is: ``audio_over_limit`` says that the end may not be heard.

    Files that are made lie in ``folder`` under their content's name. Raises EngineError
    ``systems.cannot_take_history``, ``systems.cannot_take_spoken_history``,
    ``systems.cannot_take_instruction`` or ``systems.nothing_spoken``.
    """
    *earlier, last = ask.turns or (SpokenTurn("user"),)
    if not (last.audios or last.text or ask.instruction):
        raise EngineError("systems.nothing_spoken", item=ask.id)
    changes: list[str] = []
    if any(turn.audios for turn in earlier) and not abilities.audio_history:
        raise EngineError("systems.cannot_take_spoken_history", item=ask.id)
    written = [turn for turn in earlier if turn.text]
    if written and not abilities.text_history:
        if not abilities.text_instruction:
            raise EngineError("systems.cannot_take_history", item=ask.id)
        ask = replace(ask, instruction=_with_history(written, ask.instruction))
        earlier = [replace(turn, text=None) for turn in earlier if turn.audios]
        changes.append("history_as_instruction")
    if ask.instruction and not abilities.text_instruction:
        raise EngineError("systems.cannot_take_instruction", item=ask.id)
    if len(last.audios) > 1 and not abilities.several_audios:
        last = replace(last, audios=(joined(last.audios, folder),))
        changes.append("joined_audios")
    limit = abilities.longest_audio_s
    if limit is not None and any(inspect_audio(audio).duration_s > limit for audio in last.audios):
        changes.append("audio_over_limit")
    return replace(ask, turns=(*earlier, last)), tuple(changes)


def joined(audios: tuple[Path, ...], folder: Path) -> Path:
    """One file of all of them with ``JOIN_SILENCE_S`` between two, at the highest of their rates; made once."""
    rate = max(inspect_audio(audio).sample_rate_hz for audio in audios)
    told = "|".join(f"{audio.absolute()} {audio.stat().st_size} {audio.stat().st_mtime_ns}" for audio in audios)
    path = folder / f"joined-{hashlib.sha256(f'{rate}|{told}'.encode()).hexdigest()[:24]}.wav"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        silence = np.zeros(round(JOIN_SILENCE_S * rate), np.float32)
        parts = [part for audio in audios for part in (silence, load_mono(audio, rate))][1:]
        write_audio(path, np.concatenate(parts), rate)
    return path


def _with_history(written: list[SpokenTurn], instruction: str | None) -> str:
    lines = [turn.text or "" if turn.role == "system" else f"{_SPEAKERS[turn.role]}: {turn.text}" for turn in written]
    return "\n".join([*lines, *([instruction] if instruction else [])])
