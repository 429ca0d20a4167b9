"""Whether things may move."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QStyle

_chosen: list[bool] = []


def reduced_motion() -> bool:
    """Whether the user, or else the desktop, asked for stillness."""
    if _chosen:
        return _chosen[0]
    style = QApplication.style()
    return style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def set_reduced_motion(still: bool | None) -> None:
    """Stand still, move, or (None) do as the desktop says."""
    _chosen[:] = [] if still is None else [still]
