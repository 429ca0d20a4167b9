"""Asks for a folder or a file; tests put their own in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

Then = Callable[[Path], object]


class Chooser(Protocol):
    """Something that asks the user for a path and calls ``then`` with it, or never."""

    def folder(self, title: str, start: Path, then: Then) -> None:
        """A folder that is there, or one that the user makes."""

    def file(self, title: str, start: Path, kinds: str, then: Then) -> None:
        """A file of ``kinds``, as QFileDialog writes them."""

    def place(self, title: str, start: Path, kinds: str, then: Then) -> None:
        """Where to write a file of ``kinds``; the dialog asks before one that is there."""


class FileDialogs(QObject):
    """The dialogs of Qt or the desktop; they do not stop the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent

    def folder(self, title: str, start: Path, then: Then) -> None:
        """Ask for a folder."""
        dialog = self._dialog(title, start, then)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.open()

    def file(self, title: str, start: Path, kinds: str, then: Then) -> None:
        """Ask for a file."""
        dialog = self._dialog(title, start, then)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(kinds)
        dialog.open()

    def place(self, title: str, start: Path, kinds: str, then: Then) -> None:
        """Ask where to write; ``start`` names the file that is proposed."""
        dialog = self._dialog(title, start.parent, then)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(kinds)
        dialog.setDefaultSuffix(start.suffix.removeprefix("."))
        dialog.selectFile(start.name)
        dialog.open()

    def _dialog(self, title: str, start: Path, then: Then) -> QFileDialog:
        dialog = QFileDialog(self._parent, title, str(start))
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(_Gives(then))
        return dialog


class _Gives:
    """Hands a chosen name on as a path."""

    def __init__(self, then: Then) -> None:
        self._then = then

    def __call__(self, name: str) -> None:
        if name:
            self._then(Path(name))
