"""A cascade as a system: hears, writes and speaks, one sentence after another."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial

from engine.errors import EngineError
from engine.systems.cascade.part import Hearing, Speaking, Wanted, Writing, merged_parts
from engine.systems.cascade.parts import hearing, speaking, writing
from engine.systems.cascade.sentences import Sentences, sayable
from engine.systems.cascade.spent import Spent
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Options, Piece, SpokenTurn, TextPiece


class CascadeSystem:
    """Three parts in turn, never two at once: so each one's time is its own, and their sum is the cascade's.

    Settings: ``system_prompt``, ``instruction_place`` ("before" the transcript or "after"), and for each part a table
    that goes over the declared one, or a key of it: ``language_model.weights``.
    """

    def __init__(self, declaration: SystemDeclaration, options: Options) -> None:
        if options.weights:
            raise EngineError("cascade.whose_weights", system=declaration.id)
        told = {**declaration.settings, **options.settings}
        parts = merged_parts(declaration, options)
        self._system_prompt = str(told.get("system_prompt", ""))
        self._before = told.get("instruction_place", "before") == "before"
        self.abilities: Abilities = declaration.abilities
        self._hearing = hearing(parts["recogniser"], options)
        self._writing = writing(parts["language_model"], options)
        self._speaking = speaking(parts["synthesiser"], options)

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """Each sentence as text when it is written, then as audio; ``spent_s`` at the end tells each part's seconds.

        Flags: ``nothing_heard``, ``nothing_said`` (there are words, and no voice could say them), ``cut_by_limit``,
        ``time_limit``.
        """
        began = time.perf_counter()
        spent, flags, whole, said = Spent(), list[str](), "", False
        messages = self._messages(ask, spent, flags)
        wanted = Wanted(messages, ask.seed, ask.time_limit_s, ask.settings)
        with closing(self._sentences(wanted, spent)) as sentences:  # type: ignore[type-var]
            for sentence in sentences:
                whole += sentence
                yield TextPiece(sentence, time.perf_counter() - began)
                for piece in self._said(sentence, ask.seed, spent, began):
                    said = True
                    yield piece
                if time.perf_counter() - began > ask.time_limit_s:
                    flags.append("time_limit")
                    break
        if self._speaking and whole.strip() and not said:
            flags.append("nothing_said")
        flags += self._writing.flags
        yield Finished(whole.strip(), tuple(dict.fromkeys(flags)), self.versions, spent_s=spent.seconds)

    @property
    def versions(self) -> dict[str, str]:
        """What made the answer, part by part."""
        parts: list[Hearing | Writing | Speaking] = [self._hearing, self._writing]
        parts += [self._speaking] if self._speaking else []
        return {name: version for part in parts for name, version in part.versions.items()}

    def close(self) -> None:
        """Close the parts."""
        self._hearing.close()
        self._writing.close()
        if self._speaking:
            self._speaking.close()

    def _messages(self, ask: Ask, spent: Spent, flags: list[str]) -> tuple[Mapping[str, str], ...]:
        """The turns as messages, what was spoken in them as it was heard, one line for each audio."""
        turns = ask.turns or (SpokenTurn("user"),)
        messages = []
        for turn in turns:
            heard = [spent.call("recogniser", partial(self._hearing.heard, audio)) for audio in turn.audios]
            if turn.audios and not any(heard):
                flags.append("nothing_heard")
            written = [turn.text, ask.instruction if turn is turns[-1] else None]
            lines = [*written, *heard] if self._before else [*heard, *written]
            messages.append({"role": turn.role, "content": "\n".join(filter(None, lines))})
        if self._system_prompt and not any(message["role"] == "system" for message in messages):
            messages.insert(0, {"role": "system", "content": self._system_prompt})
        return tuple(messages)

    def _sentences(self, wanted: Wanted, spent: Spent) -> Iterator[str]:
        cut = Sentences()
        with closing(spent.each("language_model", iter(self._writing.written(wanted)))) as pieces:  # type: ignore[type-var]
            for piece in pieces:
                yield from cut.add(piece)
        if rest := cut.rest():
            yield rest

    def _said(self, sentence: str, seed: int, spent: Spent, began: float) -> Iterator[AudioPiece]:
        words = sayable(sentence)
        if self._speaking is None or not words:
            return
        for samples, rate in spent.each("synthesiser", self._speaking.spoken(words, seed)):
            if len(samples):
                yield AudioPiece(samples, rate, time.perf_counter() - began)
