"""Another system as a voice: a speech endpoint, or a synthesiser in an environment of its own (CosyVoice2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.systems.cascade.part import Samples
from engine.systems.values import Ask, AudioPiece, Finished, SpokenTurn, System


class SystemVoice:
    """What the system is asked is the sentence; its audio is passed on as it comes."""

    def __init__(self, system: System, time_limit_s: float) -> None:
        self._system, self._time_limit_s = system, time_limit_s
        self.versions: dict[str, str] = {}

    def spoken(self, sentence: str, seed: int) -> Iterator[tuple[Samples, int]]:
        """The sentence in as many pieces as the system gives."""
        ask = Ask("speak", (SpokenTurn("user", sentence),), seed=seed, time_limit_s=self._time_limit_s)
        for piece in self._system.respond(ask):
            if isinstance(piece, AudioPiece):
                yield piece.samples, piece.sample_rate_hz
            elif isinstance(piece, Finished):
                self.versions = {f"synthesiser {name}": version for name, version in piece.versions.items()}

    def close(self) -> None:
        """Close the system."""
        self._system.close()
