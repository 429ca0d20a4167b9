"""How much room the parts of an item get: plenty, less, or what a low window has."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from gui.theme import space

LOW_UNDER = 640


@dataclass(frozen=True, slots=True)
class Measures:
    """Lengths in pixels: the edge above the head, the gaps between parts and between scales, and those below.

    Where it ``folds``, of several scales only the open one shows its steps; the others stand in one line each.
    """

    edge: int
    gap: int
    scale_gap: int
    above: int
    is_tight: bool = False
    is_low: bool = False
    folds: bool = False

    def side(self, rows: bool) -> int:
        """The margin left and right, less where the steps lie in rows."""
        return space(3) if rows else space(5)


def measures_of(height: int) -> tuple[Measures, ...]:
    """Those that a page of a height may take, the roomiest first."""
    if height < LOW_UNDER:
        return (Measures(space(2), space(2), space(2), space(1), is_tight=True, is_low=True, folds=True),)
    return (
        Measures(space(5), space(4), space(5), space(3)),
        Measures(space(3), space(3), space(4), space(2)),
        Measures(space(2), space(2), space(3), space(2), is_tight=True),
        Measures(space(3), space(3), space(3), space(2), folds=True),
        Measures(space(2), space(2), space(2), space(2), is_tight=True, folds=True),
    )


def tall(part: QWidget, width: int) -> int:
    """How tall a part has to be at a width, shown or not."""
    return part.heightForWidth(width) if part.hasHeightForWidth() else part.sizeHint().height()
