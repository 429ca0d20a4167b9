"""Qwen2.5-Omni and Qwen3-Omni: a thinker that writes, a talker that speaks what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from engine.errors import EngineError
from engine.systems.omni.family import Family, Generated, Samples, Tensors
from engine.systems.omni.qwen_audio import masked_features, tokens_of_frames
from engine.systems.omni.settings import OmniSettings

_END = 151645  # of Qwen3-Omni; its generate takes it for the end unless it is told another


class Qwen25Omni(Family):
    """Up to 300 s an audio; speech wants the system prompt that its authors give."""

    model_class: ClassVar[str] = "Qwen2_5OmniForConditionalGeneration"
    audio_mark: ClassVar[str] = "<|AUDIO|>"
    speaks: ClassVar[bool] = True

    def loading(self, settings: OmniSettings) -> dict[str, Any]:
        """Without the talker where no speech is wanted: 2 to 10 GB less."""
        return {} if settings.speech else {"enable_audio_output": False}

    def speakers(self) -> list[str]:
        """The names of the voices."""
        return list(self.model.speaker_map)

    def heard(self, audios: Sequence[Samples]) -> tuple[Tensors, list[int]]:
        """Mel features with the mask that says how long each audio is."""
        features, frames = masked_features(self, audios, padding="max_length")
        return features, list(map(tokens_of_frames, frames))

    def generate(self, inputs: Tensors, settings: OmniSettings, stepper: Any) -> Generated:
        """Text, and speech unless it was not wanted."""
        prompt = inputs["input_ids"].shape[1]
        if not settings.speech or not self.model.has_talker:
            # the thinker itself: the whole model's generate looks for the talker even when it is not to speak
            thinker = {name[8:]: value for name, value in settings.extra.items() if name.startswith("thinker_")}
            told = {**self.thinker_defaults(), **settings.generation, **thinker, "streamer": stepper}
            return Generated(self.model.thinker.generate(**inputs, **told)[:, prompt:].tolist())
        told = {"generation_mode": "audio", **self._voice(settings)}
        told |= {f"thinker_{name}": value for name, value in settings.generation.items()}
        told |= settings.extra
        if stepper is not None:
            told |= {"thinker_streamer": stepper, "talker_streamer": stepper}
        tokens, waves = self.model.generate(**inputs, **told)
        return Generated(tokens[:, prompt:].tolist(), _samples(waves, len(tokens)))

    def thinker_defaults(self) -> dict[str, Any]:
        """What the whole model's generate would tell the thinker."""
        return {}

    def ends(self) -> set[int]:
        """The tokens that end what the thinker writes."""
        told = self.model.thinker.generation_config.eos_token_id
        return set(told) if isinstance(told, (list, tuple)) else {told}

    def _voice(self, settings: OmniSettings) -> dict[str, Any]:
        if not settings.speaker:
            return {}
        known = {name.casefold(): name for name in self.speakers()}
        if settings.speaker.casefold() not in known:
            raise EngineError("omni.unknown_speaker", speaker=settings.speaker, known=list(known.values()))
        return {"speaker": known[settings.speaker.casefold()]}


class Qwen3Omni(Qwen25Omni):
    """A mixture of experts; audio of any length, in windows of the encoder."""

    model_class: ClassVar[str] = "Qwen3OmniMoeForConditionalGeneration"
    audio_mark: ClassVar[str] = "<|audio_pad|>"

    def speakers(self) -> list[str]:
        """The names of the voices."""
        return list(self.model.config.talker_config.speaker_id)

    def heard(self, audios: Sequence[Samples]) -> tuple[Tensors, list[int]]:
        """Mel features of the whole length, and thirteen tokens for each full window of the encoder."""
        features, frames = masked_features(self, audios, padding=True, truncation=False)
        window = 2 * int(self.model.config.thinker_config.audio_config.n_window)
        return features, [_tokens_of_windows(count, window) for count in frames]

    def thinker_defaults(self) -> dict[str, Any]:
        """The token that ends an answer."""
        return {"eos_token_id": _END}

    def ends(self) -> set[int]:
        """The token that ends an answer."""
        return super().ends() | {_END}


def _tokens_of_windows(frames: int, window: int) -> int:
    left = (frames % window - 1) // 2 + 1
    return ((left - 1) // 2 + 1 - 1) // 2 + 1 + frames // window * 13


def _samples(waves: Any, rows: int) -> list[Samples]:
    """Each row's samples; one row comes as a tensor of its own, several as a list or as the first axis."""
    parts = [waves] if rows == 1 and not isinstance(waves, (list, tuple)) else list(waves)
    return [np.asarray(part.detach().float().cpu().numpy(), np.float32).reshape(-1) for part in parts]
