"""The window of somebody who was sent a bundle: the rating screen, and nothing else of the program."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.actions import Actions
from gui.choosing import Chooser, FileDialogs
from gui.collecting import Collector
from gui.frame.ask import ask
from gui.frame.sheet import KeySheet
from gui.jobs import JobRunner
from gui.open_workspace import OpenWorkspace
from gui.player.player import Player
from gui.rate.bundle_page import BundlePage
from gui.rate.bundle_work import BundleWork
from gui.rate.sitting.keys import sitting_keys
from gui.rate.sitting.view import SittingView
from gui.rate.sitting.wording import say
from gui.services import Services
from gui.settings import Settings
from gui.strings import Words
from gui.theme import set_reduced_motion, set_theme, theme

SIZE, SMALLEST = (1280, 800), (640, 400)
SCREEN = "bundle"


class BundleWindow(QWidget):
    """Opens a bundle, or the folder it was opened into, and leads through its passes."""

    def __init__(
        self, jobs: JobRunner, settings: Settings, words: Words, path: Path, chooser: Chooser | None = None
    ) -> None:
        super().__init__()
        self._collector = Collector(self)
        self._chooser = chooser if chooser is not None else FileDialogs(self)
        self._player: Player | None = None
        self.sitting: SittingView | None = None
        actions = Actions(words, settings, self)
        self.services = Services(
            OpenWorkspace(jobs, settings, self), jobs, words, settings, actions,
            self._make_player, self._go, self._say, self.confirm,
        )  # fmt: skip
        self.work = BundleWork(jobs, path, self)
        self.page = BundlePage(actions)
        self._sheet = KeySheet(actions, self)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self.setMinimumSize(*SMALLEST)
        room = QGuiApplication.primaryScreen().availableSize()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))
        self._add_actions(actions)
        self._wire()
        self._name()
        actions.belong_to(self)
        actions.enter(SCREEN)
        QTimer.singleShot(0, self, self.work.open)

    def confirm(self, question: str, word: str) -> bool:
        """Whether the rater wants what is asked; ``word`` stands on the button that does it."""
        stay = self.services.words.text("window.closing.stay")
        return ask(self, question, (("do", word), ("stay", stay)), default="stay", escape="stay") == "do"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is to be kept and end all threads."""
        if self.sitting is not None:
            self.sitting.close_sitting()
        if self._player is not None:
            self._player.close()
        self.services.jobs.close()
        self.services.settings.close()
        self._collector.close()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color("surface.window"))

    def _add_actions(self, actions: Actions) -> None:
        actions.add("bundle.begin", "Return", self._begin_next, screen=SCREEN, icon="play")
        actions.add("bundle.write", "Ctrl+S", self._write, screen=SCREEN, icon="export")
        actions.add("frame.keys", ("?", "F1"), self._sheet.show_up, icon="keyboard")
        actions.add("frame.language", "Ctrl+Shift+L", self._switch_language, icon="translate")
        actions.add("frame.theme_light", "", self._be_light, icon="sun")
        actions.add("frame.theme_dark", "", self._be_dark, icon="moon")
        actions.add("frame.full_screen", "F11", self._full_screen, icon="corners-out")
        actions.add("frame.quit", "Ctrl+Q", self.close, icon="x")
        sitting_keys(actions)

    def _wire(self) -> None:
        self.work.changed.connect(self._on_bundle)
        self.work.written.connect(self._on_written)
        self.work.failed.connect(self._on_failure)
        self.page.begun.connect(self._begin)
        self.page.write_asked.connect(self._write)
        self.services.words.changed.connect(self._retranslate)
        self.services.settings.changed.connect(self._on_setting)

    def _begin_next(self) -> None:
        bundle = self.work.bundle
        if bundle is not None and bundle.next is not None:
            self._begin(bundle.next.row.id)

    def _begin(self, session_id: int) -> None:
        assert self.work.bundle is not None
        self.page.tell("")
        self.services.workspace.current = self.work.bundle.workspace
        self.sitting = SittingView(self.services, session_id, self)
        self.sitting.left.connect(self._get_up)
        self.sitting.finished.connect(self._get_up)
        self._stack.addWidget(self.sitting)
        self._stack.setCurrentWidget(self.sitting)

    def _get_up(self) -> None:
        gone, self.sitting = self.sitting, None
        if gone is not None:
            self._stack.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self.services.actions.enter(SCREEN)
        self.page.setFocus()
        self.work.look()

    def _write(self) -> None:
        bundle = self.work.bundle
        if bundle is not None and self.page.write.isEnabled():
            self._chooser.place(say("bundle.write"), bundle.proposed, f"{say('bundle.zip')} (*.zip)", self.work.write)

    def _on_bundle(self) -> None:
        bundle = self.work.bundle
        assert bundle is not None
        if bundle.language and not self.services.settings.get("language"):
            self.services.words.use(bundle.language)
        self.page.show_bundle(bundle)
        self._name()

    def _on_written(self, path: Path) -> None:
        self.page.tell(say("bundle.written", path=path))

    def _on_failure(self, error: EngineError) -> None:
        self.page.tell(self.services.words.error(error), is_trouble=True)

    def _retranslate(self) -> None:
        self.page.retranslate()
        self._name()

    def _name(self) -> None:
        bundle, words = self.work.bundle, self.services.words
        title = "" if bundle is None else words.text("window.title_with", workspace=bundle.title)
        self.setWindowTitle(title or words.text("window.title"))

    def _make_player(self) -> Player:
        self._player = Player(self.services.jobs, self.services.settings, self)
        return self._player

    def _switch_language(self) -> None:
        self.services.settings.set("language", "en" if self.services.words.language == "zh" else "zh")

    def _be_light(self) -> None:
        self.services.settings.set("theme", "light")

    def _be_dark(self) -> None:
        self.services.settings.set("theme", "dark")

    def _full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _on_setting(self, name: str) -> None:
        value = self.services.settings.get(name)
        if name == "theme":
            set_theme(value)
        elif name == "reduced_motion":
            set_reduced_motion(value or None)
        elif name == "language" and value:
            self.services.words.use(value)

    def _go(self, screen: str, selection: object = None) -> None:
        """There is no other screen."""

    def _say(self, sentence: str, tone: str = "") -> None:
        """There is no status line; what a rater has to know stands on the page."""
