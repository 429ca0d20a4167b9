"""Families whose own processor builds the input: it expands the audio marks itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from engine.systems.omni.conversation import Conversation, Message, marked
from engine.systems.omni.family import Family, Tensors


class ByProcessor(Family):
    """``writes_marks`` where the chat template takes plain text with the mark in it, rather than parts."""

    writes_marks: ClassVar[bool] = False

    def load_tokenizer(self, transformers: Any) -> Any:
        """The processor's own, which pads before the text."""
        processor = transformers.AutoProcessor.from_pretrained(self.folder, local_files_only=True)
        self.features = processor
        processor.tokenizer.padding_side = "left"
        return processor.tokenizer

    def load_features(self, transformers: Any) -> Any:
        """The processor, which came with the tokenizer."""
        return self.features

    def rendered(self, messages: tuple[Message, ...]) -> str:
        """The text with a mark for each audio."""
        return super().rendered(tuple(marked(messages, self.audio_mark)) if self.writes_marks else messages)

    def inputs(self, conversations: Sequence[Conversation]) -> Tensors:
        """What the processor makes of texts and audios."""
        texts = [self.rendered(conversation.messages) for conversation in conversations]
        audios = [audio for conversation in conversations for audio in conversation.audios]
        heard = {"audio": audios} if audios else {}
        written = {"padding": True, "add_special_tokens": False}  # the audio is padded as the processor thinks right
        made = self.features(text=texts, **heard, return_tensors="pt", text_kwargs=written)
        return self.moved(dict(made))


class Flamingo(ByProcessor):
    """Audio Flamingo 3: up to ten minutes in windows of 30 s, one audio a conversation."""

    model_class: ClassVar[str] = "AudioFlamingo3ForConditionalGeneration"
    audio_mark: ClassVar[str] = "<sound>"


class Granite(ByProcessor):
    """Granite Speech: a conformer and an adapter on the language model, which peft puts in place."""

    model_class: ClassVar[str] = "GraniteSpeechForConditionalGeneration"
    packages: ClassVar[tuple[str, ...]] = ("torchaudio", "peft")
    audio_mark: ClassVar[str] = "<|audio|>"
    writes_marks: ClassVar[bool] = True


class Gemma3n(ByProcessor):
    """Gemma 3n: up to 30 s an audio; its eye is of timm, and is loaded though nothing is shown to it."""

    model_class: ClassVar[str] = "Gemma3nForConditionalGeneration"
    packages: ClassVar[tuple[str, ...]] = ("timm", "torchvision", "PIL")
    audio_mark: ClassVar[str] = "<audio_soft_token>"
