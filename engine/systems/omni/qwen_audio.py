"""Qwen2-Audio: audio and text in, text out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from engine.systems.omni.family import Family, Samples, Tensors

_START, _END = "<|im_start|>", "<|im_end|>\n"


class QwenAudio(Family):
    """Whisper's encoder before Qwen2: 30 s an audio, the rest is not heard."""

    model_class: ClassVar[str] = "Qwen2AudioForConditionalGeneration"
    audio_mark: ClassVar[str] = "<|AUDIO|>"
    # for checkpoints without a template of their own: as the model's processor writes it
    usual_template: ClassVar[str] = (
        "{% set audios = namespace(count=0) %}{% for message in messages %}"
        "{% if loop.first and message['role'] != 'system' %}"
        f"{_START}system\nYou are a helpful assistant.{_END}{{% endif %}}"
        f"{_START}{{{{ message['role'] }}}}\n"
        "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
        "{% for part in message['content'] %}{% if part['type'] == 'audio' %}"
        "{% set audios.count = audios.count + 1 %}"
        "Audio {{ audios.count }}: <|audio_bos|><|AUDIO|><|audio_eos|>\n"
        "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
        f"{_END}{{% endfor %}}{{% if add_generation_prompt %}}{_START}assistant\n{{% endif %}}"
    )

    def heard(self, audios: Sequence[Samples]) -> tuple[Tensors, list[int]]:
        """Mel features padded to 30 s, their mask, and a token for every four frames."""
        features, frames = masked_features(self, audios, padding="max_length")
        return features, list(map(tokens_of_frames, frames))


def masked_features(family: Family, audios: Sequence[Samples], **how: Any) -> tuple[Tensors, list[int]]:
    """Mel features of Whisper's kind with their mask, padded as ``how`` says, and how many frames each audio has."""
    made = family.features(
        list(audios), sampling_rate=family.sample_rate_hz, return_tensors="pt", return_attention_mask=True, **how
    )
    mask = made["attention_mask"]
    return {"input_features": made["input_features"], "feature_attention_mask": mask}, mask.sum(-1).tolist()


def tokens_of_frames(frames: int) -> int:
    """How many tokens Qwen's audio encoders make of so many frames: a convolution and a pooling, each by two."""
    return ((frames - 1) // 2 + 1 - 2) // 2 + 1
