"""Taking answers out: which, in what form, where to; shown while it goes on, and stopped when the user says so."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.progress import Progress
from gui.audit.evidence.export_work import Exported, exported
from gui.audit.evidence.target import Target
from gui.jobs import Job
from gui.services import Services
from gui.strings import words
from gui.theme import line_height, space
from gui.widgets import Button, InlineError, LineEdit, ProgressBar, Segmented, label

FORMS = ("csv", "jsonl", "clips", "html")
SUFFIXES = {"csv": ".csv", "jsonl": ".jsonl", "clips": "", "html": ".html"}
WIDTH = 520


class ExportDialog(QDialog):
    """Stays beside the work; closing it while it writes stops that, and nothing half written is left."""

    def __init__(self, services: Services, parent: QWidget) -> None:
        super().__init__(parent)
        self._services, self._beside = services, parent
        self._targets: dict[str, Target] = {}
        self._job: Job | None = None
        self._done: Path | None = None
        self._replaces = False
        self.setFixedWidth(WIDTH)
        self.what = Segmented([("chosen", ""), ("found", "")], size="button")
        self.form = Segmented([(form, "") for form in FORMS], size="button")
        self._about = label("", "small", "secondary", wrap=True)
        self._about.setMinimumHeight(3 * line_height("small"))  # of the longest, so that nothing moves
        self.path = LineEdit()
        self._browse = Button(icon="folder-open")
        self.bar = ProgressBar()
        self._told = label("", "small", "secondary", elide=True)
        self.trouble = InlineError()
        self.export_button = Button(icon="export", role="primary")
        self.stop_button, self._show_button = Button(icon="stop"), Button(icon="folder-open")
        self._close_button = Button()
        self._labels = {name: label("", "body", "secondary") for name in ("what", "form", "path")}
        self._lay_out()
        for button in (self._browse, self.stop_button, self._show_button, self._close_button):
            button.setAutoDefault(False)  # Enter exports
        self.export_button.setDefault(True)
        self.form.chosen.connect(self._on_form)
        self.what.chosen.connect(self._say_counts)
        self._browse.clicked.connect(self._ask_path)
        self.export_button.clicked.connect(self._export)
        self.stop_button.clicked.connect(self._stop)
        self._show_button.clicked.connect(self._show_folder)
        self._close_button.clicked.connect(self.close)
        self.path.textChanged.connect(self._on_path)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def open_for(self, chosen: Target | None, found: Target) -> None:
        """Take out what is chosen (several, or one) or all that the filter found."""
        self._targets = {"found": found} if chosen is None else {"chosen": chosen, "found": found}
        is_choice = chosen is not None and chosen.count > 1
        self.what.set_enabled("chosen", chosen is not None)
        self.what.set_value("chosen" if is_choice else "found")
        self.trouble.clear()
        self._done = None
        if not self.path.text():
            self._on_form(self.form.value)
        self._say_counts()
        self._show_state()
        self.setFixedWidth(min(WIDTH, self._over().width() - 2 * space(2)))
        self.show()
        self._fit()
        self._stay_inside(centred=True)
        self.activateWindow()
        self.form.setFocus()

    @property
    def is_writing(self) -> bool:
        """Whether an export goes on."""
        return self._job is not None

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop()
        super().closeEvent(event)

    def event(self, event: QEvent) -> bool:
        """As tall as its sentences want it, whenever one comes or goes."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return handled

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A sentence that comes makes it taller: it moves up rather than out of the window."""
        super().resizeEvent(event)
        if self.isVisible():
            self._stay_inside()

    def reject(self) -> None:
        self._stop()
        super().reject()

    def _fit(self) -> None:
        self.resize(self.width(), self._column.totalHeightForWidth(self.width()))

    def _over(self) -> QRect:
        """The window that it stands over, without its frame."""
        return self._beside.window().geometry()

    def _stay_inside(self, *, centred: bool = False) -> None:
        """Move wholly over the window, or to its top where it is taller; from its middle, or from where it stands."""
        room, frame = self._over(), self.frameGeometry()
        if centred:
            frame.moveCenter(room.center())
        frame.moveLeft(max(room.left(), min(frame.left(), room.right() + 1 - frame.width())))
        frame.moveTop(max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height())))
        if frame.topLeft() != self.frameGeometry().topLeft():
            self.move(frame.topLeft())

    # what is chosen

    def _on_form(self, form: object) -> None:
        self._about.setText(words.text(f"evidence.export.about_{form}"))
        folder, stem = self._place()
        self.path.setText(str(folder / f"{stem}{SUFFIXES[str(form)]}"))

    def _place(self) -> tuple[Path, str]:
        """The folder and the name without its ending that are written now, or those to begin with."""
        written = self.path.text().strip()
        if not written:
            documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
            return Path(documents), "auricle-answers"
        path = Path(written)
        return path.parent, path.stem if path.suffix in SUFFIXES.values() else path.name

    def _on_path(self) -> None:
        self.trouble.clear()
        self._show_state()

    def _ask_path(self) -> None:
        """Ask the desktop where to; a file that is there is asked about when it is written."""
        dialog = QFileDialog(self, words.text("evidence.export.where"), self.path.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.fileSelected.connect(self.path.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # the work

    def _export(self) -> None:
        workspace = self._services.workspace.current
        path = Path(self.path.text().strip()).expanduser()
        if workspace is None or self._job is not None or not self.path.text().strip():
            return
        if not path.is_absolute():
            self.trouble.say(words.text("evidence.export.absolute"))
            return
        self.trouble.clear()
        self._done = None
        target = self._targets[str(self.what.value)]
        self._job = job = self._services.jobs.run(
            exported(workspace, target, str(self.form.value), path, words.language, self._replaces), "working"
        )
        self._replaces = False
        job.progressed.connect(self._on_progress)
        job.succeeded.connect(self._on_done)
        job.failed.connect(self._on_failure)
        job.cancelled.connect(self._on_cancelled)
        self._told.setText(words.text("evidence.export.begins"))
        self.bar.set_counts(0)
        self._show_state()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _on_progress(self, step: Progress) -> None:
        self.bar.set_counts(step.done, total=step.total)
        self._told.setText(words.text("evidence.export.progress", done=f"{step.done:,}", total=f"{step.total:,}"))

    def _on_done(self, done: Exported) -> None:
        self._job, self._done = None, done.path
        key = "done_clips" if done.clips else "done"
        said = words.text(
            f"evidence.export.{key}", count=f"{done.answers:,}", clips=f"{done.clips:,}", name=done.path.name
        )
        if done.problems:
            place, error = done.problems[0]
            more = words.text("evidence.export.left_out", count=len(done.problems), place=place, why=words.error(error))
            self.trouble.say(f"{said} {more}", tone="warning")
        else:
            self.trouble.say(said, tone="good")
        self._services.say(said)
        self._show_state()

    def _on_failure(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, EngineError):
            self._show_state()
            raise error
        is_file = str(self.form.value) != "clips"
        if error.code == "export.exists" and is_file and Path(self.path.text()).is_file():
            question = words.text("evidence.export.replace_question", name=Path(self.path.text()).name)
            self._show_state()
            if self._services.confirm(question, words.text("evidence.export.replace")):
                self._replaces = True
                self._export()
            return
        self.trouble.say(words.error(error), code=error.code)
        self._show_state()

    def _on_cancelled(self) -> None:
        self._job = None
        self.trouble.say(words.text("evidence.export.stopped"), tone="note")
        self._show_state()

    def _show_folder(self) -> None:
        if self._done is not None:
            folder = self._done if self._done.is_dir() else self._done.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    # looks

    def _show_state(self) -> None:
        is_writing = self._job is not None
        for widget in (self.what, self.form, self.path, self._browse):
            widget.setEnabled(not is_writing)
        self.export_button.setEnabled(not is_writing and bool(self.path.text().strip()))
        self.bar.setVisible(is_writing)
        self._told.setVisible(is_writing)
        self.stop_button.setVisible(is_writing)
        self._close_button.setVisible(not is_writing)
        self._show_button.setVisible(not is_writing and self._done is not None)

    def _say_counts(self, *_: object) -> None:
        counts = {name: target.count for name, target in self._targets.items()}
        texts = [
            words.text(f"evidence.export.{name}", count=f"{counts.get(name, 0):,}") for name in ("chosen", "found")
        ]
        self.what.set_texts(texts)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(2))
        where = QHBoxLayout()
        where.setSpacing(space(2))
        where.addWidget(self.path, 1)
        where.addWidget(self._browse)
        for row, (name, field) in enumerate((("what", self.what), ("form", self.form))):
            grid.addWidget(self._labels[name], row, 0)
            grid.addWidget(field, row, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self._about, 2, 1)
        grid.addWidget(self._labels["path"], 3, 0)
        grid.addLayout(where, 3, 1)
        grid.setColumnStretch(1, 1)
        foot = QHBoxLayout()
        foot.setSpacing(space(2))
        foot.addWidget(self._told, 1)
        foot.addStretch(0)
        for button in (self._show_button, self._close_button, self.stop_button, self.export_button):
            foot.addWidget(button)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(space(4), space(4), space(4), space(4))
        column.setSpacing(space(3))
        column.addLayout(grid)
        column.addWidget(self.bar)
        column.addWidget(self.trouble)
        column.addStretch(1)
        column.addLayout(foot)

    def _retranslate(self) -> None:
        self.setWindowTitle(words.text("evidence.export.title"))
        for name, shown in self._labels.items():
            shown.setText(words.text(f"evidence.export.label_{name}"))
        self.what.setAccessibleName(words.text("evidence.export.label_what"))
        self.form.setAccessibleName(words.text("evidence.export.label_form"))
        self.path.setAccessibleName(words.text("evidence.export.label_path"))
        self.form.set_texts([words.text(f"evidence.export.{form}") for form in FORMS])
        self._about.setText(words.text(f"evidence.export.about_{self.form.value}"))
        self._browse.setText(words.text("evidence.export.browse"))
        self.export_button.setText(words.text("evidence.export.button"))
        self.stop_button.setText(words.text("evidence.export.stop"))
        self._close_button.setText(words.text("evidence.close"))
        self._show_button.setText(words.text("evidence.export.show"))
        self._say_counts()
        self._show_state()
