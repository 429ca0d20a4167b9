"""Tiny random checkpoints, made from small configurations: real loading and real generation, no sense in the words."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import transformers

_CHAT = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def module(name: str) -> Any:
    """A module of transformers without its types, which change by version."""
    return import_module(name)


def tokenizer(folder: Path, specials: list[str], padded_to: int = 0, **extra: Any) -> Any:
    """A tokenizer of bytes and the given special tokens, saved in ``folder``; ``extra`` are named tokens."""
    tokenizers = module("tokenizers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    core = tokenizers.Tokenizer(tokenizers.models.BPE({sign: i for i, sign in enumerate(alphabet)}, []))
    core.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = tokenizers.decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token=specials[-1], pad_token=specials[0], **extra
    )
    named = [token for token in extra.values() if isinstance(token, str)]
    fast.add_special_tokens({"additional_special_tokens": list(dict.fromkeys([*specials, *named]))})
    if padded_to > len(fast):
        fast.add_special_tokens(
            {"additional_special_tokens": [f"<|spare_{i}|>" for i in range(len(fast), padded_to)]},
            replace_extra_special_tokens=False,
        )
    fast.save_pretrained(folder)
    return fast


def mel(folder: Path, bins: int = 8, seconds: int = 30) -> None:
    """Whisper's feature extractor with few bins."""
    transformers.WhisperFeatureExtractor(feature_size=bins, chunk_length=seconds).save_pretrained(folder)


def seeded(make: Any) -> Any:
    """What ``make`` builds, with the same random weights each time."""
    torch.manual_seed(7)
    return make().eval()


def save(model: Any, folder: Path, **generation: Any) -> Path:
    """Write the checkpoint; ``generation`` is its generation config."""
    for name, value in generation.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)
    return folder


def text_config(vocabulary: int, **more: Any) -> dict[str, Any]:
    """A language model of two layers."""
    return {
        "vocab_size": vocabulary, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 8192, **more,
    }  # fmt: skip


def qwen2_audio(folder: Path) -> Path:
    """Qwen2-Audio with an encoder of one layer."""
    tok = tokenizer(folder, [*_CHAT, "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"])
    tok.eos_token = "<|im_end|>"
    tok.save_pretrained(folder)
    mel(folder)
    config = transformers.Qwen2AudioConfig(
        audio_config={
            "model_type": "qwen2_audio_encoder", "num_mel_bins": 8, "encoder_layers": 1, "encoder_attention_heads": 2,
            "encoder_ffn_dim": 32, "d_model": 32, "max_source_positions": 1500,
        },
        text_config={"model_type": "qwen2", **text_config(len(tok))},
        audio_token_index=tok.convert_tokens_to_ids("<|AUDIO|>"),
    )  # fmt: skip
    model = seeded(lambda: transformers.Qwen2AudioForConditionalGeneration(config))
    return save(model, folder, eos_token_id=tok.convert_tokens_to_ids("<|im_end|>"), pad_token_id=tok.pad_token_id)
