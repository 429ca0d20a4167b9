"""How a model is asked: limits, sampling, voice. A declaration's settings, under the run's, under the ask's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from engine.errors import EngineError

_SAMPLING = ("temperature", "top_p", "top_k", "do_sample", "repetition_penalty", "num_beams")
_OF_ONE_MODEL = ("thinker_", "talker_", "token2wav_", "depth_decoder_")


@dataclass(frozen=True, slots=True)
class OmniSettings:
    """What may be set. What is not set is as the checkpoint's own generation config says.

    Args:
        system_prompt: stands before the first turn unless the ask brings one of its own.
        instruction_place: where an ask's instruction stands, "after" or "before" the audio.
        max_new_tokens: the longest answer; one that reaches it is flagged ``cut_by_limit``.
        sampling: ``temperature`` (0 is greedy), ``top_p``, ``top_k``, ``do_sample``, ``repetition_penalty``.
        speech: False leaves out the model's voice, and what it would hold in memory.
        speaker: a voice by name, "" the model's usual one.
        extra: ``thinker_…``, ``talker_…`` and the like, handed to that part of the model as they are.
    """

    system_prompt: str = ""
    instruction_place: str = "after"
    max_new_tokens: int = 1024
    speech: bool = True
    speaker: str = ""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def over(self, told: Mapping[str, Any]) -> OmniSettings:
        """These with what ``told`` sets in their place. Raises EngineError ``omni.unknown_setting``."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        sampling, extra = dict(self.sampling), dict(self.extra)
        for key, value in told.items():
            if key in _SAMPLING:
                sampling[key] = value
            elif key.startswith(_OF_ONE_MODEL):
                extra[key] = value
            elif key in own and key not in ("sampling", "extra"):
                own[key] = value
            else:
                known = ", ".join((*own, *_SAMPLING, *(f"{start}…" for start in _OF_ONE_MODEL)))
                raise EngineError("omni.unknown_setting", name=key, known=known)
        return OmniSettings(**{**own, "sampling": sampling, "extra": extra})

    @property
    def generation(self) -> dict[str, Any]:
        """The sampling as ``generate`` takes it."""
        told = {"max_new_tokens": int(self.max_new_tokens), **self.sampling}
        if told.get("temperature") == 0:
            del told["temperature"]
            told["do_sample"] = False
        elif "temperature" in told:
            told.setdefault("do_sample", True)
        return told
