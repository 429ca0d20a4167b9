"""A model of transformers as a system: text as it is written, then its speech."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
from engine.systems.local.memory import free, is_out_of_memory
from engine.systems.local.packages import torch_and_transformers, versions
from engine.systems.local.placing import placing
from engine.systems.local.stepwise import stepwise
from engine.systems.local.weights import config_of, model_folder, weights_told
from engine.systems.local.words import Words
from engine.systems.omni.conversation import conversation_of
from engine.systems.omni.families import family_of
from engine.systems.omni.family import Family, Generated, Samples
from engine.systems.omni.settings import OmniSettings
from engine.systems.revision import revision_of
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Options, Piece, TextPiece


class OmniSystem:
    """One loaded checkpoint of a family in ``FAMILIES``."""

    def __init__(self, declaration: SystemDeclaration, options: Options) -> None:
        torch_and_transformers()
        told = dict(options.settings)
        weights = options.weights or declaration.weights
        named = str(told.pop("revision", "")) or ("" if options.weights else declaration.revision)
        self.settings = OmniSettings().over(declaration.settings).over(told)
        revision = revision_of(declaration.id, weights, named, options.allow_remote_code)
        folder = model_folder(weights, revision, options)
        family = family_of(str(config_of(folder).get("model_type", "")))
        self._placing = placing(options)
        self._family: Family | None = family(folder, self._placing, self.settings)
        speaks = declaration.abilities.speech_out and family.speaks and self.settings.speech
        self.abilities: Abilities = replace(declaration.abilities, speech_out=speaks)
        self.versions = {
            **versions("torch", "transformers"),
            **weights_told(weights, revision, folder, options),
            **self._placing.told(),
        }
        self._most_together = 0  # how many fitted when a batch did not; 0 while none has failed

    @property
    def family(self) -> Family:
        """What is loaded. Raises EngineError ``omni.closed`` after ``close``."""
        if self._family is None:
            raise EngineError("omni.closed")
        return self._family

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """Text as it is written, then the speech in one piece: transformers gives it whole.

        The same seed gives the same answer on the same machine. Raises EngineError
        ``systems.out_of_memory`` where one answer does not fit, and ``audio.*`` for a file that cannot be read.
        """
        began = time.perf_counter()
        settings = self.settings.over(ask.settings)
        answer = self._answer(ask, settings, began)
        try:
            yield from answer
            return
        except Exception as error:
            if not is_out_of_memory(error):
                raise
        free()
        raise EngineError("systems.out_of_memory", what=self.versions["device"])

    def respond_together(self, asks: Sequence[Ask]) -> Iterator[tuple[str, Piece | EngineError]]:
        """The answers to several asks, made as one batch, each whole; in halves where memory is not enough.

        One batch draws from one seed, so a sampled answer depends on its company: the flag ``answered_together`` says
        so. Asks with settings of their own, and all of a model that takes one at a time, are answered alone.
        """
        began = time.perf_counter()
        alike = self.family.answers_together and all(ask.settings == asks[0].settings for ask in asks)
        limit = self._most_together or len(asks)
        for start in range(0, len(asks), limit if alike else 1):
            yield from self._halving(asks[start : start + (limit if alike else 1)], began)

    def close(self) -> None:
        """Give back the model's memory."""
        self._family = None
        free()

    def _answer(self, ask: Ask, settings: OmniSettings, began: float) -> Generator[Piece, None, None]:
        family, words = self.family, Words(self.family.decoded)
        asked = conversation_of(ask, settings, family.sample_rate_hz, family.audio_mark)
        inputs = family.inputs([asked])
        self._seed(ask.seed)
        steps = stepwise(lambda stepper: family.generate(inputs, settings, stepper))
        made: Generated | None = None
        try:
            while time.perf_counter() - began < ask.time_limit_s:
                stage, tokens = next(steps)
                if text := words.add(tokens) if stage == 0 else words.rest():
                    yield TextPiece(text, time.perf_counter() - began)
        except StopIteration as end:
            made = end.value
        finally:
            steps.close()
        if text := words.rest():
            yield TextPiece(text, time.perf_counter() - began)
        wave = made.waves[0] if made and made.waves else None
        if wave is not None and len(wave):
            yield AudioPiece(wave, family.speech_rate_hz, time.perf_counter() - began)
        yield self._finished(words.text, made, 0, settings)

    def _halving(self, asks: Sequence[Ask], began: float) -> Iterator[tuple[str, Piece | EngineError]]:
        if len(asks) == 1:
            yield from self._alone(asks[0])
            return
        try:
            made, settings = self._together(asks)
        except EngineError:  # one of them cannot be read: each tells its own
            made = None
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            made = None
            self._most_together = len(asks) // 2
        if made is None:
            free()
            middle = (len(asks) + 1) // 2
            yield from self._halving(asks[:middle], began)
            yield from self._halving(asks[middle:], began)
            return
        for index, ask in enumerate(asks):
            yield from ((ask.id, piece) for piece in self._pieces(made, index, settings, began))

    def _alone(self, ask: Ask) -> Iterator[tuple[str, Piece | EngineError]]:
        try:
            for piece in self.respond(ask):
                yield ask.id, piece
        except EngineError as error:
            yield ask.id, error

    def _together(self, asks: Sequence[Ask]) -> tuple[Generated, OmniSettings]:
        torch, _ = torch_and_transformers()
        family, settings = self.family, self.settings.over(asks[0].settings)
        inputs = family.inputs(
            [conversation_of(ask, settings, family.sample_rate_hz, family.audio_mark) for ask in asks]
        )
        self._seed(asks[0].seed)
        with torch.inference_mode():
            return family.generate(inputs, settings, None), settings

    def _pieces(self, made: Generated, index: int, settings: OmniSettings, began: float) -> Iterator[Piece]:
        text = self.family.decoded(made.tokens[index])
        yield TextPiece(text, time.perf_counter() - began)
        wave: Samples | None = made.waves[index] if made.waves else None
        if wave is not None and len(wave):
            yield AudioPiece(wave, self.family.speech_rate_hz, time.perf_counter() - began)
        yield self._finished(text, made, index, settings, "answered_together")

    def _finished(self, text: str, made: Generated | None, index: int, settings: OmniSettings, *flags: str) -> Finished:
        if made is None:
            flags = (*flags, "time_limit")
        elif self.family.is_cut(made.tokens[index], settings):
            flags = (*flags, "cut_by_limit")
        return Finished(text, flags, self.versions)

    def _seed(self, seed: int) -> None:
        torch, _ = torch_and_transformers()
        torch.manual_seed(seed)
