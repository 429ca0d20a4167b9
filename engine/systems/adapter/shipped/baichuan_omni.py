"""Baichuan-Omni 1.5: segments of text and of sound in turn, as its demonstration generates them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

RATE_HZ = 24000
OVERLAP = 240  # samples over which two segments are faded into each other: 10 ms
SEGMENTS = 100
_SYSTEM, _USER, _ASSISTANT, _SPOKEN = "<B_SYS>", "<C_Q>", "<C_A>", "<audiotext_start_baichuan>"
_MARKS = re.compile(r"<\|endoftext\|>|<audiogen_start_baichuan>|<audiogen_end_baichuan>")
_STOPS = [",", "!", "?", "，", "。", "！", "？", ". "]


class BaichuanOmni:
    """Settings: ``system_prompt``, ``speech`` (false asks for text alone)."""

    def __init__(self, settings: Any) -> None:
        code = str(settings["code"])
        sys.path[:0] = [os.path.join(code, "web_demo"), os.path.join(code, "third_party", "cosy24k_vocoder")]
        import torch
        from cosy24k_vocoder import Cosy24kVocoder
        from generation import GenerationAudioTokens, decode_wave_vocoder
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._settings = settings
        self._audio_tokens, self._wave = GenerationAudioTokens, decode_wave_vocoder
        trusted = {"trust_remote_code": bool(settings.get("trust_remote_code"))}
        folder = settings.folder()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, **trusted)
        model: Any = AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.bfloat16, **trusted)
        model = model.cuda()
        model.training = False
        model.bind_processor(self._tokenizer, training=False, relative_path="/")
        self._model, self._marks = model, model.config.audio_config
        vocoder = os.path.join(code, "third_party", "cosy24k_vocoder", "hift.pt")
        self._vocoder = Cosy24kVocoder.from_pretrained(vocoder).cuda()

    def respond(self, ask: Any) -> Iterator[Any]:
        """Text and sound in turn, until it has said all."""
        speaks = bool(dict(self._settings, **ask.settings).get("speech", True))
        inputs = self._model.processor([self._prompt(ask, speaks)])
        length = inputs.input_ids.shape[1]
        found = self._begun(inputs, speaks)
        yield self._text(found, length)
        if not speaks:
            return
        held: Any = None  # what is still to be faded into the next segment
        for _ in range(SEGMENTS):
            is_last = int(found.sequences[0, -1]) == self._tokenizer.eos_token_id
            if is_last and found.sequences.shape[1] - length <= 1:
                break
            found.sequences[0, -1] = self._marks.audiogen_start_token_id
            found = self._sound(found)
            for wave in self._wave(found.audios_sequences.clone(), self._vocoder, self._model):
                ready, held = _faded(held, wave.reshape(-1).float().cpu())
                if len(ready):
                    yield ready.clamp(-0.99, 0.99), RATE_HZ
            if is_last:
                break
            found.sequences[0, -1] = self._marks.audiogen_end_token_id
            length = found.sequences.shape[1]
            found = self._continued(found)
            yield self._text(found, length)
        else:
            ask.flag("cut_off")
        if held is not None:
            yield held.clamp(-0.99, 0.99), RATE_HZ

    def _prompt(self, ask: Any, speaks: bool) -> str:
        spoken = _SPOKEN if speaks else ""
        told = ask.system or self._settings.get("system_prompt", "请用【邻家女声】这个声音回答问题。")
        parts = [_SYSTEM, str(told)]
        for turn in ask.history:
            parts += [_USER if turn.role == "user" else spoken + _ASSISTANT, self._heard(turn.audios), turn.text]
        return "".join([*parts, _USER, self._heard(ask.audios), ask.words, spoken, _ASSISTANT])

    def _heard(self, audios: list[str]) -> str:
        start, end = (
            self._tokenizer.convert_ids_to_tokens(number)
            for number in (self._marks.audio_start_token_id, self._marks.audio_end_token_id)
        )
        return "".join(start + json.dumps({"path": path}, ensure_ascii=False) + end for path in audios)

    def _begun(self, inputs: Any, speaks: bool) -> Any:
        start = self._tokenizer.convert_ids_to_tokens(self._marks.audiogen_start_token_id)
        on_device = {
            name: None if getattr(inputs, name) is None else getattr(inputs, name).cuda()
            for name in ("audios", "encoder_length", "bridge_length")
        }
        return self._model.generate(
            inputs.input_ids.cuda(),
            attention_mask=inputs.attention_mask.cuda(),
            tokenizer=self._tokenizer,
            max_new_tokens=50 if speaks else int(self._settings.get("max_new_tokens", 1024)),
            stop_strings=[start, "<|endoftext|>"] if speaks else ["<|endoftext|>"],
            **on_device,
            **_sampling(0.8, 20, 1.1),
        )

    def _continued(self, found: Any) -> Any:
        import torch

        start = self._tokenizer.convert_ids_to_tokens(self._marks.audiogen_start_token_id)
        return self._model.generate(
            found.sequences,
            attention_mask=torch.ones_like(found.sequences),
            tokenizer=self._tokenizer,
            past_key_values=found.past_key_values,
            stop_strings=[start, *_STOPS],
            max_new_tokens=50,
            **_sampling(0.3, 20, 1.05),
        )

    def _sound(self, found: Any) -> Any:
        import torch

        return self._audio_tokens.generate(
            self._model,
            found.sequences,
            attention_mask=torch.ones_like(found.sequences),
            past_key_values=found.past_key_values,
            max_new_tokens=500,
            **_sampling(0.5, 5, 1.3),
        )

    def _text(self, found: Any, length: int) -> str:
        return _MARKS.sub("", self._tokenizer.decode(found.sequences[0, length:]))


def _sampling(temperature: float, top_k: int, penalty: float) -> dict[str, Any]:
    told = {"do_sample": True, "temperature": temperature, "top_k": top_k, "top_p": 0.85}
    return {**told, "repetition_penalty": penalty, "return_dict_in_generate": True}


def _faded(held: Any, wave: Any) -> tuple[Any, Any]:
    """What is ready of ``held`` and ``wave``, and the end that is kept; joined by a fade where both are long enough."""
    import torch

    if held is not None and len(held) >= OVERLAP and len(wave) >= OVERLAP:
        rise = torch.linspace(0.0, 1.0, OVERLAP)
        mixed = held[-OVERLAP:] * (1 - rise) + wave[:OVERLAP] * rise
        wave = torch.cat([held[:-OVERLAP], mixed, wave[OVERLAP:]])
    elif held is not None:
        wave = torch.cat([held, wave])
    keep = min(len(wave), OVERLAP)
    return wave[: len(wave) - keep], wave[len(wave) - keep :]


def load(settings: Any) -> BaichuanOmni:
    """The model and its vocoder."""
    return BaichuanOmni(settings)
