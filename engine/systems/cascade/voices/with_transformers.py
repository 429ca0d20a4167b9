"""What the synthesisers of transformers have in common: weights, a device, samples out of a tensor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.systems.cascade.part import Samples, Table
from engine.systems.local.memory import free
from engine.systems.local.packages import need, torch_and_transformers, versions
from engine.systems.local.placing import Placing, placing
from engine.systems.local.weights import model_folder, uses_safetensors, weights_told
from engine.systems.values import Options


class TransformersVoice:
    """A model of transformers that speaks; a subclass loads it and says a sentence.

    Settings of all: ``weights``, ``revision``. What is left to chance follows the ask's seed, sentence by sentence.
    """

    packages: tuple[str, ...] = ()

    def __init__(self, table: Table, options: Options) -> None:
        _, self.transformers = torch_and_transformers()
        need(self.packages, type(self).__name__)
        self.options = options
        weights, revision = table.take("weights", ""), table.take("revision", "")
        self.folder = model_folder(weights, revision, options)
        self.placing: Placing = placing(options)
        self.rate = 0
        self.load(table)
        table.no_more()
        told = weights_told(weights, revision, self.folder, options)["weights"]
        self.versions = {"synthesiser": told, **versions("torch", "transformers")}

    def load(self, table: Table) -> None:
        """Load the model, and take what is to be set of it; sets ``rate``."""
        raise NotImplementedError

    def said(self, sentence: str) -> Any:
        """The sentence as a tensor of samples, of any shape."""
        raise NotImplementedError

    def model(self, name: str, folder: Path | None = None) -> Any:
        """The model of that class, placed."""
        place = folder or self.folder
        loading = {**self.placing.loading(), "use_safetensors": uses_safetensors(place)}
        return self.placing.placed(getattr(self.transformers, name).from_pretrained(place, **loading))

    def spoken(self, sentence: str, seed: int) -> Iterator[tuple[Samples, int]]:
        """The sentence in one piece."""
        torch, _ = torch_and_transformers()
        torch.manual_seed(seed)
        with torch.inference_mode():
            made = self.said(sentence)
        yield np.asarray(made.float().cpu().numpy(), np.float32).reshape(-1), self.rate

    def close(self) -> None:
        """Give back the model's memory."""
        self.__dict__.clear()
        self.versions = {}
        free()
