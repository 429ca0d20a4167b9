"""LLaMA-Omni2: text and speech units from its model, sound from its own copy of CosyVoice2."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

RATE_HZ = 24000
WINDOW_S = 30.0


class LlamaOmni2:
    """Settings: ``decoder`` (cosy2_decoder), ``speech_encoder`` (Whisper's large-v3.pt), ``prompt_wav``."""

    def __init__(self, settings: Any) -> None:
        import torch
        from llama_omni2.inference.run_cosy2_decoder import SpeechDecoder
        from llama_omni2.model.language_model.omni2_speech2s_qwen2 import Omni2Speech2SQwen2ForCausalLM
        from transformers import AutoConfig, AutoTokenizer

        self._settings = settings
        folder = settings.folder()
        config = AutoConfig.from_pretrained(folder)
        config.tts_tokenizer = os.path.join(folder, "tts_tokenizer")
        config.speech_encoder = settings["speech_encoder"]
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, use_fast=False)
        self._model = Omni2Speech2SQwen2ForCausalLM.from_pretrained(folder, config=config, torch_dtype=torch.bfloat16)
        self._model.cuda()
        self._decoder = SpeechDecoder(settings.folder("decoder"))
        self._prompt = torch.from_numpy(self._loaded(settings["prompt_wav"]))[None]

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text, then its sound. A turn without audio is put as its words."""
        import torch

        audios: list[str] = []
        messages = [{"role": "system", "content": ask.system}] if ask.system else []
        for turn in [*ask.history, ask.turns[-1]]:
            audios += turn.audios
            spoken = "\n".join(["<speech>"] * len(turn.audios))
            words = ask.words if turn is ask.turns[-1] else turn.text
            messages.append({"role": turn.role, "content": "\n".join(part for part in (words, spoken) if part)})
        if not audios:
            ask.cannot("LLaMA-Omni2 needs at least one spoken turn")
        ids = self._tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt")[0]
        ids[ids == self._tokenizer.convert_tokens_to_ids("<speech>")] = -200
        mels = [self._mel(path, ask) for path in audios]
        settings = dict(self._settings, **ask.settings)
        temperature = float(settings.get("temperature", 0.0))
        most = int(settings.get("max_new_tokens", 1024))
        with torch.inference_mode():
            found, units = self._model.generate(
                ids[None].cuda(),
                speech=torch.nn.utils.rnn.pad_sequence(mels, batch_first=True).to(torch.bfloat16).cuda(),
                speech_lengths=torch.LongTensor([len(mel) for mel in mels]).cuda(),
                do_sample=temperature > 0,
                temperature=temperature,
                top_p=settings.get("top_p"),
                top_k=settings.get("top_k"),
                num_beams=1,
                max_new_tokens=most,
                pad_token_id=self._tokenizer.pad_token_id,
            )
        if len(found[0]) >= most:
            ask.flag("cut_off")
        yield self._tokenizer.batch_decode(found, skip_special_tokens=True)[0].strip()
        numbers = [int(unit) for unit in re.findall(r"\d+", units)]
        if numbers:
            yield self._decoder.entry(torch.LongTensor(numbers).cuda(), self._prompt, stream=False), RATE_HZ

    def _mel(self, path: str, ask: Any) -> Any:
        import whisper

        samples = self._loaded(path)
        if len(samples) > WINDOW_S * 16000:
            ask.flag("audio_cut")
        return whisper.log_mel_spectrogram(whisper.pad_or_trim(samples), n_mels=128).permute(1, 0)

    def _loaded(self, path: str) -> Any:
        import whisper

        return whisper.load_audio(path)


def load(settings: Any) -> LlamaOmni2:
    """The model and its decoder."""
    return LlamaOmni2(settings)
