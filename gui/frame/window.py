"""The window: rail, screens, status line. It assembles, and knows how to close without losing anything."""

from __future__ import annotations

import base64
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.progress import Progress
from engine.strings import LANGUAGES, read_ahead
from gui.actions import Actions
from gui.collecting import Collector, keep_what_is_loaded
from gui.frame.ask import ask
from gui.frame.banner import Banner
from gui.frame.failure import open_log_folder
from gui.frame.palette import Palette
from gui.frame.rail import Rail
from gui.frame.sheet import KeySheet
from gui.frame.status import StatusLine
from gui.jobs import JobRunner
from gui.open_workspace import OpenWorkspace
from gui.orders import Orders
from gui.profile import RATE
from gui.run.following import Following
from gui.screens import SCREENS, Screen
from gui.services import Services
from gui.settings import Settings
from gui.strings import PUT_AWAY, Words, language_of_the_user
from gui.theme import missing_cjk, set_reduced_motion, set_theme

if TYPE_CHECKING:
    from engine.query.selection import Selection
    from gui.player.player import Player

SIZE = (1366, 768)
SMALLEST = (640, 400)
WORDS_FROM_WIDTH = 1440  # LOOK: under it the rail shows icons only
KEEP_AFTER_MS = 300
REST_AFTER_MS = 1500
IMPORT_EVERY_MS = 10  # what nobody waits for leaves turns to what somebody does
_DONE = object()


class Window(QWidget):
    """One window on one workspace at a time; several windows may be open, each a process of its own."""

    def __init__(
        self, jobs: JobRunner, settings: Settings, words: Words, workspace: Path | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._first = workspace
        self._collector = Collector(self)
        self._views: dict[str, QWidget] = {}
        self._player: Player | None = None
        self._first_screen = SCREENS[0]
        self._loading: set[str] = set()
        self._making: dict[str, Generator[None, None, None]] = {}
        self._selections: dict[str, Selection] = {}
        self._calm: set[str] = set()
        self._on = self._wanted = ""
        self.ask: Callable[..., str] = ask
        opened = OpenWorkspace(jobs, settings, self)
        actions = Actions(words, settings, self)
        self.services = Services(
            opened, jobs, words, settings, actions, self._make_player, self.go, self.say, self.confirm,
            be_calm=self.be_calm, orders=Orders(opened, jobs, settings, self),
        )  # fmt: skip
        self.following = Following(self.services, self)
        self._rail = Rail(SCREENS, actions, self)
        self._stack = QStackedWidget(self)
        self._banner = Banner(self)
        self._status = StatusLine(opened, jobs, self)
        self._palette = Palette(self.services, self)
        self._sheet = KeySheet(actions, self)
        self._make_soon = QTimer(self)
        self._make_soon.setObjectName("screens")
        self._make_soon.setInterval(0)
        self._make_soon.timeout.connect(self._make_on)
        self._importing: Iterator[None] = iter(())
        self._import_soon = QTimer(self)
        self._import_soon.setObjectName("imports")
        self._import_soon.setInterval(IMPORT_EVERY_MS)
        self._import_soon.timeout.connect(self._import_on)
        self._lay_out()
        self._wire()
        self._keep_soon = QTimer(self)
        self._keep_soon.setSingleShot(True)
        self._keep_soon.setInterval(KEEP_AFTER_MS)
        self._keep_soon.timeout.connect(self._keep_geometry)
        self._restore_geometry()
        self._name()
        actions.belong_to(self)
        self._start()

    def go(self, screen: str, selection: Selection | None = None) -> None:
        """Show ``screen`` and give it the selection; one that was never shown is made first, at the next turns."""
        if not self.services.profiles.now.shows(screen):
            screen, selection = RATE, None
        self._wanted = screen
        self._rail.mark(screen)
        if selection is not None:
            self._selections[screen] = selection
        if screen in self._views:
            self._show(screen)
        elif screen not in self._loading:
            self._loading.add(screen)
            load = self.services.jobs.call(_load, next(s for s in SCREENS if s.id == screen))
            load.succeeded.connect(self._on_loaded)
            load.failed.connect(_raise)

    def be_calm(self, calm: bool) -> None:
        """Put rail and status line away while the screen now shown is on, or show them again."""
        if calm:
            self._calm.add(self._on)
        else:
            self._calm.clear()  # what was calm may have ended while another screen was on
        self._show_frame()

    def say(self, sentence: str, tone: str = "") -> None:
        """One sentence on the status line."""
        self._status.say(sentence, tone)

    def confirm(self, question: str, word: str) -> bool:
        """Whether the user wants what cannot be undone; ``word`` stands on the button that does it."""
        stay = self.services.words.text("window.closing.stay")
        return self.ask(self, question, (("do", word), ("stay", stay)), default="stay", escape="stay") == "do"

    @property
    def shown_screen(self) -> str:
        """The id of the screen that is shown."""
        return self._on

    def view(self, screen: str) -> QWidget | None:
        """The view of a screen, None before it was first shown."""
        return self._views.get(screen)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask when work goes on; then write what is not written and end all threads."""
        if not (self._may_stop_jobs() and self._may_leave_run()):
            event.ignore()
            return
        self._keep_geometry()
        self._import_soon.stop()
        self.following.close()
        if self._player is not None:
            self._player.close()
        self.services.jobs.close()
        self.services.settings.close()
        self._collector.close()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus: Space may mean something else on the screen."""
        focused = QApplication.focusWidget()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Under a width the rail loses its words."""
        super().resizeEvent(event)
        self._rail.show_words(self.width() >= WORDS_FROM_WIDTH)
        self._keep_soon.start()

    def moveEvent(self, event: QMoveEvent) -> None:
        """The place on the desktop is kept."""
        super().moveEvent(event)
        self._keep_soon.start()

    def changeEvent(self, event: QEvent) -> None:
        """Maximised or not is kept too."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._keep_soon.start()

    def _lay_out(self) -> None:
        self.setMinimumSize(*SMALLEST)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._banner)
        right.addWidget(self._stack, 1)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(self._rail)
        upper.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(upper, 1)
        whole.addWidget(self._status)

    def _wire(self) -> None:
        services = self.services
        self._rail.chosen.connect(self.go)
        self._status.language_asked.connect(self._switch_language)
        self._status.run_asked.connect(self._show_run)
        self.following.said.connect(self._status.show_run)
        services.workspace.changed.connect(self._name)
        services.profiles.changed.connect(self._on_profile)
        services.words.changed.connect(self._name)
        services.settings.changed.connect(self._on_setting)
        services.settings.failed.connect(self._on_trouble)
        add = services.actions.add
        for screen in SCREENS:
            add(f"screen.{screen.id}", screen.key, _Goes(self, screen.id), icon=screen.icon)
        add("frame.palette", "Ctrl+K", self._palette.show_up, in_palette=False)
        add("frame.keys", ("?", "F1"), self._sheet.show_up, icon="keyboard")
        add("frame.language", "Ctrl+Shift+L", self._switch_language, icon="translate")
        add("frame.theme_light", "", _Chooses(services.settings, "light"), icon="sun")
        add("frame.theme_dark", "", _Chooses(services.settings, "dark"), icon="moon")
        add("frame.theme_system", "", _Chooses(services.settings, "system"), icon="desktop")
        add("frame.full_screen", "F11", self._full_screen, icon="corners-out")
        add("frame.log", "", open_log_folder, icon="folder-open")
        add("frame.quit", "Ctrl+Q", self.close, icon="x")
        self._obey_profile()

    def _start(self) -> None:
        """The frame first; the last screen and workspace once it is painted. What stands in the way is said."""
        if self.services.settings.trouble is not None:
            self._banner.tell(self.services.words.error(self.services.settings.trouble))
        elif missing_cjk():
            words = self.services.words
            self._banner.tell(words.text("window.font.missing") + " " + words.text("window.font.help"))
        last = self.services.settings.get("screen") if self.services.profiles.now.is_owner else RATE
        self._first_screen = next((screen for screen in SCREENS if screen.id == last), SCREENS[0])
        self._rail.mark(self._first_screen.id)
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        """Load the first screen and open the workspace, both beside the GUI thread; then load the other screens."""
        self.go(self._wanted or self._first_screen.id)  # the user may have chosen one already
        if self._first is not None:
            self.services.workspace.open(self._first)
        else:
            self.services.workspace.open_first()

    def _load_rest(self) -> None:
        """Once the first screen has had the processor to itself."""
        screens = [screen for screen in SCREENS if screen is not self._first_screen]
        self._importing = (step for screen in screens for step in screen.import_steps())
        rest = self.services.jobs.run(_loaded(screens))
        rest.succeeded.connect(self._on_rest)
        rest.failed.connect(_raise)

    def _on_rest(self, _: object) -> None:
        self._import_soon.start()

    def _import_on(self) -> None:
        """One module of the screens that nobody has asked for yet; they come first that somebody has."""
        if not self._making and next(self._importing, _DONE) is _DONE:
            self._import_soon.stop()
            keep_what_is_loaded()

    def _make_player(self) -> Player:
        from gui.player.player import Player

        self._player = Player(self.services.jobs, self.services.settings, self)
        self._player.failed.connect(self._on_trouble)
        return self._player

    def _on_loaded(self, entry: Screen) -> None:
        self._making[entry.id] = self._made(entry)
        self._make_soon.start()

    def _make_on(self) -> None:
        """One step of one screen that is being made, the one that is waited for before others."""
        screen = self._wanted if self._wanted in self._making else next(iter(self._making))
        if next(self._making[screen], _DONE) is _DONE:
            del self._making[screen]
        if not self._making:
            self._make_soon.stop()

    def _made(self, entry: Screen) -> Generator[None, None, None]:
        """Make a screen, give it its place, and show it where it is still wanted; each in a turn of its own."""
        view = yield from entry.build(self.services)
        yield
        self._stack.addWidget(view)
        yield
        if not self._views:
            QTimer.singleShot(REST_AFTER_MS, self, self._load_rest)
        self._views[entry.id] = view
        keep_what_is_loaded()
        if entry.id == self._wanted:
            self._show(entry.id)

    def _show(self, screen: str) -> None:
        view = self._views[screen]
        self._on = screen
        for other in self._views.values():
            other.setProperty(PUT_AWAY, other is not view)
        self.services.words.changed.catch_up(view)
        self._stack.setCurrentWidget(view)
        self._show_frame()
        self.services.actions.enter(screen)
        self.services.settings.set("screen", screen)
        selection = self._selections.pop(screen, None)
        if selection is not None:
            view.take(selection)  # type: ignore[attr-defined]  # a screen that is sent selections has it
        view.setFocus()

    def _show_frame(self) -> None:
        for part in (self._rail, self._status):
            part.setVisible(self._on not in self._calm)

    def _on_profile(self) -> None:
        self._obey_profile()
        if self.services.profiles.now.is_owner:
            self.services.words.use(self.services.settings.get("language") or language_of_the_user())
        self._name()
        if not self.services.profiles.now.shows(self._on):
            self.go(RATE)

    def _obey_profile(self) -> None:
        """Rail, keys, palette and status line have what is for whoever sits here."""
        profile = self.services.profiles.now
        if profile.language in LANGUAGES:
            self.services.words.use(profile.language)
        self._rail.show_only(profile.shows)
        self._status.tell_of_workspace(profile.is_owner)
        self.services.actions.allow(profile.allows)

    def _may_stop_jobs(self) -> bool:
        if not self.services.jobs.is_working:
            return True
        words = self.services.words
        choices = (
            ("stop", words.text("window.closing.import_stop")),
            ("stay", words.text("window.closing.stay")),
        )
        question = words.text("window.closing.import_question")
        return self.ask(self, question, choices, default="stay", escape="stay") == "stop"

    def _may_leave_run(self) -> bool:
        run = self.following.running
        if run is None:
            return True
        words = self.services.words
        choices = (
            ("leave", words.text("window.closing.leave")),
            ("stop", words.text("window.closing.stop")),
            ("stay", words.text("window.closing.stay")),
        )
        question = words.text("window.closing.question", run=run)
        answer = self.ask(self, question, choices, default="leave", escape="stay")
        if answer == "stop":
            self.following.stop()
        return answer != "stay"

    def _on_setting(self, name: str) -> None:
        value = self.services.settings.get(name)
        if name == "theme":
            set_theme(value)
        elif name == "reduced_motion":
            set_reduced_motion(value or None)
        elif name == "language" and value:
            self.services.words.use(value)

    def _on_trouble(self, error: EngineError) -> None:
        self.say(self.services.words.error(error), "error")

    def _switch_language(self) -> None:
        self.services.settings.set("language", "en" if self.services.words.language == "zh" else "zh")

    def _show_run(self) -> None:
        self.go("run")

    def _full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _name(self) -> None:
        current = self.services.workspace.current
        words, profile = self.services.words, self.services.profiles.now
        shown = profile.name or words.text("window.rail.rate")
        if profile.is_owner:
            shown = current.folder.name if current else ""
        named = words.text("window.title_with", workspace=shown) if shown else ""
        self.setWindowTitle(named or words.text("window.title"))

    def _keep_geometry(self) -> None:
        kept = base64.b64encode(bytes(self.saveGeometry().data())).decode()
        self.services.settings.set("geometry", kept)

    def _restore_geometry(self) -> None:
        kept = self.services.settings.get("geometry")
        if kept and self.restoreGeometry(QByteArray(base64.b64decode(kept, validate=False))):
            return
        room = QGuiApplication.primaryScreen().availableSize()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))


def _loaded(screens: Sequence[Screen]) -> Generator[Progress, None, None]:
    """Read all strings, import what screens need of the engine and what charts are drawn with."""
    read_ahead()
    for done, screen in enumerate(screens, start=1):
        screen.load()
        yield Progress(done, len(screens), screen.id)
    from gui.charts.warmth import warm

    yield from warm()
    keep_what_is_loaded()


def _load(screen: Screen) -> Screen:
    screen.load()
    return screen


def _raise(error: Exception) -> None:
    raise error


class _Goes:
    """Shows one screen: what its key runs."""

    def __init__(self, window: Window, screen: str) -> None:
        self._window, self._screen = window, screen

    def __call__(self) -> None:
        self._window.go(self._screen)


class _Chooses:
    """Takes one theme."""

    def __init__(self, settings: Settings, theme: str) -> None:
        self._settings, self._theme = settings, theme

    def __call__(self) -> Any:
        self._settings.set("theme", self._theme)
