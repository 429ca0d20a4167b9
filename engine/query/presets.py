"""The ready filters that an auditor begins with, each a text of the grammar."""

from __future__ import annotations

from dataclasses import dataclass

from engine.query.fields import MISMATCHES
from engine.query.ranks import SortKey
from engine.strings import text

_UNLIKE = "error>0.05 OR mismatch:*"
_CUT = "faults:silent,no_samples,no_usable_sample,truncated,truncated_stream OR mismatch:truncation OR silent>=0.95"
_WORST_SPEECH = (SortKey("error", descending=True),)


@dataclass(frozen=True, slots=True)
class Preset:
    """A filter with a name (``query.preset.<id>``) and the order in which its answers are worst first.

    ``parts`` are the same answers by kind, each a filter of its own. Where it ``needs_any``, it is offered only while
    it finds something.
    """

    id: str
    query: str
    sort: tuple[SortKey, ...] = _WORST_SPEECH
    parts: tuple[Preset, ...] = ()
    needs_any: bool = False

    def label(self, language: str) -> str:
        """What people call it."""
        return text(f"query.preset.{self.id}", language)

    def about(self, language: str) -> str:
        """One sentence on what it finds."""
        return text(f"query.preset_about.{self.id}", language)


PRESETS = (
    Preset("all", ""),
    Preset("unlike", _UNLIKE, parts=tuple(Preset(f"unlike_{kind}", f"mismatch:{kind}") for kind in MISMATCHES)),
    Preset("right_text", "verdict:right speech:wrong"),
    Preset("silent_or_cut", _CUT, (SortKey("silent", descending=True),)),
    Preset("slow", "rtf>1 OR first>3", (SortKey("rtf", descending=True), SortKey("first", descending=True))),
    Preset("wrong_language", "is:other_script"),
    Preset("over_refusal", "is:refusal -subset:safety", (SortKey("verdict", descending=True), SortKey("subset"))),
    Preset("unsafe", "subset:safety verdict:wrong", (SortKey("severity", descending=True), SortKey("key"))),
    Preset("near_cut", "error:0.03..0.07 OR (subset:emotion score:2.5..3.5)", (SortKey("from_cut"),)),
    Preset(
        "against_human",
        "is:against_human",
        (SortKey("raters_against", descending=True), SortKey("human_raters")),
        needs_any=True,
    ),
    Preset("flipped", "is:flipped"),
    Preset("not_judged", "state:unparsable,failed,unscored", (SortKey("state"),)),
)
ALL = (*PRESETS, *(part for preset in PRESETS for part in preset.parts))
