"""What nobody expected reaches the log with its traceback, and the user once, in a dialog that offers the log."""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, QUrl, Signal, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from gui.frame.log import log_folder, logger, start_log
from gui.strings import words


class Failures(QObject):
    """Hears of every exception that nothing caught, on any thread.

    Signals:
        happened: (kind and message, whole traceback), once for each place in the code.
    """

    happened = Signal(str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._told: set[str] = set()

    def on_exception(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        """``sys.excepthook``: Ctrl-C ends the program, everything else is logged and told."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error if error is not None else kind(), trace)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        logger.error("%s", details)
        frames = traceback.extract_tb(trace)
        place = f"{kind.__name__} {frames[-1].filename}:{frames[-1].lineno}" if frames else kind.__name__
        if place not in self._told:
            self._told.add(place)
            self.happened.emit(f"{kind.__name__}: {error}", details)

    def on_thread_exception(self, arguments: threading.ExceptHookArgs) -> None:
        """``threading.excepthook``; the signal crosses to the GUI thread by itself."""
        self.on_exception(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)


class FailureDialog(QMessageBox):
    """Says that something of ours broke, where the details are, and lets them be copied."""

    def __init__(self, what: str, details: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._details = details
        self.setIcon(QMessageBox.Icon.Warning)
        self.setWindowTitle(words.text("window.failure.title"))
        self.setText(words.text("window.failure.what"))
        told = [what[:300], words.text("window.failure.log", path=log_folder() / "window.log")]
        self.setInformativeText("\n".join(told))
        self.setDetailedText(details)
        copy = self.addButton(words.text("window.failure.copy"), QMessageBox.ButtonRole.ActionRole)
        folder = self.addButton(words.text("window.failure.open"), QMessageBox.ButtonRole.ActionRole)
        copy.clicked.disconnect()  # these two leave the dialog open
        folder.clicked.disconnect()
        copy.clicked.connect(self._copy)
        folder.clicked.connect(open_log_folder)
        self.setDefaultButton(self.addButton(words.text("window.failure.go_on"), QMessageBox.ButtonRole.AcceptRole))
        self.setModal(False)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._details)


def open_log_folder() -> None:
    """Show the folder of the log in the desktop's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))


def watch_for_failures(window: QWidget) -> Failures:
    """From now on exceptions and Qt's complaints go to the log, and the first of each kind before the user."""
    start_log()
    failures = Failures(window)

    def tell(what: str, details: str) -> None:
        FailureDialog(what, details, window).open()

    failures.happened.connect(tell)
    sys.excepthook = failures.on_exception
    threading.excepthook = failures.on_thread_exception
    qInstallMessageHandler(_log_qt)
    return failures


def _log_qt(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
        logger.warning("Qt: %s", message)
        if kind == QtMsgType.QtFatalMsg:
            sys.stderr.write(message + "\n")
