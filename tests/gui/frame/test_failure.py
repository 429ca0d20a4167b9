from __future__ import annotations

import sys
import threading

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from gui.frame.failure import FailureDialog, Failures
from gui.frame.log import log_folder, logger, start_log


@pytest.fixture
def own_log():
    handlers = list(logger.handlers)
    for handler in handlers:
        logger.removeHandler(handler)
    start_log()
    yield log_folder() / "window.log"
    for handler in list(logger.handlers):
        handler.close()
        logger.removeHandler(handler)
    for handler in handlers:
        logger.addHandler(handler)


@pytest.fixture
def failures(qapp, own_log):
    owner = QObject()
    made = Failures(owner)
    made.told = []
    made.happened.connect(lambda what, details: made.told.append((what, details)))
    yield made
    owner.deleteLater()


def broken():
    raise ZeroDivisionError("by zero")


def fail(failures):
    try:
        broken()
    except ZeroDivisionError:
        failures.on_exception(*sys.exc_info())


def test_what_nobody_caught_is_logged_with_its_traceback_and_told(failures, own_log):
    fail(failures)
    assert [what for what, _ in failures.told] == ["ZeroDivisionError: by zero"]
    assert "in broken" in own_log.read_text(encoding="utf-8")


def test_the_same_failure_is_told_once_and_logged_each_time(failures, own_log):
    for _ in range(3):
        fail(failures)
    assert len(failures.told) == 1
    assert own_log.read_text(encoding="utf-8").count("in broken") == 3


def test_a_failure_on_another_thread_is_told_too(failures, qtbot, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", failures.on_thread_exception)
    thread = threading.Thread(target=broken)
    with qtbot.waitSignal(failures.happened):
        thread.start()
    thread.join(5)
    assert len(failures.told) == 1


def test_the_dialog_offers_the_details(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    dialog = FailureDialog("ZeroDivisionError: by zero", "the traceback", window)
    dialog.open()
    said = " ".join((dialog.text(), dialog.informativeText()))
    assert "ZeroDivisionError: by zero" in said
    assert "window.log" in said
    copy = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Copy details")
    copy.click()
    assert QGuiApplication.clipboard().text() == "the traceback"
    assert dialog.isVisible()
    dialog.done(0)


def test_a_log_that_cannot_be_written_is_done_without(tmp_path, monkeypatch, qapp):
    monkeypatch.setenv("AURICLE_LOG", str(tmp_path / "file" / "below"))
    (tmp_path / "file").write_text("")
    handlers = list(logger.handlers)
    for handler in handlers:
        logger.removeHandler(handler)
    start_log()
    logger.error("nobody hears this")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    for handler in handlers:
        logger.addHandler(handler)
