"""What is chosen for a new study, and the design the engine makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from engine.query.selection import Selection
from gui.rate.titles import title_of

if TYPE_CHECKING:
    from engine.rating.design import Design, Known
    from gui.rate.planning import Offer

How = Literal["random", "stratified", "manual"]
Stratum = Literal["verdict", "subset", "category"]
USUAL_ITEMS = 30


@dataclass(frozen=True, slots=True)
class Choices:
    """All choices of the page; ``chosen`` was handed over by another screen, ``filter`` is typed here.

    ``without`` are answers whose questions are left out. ``listed`` are known answers of a file, with their uses;
    ``known`` are the uses that are wanted. ``items`` None takes all. ``repeats`` is in percent, None as the protocol
    says. ``evens_level`` plays as loud as the protocol allows to be evened out.
    """

    title: str = ""
    chosen: Selection | None = None
    filter: str = ""
    selection: How = "random"
    stratum: Stratum = "verdict"
    items: int | None = USUAL_ITEMS
    added_random: int = 0
    systems: frozenset[str] = frozenset()
    protocols: tuple[str, ...] = ()
    language: str = "en"
    raters: tuple[int, ...] = ()
    ratings_per_item: int = 1
    overlap: int = 0
    repeats: int | None = None
    against: str = ""
    pairs_per_item: int | None = None
    spoken_traps: bool = False
    listed: tuple[tuple[str, Known], ...] = ()
    known: frozenset[str] = frozenset({"gold", "training", "trap"})
    seed: int = 1
    without: frozenset[int] = frozenset()
    trim: bool = False
    evens_level: bool = True

    @property
    def is_by_hand(self) -> bool:
        """Whether the items were picked, not drawn."""
        return self.selection == "manual"

    @classmethod
    def like(cls, design: Mapping[str, Any], before: Choices, items: int) -> Choices:
        """A study beside one that was picked by hand: the same questions and people, ``items`` drawn at random."""
        protocols = tuple(str(name) for name in design.get("protocols", ()))
        raters = tuple(int(number) for number in design.get("raters", ()))
        language = str(design.get("language", before.language))
        return cls(protocols=protocols, raters=raters, language=language, items=items, systems=before.systems)

    @property
    def usual_title(self) -> str:
        """What the study is called where nobody says: by its questions."""
        return ", ".join(title_of(name) for name in self.protocols)

    def design(self, offer: Offer) -> Design | None:
        """The design; None while nothing can be planned of it."""
        from engine.rating.design import Design

        if not self.protocols or not self.raters or not (self.systems & set(offer.systems)):
            return None
        systems = () if self.systems >= set(offer.systems) else tuple(sorted(self.systems))
        return Design(
            title=self.title.strip() or self.usual_title,
            protocols=self.protocols,
            language=self.language,
            raters=self.raters,
            chosen=self._chosen(),
            systems=systems,
            without=tuple(sorted(self.without)),
            items=None if self.is_by_hand else self.items,
            selection=self.selection,
            strata=(self.stratum,),
            added_random=self.added_random if self.is_by_hand else 0,
            ratings_per_item=min(self.ratings_per_item, len(self.raters)),
            overlap=self.overlap,
            repeats_share=None if self.repeats is None else self.repeats / 100,
            gold=self._known(offer, "gold"),
            traps=self._known(offer, "trap"),
            training=self._known(offer, "training"),
            spoken_traps=self.spoken_traps,
            against=self.against if self.against in self.systems else "",
            pairs_per_item=self.pairs_per_item,
            trim=self.trim,
            gain=None if self.evens_level else "none",
            seed=self.seed,
        )

    def known_of(self, offer: Offer, use: str) -> tuple[Known, ...]:
        """Answers of the file and by tags that could be used so; a tag without a scale speaks of a lone question."""
        listed = tuple(each for kind, each in self.listed if kind == use and each.protocol in self.protocols)
        return listed + tuple(
            each.known
            for each in offer.known
            if each.use == use
            and each.known.protocol in self.protocols
            and (each.names_scale or len(self.protocols) == 1)
        )

    def _known(self, offer: Offer, use: str) -> tuple[Known, ...]:
        return self.known_of(offer, use) if use in self.known else ()

    def _chosen(self) -> Selection:
        chosen = self.chosen or Selection()
        if self.filter.strip():
            query = f"({chosen.query}) {self.filter}" if chosen.query else self.filter
            chosen = replace(chosen, query=query)
        return chosen
