"""The ready filters that an auditor begins with, each a text of the grammar."""

from __future__ import annotations

from dataclasses import dataclass

from engine.query.ranks import SortKey
from engine.strings import text

_UNLIKE = "error>0.05 OR mismatch:*"
_CUT = "faults:silent,no_samples,no_usable_sample,truncated,truncated_stream OR mismatch:truncation OR silent>=0.95"
_WORST_SPEECH = (SortKey("error", descending=True),)


@dataclass(frozen=True, slots=True)
class Preset:
    """A filter with a name (``query.preset.<id>``) and the order in which its answers are worst first."""

    id: str
    query: str
    sort: tuple[SortKey, ...] = _WORST_SPEECH

    def label(self, language: str) -> str:
        """What people call it."""
        return text(f"query.preset.{self.id}", language)

    def about(self, language: str) -> str:
        """One sentence on what it finds."""
        return text(f"query.preset_about.{self.id}", language)


PRESETS = (
    Preset("all", ""),
    Preset("unlike", _UNLIKE),
    Preset("right_text", "verdict:right speech:wrong"),
    Preset("silent_or_cut", _CUT, (SortKey("silent", descending=True),)),
    Preset("slow", "rtf>1 OR first>3", (SortKey("rtf", descending=True),)),
    Preset("wrong_language", "is:other_script"),
    Preset("near_cut", "error:0.03..0.07", (SortKey("error", descending=False),)),
    Preset("flipped", "is:flipped"),
    Preset("not_judged", "state:unparsable,failed,unscored", (SortKey("state"),)),
)
