"""VITA-Audio: one string of text and audio tokens, and its sound, from its own inference class."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

RATE_HZ = 22050
_MARKS = re.compile(r"<\|audio_\d+\|>|<\|(?:begin|end)_of_audio\|>|<\|im_(?:start|end)\|>|<\|endoftext\|>")


class VitaAudio:
    """Settings: ``tokenizer``, ``decoder`` (of GLM-4-Voice), ``mode`` ("luke" or none), ``do_sample``."""

    def __init__(self, settings: Any) -> None:
        code = str(settings["code"])
        glm = os.path.join(code, "third_party", "GLM-4-Voice")
        sys.path[:0] = [glm, os.path.join(glm, "cosyvoice"), os.path.join(glm, "third_party", "Matcha-TTS")]
        module = _definitions_of(os.path.join(code, "tools", "inference_sts.py"))
        self._settings = settings
        self._model = module.S2SInference(
            settings.folder(),
            settings.folder("tokenizer"),
            audio_tokenizer_type="sensevoice_glm4voice",
            flow_path=settings.folder("decoder"),
        )

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text cut out of the string, then the sound."""
        if len(ask.audios) != 1:
            ask.cannot("VITA-Audio hears exactly one audio")
        settings = dict(self._settings, **ask.settings)
        found, wave = self._model.run_infer(
            audio_path=ask.audios[0],
            prompt_audio_path=None,
            message="\n".join(text for text in (ask.system, ask.words) if text),
            mode=settings.get("mode") or None,
            do_sample=bool(settings.get("do_sample", False)),
            mtp_inference_mode=settings.get("mtp_inference_mode"),
        )
        answer = str(found).rpartition("<|im_start|>assistant\n")[2]
        yield _MARKS.sub("", answer).strip()
        if wave is not None:
            yield wave, RATE_HZ


def _definitions_of(path: str) -> ModuleType:
    """The imports, constants, functions and classes of its script, which else runs every demonstration at once."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    tree.body = [
        node
        for node in tree.body
        if isinstance(node, kept) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
    ]
    module = ModuleType("inference_sts")
    sys.modules["inference_sts"] = module
    exec(compile(tree, path, "exec"), module.__dict__)
    return module


def load(settings: Any) -> VitaAudio:
    """The model and its audio tokenizer."""
    return VitaAudio(settings)
