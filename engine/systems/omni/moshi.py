"""Moshi: hears and speaks at once, 12.5 steps a second; here it hears a whole turn and then answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from engine.errors import EngineError
from engine.systems.local.packages import torch_and_transformers
from engine.systems.omni.conversation import Conversation
from engine.systems.omni.family import Family, Generated, Tensors
from engine.systems.omni.settings import OmniSettings

_SILENT, _WORD_COMES = 3, 0  # of its text: nothing is said in this step; a word begins in the next
_QUIET_STEPS = 25  # 2 s without a word end the answer: the model itself never ends


class Moshi(Family):
    """While the turn is played to it, its own voice and words are silence; afterwards it hears silence.

    ``max_new_tokens`` are steps of 80 ms. It takes neither history nor instruction.
    """

    model_class: ClassVar[str] = "MoshiForConditionalGeneration"
    sample_rate_hz: ClassVar[int] = 24_000
    speaks: ClassVar[bool] = True
    answers_together: ClassVar[bool] = False

    def load_features(self, transformers: Any) -> None:
        """The samples themselves are the input."""

    def inputs(self, conversations: Sequence[Conversation]) -> Tensors:
        """The last turn's samples in whole steps, and as much silence of its own."""
        torch, _ = torch_and_transformers()
        audios = conversations[0].audios
        if not audios:
            raise EngineError("omni.no_audio_to_hear", system="Moshi")
        step = self._step_length
        steps = max(1, -(-len(audios[-1]) // step))
        samples = torch.zeros(1, 1, steps * step)
        samples[0, 0, : len(audios[-1])] = torch.from_numpy(np.array(audios[-1]))
        return self.moved(
            {
                "input_ids": torch.full((1, steps), _SILENT),
                "user_input_values": samples,
                "moshi_input_values": torch.zeros_like(samples),
            }
        )

    def generate(self, inputs: Tensors, settings: OmniSettings, stepper: Any) -> Generated:
        """Words and voice from where the turn ends, until it has been quiet for two seconds."""
        _, transformers = torch_and_transformers()
        heard = inputs["input_ids"].shape[1]
        quiet = transformers.StoppingCriteriaList([_Quiet(heard + 1)])
        made = self.model.generate(
            **inputs, **settings.generation, **settings.extra, streamer=stepper, stopping_criteria=quiet
        )
        tokens = made.sequences[0, heard + 1 :].tolist()
        wave = made.audio_sequences[0, 0, heard * self._step_length :].float().cpu().numpy()
        return Generated([tokens], [np.asarray(wave, np.float32)])

    def decoded(self, tokens: list[int]) -> str:
        """The words, without the steps in which there are none."""
        return super().decoded([token for token in tokens if token not in (_SILENT, _WORD_COMES)])

    def is_cut(self, tokens: list[int], settings: OmniSettings) -> bool:
        """Whether it still spoke when the steps were used up."""
        return len(tokens) >= settings.max_new_tokens and not _is_quiet(tokens)

    @property
    def _step_length(self) -> int:
        config = self.model.config
        return int(config.sampling_rate / config.audio_encoder_config.frame_rate)


class _Quiet:
    """Ends a generation that has said something and then nothing for a while."""

    def __init__(self, heard: int) -> None:
        self._heard = heard

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        torch, _torch = torch_and_transformers()
        rows = [_is_quiet(row[self._heard :]) for row in input_ids.tolist()]
        return torch.tensor(rows, device=input_ids.device)


def _is_quiet(tokens: list[int]) -> bool:
    spoken = [index for index, token in enumerate(tokens) if token not in (_SILENT, _WORD_COMES)]
    return bool(spoken) and len(tokens) - 1 - spoken[-1] >= _QUIET_STEPS
