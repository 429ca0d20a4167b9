"""The Library screen: what is in the workspace and what to do next, imports, and this computer."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFontInfo,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.progress import Progress
from gui.choosing import Chooser, FileDialogs
from gui.library.computer import ComputerPanel
from gui.library.contents import BenchmarksCard, SystemsCard
from gui.library.drop import DropArea
from gui.library.import_model import ImportModel
from gui.library.import_page import ImportPage
from gui.library.import_report import how_it_ended
from gui.library.lengths import LengthsCard
from gui.library.next_card import NextCard
from gui.library.recents import RecentsCard
from gui.library.start_cards import StartCards
from gui.library.view_model import LibraryViewModel
from gui.library.way import WayThrough
from gui.library.wording import counted, size_in_words, trouble_in_words
from gui.screens import all_at_once
from gui.services import Services
from gui.strings import words
from gui.theme import font, missing_cjk, space, width
from gui.widgets import Button, InlineError, ScreenBar, label, scroll_area

SIDE_FROM, WIDE_FROM = 900, 1392  # LOOK: the window's 1440 less the rail; under the first the side stands below
SIDE_NARROW = 340
PAIRED_FROM = 700


@dataclass(frozen=True, slots=True)
class Parts:
    """The larger parts of the screen."""

    model: LibraryViewModel
    computer: ComputerPanel
    start: StartCards
    next: NextCard
    way: WayThrough
    benchmarks: BenchmarksCard
    systems: SystemsCard
    recents: RecentsCard


def made_parts(services: Services) -> Generator[None, None, Parts]:
    """The parts, a few a step: all at once they would take longer than a frame."""
    model = _model(services)
    computer = ComputerPanel(model)
    yield
    cards = StartCards(model), NextCard(model)
    yield
    way, benchmarks = WayThrough(), BenchmarksCard(model)
    yield
    systems, recents = SystemsCard(model), RecentsCard(model)
    yield
    return Parts(model, computer, *cards, way, benchmarks, systems, recents)


def make(services: Services, chooser: Chooser | None = None) -> LibraryScreen:
    """The screen, with the dialogs of the desktop unless others are given."""
    return LibraryScreen(services, all_at_once(made_parts(services)), chooser)


def build(services: Services) -> Generator[None, None, QWidget]:
    """The same in steps short enough for the GUI thread."""
    return LibraryScreen(services, (yield from made_parts(services)))


def _model(services: Services) -> LibraryViewModel:
    family = "" if missing_cjk() else QFontInfo(font("body", "content")).family()
    return LibraryViewModel(services, family)


class LibraryScreen(QWidget):
    """Lays out the parts and wires them to the view-models."""

    def __init__(
        self, services: Services, parts: Parts, chooser: Chooser | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._chooser = chooser if chooser is not None else FileDialogs(self)
        self.model = parts.model
        self.model.setParent(self)
        self.importing = ImportModel(services, self)
        self.bar = ScreenBar()
        self._place = label(type="body", tone="secondary", elide=True)
        self.open, self.new = Button(icon="folder-open", key="Ctrl+O"), Button(icon="folder-plus")
        self.import_ = Button(icon="download-simple", key="Ctrl+I")
        self.error = InlineError()
        self._heading, self._sub = (
            label(type="heading", elide=True),
            label(type="body_large", tone="secondary", wrap=True),
        )
        self.computer, self.start, self.next, self.way = parts.computer, parts.start, parts.next, parts.way
        self.benchmarks, self.systems, self.recents = parts.benchmarks, parts.systems, parts.recents
        self.lengths: LengthsCard | None = None
        self.drop = DropArea()
        self._import_page: ImportPage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAcceptDrops(True)
        self._lay_out()
        self._wire()
        self._register()
        words.changed.connect(self._retranslate)
        self._retranslate()
        self._show_contents()
        self.model.describe_sample()
        self.model.check_computer()
        if self.model.is_open:
            self.model.count()

    @property
    def import_page(self) -> ImportPage:
        """The import, made when it is first needed."""
        if self._import_page is None:
            self._import_page = ImportPage(self.importing, self._chooser)
            self._import_page.left.connect(self._show_main)
            self._import_page.answers_asked.connect(self._show_answers)
            self._stack.addWidget(self._import_page)
        return self._import_page

    def ask_to_open(self) -> None:
        """Choose another workspace."""
        self._chooser.folder(words.text("library.choose.open"), self.model.folder.parent, self.model.open)

    def ask_for_new(self) -> None:
        """Choose where a new workspace is made."""
        self._chooser.folder(words.text("library.choose.new"), self.model.folder.parent, self.model.make_new)

    def ask_to_import(self) -> None:
        """Show the import, at its beginning unless one is going on."""
        if not self.importing.is_busy:
            self.importing.begin()
        self._show_import()

    def do_next(self) -> None:
        """Do what is to be done next."""
        if self.model.is_empty:
            self.model.make_sample()
            return
        if self.model.overview is None:  # nobody knows yet
            return
        step = self.model.next_step
        if step == "import_benchmark":
            self._begin_import("vocalbench_zh")
        elif step == "import_answers":
            self._begin_import("answers")
        elif step == "listen":
            self._services.go("audit")
        else:
            self._services.go("run")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does what is next, where no part of the screen took it."""
        on_main = self._stack.currentWidget() is self._main
        focused = self.focusWidget()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
        elif on_main:
            self.do_next()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """The whole screen takes what the drop area takes."""
        self.drop.dragEnterEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """As the drop area."""
        self.drop.dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """As the drop area."""
        self.drop.dropEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The side narrows, and where there is no room stands below."""
        super().resizeEvent(event)
        self._arrange()

    def shown(self) -> None:
        """What may have changed meanwhile is looked at again."""
        self.model.look_at_recents()

    def _lay_out(self) -> None:
        self.bar.left.addWidget(self._place)
        for button in (self.open, self.new, self.import_):
            self.bar.right.addWidget(button)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(space(7), space(5), space(7), space(6))
        self._column.setSpacing(18)
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._heading)
        head.addWidget(self._sub)
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(space(3))
        self._pair.addWidget(self.benchmarks, 1, Qt.AlignmentFlag.AlignTop)
        self._right = QVBoxLayout()
        self._right.setSpacing(space(3))
        self._right.addWidget(self.systems)
        self._right.addStretch(1)
        self._pair.addLayout(self._right, 1)
        self._column.addWidget(self.error)
        self._column.addLayout(head)
        for part in (self.start, self.next, self.way):
            self._column.addWidget(part)
        self._column.addLayout(self._pair)
        self._column.addWidget(self.recents)
        self._column.addWidget(self.drop, 1)
        self._main = scroll_area(inside)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._main)
        self._row = QHBoxLayout()
        self._row.setSpacing(0)
        self._row.addWidget(self._stack, 1)
        self._row.addWidget(self.computer)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.bar)
        whole.addLayout(self._row, 1)

    def _arrange(self) -> None:
        below = self.width() < SIDE_FROM
        if below and self._row.indexOf(self.computer) >= 0:
            self._row.removeWidget(self.computer)
            self._column.addWidget(self.computer)
            self.computer.setMinimumWidth(0)
            self.computer.setMaximumWidth(16_777_215)
            self.computer.stand_alone(False)
        elif not below and self._row.indexOf(self.computer) < 0:
            self._column.removeWidget(self.computer)
            self._row.addWidget(self.computer)
            self.computer.stand_alone(True)
        if not below:
            self.computer.setFixedWidth(width("library_side") if self.width() >= WIDE_FROM else SIDE_NARROW)
        room = self.width() - (0 if below else self.computer.width())
        way = QBoxLayout.Direction.LeftToRight if room >= PAIRED_FROM else QBoxLayout.Direction.TopToBottom
        self._pair.setDirection(way)
        margin = space(7) if self.width() >= SIDE_FROM else space(4)
        self._column.setContentsMargins(margin, space(5), margin, space(6))

    def _wire(self) -> None:
        model, importing = self.model, self.importing
        self.open.clicked.connect(self.ask_to_open)
        self.new.clicked.connect(self.ask_for_new)
        self.import_.clicked.connect(self.ask_to_import)
        self.start.benchmark_asked.connect(self._import_benchmark)
        self.start.answers_asked.connect(self._import_answers)
        self.next.asked.connect(self.do_next)
        self.next.report_asked.connect(self._open_report)
        self.way.asked.connect(self._on_step)
        self.benchmarks.opened.connect(self._show_answers)
        self.systems.opened.connect(self._show_answers)
        self.recents.view.opened.connect(model.open)
        self.recents.view.lost.connect(self._find)
        self.recents.view.removed.connect(model.forget)
        self.drop.dropped.connect(self._take)
        self.drop.refused.connect(self._refuse)
        self.drop.asked.connect(self._ask_what_to_import)
        self.computer.settings_asked.connect(self._show_settings)
        self.error.acted.connect(self._on_error_acted)
        importing.workspace_dropped.connect(self._open_dropped)
        importing.unknown_dropped.connect(self._refuse_unknown)
        importing.written.connect(self._on_written)
        model.contents_changed.connect(self._show_contents)
        model.workspace_changed.connect(self._show_contents)
        model.trouble_changed.connect(self._show_trouble)
        self._services.workspace.opening.connect(self._on_opening)
        self._services.workspace.progressed.connect(self._on_deriving)

    def _register(self) -> None:
        add = self._services.actions.add
        add("library.open", "Ctrl+O", self.ask_to_open, screen="library", icon="folder-open")
        add("library.new", "", self.ask_for_new, screen="library", icon="folder-plus")
        add("library.import", "Ctrl+I", self.ask_to_import, screen="library", icon="download-simple")
        add("library.check", "", self._check_again, screen="library", icon="arrows-clockwise")
        add("library.next", "", self.do_next, screen="library", icon="arrow-right")
        self._services.actions.changed.connect(self._show_keys)

    def _check_again(self) -> None:
        self.model.check_computer(list_devices=True)

    def _open_report(self) -> None:
        contents = self.model.contents
        if contents is not None and contents.report is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(contents.report)))

    def _on_error_acted(self) -> None:
        trouble = self.model.trouble
        if trouble is not None and trouble.code == "store.no_workspace":
            self.model.make_new(Path(str(trouble.values["path"])))
        else:
            self.model.dismiss()
            self.error.clear()

    def _import_benchmark(self) -> None:
        self._begin_import("vocalbench_zh")
        self.import_page.choose.choose_folder()

    def _import_answers(self) -> None:
        self._begin_import("answers")
        self.import_page.choose.choose_folder()

    def _begin_import(self, kind: str) -> None:
        self.importing.begin(kind)  # type: ignore[arg-type]  # one of the kinds
        self._show_import()

    def _ask_what_to_import(self) -> None:
        self._chooser.folder(words.text("library.choose.import"), Path.home(), self._take)

    def _take(self, path: Path) -> None:
        self.model.dismiss()
        self.importing.begin(path=path)
        self._show_import()

    def _open_dropped(self, path: Path) -> None:
        self._show_main()
        self.model.open(path)

    def _refuse(self, key: str) -> None:
        self.error.say(words.text(key), words.text("library.dismiss"), tone="warning")

    def _refuse_unknown(self, path: Path) -> None:
        self._show_main()
        self.error.say(
            words.text("library.drop.unknown", path=str(path)), words.text("library.dismiss"), tone="warning"
        )

    def _find(self, path: Path) -> None:
        self._lost = path
        self._chooser.folder(words.text("library.choose.find", name=path.name), path.parent, self._found)

    _lost = Path()

    def _found(self, path: Path) -> None:
        self.model.found_again(self._lost, path)

    def _on_step(self, screen: str) -> None:
        if screen == "import":
            self.ask_to_import()
        else:
            self._services.go(screen)

    def _show_answers(self, query: str) -> None:
        from engine.query.selection import Selection

        self._services.go("audit", Selection(query))

    def _show_settings(self) -> None:
        self._services.go("settings")

    def _on_written(self, folder: Path) -> None:
        if self.importing.page == "done":
            self._services.say(how_it_ended(self.importing))
        if self.model.is_open:
            self._services.workspace.content_changed.emit()
        else:
            self._services.workspace.open(folder)

    def _on_opening(self, path: Path) -> None:
        self._place.setText(words.text("library.opening", path=str(path)))

    def _on_deriving(self, progress: Progress) -> None:
        if progress.total:
            told = words.text("library.deriving", done=progress.done, total=progress.total)
            self._place.setText(told)

    def _show_main(self) -> None:
        self._stack.setCurrentWidget(self._main)
        self.setFocus()

    def _show_import(self) -> None:
        self._stack.setCurrentWidget(self.import_page)
        self.import_page.primary().setFocus()

    def _show_contents(self) -> None:
        found, empty = self.model.overview, self.model.is_empty
        filled = found is not None and not empty
        self.start.setVisible(empty)
        for part in (self.next, self.benchmarks, self.systems):
            part.setVisible(filled)
        contents = self.model.contents
        self.way.show_overview(found, has_report=contents is not None and contents.report is not None)
        if self.lengths is not None:
            self.lengths.setVisible(filled)
        elif filled:
            QTimer.singleShot(0, self, self._make_lengths)
        self._say_what_is_here()

    def _make_lengths(self) -> None:
        """The histogram comes after the first contents; its library is loaded on a pool thread."""
        if self.lengths is None:
            from gui.charts import warm

            self._services.jobs.run(warm())
            self.lengths = LengthsCard(self.model)
            self._right.insertWidget(1, self.lengths)

    def _say_what_is_here(self) -> None:
        say, found, model = words.text, self.model.overview, self.model
        current = self._services.workspace.current
        name = current.folder.name if current is not None else say("library.no_workspace")
        self._place.setText(say("library.new_workspace") if current is not None and model.is_empty else name)
        self._place.setToolTip(str(model.folder))
        if found is None or found.is_empty:
            self._heading.setText(say("library.empty.heading" if model.is_open else "library.empty.heading_none"))
            sub = say("library.empty.sub")
            self._sub.setText(
                sub if model.is_open else f"{sub} {say('library.empty.sub_none', path=str(model.folder))}"
            )
            if model.is_open and found is None:
                self._heading.setText("")
                self._sub.setText("")
            return
        systems, answers = counted("systems", found.answering), counted("answers", found.answers)
        instances, subsets = counted("instances", found.instances), counted("subsets", len(found.subsets))
        if found.answers:
            self._heading.setText(say("library.here.heading", systems=systems, answers=answers))
        else:
            self._heading.setText(say("library.here.heading_instances", instances=instances))
        key = "library.here.sub_referenced" if found.referenced_bytes else "library.here.sub"
        sizes = {"size": size_in_words(found.own_bytes), "referenced": size_in_words(found.referenced_bytes)}
        self._sub.setText(say(key, instances=instances, subsets=subsets, **sizes))

    def _show_trouble(self) -> None:
        trouble: EngineError | None = self.model.trouble
        if trouble is None:
            self.error.clear()
        else:
            may_make = trouble.code == "store.no_workspace"
            do = words.text("library.trouble.no_workspace_do" if may_make else "library.dismiss")
            self.error.say(trouble_in_words(trouble), do, trouble.code, "error")
            self._show_main()
            self._main.ensureWidgetVisible(self.error)
        self._say_what_is_here()

    def _show_keys(self) -> None:
        for button, action in ((self.open, "library.open"), (self.import_, "library.import")):
            button.set_keys(self._services.actions.keys(action) or None)

    def _retranslate(self) -> None:
        say = words.text
        self.bar.set_title(say("library.title"))
        self.setAccessibleName(say("library.title"))
        for button, key in ((self.open, "open"), (self.new, "new"), (self.import_, "import_button")):
            button.setText(say(f"library.{key}"))
            button.set_tip(say(f"library.{key}_tip"))
        self._show_trouble()
