"""Language models of cascades: of transformers, GGUF files, and chat endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.systems.cascade.gguf import gguf_model
from engine.systems.cascade.part import Table, Wanted
from engine.systems.local.memory import free
from engine.systems.local.packages import need, torch_and_transformers, versions
from engine.systems.local.placing import placing
from engine.systems.local.stepwise import stepwise
from engine.systems.local.weights import model_folder, uses_safetensors, weights_told
from engine.systems.local.words import Words
from engine.systems.values import Ask, Finished, Options, SpokenTurn, System, TextPiece

SAMPLING = ("max_new_tokens", "temperature", "top_p", "top_k", "do_sample", "repetition_penalty")


class LocalWriting:
    """A causal language model of transformers, from its own form or from a GGUF file.

    Settings: ``weights``, ``revision``, ``max_new_tokens``, ``temperature`` (0 is greedy), ``top_p``, ``top_k``,
    ``do_sample``, ``repetition_penalty``, and ``template``: what the chat template is told, e.g. enable_thinking.
    """

    def __init__(self, table: Table, options: Options, is_gguf: bool) -> None:
        _, transformers = torch_and_transformers()
        weights, revision = table.take("weights", ""), table.take("revision", "")
        self._template: dict[str, Any] = table.take("template", {})
        self._sampling = {key: value for key in SAMPLING if (value := table.take(key, None)) is not None}
        table.no_more()
        folder, told, loading = self._found(weights, revision, options, is_gguf)
        place = placing(options)
        remote = f"{weights}@{revision}" in options.allow_remote_code
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=remote, **loading
        )
        if not self._tokenizer.chat_template:
            raise EngineError("omni.no_chat_template", folder=str(folder))
        model = transformers.AutoModelForCausalLM
        self._model: Any = place.placed(
            model.from_pretrained(folder, trust_remote_code=remote, **place.loading(), **loading)
        )
        self.versions = {"language_model": told, **versions("torch", "transformers"), **place.told()}
        self.flags: tuple[str, ...] = ()

    def written(self, wanted: Wanted) -> Iterator[str]:
        """The answer as it is written."""
        torch, _ = torch_and_transformers()
        prompt = self._tokenizer.apply_chat_template(
            [dict(message) for message in wanted.messages], add_generation_prompt=True, return_tensors="pt",
            return_dict=True, **self._template,
        ).to(self._model.device)  # fmt: skip
        words = Words(lambda tokens: str(self._tokenizer.decode(tokens, skip_special_tokens=True)))
        how = generation({**self._sampling, **{k: v for k, v in wanted.settings.items() if k in SAMPLING}})
        torch.manual_seed(wanted.seed)
        self.flags, count, last = (), 0, -1
        steps = stepwise(lambda stepper: self._model.generate(**prompt, **how, streamer=stepper))
        try:
            for _, tokens in steps:
                count, last = count + len(tokens), tokens[-1]
                if text := words.add(tokens):
                    yield text
        finally:
            steps.close()
        if count >= how["max_new_tokens"] and last not in self._ends():
            self.flags = ("cut_by_limit",)
        if text := words.rest():
            yield text

    def close(self) -> None:
        """Give back the model's memory."""
        del self._model
        free()

    def _found(self, weights: str, revision: str, options: Options, is_gguf: bool) -> tuple[Path, str, dict[str, Any]]:
        if is_gguf:
            need(("gguf", "accelerate"), "GGUF")
            return gguf_model(weights)
        folder = model_folder(weights, revision, options)
        told = weights_told(weights, revision, folder, options)["weights"]
        return folder, told, {"use_safetensors": uses_safetensors(folder)}

    def _ends(self) -> set[int]:
        told = self._model.generation_config.eos_token_id
        return set(told) if isinstance(told, (list, tuple)) else {told}


class SystemWriting:
    """A chat endpoint, or another system that answers in writing."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.versions: dict[str, str] = {}
        self.flags: tuple[str, ...] = ()

    def written(self, wanted: Wanted) -> Iterator[str]:
        """The answer as it comes."""
        turns = tuple(SpokenTurn(message["role"], message["content"]) for message in wanted.messages)
        ask = Ask("write", turns, seed=wanted.seed, time_limit_s=wanted.time_limit_s, settings=wanted.settings)
        came = ""
        for piece in self._system.respond(ask):
            if isinstance(piece, TextPiece):
                came += piece.text
                yield piece.text
            elif isinstance(piece, Finished):
                self.versions = {f"language_model {name}": version for name, version in piece.versions.items()}
                self.flags = piece.flags
                if not came and piece.text:
                    yield piece.text

    def close(self) -> None:
        """Close the system."""
        self._system.close()


def generation(told: dict[str, Any]) -> dict[str, Any]:
    """Sampling settings as ``generate`` takes them: at most 512 tokens unless told, temperature 0 is greedy."""
    how = {"max_new_tokens": 512, **told}
    if how.get("temperature") == 0:
        del how["temperature"]
        how["do_sample"] = False
    elif "temperature" in how:
        how.setdefault("do_sample", True)
    return how
