"""MU-LLaMA: a question about music, answered in text. Its code is GPL-3.0 and runs in this process alone."""

from __future__ import annotations

import os
import wave
from collections.abc import Iterator
from typing import Any

WINDOW_S = 60.0


class MuLlama:
    """Settings: ``llama`` (the LLaMA-2 folder), ``knn`` (folder of knn.index), ``mert``; ``weights`` its checkpoint."""

    def __init__(self, settings: Any) -> None:
        import llama

        self._llama = llama
        self._model = llama.load(
            settings["weights"],
            settings["llama"],
            mert_path=settings.get("mert", "m-a-p/MERT-v1-330M"),
            knn=True,
            knn_dir=settings["knn"],
            llama_type="7B",
        )
        self._model.eval()

    def respond(self, ask: Any) -> Iterator[str]:
        """Its text; of audio over a minute it hears the first."""
        import torch
        import torchaudio

        if len(ask.audios) != 1:
            ask.cannot("MU-LLaMA hears exactly one audio")
        with wave.open(ask.audios[0]) as heard:
            if heard.getnframes() > WINDOW_S * heard.getframerate():
                ask.flag("audio_cut")
        samples, _ = torchaudio.load(os.path.abspath(ask.audios[0]))
        ids = self._model.tokenizer.encode(self._llama.format_prompt(ask.words), bos=True, eos=False)
        with torch.cuda.amp.autocast():
            found = self._model.generate(
                {"Audio": [samples[0], 1]},
                [ids],
                max_gen_len=512,
                temperature=0.6,
                top_p=0.8,
                cache_size=100,
                cache_t=20.0,
                cache_weight=0.0,
            )
        yield str(found[0]).strip()


def load(settings: Any) -> MuLlama:
    """The model."""
    return MuLlama(settings)
