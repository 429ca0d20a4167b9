"""Which parts of a bar are shown: those needed least go first, until the rest has its room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget


def make_room(row: QHBoxLayout, width: int, leaving: Sequence[Sequence[QWidget]]) -> None:
    """Show of ``row`` what fits into ``width``; ``leaving`` are the groups that go, the first one first.

    A part needs its least size where it can be cut (its size policy says so), else the size it asks for.
    """
    items = [row.itemAt(index) for index in range(row.count())]
    parts = [part for item in items if item is not None and (part := item.widget()) is not None]
    margins = row.contentsMargins()
    needed = sum(_least(part) + row.spacing() for part in parts) + margins.left() + margins.right()
    gone: set[QWidget] = set()
    for group in leaving:
        if needed <= width:
            break
        needed -= sum(_least(part) + row.spacing() for part in group if part not in gone)
        gone.update(group)
    for part in parts:
        part.setVisible(part not in gone)
    row.activate()


def _least(part: QWidget) -> int:
    policy = part.sizePolicy().horizontalPolicy()
    hint = part.minimumSizeHint() if policy is policy.Maximum else part.sizeHint()
    return min(max(hint.width(), part.minimumWidth()), part.maximumWidth())
