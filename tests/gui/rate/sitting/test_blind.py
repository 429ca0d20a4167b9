"""Nothing in front of the rater tells which system spoke: texts, tips, names, titles, files, the log."""

from __future__ import annotations

import logging

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from engine.store.workspace import Workspace
from gui.frame.log import logger
from tests.gui.rate.sitting.made import SYSTEMS

Key = Qt.Key


def told_by(widget: QWidget) -> list[str]:
    """Everything a widget and all in it could let somebody read."""
    found = []
    for one in (widget, *widget.findChildren(QObject)):
        found.append(one.objectName())
        if isinstance(one, QWidget):
            found += [
                one.toolTip(),
                one.statusTip(),
                one.whatsThis(),
                one.accessibleName(),
                one.accessibleDescription(),
            ]
            found += [one.windowTitle(), one.windowFilePath()]
        if isinstance(one, (QLabel, QLineEdit)) or hasattr(one, "text"):
            text = one.text
            found.append(str(text() if callable(text) else text))
        found += [str(one.property(name)) for name in ("role", "tone", "type", "error")]
    return found


def secrets(workspace: Workspace) -> list[str]:
    """Names of systems and runs, uids and files of answers."""
    db = workspace.connect()
    found = [row[0] for row in db.execute("SELECT name FROM system")]
    found += [row[0] for row in db.execute("SELECT uid FROM response")]
    found += [row[0] for row in db.execute("SELECT path FROM audio")]
    db.close()
    return found


@pytest.mark.parametrize("protocol", ["empathy_acoustic", "safety", "preference"])
def test_no_widget_and_no_line_of_the_log_tells_the_system(at_first, protocol, caplog):
    logger.addHandler(caplog.handler)
    try:
        rater = at_first(protocol)
        told = []
        for step in range(2):
            told += told_by(rater.window)
            rater.presses(Key.Key_S)
            told += told_by(rater.window)
            rater.presses(Key.Key_Escape)
            rater.hears_all()
            told += told_by(rater.window)
            rater.types("1" if protocol == "safety" else "12")
            rater.presses(Key.Key_Return)
            rater.waits(lambda: not rater.view.model.saving.is_busy)
            told += told_by(rater.window)
            rater.presses(Key.Key_Return)
            rater.waits(lambda step=step: rater.place == step + 2)
    finally:
        logger.removeHandler(caplog.handler)
    told += [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert len(told) > 500
    assert any("先别急" in text for text in told)  # the looking itself works: an answer that was revealed is found
    for secret in (*SYSTEMS, *secrets(rater.workspace)):
        assert [text for text in told if secret in text] == []


def test_what_the_screen_holds_does_not_print_where_a_sound_lies(at_first):
    rater = at_first("naturalness")
    for secret in (*SYSTEMS, *secrets(rater.workspace)):
        assert secret not in repr(rater.item)


def test_a_recording_kept_where_it_was_cannot_tell_by_a_message(rater, tmp_path):
    """Files kept by reference lie under telling names; one that is broken is told without it."""
    from tests.gui.rate.sitting.made import session_of_all

    db = rater.workspace.connect()
    telling = tmp_path / "Zephyrine-Omni" / "7.wav"
    telling.parent.mkdir()
    telling.write_bytes(b"no sound at all")
    (audio,) = db.execute("SELECT audio_id FROM response WHERE id = 1").fetchone()
    db.execute("UPDATE audio SET path = ? WHERE id = ?", (str(telling), audio))
    db.close()
    rater.sits_down(session_of_all(rater.workspace, "naturalness"))
    rater.goes_to_the_first_item()
    rater.waits(lambda: bool(rater.item.broken))
    rater.presses(Key.Key_Space)
    rater.waits(lambda: not rater.view.model.playing.is_playing)
    assert [text for text in told_by(rater.window) if "Zephyrine" in text] == []
    assert rater.services.asked.said == []
