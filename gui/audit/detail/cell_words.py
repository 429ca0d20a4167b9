"""What the alignment says of itself in words: the legend, the tip of a cell, the list for a screen reader."""

from __future__ import annotations

from collections import Counter

from engine.metrics.drawn import Cell
from engine.query.alignment import ShownAlignment
from engine.text.pinyin import marked
from gui.strings import words

GLYPHS = {"substitution": "≠", "insertion": "+", "deletion": "−"}
SOUNDS = ("homophone", "tone", "reading", "other")
LONGEST_LIST = 60


def kinds_said(shown: ShownAlignment) -> list[tuple[str, str]]:
    """(kind, words) of each kind of edit that occurs: ``substituted 2 (1 homophone)``."""
    kinds = Counter(cell.kind for cell in shown.drawn.cells if cell.is_edit)
    said = []
    for kind in ("substitution", "deletion", "insertion"):
        if kinds[kind]:
            sentence = words.text(f"audit.detail.kind.{kind}", count=kinds[kind])
            sounds = _sounds_said(shown) if kind == "substitution" else ""
            said.append((kind, f"{sentence}{sounds}"))
    return said


def counts_said(shown: ShownAlignment) -> str:
    """The rates that the cells add up to: ``6 of 35 characters; a homophone is no syllable error: 5 of 35``."""
    by_metric = {counted.metric: counted for counted in shown.drawn.counts}
    tokens = [cell.reference or cell.hypothesis for cell in shown.drawn.cells if cell.kind != "mark"]
    is_plain = all(len(token) == 1 and not token.isascii() for token in tokens)
    parts = []
    for metric in ("word_error_rate", "mixed_error_rate", "syllable_error_rate", "published_syllable_error_rate"):
        counted = by_metric.get(metric)
        if counted is None:
            continue
        key = metric.removesuffix("_error_rate")
        if key == "mixed" and is_plain:
            key = "character"
        has_homophone = any(cell.sound == "homophone" for cell in shown.drawn.cells)
        if key == "syllable" and has_homophone:
            key = "syllable_homophone"
        parts.append(words.text(f"audit.detail.count.{key}", errors=counted.errors, length=counted.reference_length))
    return words.text("audit.detail.count.joint").join(parts)


def hint_said(shown: ShownAlignment, is_english: bool) -> str:
    """How to hear a cell, and whether the times are the recogniser's own."""
    source = shown.times.source
    unit = "word" if is_english else "character"
    return words.text(f"audit.detail.hint.{source}_{unit}") if source != "nothing" else ""


def cell_said(cell: Cell, span: tuple[float, float] | None, source: str) -> str:
    """One cell in words: both sides with their pinyin, how they differ, when it is heard."""
    if cell.kind == "mark":
        return words.text("audit.detail.cell.mark")
    written, heard = _side(cell.reference, cell.reference_syllable), _side(cell.hypothesis, cell.hypothesis_syllable)
    said = [words.text(f"audit.detail.cell.{cell.kind}", written=written, heard=heard)]
    if cell.sound:
        said.append(words.text(f"audit.detail.sound_long.{cell.sound}"))
    if span is not None:
        when = "when" if source == "words" else "when_estimated"
        said.append(words.text(f"audit.detail.cell.{when}", start=f"{span[0]:.2f}", end=f"{span[1]:.2f}"))
    return "\n".join(said)


def edits_said(shown: ShownAlignment) -> str:
    """Every edit as one line, for who cannot see the picture."""
    lines = []
    for cell, span in zip(shown.drawn.cells, shown.times.spans):
        if cell.is_edit:
            lines.append(cell_said(cell, span, shown.times.source).replace("\n", ", "))
        if len(lines) == LONGEST_LIST:
            break
    return "\n".join(lines)


def _sounds_said(shown: ShownAlignment) -> str:
    sounds: Counter[str] = Counter(cell.sound for cell in shown.drawn.cells if cell.sound)
    named = [name for name in SOUNDS if sounds[name]]
    if not named or named == ["other"]:
        return ""
    if len(named) == 1 and sum(sounds.values()) == sounds[named[0]]:
        inside = words.text(f"audit.detail.sound.{named[0]}")
    else:
        parts = [f"{words.text(f'audit.detail.sound.{name}')} {sounds[name]}" for name in named]
        inside = words.text("audit.detail.sound.joint").join(parts)
    return words.text("audit.detail.sound.brackets", inside=inside)


def _side(shown: str, syllable: str) -> str:
    if not syllable or syllable.lower() == shown.lower():
        return shown
    return f"{shown} {marked(syllable)}"
