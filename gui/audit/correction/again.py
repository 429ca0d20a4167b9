"""Sends the answers chosen in Audit to Run, to be measured or judged again."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from engine.query.selection import Selection
from gui.audit.acts import register
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
        self._entries = {purpose: self._menu.addAction("") for purpose in ("measure", "judge")}
        self._entries["measure"].triggered.connect(self.measure)
        self._entries["judge"].triggered.connect(self.judge)
        register(services.actions, {"measure_again": self.measure, "judge_again": self.judge})
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
        keys = self._services.actions.keys
        one, all_of_them = keys("audit.choose"), keys("audit.choose_all")
        several = words.text("audit.choosing.several", one=one, all=all_of_them)
        self.button.set_tip(say("again.menu") + (f"\n{several}" if one and all_of_them else ""))
        for purpose, entry in self._entries.items():
            key = keys(f"audit.{purpose}_again")
            entry.setText(say(f"again.{purpose}") + (f"\t{key}" if key else ""))
