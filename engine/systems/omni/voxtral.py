"""Voxtral: Mistral's instruction format with audio in it, in windows of 30 s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from engine.systems.local.packages import need, torch_and_transformers
from engine.systems.omni.conversation import Conversation, Message
from engine.systems.omni.family import Family, Samples, Tensors

_WINDOW_S = 30
_FRAMES = 3000  # of a window


class Voxtral(Family):
    """The tokens are laid out here, in the order of Mistral's own tokenizer: the checkpoint brings no template.

    It knows no system turn beside audio: what stands in one is put before the words of the next turn.
    A checkpoint with ``tekken.json`` and no ``tokenizer.json`` is read with mistral-common.
    """

    model_class: ClassVar[str] = "VoxtralForConditionalGeneration"
    audio_mark: ClassVar[str] = "[AUDIO]"

    def load_tokenizer(self, transformers: Any) -> Any:
        """The checkpoint's tokenizer; mistral-common's takes no padding side."""
        if not (self.folder / "tokenizer.json").exists():
            need(("mistral_common",), self.model_class)
        return transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)

    def inputs(self, conversations: Sequence[Conversation]) -> Tensors:
        """Tokens padded before the text, and the windows of all audios."""
        torch, _ = torch_and_transformers()
        heard = [[self._windows(audio) for audio in conversation.audios] for conversation in conversations]
        rows = [
            self._tokens(conversation.messages, [len(windows) for windows in audios])
            for conversation, audios in zip(conversations, heard, strict=True)
        ]
        longest = max(map(len, rows))
        pad = self.tokenizer.pad_token_id or 0
        told = {
            "input_ids": torch.tensor([[pad] * (longest - len(row)) + row for row in rows]),
            "attention_mask": torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows]),
        }
        if windows := [window for audios in heard for audio in audios for window in audio]:
            told["input_features"] = torch.stack(windows)
        return self.moved(told)

    def _windows(self, audio: Samples) -> list[Any]:
        """Mel features of each window, shape (bins, frames)."""
        made = self.features(
            audio, sampling_rate=self.sample_rate_hz, return_tensors="pt", truncation=False, padding=True,
            pad_to_multiple_of=_WINDOW_S * self.sample_rate_hz,
        )["input_features"][0]  # fmt: skip
        return list(made.reshape(len(made), -1, _FRAMES).transpose(0, 1))

    def _tokens(self, messages: tuple[Message, ...], windows: list[int]) -> list[int]:
        left = iter(windows)
        tokens, before = [self._sign("<s>")], list[Message]()
        for message in messages:
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            if message["role"] == "system":
                before = [{"type": "text", "text": f"{content}\n\n"}]
                continue
            body = [token for part in (*before, *parts) for token in self._part(part, left)]
            if message["role"] == "assistant":
                tokens += [*body, self._sign("</s>")]
            else:
                tokens += [self._sign("[INST]"), *body, self._sign("[/INST]")]
            before = []
        return tokens

    def _part(self, part: Message, windows: Any) -> list[int]:
        if part["type"] != "audio":
            return list(self.tokenizer(part["text"], add_special_tokens=False)["input_ids"])
        audio = self.model.config.audio_config
        each = audio.max_source_positions * audio.hidden_size // audio.intermediate_size
        return [self._sign("[BEGIN_AUDIO]"), *[self._sign("[AUDIO]")] * (each * next(windows))]

    def _sign(self, name: str) -> int:
        return int(self.tokenizer.convert_tokens_to_ids(name))
