"""WavLLM: a fairseq plug-in that reads a table and writes a log; it is started for every ask, and loads each time."""

from __future__ import annotations

import os
import re
import subprocess
import uuid
import wave
from collections.abc import Iterator
from typing import Any

_HEAD = "id\taudio\tn_frames\tprompt\ttgt_text\twith_speech\n"
_LONGEST_S = 100.0


class WavLlm:
    """``code`` is the checkout of fairseq with wavllm under examples; ``weights`` its checkpoint file."""

    def __init__(self, settings: Any) -> None:
        self._code, self._weights = str(settings["code"]), str(settings["weights"])
        if not os.path.isdir(os.path.join(self._code, "examples", "wavllm")):
            raise FileNotFoundError("copy wavllm into fairseq/examples first")

    def respond(self, ask: Any) -> Iterator[str]:
        """Its text."""
        if len(ask.audios) != 1:
            ask.cannot("WavLLM hears exactly one audio")
        with wave.open(ask.audios[0]) as heard:
            frames = heard.getnframes()
            if frames > _LONGEST_S * heard.getframerate():  # its loader drops such a row without a word
                ask.cannot("WavLLM hears at most 100 s")
        name = f"auricle_{uuid.uuid4().hex}"
        table = os.path.join(self._code, "examples", "wavllm", "test_data", f"{name}.tsv")
        words = re.sub(r"\s+", " ", ask.words)  # a tab or a line's end breaks the table
        row = f"0\t{ask.audios[0]}\t{frames}\t{words}\tnone\tTrue\n"
        try:
            with open(table, "w", encoding="utf-8") as file:
                file.write(_HEAD + row)
            script = "examples/wavllm/scripts/inference_sft.sh"
            subprocess.run(["bash", script, self._weights, name], cwd=self._code, check=True)
            yield self._read(name)
        finally:
            if os.path.exists(table):
                os.remove(table)

    def _read(self, name: str) -> str:
        folder = os.path.dirname(self._weights)
        for place, _, files in os.walk(folder):
            if f"generate-{name}.txt" in files:
                with open(os.path.join(place, f"generate-{name}.txt"), encoding="utf-8") as log:
                    for line in log:
                        if line.startswith("D-0\t"):
                            return line.rstrip("\n").split("\t")[-1].strip()
        raise RuntimeError("its log has no answer: the row was dropped")


def load(settings: Any) -> WavLlm:
    """Nothing yet: it loads with each ask."""
    return WavLlm(settings)
