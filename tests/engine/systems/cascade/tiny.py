"""Tiny random synthesisers and a tiny random language model, made from small configurations."""

from __future__ import annotations

import json
from pathlib import Path

from tests.engine.systems.omni.tiny import save, seeded, text_config, tokenizer, transformers

_CHAT = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}A:{% endif %}"
_SMALL = {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 16}


def language_model(folder: Path) -> Path:
    """Llama of two layers that writes bytes."""
    tok = tokenizer(folder, ["<pad>", "</s>"])
    tok.chat_template = _CHAT
    tok.save_pretrained(folder)
    config = transformers.LlamaConfig(**text_config(len(tok)))
    model = seeded(lambda: transformers.LlamaForCausalLM(config))
    return save(model, folder, eos_token_id=tok.eos_token_id, pad_token_id=tok.pad_token_id)


def vits(folder: Path, *, is_uroman: bool = False) -> Path:
    """VITS with the letters of English."""
    letters = {sign: number for number, sign in enumerate("_ abcdefghijklmnopqrstuvwxyz'-")}
    (folder / "letters.json").write_text(json.dumps(letters))
    transformers.VitsTokenizer(
        str(folder / "letters.json"), is_uroman=is_uroman, phonemize=False, normalize=True, pad_token="_",
        unk_token="-",
    ).save_pretrained(folder)  # fmt: skip
    config = transformers.VitsConfig(
        vocab_size=len(letters), hidden_size=16, num_hidden_layers=1, ffn_dim=16, flow_size=16, spectrogram_bins=9,
        upsample_initial_channel=16, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8], resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1, 3]], duration_predictor_filter_channels=16, prior_encoder_num_flows=1,
        prior_encoder_num_wavenet_layers=1, posterior_encoder_num_wavenet_layers=1,
        use_stochastic_duration_prediction=False, sampling_rate=16000, layerdrop=0.0,
    )  # fmt: skip
    return save(seeded(lambda: transformers.VitsModel(config)), folder)


def speecht5(folder: Path) -> Path:
    """SpeechT5 with a tokenizer that needs no sentencepiece, its vocoder beside it in ``vocoder``."""
    tok = tokenizer(folder, ["<s>", "<pad>", "</s>"])
    config = transformers.SpeechT5Config(
        vocab_size=len(tok), hidden_size=16, encoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=16,
        decoder_layers=1, decoder_ffn_dim=16, decoder_attention_heads=2, num_mel_bins=8, speaker_embedding_dim=4,
        speech_decoder_prenet_units=16, speech_decoder_postnet_units=16, speech_decoder_postnet_layers=2,
        encoder_max_relative_position=8, max_speech_positions=400, max_text_positions=200,
    )  # fmt: skip
    save(seeded(lambda: transformers.SpeechT5ForTextToSpeech(config)), folder)
    vocoder = transformers.SpeechT5HifiGanConfig(
        model_in_dim=8, upsample_initial_channel=8, upsample_rates=[4, 4], upsample_kernel_sizes=[8, 8],
        resblock_kernel_sizes=[3], resblock_dilation_sizes=[[1, 3]],
    )  # fmt: skip
    seeded(lambda: transformers.SpeechT5HifiGan(vocoder)).save_pretrained(folder / "vocoder")
    return folder


def csm(folder: Path) -> Path:
    """CSM with the codec Mimi inside."""
    tok = tokenizer(folder, ["<pad>", "<|audio|>", "<|audio_eos|>", "</s>"])
    config = transformers.CsmConfig(
        **{**text_config(20), "num_hidden_layers": 1}, num_codebooks=4, text_vocab_size=len(tok),
        pad_token_id=tok.pad_token_id, codebook_pad_token_id=18, codebook_eos_token_id=0, bos_token_id=None,
        audio_token_id=tok.convert_tokens_to_ids("<|audio|>"),
        audio_eos_token_id=tok.convert_tokens_to_ids("<|audio_eos|>"),
        depth_decoder_config={
            **text_config(20), **_SMALL, "num_codebooks": 4, "backbone_hidden_size": 32, "max_position_embeddings": 5,
        },
        codec_config={
            "model_type": "mimi", "hidden_size": 32, **_SMALL, "num_filters": 4, "intermediate_size": 32,
            "codebook_size": 32, "codebook_dim": 8, "vector_quantization_hidden_dimension": 8, "num_quantizers": 4,
            "num_semantic_quantizers": 1, "upsample_groups": 32,
        },
    )  # fmt: skip
    model = seeded(lambda: transformers.CsmForConditionalGeneration(config))
    return save(model, folder, pad_token_id=tok.pad_token_id)


def dia(folder: Path) -> Path:
    """Dia with the codec DAC beside it in ``codec``."""
    transformers.DiaTokenizer().save_pretrained(folder)
    transformers.DiaFeatureExtractor(hop_length=16).save_pretrained(folder)
    config = transformers.DiaConfig(
        encoder_config={**_SMALL, "hidden_size": 32, "intermediate_size": 32},
        decoder_config={
            **_SMALL, "hidden_size": 32, "intermediate_size": 32, "cross_num_attention_heads": 2, "cross_head_dim": 16,
            "cross_num_key_value_heads": 2, "cross_hidden_size": 32, "num_channels": 9, "vocab_size": 1028,
            "eos_token_id": 1024, "pad_token_id": 1025, "bos_token_id": 1026,
        },
    )  # fmt: skip
    save(seeded(lambda: transformers.DiaForConditionalGeneration(config)), folder)
    codec = transformers.DacConfig(
        encoder_hidden_size=8, downsampling_ratios=[4, 4], decoder_hidden_size=32, n_codebooks=9, codebook_size=1024,
        sampling_rate=44100,
    )  # fmt: skip
    seeded(lambda: transformers.DacModel(codec)).save_pretrained(folder / "codec")
    return folder
