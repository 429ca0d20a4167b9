"""Tiny random checkpoints, made from small configurations: real loading and real generation, no sense in the words."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


class Lazy:
    """A module that is imported when something of it is wanted: collecting tests costs no import of torch."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


torch, transformers = Lazy("torch"), Lazy("transformers")
_CHAT = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def tokenizer(folder: Path, specials: list[str], padded_to: int = 0, **extra: Any) -> Any:
    """A tokenizer of bytes and the given special tokens, saved in ``folder``; ``extra`` are named tokens."""
    tokenizers = import_module("tokenizers")
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


def qwen2_5_omni(folder: Path) -> Path:
    """Qwen2.5-Omni: a thinker, a talker and a vocoder of a layer or two each, one voice."""
    named = {
        "image_token": "<|IMAGE|>", "audio_token": "<|AUDIO|>", "video_token": "<|VIDEO|>",
        "vision_bos_token": "<|vision_bos|>", "vision_eos_token": "<|vision_eos|>",
        "audio_bos_token": "<|audio_bos|>", "audio_eos_token": "<|audio_eos|>",
    }  # fmt: skip
    tok = tokenizer(folder, [*_CHAT, "<|tts_start|>", "<|tts_end|>", "<|tts_pad|>"], **named)
    tok.eos_token = "<|im_end|>"
    tok.chat_template = _QWEN_TEMPLATE
    tok.save_pretrained(folder)
    mel(folder, seconds=300)
    number = tok.convert_tokens_to_ids
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}
    shared = {
        "audio_token_index": number("<|AUDIO|>"), "image_token_index": number("<|IMAGE|>"),
        "video_token_index": number("<|VIDEO|>"), "audio_start_token_id": number("<|audio_bos|>"),
        "audio_end_token_id": number("<|audio_eos|>"), "vision_start_token_id": number("<|vision_bos|>"),
        "vision_end_token_id": number("<|vision_eos|>"),
    }  # fmt: skip
    config = transformers.Qwen2_5OmniConfig(
        thinker_config={
            **shared,
            "audio_config": {
                "num_mel_bins": 8, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 32,
                "d_model": 32, "max_source_positions": 100, "n_window": 50, "output_dim": 32,
            },
            "vision_config": {
                "depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32,
                "fullatt_block_indexes": [0],
            },
            "text_config": text_config(len(tok), rope_parameters=rope),
        },
        talker_config={
            **shared, **text_config(64, rope_parameters=rope), "embedding_size": 32, "head_dim": 16,
            "tts_text_start_token_id": number("<|tts_start|>"), "tts_text_end_token_id": number("<|tts_end|>"),
            "tts_text_pad_token_id": number("<|tts_pad|>"), "tts_codec_start_token_id": 61,
            "tts_codec_end_token_id": 62, "tts_codec_pad_token_id": 60, "tts_codec_mask_token_id": 63,
        },
        token2wav_config={
            "dit_config": {
                "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": 16, "emb_dim": 16,
                "num_embeds": 64, "mel_dim": 8, "enc_emb_dim": 8, "enc_dim": 8,
                "enc_channels": [8, 8, 8, 8, 24], "enc_attention_channels": 8, "enc_se_channels": 8,
                "look_ahead_layers": [0], "look_backward_layers": [0], "repeats": 2, "block_size": 24, "ff_mult": 1,
            },
            "bigvgan_config": {
                "mel_dim": 8, "upsample_initial_channel": 8, "resblock_kernel_sizes": [3],
                "resblock_dilation_sizes": [[1, 3, 5]], "upsample_rates": [5, 3], "upsample_kernel_sizes": [11, 7],
            },
        },
    )  # fmt: skip
    model = seeded(lambda: transformers.Qwen2_5OmniForConditionalGeneration(config))
    save(model, folder, eos_token_id=number("<|im_end|>"), pad_token_id=tok.pad_token_id)
    voice = {"bos_token": number("<|tts_start|>"), "cond": torch.zeros(1, 8), "ref_mel": torch.zeros(1, 10, 8)}
    torch.save({"Chelsie": voice}, folder / "spk_dict.pt")
    return folder


def qwen3_omni(folder: Path) -> Path:
    """Qwen3-Omni: a thinker and a talker of two experts each, a code predictor and a vocoder."""
    named = {
        "image_token": "<|image_pad|>", "audio_token": "<|audio_pad|>", "video_token": "<|video_pad|>",
        "vision_bos_token": "<|vision_start|>", "vision_eos_token": "<|vision_end|>",
        "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>",
    }  # fmt: skip
    roles = ["system", "user", "assistant"]  # one token each, as in the real vocabulary
    tok = tokenizer(folder, [*_CHAT, *roles, "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>"], **named)
    tok.eos_token = "<|im_end|>"
    tok.chat_template = _QWEN_TEMPLATE.replace(
        "<|audio_bos|><|AUDIO|><|audio_eos|>", "<|audio_start|><|audio_pad|><|audio_end|>"
    )
    tok.save_pretrained(folder)
    mel(folder)
    number = tok.convert_tokens_to_ids
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [3, 3, 2], "mrope_interleaved": True}
    experts = {"moe_intermediate_size": 16, "num_experts_per_tok": 1, "num_experts": 2}
    shared = {
        "audio_token_id": number("<|audio_pad|>"), "image_token_id": number("<|image_pad|>"),
        "video_token_id": number("<|video_pad|>"), "audio_start_token_id": number("<|audio_start|>"),
        "vision_start_token_id": number("<|vision_start|>"),
    }  # fmt: skip
    config = transformers.Qwen3OmniMoeConfig(
        thinker_config={
            **shared, "user_token_id": number("user"),
            "audio_config": {
                "num_mel_bins": 16, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 32,
                "d_model": 32, "max_source_positions": 100, "n_window": 50, "n_window_infer": 100, "output_dim": 32,
                "downsample_hidden_size": 8,
            },
            "vision_config": {
                "depth": 1, "hidden_size": 32, "intermediate_size": 32, "num_heads": 2, "out_hidden_size": 32,
                "num_position_embeddings": 16, "deepstack_visual_indexes": [0],
            },
            "text_config": {**text_config(len(tok), rope_parameters=rope), **experts},
        },
        talker_config={
            **shared, "num_code_groups": 4, "thinker_hidden_size": 32, "accept_hidden_layer": 1,
            "codec_eos_token_id": 1090, "spatial_merge_size": 2, "codec_nothink_id": 1091, "codec_think_bos_id": 1092,
            "codec_think_eos_id": 1093, "codec_pad_id": 1094, "codec_bos_id": 1095, "speaker_id": {"ethan": 1096},
            "text_config": {
                **text_config(1088 + 64, rope_parameters=rope), **experts, "shared_expert_intermediate_size": 16,
            },
            "code_predictor_config": {**text_config(64), "head_dim": 16, "num_code_groups": 4},
        },
        code2wav_config={
            "codebook_size": 64, "hidden_size": 32, "num_attention_heads": 2, "num_key_value_heads": 2,
            "intermediate_size": 32, "num_hidden_layers": 1, "num_quantizers": 4, "upsample_rates": [2, 2],
            "upsampling_ratios": [2], "decoder_dim": 32, "sliding_window": 8,
        },
        im_start_token_id=number("<|im_start|>"), im_end_token_id=number("<|im_end|>"),
        tts_pad_token_id=number("<tts_pad>"), tts_bos_token_id=number("<tts_text_bos>"),
        tts_eos_token_id=number("<tts_text_eod>"), system_token_id=number("system"),
        user_token_id=number("user"), assistant_token_id=number("assistant"),
    )  # fmt: skip
    mel(folder, bins=16)
    model = seeded(lambda: transformers.Qwen3OmniMoeForConditionalGeneration(config))
    for name, weights in model.named_parameters():
        if "experts" in name:  # made of whatever was in memory
            torch.nn.init.normal_(weights, std=0.02)
    return save(model, folder, eos_token_id=number("<|im_end|>"), pad_token_id=tok.pad_token_id)


_QWEN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}{% if part['type'] == 'audio' %}AUDIO_HERE"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
).replace("AUDIO_HERE", "<|audio_bos|><|AUDIO|><|audio_eos|>")


def flamingo(folder: Path) -> Path:
    """Audio Flamingo 3 with its processor."""
    tok = tokenizer(folder, [*_CHAT, "<sound>"])
    tok.eos_token = "<|im_end|>"
    extractor = transformers.WhisperFeatureExtractor(feature_size=8)
    template = _QWEN_TEMPLATE.replace("<|audio_bos|><|AUDIO|><|audio_eos|>", "<sound>")
    transformers.AudioFlamingo3Processor(extractor, tok, chat_template=template).save_pretrained(folder)
    config = transformers.AudioFlamingo3Config(
        audio_config={
            "num_mel_bins": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
            "hidden_size": 32, "max_source_positions": 1500,
        },
        text_config={"model_type": "qwen2", **text_config(len(tok))},
        audio_token_id=tok.convert_tokens_to_ids("<sound>"),
    )  # fmt: skip
    model = seeded(lambda: transformers.AudioFlamingo3ForConditionalGeneration(config))
    return save(model, folder, eos_token_id=tok.convert_tokens_to_ids("<|im_end|>"), pad_token_id=tok.pad_token_id)


def voxtral(folder: Path) -> Path:
    """Voxtral with a tokenizer of bytes that has Mistral's signs."""
    signs = ["<pad>", "<s>", "[INST]", "[/INST]", "[AUDIO]", "[BEGIN_AUDIO]"]
    tok = tokenizer(folder, [*signs, "</s>"])
    mel(folder)
    config = transformers.VoxtralConfig(
        audio_config={
            "num_mel_bins": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64,
            "hidden_size": 16, "max_source_positions": 1500,
        },
        text_config={"model_type": "llama", **text_config(len(tok))},
        audio_token_id=tok.convert_tokens_to_ids("[AUDIO]"),
    )  # fmt: skip
    model = seeded(lambda: transformers.VoxtralForConditionalGeneration(config))
    return save(model, folder, eos_token_id=tok.eos_token_id, pad_token_id=tok.pad_token_id)


def phi4(folder: Path) -> Path:
    """Phi-4-multimodal without the adapter for speech."""
    tok = tokenizer(folder, ["<|endoftext|>", "<|user|>", "<|assistant|>", "<|system|>", "<|endoftext11|>", "<|end|>"])
    tok.chat_template = (
        "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}"
        "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    tok.save_pretrained(folder)
    transformers.Phi4MultimodalFeatureExtractor(feature_size=8).save_pretrained(folder)
    config = transformers.Phi4MultimodalConfig(
        **text_config(len(tok)), rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
        partial_rotary_factor=1.0, original_max_position_embeddings=8192, pad_token_id=0, bos_token_id=0,
        eos_token_id=tok.eos_token_id,
        audio_config={
            "hidden_size": 32, "intermediate_size": 32, "num_blocks": 1, "num_attention_heads": 2, "input_size": 8,
            "ext_pw_out_channel": 32, "depthwise_separable_out_channel": 32, "nemo_conv_channels": 32, "audio_token_id": tok.convert_tokens_to_ids("<|endoftext11|>"),
            "bias_max_distance": 100,
        },
        vision_config={
            "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
            "image_size": 28, "patch_size": 14, "crop_size": 28, "image_token_id": 1,
        },
    )  # fmt: skip
    model = seeded(lambda: transformers.Phi4MultimodalForCausalLM(config))
    return save(model, folder, eos_token_id=tok.eos_token_id, pad_token_id=tok.pad_token_id)


def moshi(folder: Path) -> Path:
    """Moshi with a codec of few filters; every step of 80 ms is a token."""
    tok = tokenizer(folder, ["<pad>", "</s>"])
    config = transformers.MoshiConfig(
        **{**text_config(len(tok)), "hidden_act": "silu", "head_dim": 16, "ffn_dim": 64}, audio_vocab_size=16, num_codebooks=4,
        audio_encoder_config={
            "model_type": "mimi", "hidden_size": 32, "num_filters": 4, "num_hidden_layers": 1, "num_attention_heads": 2,
            "num_key_value_heads": 2, "intermediate_size": 32, "head_dim": 16, "codebook_size": 16, "codebook_dim": 8,
            "vector_quantization_hidden_dimension": 8, "num_quantizers": 4, "num_semantic_quantizers": 1,
            "upsample_groups": 32,
        },
        depth_decoder_config={
            "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "ffn_dim": 64,
            "head_dim": 16, "num_codebooks": 4, "audio_vocab_size": 16, "input_size": 32, "vocab_size": len(tok),
        },
    )  # fmt: skip
    config.save_pretrained(folder)
    model = seeded(lambda: transformers.MoshiForConditionalGeneration(config))
    return save(model, folder)
