"""Freeze-Omni: heard chunk by chunk, spoken sentence by sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

RATE_HZ = 24000
WIDTH = 896  # of one hidden state of its speech decoder
ENDS = ("。", "：", "？", "！", ".", "?", "!", "\n")


class FreezeOmni:
    """Settings: ``language_model`` (Qwen2-7B-Instruct), ``max_new_tokens``, ``top_p``, ``top_k``, ``temperature``.

    Instruction and system text become its role, the only place for written words.
    """

    def __init__(self, settings: Any) -> None:
        from bin.inference import audioEncoderProcessor
        from models.decoder.llm2tts import llm2TTS
        from models.pipeline import inferencePipeline

        folder = settings.folder()
        told = SimpleNamespace(
            model_path=folder,
            llm_path=settings.folder("language_model"),
            top_p=float(settings.get("top_p", 0.8)),
            top_k=int(settings.get("top_k", 20)),
            temperature=float(settings.get("temperature", 0.8)),
        )
        self._settings = settings
        self._pipeline = inferencePipeline(told)
        self._speaker = llm2TTS(folder)
        self._ears = audioEncoderProcessor()

    def respond(self, ask: Any) -> Iterator[Any]:
        """Words as they come, and the sound of each sentence."""
        if len(ask.audios) != 1:
            ask.cannot("Freeze-Omni hears exactly one audio")
        role = "\n".join(text for text in (ask.system or "You are a helpful assistant.", ask.words) if text)
        outputs = self._pipeline.speech_dialogue(None, stat="pre", role=role)
        outputs = self._listened(ask.audios[0], outputs)
        outputs.update(adapter_cache=None, encoder_cache=None, pe_index=0, stat="ss")
        outputs = self._pipeline.speech_dialogue(None, **outputs)
        states, sentence, told = [outputs["hidden_state"]], "", ""
        most = int(ask.settings.get("max_new_tokens", self._settings.get("max_new_tokens", 2048)))
        while outputs["stat"] != "sl":
            if len(outputs["past_tokens"]) > most:
                ask.flag("cut_off")
                break
            del outputs["text"], outputs["hidden_state"]
            outputs = self._pipeline.speech_dialogue(None, **outputs)
            if outputs["stat"] != "cs":
                continue
            states.append(outputs["hidden_state"])
            new, before = outputs["text"][len(told) :], told
            told = outputs["text"]
            sentence += new
            yield new
            is_number = new.endswith(".") and before[-1:].isdigit()
            if new.endswith(ENDS) and not is_number:
                yield from self._spoken(states, sentence)
                states, sentence = [], ""
        yield from self._spoken(states, sentence)

    def _listened(self, path: str, outputs: Any) -> Any:
        import soundfile
        import torch

        samples = torch.from_numpy(soundfile.read(path, dtype="float32")[0])
        chunk = self._ears.get_chunk_size()
        heard = torch.zeros(math.ceil(len(samples) / chunk) * chunk)
        heard[: len(samples)] = samples
        for start in range(0, len(heard), chunk):
            outputs = self._pipeline.speech_dialogue(self._ears.process(heard[start : start + chunk]), **outputs)
            outputs["stat"] = "cl"
        self._ears.reset()
        return outputs

    def _spoken(self, states: list[Any], sentence: str) -> Iterator[Any]:
        """The sound of one sentence; nothing for one without words, on which its decoder fails."""
        import torch

        words = self._pipeline.post_process(sentence)
        if not states or not words.strip():
            return
        model = self._pipeline.model
        tokens = torch.tensor(model.tokenizer.encode(words)).cuda()
        embedded = model.llm_decoder.model.embed_tokens(tokens).reshape(-1, WIDTH)[None]
        hidden = torch.cat(states).squeeze(1).reshape(-1, WIDTH)[None]
        for part in self._speaker.run(embedded, 2, hidden, 40, 10):
            yield part, RATE_HZ


def load(settings: Any) -> FreezeOmni:
    """The pipeline and its speech decoder."""
    return FreezeOmni(settings)
