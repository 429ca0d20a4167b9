"""The page of what this is and where its files lie."""

from __future__ import annotations

import platform
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from engine import __version__
from engine.shipped import notice
from gui.frame.log import log_folder
from gui.preferences.page import Form, Page
from gui.preferences.page import in_a_row as row_of
from gui.services import Services
from gui.settings import settings_file
from gui.theme import font, space
from gui.widgets import Button, Card, IconButton, label

NOTICE_HEIGHT = 220


class AboutPage(Page):
    """Version, files and licences."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._words = services, services.words
        self._card, self._licences = Card(" "), Card(" ")
        self._version = label("", "body", wrap=True)
        self.places = {
            "settings": _Place(settings_file, self._words.text),
            "log": _Place(log_folder, self._words.text),
            "workspace": _Place(self._workspace, self._words.text),
        }
        self.notice = QPlainTextEdit()
        self.notice.setReadOnly(True)
        self.notice.setTabChangesFocus(True)
        self.notice.setProperty("role", "code")
        self.notice.setFont(font("small", "ui"))
        self.notice.setFixedHeight(NOTICE_HEIGHT)
        self._lay_out()
        services.workspace.changed.connect(self._retranslate)
        services.words.changed.connect(self._retranslate)
        job = services.jobs.call(notice)
        job.succeeded.connect(self.notice.setPlainText)
        job.failed.connect(_bug)
        self._retranslate()

    @property
    def version(self) -> str:
        """The line of versions."""
        return str(self._version.text())

    def _lay_out(self) -> None:
        form = Form()
        self._labels = {"version": form.add(self._version)}
        for name, place in self.places.items():
            self._labels[name] = form.add(place)
        self._card.body.addLayout(form)
        self._licences.body.addWidget(self.notice)
        self.add(self._card)
        self.add(self._licences)
        self.end()

    def _workspace(self) -> Path | None:
        current = self._services.workspace.current
        return None if current is None else current.folder

    def _retranslate(self) -> None:
        say = self._words.text
        self._card.set_title(say("preferences.about.title"))
        self._card.set_foot(say("preferences.about.foot"))
        self._licences.set_title(say("preferences.about.licences"))
        self.notice.setAccessibleName(say("preferences.about.licences"))
        self.notice.setToolTip(say("preferences.about.licences"))
        for name, shown in self._labels.items():
            shown.setText(say(f"preferences.about.{name}"))
        versions = {"version": __version__, "python": platform.python_version(), "qt": qVersion()}
        self._version.setText(say("preferences.about.versions", **versions))
        for name, place in self.places.items():
            place.retranslate(say(f"preferences.about.{name}"), say("preferences.about.no_workspace"))


def _bug(error: Exception) -> None:
    raise error


class _Place(QWidget):
    """A path with a button that opens its folder and one that copies it."""

    def __init__(self, find: Callable[[], Path | None], say: Callable[..., str]) -> None:
        super().__init__()
        self._find, self._say = find, say
        self._path = label("", "table", family="mono", elide=True)
        self.open = Button(size="button_small", icon="folder-open")
        self.copy = IconButton("copy", size="button_small")
        row = row_of(self._path, ends=False)
        row.setStretch(0, 1)
        row.addWidget(self.open)
        row.addWidget(self.copy)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        self.setLayout(row)
        self.open.clicked.connect(self._on_open)
        self.copy.clicked.connect(self._on_copy)

    @property
    def text(self) -> str:
        """The path as it stands there."""
        return str(self._path.text())

    def retranslate(self, name: str, nothing: str) -> None:
        """Say it in the language of now; ``nothing`` stands where there is no path."""
        path = self._find()
        self._path.setText(nothing if path is None else str(path))
        self.open.setText(self._say("preferences.about.open"))
        self.open.set_tip(self._say("preferences.about.open_tip", name=name))
        self.open.setAccessibleName(self._say("preferences.about.open_tip", name=name))
        self.copy.set_tip(self._say("preferences.about.copy_tip", name=name))
        for button in (self.open, self.copy):
            button.setEnabled(path is not None)

    def _on_open(self) -> None:
        path = self._find()
        if path is not None:
            folder = path.parent if path.suffix else path
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _on_copy(self) -> None:
        path = self._find()
        if path is not None:
            QGuiApplication.clipboard().setText(str(path))
