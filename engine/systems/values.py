"""What is put before a system and what it answers; every kind of system takes and gives these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError

TIME_LIMIT_S = 300.0  # for one answer
LONGEST_ANSWER_S = 600.0  # of speech in one answer


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn put before a system; ``role`` is "user", "assistant" or "system".

    ``text`` are written words (history, an instruction), ``audios`` spoken parts in their order.
    """

    role: str
    text: str | None = None
    audios: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One instance for a system. ``instruction`` is text that stands with the audio of the last turn.

    ``settings`` change how this one is answered (``max_new_tokens``, ``temperature`` ...); a kind says which it knows.
    """

    id: str
    turns: tuple[SpokenTurn, ...]
    instruction: str | None = None
    seed: int = 0
    time_limit_s: float = TIME_LIMIT_S
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Words to be added to the answer; ``after_s`` from the ask to this piece, by the worker's clock."""

    text: str
    after_s: float


@dataclass(frozen=True, slots=True)
class AudioPiece:
    """Mono samples to be added to the answer, full scale 1.0; ``after_s`` as in TextPiece."""

    samples: NDArray[np.float32]
    sample_rate_hz: int
    after_s: float


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of an answer: its whole text, what is to be known of it, and versions of what made it.

    ``adapted`` names what was changed so that the system could take the instance: "joined_audios",
    "history_as_instruction", "audio_over_limit" ... ``spent_s`` are the seconds of each part of a cascade.
    """

    text: str
    flags: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    adapted: tuple[str, ...] = ()
    spent_s: Mapping[str, float] = field(default_factory=dict)


Piece = TextPiece | AudioPiece | Finished


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a system can take and give; ``longest_audio_s`` is None where no limit is known."""

    speech_out: bool = True
    streaming: bool = False
    text_history: bool = False
    audio_history: bool = False
    several_audios: bool = False
    languages: tuple[str, ...] = ()
    longest_audio_s: float | None = None
    text_instruction: bool = True


@dataclass(frozen=True, slots=True)
class Options:
    """How a system is run on this machine; what its declaration leaves to whoever runs it.

    Args:
        device: "auto", "cpu", "cuda", "cuda:1", "mps".
        dtype: "auto", "float32", "float16", "bfloat16".
        weights: a local folder or a repository in place of the declared one; "" is as declared.
        allow_remote_code: ``repository@revision`` each, for which a person said yes.
        scratch: a folder for files that last as long as the system; None makes one when needed.
        worker: which of several workers this one is, from 0: with "auto" or "cuda" it spreads them over the GPUs.
        settings: what else the kind knows (base_url, key_env, command, voice ...), over the declaration's ``settings``.
    """

    device: str = "auto"
    dtype: str = "auto"
    attention: str = "auto"
    quantisation: str = "none"
    batch_size: int = 1
    weights: str = ""
    allow_download: bool = False
    allow_pickle: bool = False
    allow_remote_code: tuple[str, ...] = ()
    scratch: Path | None = None
    worker: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)

    def told(self) -> dict[str, Any]:
        """The options as JSON holds them."""
        return {**asdict(self), "scratch": None if self.scratch is None else str(self.scratch)}

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> Options:
        """The options that ``told`` gave; what it does not name is as usual."""
        known = {name: told[name] for name in cls.__dataclass_fields__ if name in told}
        if known.get("scratch"):
            known["scratch"] = Path(known["scratch"])
        return cls(**{**known, "allow_remote_code": tuple(known.get("allow_remote_code", ()))})


class System(Protocol):
    """A loaded system. It is asked by one thread, one ask after another."""

    @property
    def abilities(self) -> Abilities: ...  # noqa: D102

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The pieces of an answer as they come, ``Finished`` last; closing the iterator stops it.

        Raises EngineError where this ask cannot be answered: it becomes this item's state, the others go on.
        """
        ...

    def close(self) -> None:
        """Give back memory, processes and files."""
        ...


@runtime_checkable
class BatchingSystem(Protocol):
    """A system that can also answer several at once; the worker calls this where ``Options.batch_size`` is above 1."""

    def respond_together(self, asks: Sequence[Ask]) -> Iterator[tuple[str, Piece | EngineError]]:
        """The pieces of all answers, each with the id of its ask; each ask ends with Finished or an error."""
        ...
