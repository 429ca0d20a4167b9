"""The filter as text: the terms that stand, and what is being typed and is no term yet."""

from __future__ import annotations

from functools import lru_cache

from engine.errors import EngineError
from engine.query.complete import NO_FACETS, Suggestion, complete
from engine.query.grammar import parse
from engine.query.wording import Chip, chips, joined
from gui.audit.counting import Counting
from gui.strings import Words

_OPEN, _LACKS = ("query.open_quote", "query.open_parenthesis"), ("query.missing_value", "query.missing_term")


class FilterText:
    """Terms can be read; the draft need not. What was counted knows which values there are."""

    def __init__(self, query: str, counting: Counting, words: Words) -> None:
        self._counting, self._words = counting, words
        self._terms: list[str] = terms_of(query)
        self.draft = ""

    @property
    def query(self) -> str:
        """The terms as one text."""
        return _joined(tuple(self._terms))

    @property
    def whole(self) -> str:
        """The terms with what is being typed, as far as it can be looked for."""
        draft = self._settled_draft()
        return _joined((*self._terms, draft) if draft else tuple(self._terms))

    def chips(self) -> tuple[Chip, ...]:
        """The terms, worded in the current language."""
        return tuple(chip for term in self._terms for chip in chips(parse(term), self._words.language))

    def suggest(self, text: str, cursor: int) -> list[Suggestion]:
        """What may be written at ``cursor``."""
        overview = self._counting.overview
        return complete(text, cursor, overview.facets if overview else NO_FACETS, self._words.language)

    def take(self, query: str) -> None:
        """Take over a whole filter; one that cannot be read is left to be typed right."""
        self._terms, self.draft = terms_of(query), "" if is_readable(query) else query

    def commit(self) -> None:
        """Make terms of what is typed; raises EngineError where it cannot be read."""
        self._terms += [chip.text for chip in chips(parse(self.draft), "en") if chip.text]
        self.draft = ""

    def remove(self, place: int) -> None:
        """Take a term away."""
        del self._terms[place]

    def reopen(self, place: int) -> str:
        """Take a term back to be typed; its text. What was being typed becomes a term if it can be read."""
        text = self._terms.pop(place)
        if self.draft.strip() and is_readable(self.draft):
            self._terms.append(joined([self.draft]))
        self.draft = text
        return text

    def trouble(self) -> EngineError | None:
        """Why what is being typed cannot be read; None where it can, or where it only is not finished."""
        try:
            parse(self.draft)
        except EngineError as error:
            at_end = error.values["end"] >= len(self.draft.rstrip())
            is_begun = error.code in _OPEN or (error.code in _LACKS and at_end)
            return None if is_begun or self._is_begun(self.draft) else error
        return None

    def _settled_draft(self) -> str:
        """What is typed as far as it can be looked for: a name or value that is only begun is left out."""
        draft = self.draft.strip()
        if draft and self._is_begun(self.draft):
            draft = " ".join(draft.split()[:-1])
        return draft if draft and is_readable(draft) else ""

    def _is_begun(self, draft: str) -> bool:
        """Whether a name or value at the end is only begun: to look for it as it stands would find nothing."""
        begun = [(draft[offer.start : offer.end].casefold(), offer) for offer in self.suggest(draft, len(draft))]
        fits = [offer.text.casefold() for text, offer in begun if offer.kind == "value" or offer.text.startswith(text)]
        return bool(fits) and begun[0][0] not in fits


def is_readable(text: str) -> bool:
    """Whether a text is a filter."""
    try:
        parse(text)
    except EngineError:
        return False
    return True


def terms_of(query: str) -> list[str]:
    """The terms of a filter; none where it cannot be read."""
    return [chip.text for chip in chips(parse(query), "en") if chip.text] if query and is_readable(query) else []


@lru_cache(64)  # many ask for it while one filter holds
def _joined(terms: tuple[str, ...]) -> str:
    return joined(list(terms)) if terms else ""


def told(query: str) -> str:
    """A filter worded as the terms of one are."""
    return _joined((query,)) if query else ""
