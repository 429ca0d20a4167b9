"""The packaged Whisper weights, rewritten as a transformers folder and as an openai-whisper checkpoint."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
_WIDTH, _HEADS, _LAYERS, _MELS, _FRAMES, _TOKENS, _VOCABULARY = 512, 8, 6, 80, 1500, 448, 51865
_END, _START, _TRANSLATE, _TRANSCRIBE, _NO_TIMESTAMPS = 50257, 50258, 50358, 50359, 50363
_SUPPRESSED_AT_BEGIN = [220, _END]


def read_ctranslate2(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a CTranslate2 ``model.bin`` (binary version 6) by their names."""
    reader = _Reader(path.read_bytes())
    version, _, _, count = reader.number("I"), reader.name(), reader.number("I"), reader.number("I")
    assert version == 6
    return dict(reader.array() for _ in range(count))


class _Reader:
    """Reads little-endian numbers, zero-ended names and arrays one after another."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, kind: str) -> int:
        value = struct.unpack_from(f"<{kind}", self._data, self._at)[0]
        self._at += struct.calcsize(f"<{kind}")
        return int(value)

    def name(self) -> str:
        length = self.number("H")
        self._at += length
        return self._data[self._at - length : self._at - 1].decode()

    def array(self) -> tuple[str, NDArray[Any]]:
        name = self.name()
        shape = [self.number("I") for _ in range(self.number("B"))]
        kind, size = np.dtype(_TYPES[self.number("B")]), self.number("I")
        values = np.frombuffer(self._data, kind, size // kind.itemsize, self._at).reshape(shape)
        self._at += size
        return name, values


def to_openai(arrays: Arrays) -> dict[str, NDArray[Any]]:
    """openai-whisper's state dictionary (float16); its keys have no bias, and CTranslate2's there is zero."""
    state = {
        "encoder.positional_embedding": arrays["encoder/position_encodings/encodings"],
        "decoder.positional_embedding": arrays["decoder/position_encodings/encodings"],
        "decoder.token_embedding.weight": arrays["decoder/embeddings/weight"],
        **_norm(arrays, "encoder/layer_norm", "encoder.ln_post"),
        **_norm(arrays, "decoder/layer_norm", "decoder.ln"),
        **_linear(arrays, "encoder/conv1", "encoder.conv1"),
        **_linear(arrays, "encoder/conv2", "encoder.conv2"),
    }
    for side in ("encoder", "decoder"):
        for layer in range(_LAYERS):
            state |= _openai_layer(arrays, f"{side}/layer_{layer}", f"{side}.blocks.{layer}")
    return state


def _openai_layer(arrays: Arrays, source: str, target: str) -> dict[str, NDArray[Any]]:
    state = {
        **_attention(arrays, f"{source}/self_attention", f"{target}.attn", fused="qkv"),
        **_norm(arrays, f"{source}/self_attention/layer_norm", f"{target}.attn_ln"),
        **_norm(arrays, f"{source}/ffn/layer_norm", f"{target}.mlp_ln"),
        **_linear(arrays, f"{source}/ffn/linear_0", f"{target}.mlp.0"),
        **_linear(arrays, f"{source}/ffn/linear_1", f"{target}.mlp.2"),
    }
    if source.startswith("decoder"):
        state |= _attention(arrays, f"{source}/attention", f"{target}.cross_attn", fused="kv")
        state |= _norm(arrays, f"{source}/attention/layer_norm", f"{target}.cross_attn_ln")
    return state


def _attention(arrays: Arrays, source: str, target: str, fused: str) -> dict[str, NDArray[Any]]:
    joined = ["linear_0"] if fused == "qkv" else ["linear_0", "linear_1"]
    weight = np.concatenate([arrays[f"{source}/{name}/weight"] for name in joined])
    bias = np.concatenate([arrays[f"{source}/{name}/bias"] for name in joined])
    state = {}
    for place, name in enumerate(("query", "key", "value")):
        rows = slice(place * _WIDTH, (place + 1) * _WIDTH)
        state[f"{target}.{name}.weight"] = weight[rows]
        if name == "key":
            assert not bias[rows].any()
        else:
            state[f"{target}.{name}.bias"] = bias[rows]
    last = "linear_1" if fused == "qkv" else "linear_2"
    return state | _linear(arrays, f"{source}/{last}", f"{target}.out")


def _linear(arrays: Arrays, source: str, target: str) -> dict[str, NDArray[Any]]:
    return {f"{target}.{part}": arrays[f"{source}/{part}"] for part in ("weight", "bias")}


def _norm(arrays: Arrays, source: str, target: str) -> dict[str, NDArray[Any]]:
    return {f"{target}.weight": arrays[f"{source}/gamma"], f"{target}.bias": arrays[f"{source}/beta"]}


_TO_TRANSFORMERS = (
    ("blocks", "layers"), ("mlp_ln", "final_layer_norm"), ("mlp.0", "fc1"), ("mlp.2", "fc2"),
    ("cross_attn_ln", "encoder_attn_layer_norm"), ("cross_attn", "encoder_attn"),
    ("attn_ln", "self_attn_layer_norm"), (".attn.", ".self_attn."),
    (".query.", ".q_proj."), (".key.", ".k_proj."), (".value.", ".v_proj."), (".out.", ".out_proj."),
    ("decoder.ln.", "decoder.layer_norm."), ("ln_post", "layer_norm"),
    ("token_embedding", "embed_tokens"), ("positional_embedding", "embed_positions.weight"),
)  # fmt: skip


def write_openai(packaged: Path, target: Path) -> Path:
    """Write ``base.pt`` as openai-whisper saves it; returns its path."""
    import torch

    state = {name: torch.tensor(values) for name, values in to_openai(read_ctranslate2(packaged / "model.bin")).items()}
    sizes = {"n_state": _WIDTH, "n_head": _HEADS, "n_layer": _LAYERS}
    dims = {"n_mels": _MELS, "n_vocab": _VOCABULARY, "n_audio_ctx": _FRAMES, "n_text_ctx": _TOKENS}
    dims |= {f"n_{side}_{key[2:]}": value for side in ("audio", "text") for key, value in sizes.items()}
    target.mkdir(parents=True, exist_ok=True)
    torch.save({"dims": dims, "model_state_dict": state}, target / "base.pt")
    return target / "base.pt"


def write_transformers(packaged: Path, target: Path) -> Path:
    """Write a folder that transformers loads (safetensors, configs, fast tokenizer); returns it."""
    from safetensors.numpy import save_file

    target.mkdir(parents=True, exist_ok=True)
    state = {}
    for name, values in to_openai(read_ctranslate2(packaged / "model.bin")).items():
        for old, new in _TO_TRANSFORMERS:
            name = name.replace(old, new)
        state[f"model.{name}"] = np.ascontiguousarray(values, dtype=np.float32)
    save_file(state, target / "model.safetensors", metadata={"format": "pt"})
    known = json.loads((packaged / "config.json").read_text(encoding="utf-8"))
    for name, content in _configs(known, _languages(packaged)).items():
        (target / name).write_text(json.dumps(content), encoding="utf-8")
    shutil.copyfile(packaged / "tokenizer.json", target / "tokenizer.json")
    return target


def _languages(packaged: Path) -> dict[str, int]:
    entries = json.loads((packaged / "tokenizer.json").read_text(encoding="utf-8"))["added_tokens"]
    return {entry["content"]: entry["id"] for entry in entries if _START < entry["id"] < _TRANSLATE}


def _configs(known: dict[str, Any], languages: dict[str, int]) -> dict[str, Any]:
    tokens = {"bos_token_id": _END, "eos_token_id": _END, "pad_token_id": _END, "decoder_start_token_id": _START}
    generation = tokens | {
        "suppress_tokens": known["suppress_ids"], "begin_suppress_tokens": _SUPPRESSED_AT_BEGIN,
        "alignment_heads": known["alignment_heads"], "no_timestamps_token_id": _NO_TIMESTAMPS,
        "lang_to_id": languages, "task_to_id": {"transcribe": _TRANSCRIBE, "translate": _TRANSLATE},
        "is_multilingual": True, "max_length": _TOKENS, "max_initial_timestamp_index": 50, "task": "transcribe",
        "prev_sot_token_id": 50361, "return_timestamps": False,
    }  # fmt: skip
    model = tokens | {
        "architectures": ["WhisperForConditionalGeneration"], "model_type": "whisper", "d_model": _WIDTH,
        "encoder_layers": _LAYERS, "decoder_layers": _LAYERS, "encoder_attention_heads": _HEADS,
        "decoder_attention_heads": _HEADS, "encoder_ffn_dim": 4 * _WIDTH, "decoder_ffn_dim": 4 * _WIDTH,
        "num_mel_bins": _MELS, "max_source_positions": _FRAMES, "max_target_positions": _TOKENS,
        "vocab_size": _VOCABULARY, "is_encoder_decoder": True, "tie_word_embeddings": True, "torch_dtype": "float32",
    }  # fmt: skip
    features = {
        "feature_extractor_type": "WhisperFeatureExtractor", "processor_class": "WhisperProcessor",
        "feature_size": _MELS, "sampling_rate": 16000, "hop_length": 160, "n_fft": 400, "chunk_length": 30,
        "n_samples": 480000, "nb_max_frames": 3000, "padding_value": 0.0, "padding_side": "right",
        "return_attention_mask": False,
    }  # fmt: skip
    tokenizer = {"tokenizer_class": "WhisperTokenizerFast", "bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>",
                 "unk_token": "<|endoftext|>", "pad_token": "<|endoftext|>", "model_max_length": 1024}  # fmt: skip
    return {"config.json": model, "generation_config.json": generation,
            "preprocessor_config.json": features, "tokenizer_config.json": tokenizer}  # fmt: skip
