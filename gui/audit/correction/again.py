"""Sends the answers chosen in Audit to the Run screen, to be measured or judged again by other settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from engine.query.selection import Selection
from gui.audit.correction.wording import say
from gui.services import Services
from gui.strings import words
from gui.widgets.buttons import IconButton


class Choosing(Protocol):
    """Where answers are chosen."""

    @property
    def chosen(self) -> Selection: ...
    @property
    def chosen_count(self) -> int: ...


class Again(QObject):
    """A button with a menu, and the same by key."""

    def __init__(self, services: Services, choosing: Choosing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services, self._choosing = services, choosing
        self.button = IconButton("arrows-clockwise")
        self.button.clicked.connect(self._open)
        self._menu = QMenu(self.button)
        self._entries = {"measure": self._menu.addAction(""), "judge": self._menu.addAction("")}
        self._entries["measure"].triggered.connect(self.measure)
        self._entries["judge"].triggered.connect(self.judge)
        add = services.actions.add
        add("audit.measure_again", "Ctrl+Shift+M", self.measure, screen="audit", icon="arrows-clockwise")
        add("audit.judge_again", "Ctrl+Shift+J", self.judge, screen="audit", icon="scales")
        services.actions.changed.connect(self._say)
        words.changed.connect(self._say)
        self._say()

    def measure(self) -> None:
        """Go to a new run that measures the chosen answers again."""
        self._send("measure")

    def judge(self) -> None:
        """Go to a new run that judges the chosen answers again."""
        self._send("judge")

    def _send(self, purpose: str) -> None:
        if self._choosing.chosen_count:
            self._services.go("run", replace(self._choosing.chosen, purpose=purpose))
        else:
            self._services.say(say("again.none"))

    def _open(self) -> None:
        self._menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))

    def _say(self) -> None:
        self.button.set_tip(say("again.menu"))
        for purpose, entry in self._entries.items():
            keys = self._services.actions.keys(f"audit.{purpose}_again")
            entry.setText(say(f"again.{purpose}") + (f"\t{keys}" if keys else ""))
