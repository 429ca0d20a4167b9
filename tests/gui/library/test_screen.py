"""The Library screen tells what is open, what is next and what stands in the way, and loses nothing over it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent

from engine.runs.imports import take_responses
from engine.store.workspace import DATABASE, open_workspace
from gui.strings import words
from tests.engine.runs.made import response, with_benchmark


def test_before_anything_is_open_the_sample_is_the_first_thing_to_take(library):
    view = library.view
    assert "Nothing is open yet" in view._heading.text()
    assert view.start.isVisible()
    assert not view.next.isVisible()
    assert view.start.sample.button.property("role") == "primary"
    assert [cell.accessibleName().split(":")[0] for cell in view.way.cells.values()] == [
        "Instances",
        "Answers",
        "Measurements",
        "Judgements",
        "Ratings",
        "Calibration",
        "Report",
    ]
    assert [step for step, cell in view.way.cells.items() if cell.isEnabled()] == [
        "instances",
        "answers",
        "measurements",
        "judgements",
        "ratings",
    ]


def test_the_sample_is_made_in_one_click_and_the_screen_says_what_is_next(library):
    library.press(library.view.start.sample.button)
    library.wait_for(lambda: library.view.next.isVisible())
    library.wait_until_idle()
    view = library.view
    assert view._heading.text() == "3 systems, 128 answers."
    assert view.next.button.text() == "Measure the answers"
    assert not view.start.isVisible()
    assert view.way.cells["instances"].accessibleName().startswith("Instances: 69")
    assert view.systems.table.facts.rowCount() == 3
    titles = [view.benchmarks.table.facts.index(row, 0).data() for row in range(19)]
    assert "VocalBench-zh" in titles
    assert "Safety alignment" in titles
    library.press(view.next.button)
    assert library.services.asked.gone[-1][0] == "run"


def test_enter_makes_the_sample_and_cancel_keeps_what_is_written(library, qtbot):
    library.view.setFocus()
    qtbot.keyClick(library.view, Qt.Key.Key_Return)
    assert library.view.start.cancel.isVisible()
    library.press(library.view.start.cancel)
    library.wait_until_idle()
    assert not library.view.start.cancel.isVisible()
    assert library.view.model.trouble is None


def test_what_is_in_a_workspace_is_shown_and_its_rows_open_audit(library, small, qtbot):
    library.open(small.folder)
    view = library.view
    assert view._heading.text() == "1 system, 3 answers."
    assert "8 instances in 2 subsets" in view._sub.text()
    assert view.next.button.text() == "Measure the answers"
    assert "2 spoken answers" in view.next._says.text()
    cells = [view.systems.table.facts.index(0, column).data() for column in range(6)]
    assert cells == ["parrot", "recorded", "3", "2", "0 %", "0 %"]
    view.systems.table.setFocus()
    qtbot.keyClick(view.systems.table, Qt.Key.Key_Return)
    screen, selection = library.services.asked.gone[-1]
    assert (screen, selection.query) == ("audit", "system:parrot")
    view.benchmarks.table.setFocus()
    qtbot.keyClick(view.benchmarks.table, Qt.Key.Key_Down)
    qtbot.keyClick(view.benchmarks.table, Qt.Key.Key_Return)
    assert library.services.asked.gone[-1][1].query == "benchmark:vocalbench_zh subset:chinese_knowledge"


def test_both_languages_are_spoken_at_once(library, small):
    library.open(small.folder)
    words.use("zh")
    view = library.view
    assert view._heading.text() == "1 个系统，3 条回答。"
    assert view.open.text() == "打开"
    assert view.next.button.text() == "测量回答"
    assert view.benchmarks.table.facts.index(1, 0).data() == "中国知识"
    assert view.computer.rows["disk"]._title.text() == "磁盘"
    assert "打开" in view.open.toolTip()


def test_a_new_workspace_is_made_where_the_user_says(library, chooser, tmp_path):
    chooser.path = tmp_path / "fresh"
    library.press(library.view.new)
    library.wait_for(lambda: library.services.workspace.current is not None)
    assert (tmp_path / "fresh" / DATABASE).exists()
    library.wait_for(lambda: library.view._heading.text() == "This workspace is empty.")
    assert library.view._place.text() == "new workspace"


def test_a_new_workspace_lies_apart_from_what_is_in_the_folder_already(library, chooser, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    chooser.path = tmp_path / "mine"
    library.press(library.view.new)
    library.wait_for(lambda: library.services.workspace.current is not None)
    assert library.services.workspace.current.folder == tmp_path / "mine" / "auricle-workspace"
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["auricle-workspace", "thesis.txt"]


def test_a_folder_without_a_workspace_is_told_and_may_become_one(library, small, chooser, tmp_path):
    library.open(small.folder)
    chooser.path = tmp_path / "nothing"
    chooser.path.mkdir()
    library.press(library.view.open)
    library.wait_for(lambda: library.view.error.isVisible())
    assert "no workspace in" in library.view.error.sentence()
    assert library.services.workspace.current.folder == small.folder
    assert library.view._heading.text() == "1 system, 3 answers."
    library.press(library.view.error._button)
    library.wait_for(lambda: library.services.workspace.current.folder == tmp_path / "nothing")
    assert not library.view.error.isVisible()


def made_newer(folder):
    import sqlite3

    open_workspace(folder, create=True)
    db = sqlite3.connect(folder / DATABASE)
    db.execute("PRAGMA user_version = 9999")
    db.close()


def made_damaged(folder):
    folder.mkdir()
    (folder / DATABASE).write_bytes(b"\x00garbage" * 500)


def made_foreign(folder):
    import sqlite3

    folder.mkdir()
    db = sqlite3.connect(folder / DATABASE)
    db.execute("CREATE TABLE invoices (id)")
    db.commit()
    db.close()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (made_newer, "made by a newer version"),
        (made_damaged, "cannot be read as a database"),
        (made_foreign, "another program’s database"),
    ],
)
def test_what_cannot_be_opened_is_told_and_the_open_workspace_stays(library, small, tmp_path, make, told):
    library.open(small.folder)
    make(tmp_path / "other")
    before = (tmp_path / "other" / DATABASE).read_bytes()
    library.view.model.open(tmp_path / "other")
    library.wait_for(lambda: library.view.error.isVisible())
    assert told in library.view.error.sentence()
    assert library.services.workspace.current.folder == small.folder
    assert (tmp_path / "other" / DATABASE).read_bytes() == before
    words.use("zh")
    assert told not in library.view.error.sentence()
    library.press(library.view.error._button)
    assert not library.view.error.isVisible()


def test_a_network_drive_is_refused_in_the_windows_words(library, tmp_path, monkeypatch):
    from engine.store import drives

    monkeypatch.setattr(drives, "_mounts", lambda: f"server:/x {tmp_path} nfs4 rw 0 0\n")
    library.view.model.open(tmp_path / "w", create=True)
    library.wait_for(lambda: library.view.error.isVisible())
    assert "network drive (nfs4)" in library.view.error.sentence()
    assert not (tmp_path / "w").exists()


def test_a_folder_that_cannot_be_written_is_told(library, tmp_path, monkeypatch):
    make = Path.mkdir

    def refused(path, *rest, **more):
        if "closed" in path.parts:
            raise PermissionError(13, "Permission denied", str(path))
        make(path, *rest, **more)

    monkeypatch.setattr(Path, "mkdir", refused)
    library.view.model.open(tmp_path / "closed" / "w", create=True)
    library.wait_for(lambda: library.view.error.isVisible())
    assert "cannot be written" in library.view.error.sentence()
    assert "Permission denied" in library.view.error.sentence()


def test_a_file_in_the_way_of_a_new_workspace_is_told(library, tmp_path):
    (tmp_path / "w").write_text("a file, not a folder")
    library.view.model.open(tmp_path / "w", create=True)
    library.wait_for(lambda: library.view.error.isVisible())
    assert "Nothing was lost" in library.view.error.sentence()
    assert (tmp_path / "w").read_text() == "a file, not a folder"


def test_results_written_by_others_are_counted_anew(library, small, finish, tmp_path):
    from tests.engine.runs.made import response

    library.open(small.folder)
    from engine.runs.imports import take_responses

    finish(take_responses(small, "vocalbench_zh", "echo", [response(0, "少林")]))
    library.services.workspace.content_changed.emit()
    library.wait_for(lambda: library.view._heading.text() == "2 systems, 4 answers.")


def test_a_dropped_workspace_is_opened_and_anything_else_is_looked_at(library, small, tmp_path):
    view = library.view

    def drop(*urls):
        data = QMimeData()
        data.setUrls(list(urls))
        event = QDropEvent(
            QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        view.dropEvent(event)

    drop(QUrl.fromLocalFile(str(small.folder)))
    library.wait_for(lambda: library.services.workspace.current is not None)
    assert view._stack.currentWidget() is view._main
    (tmp_path / "picture.png").write_bytes(b"x")
    drop(QUrl.fromLocalFile(str(tmp_path / "picture.png")))
    library.wait_for(lambda: view.error.isVisible())
    assert "picture.png" in view.error.sentence()
    drop(QUrl("https://example.org/x"))
    assert "of this computer" in view.error.sentence()
    drop(QUrl.fromLocalFile("/a"), QUrl.fromLocalFile("/b"))
    assert "one thing at a time" in view.error.sentence()


@pytest.mark.parametrize("size", [(640, 356), (752, 400), (1318, 700), (1520, 850), (2120, 1150)])
def test_no_part_is_cut_off_sideways_at_any_size(library, small, qtbot, size):
    library.open(small.folder)
    view = library.view
    view.resize(*size)
    inside, room = view._main.widget(), view._main.viewport()
    library.wait_for(lambda: view.width() == size[0] and inside.width() <= room.width())
    assert inside.minimumSizeHint().width() <= room.width()
    assert view.computer.isVisible()
    assert (view._row.indexOf(view.computer) < 0) == (size[0] < 900)


def test_every_button_has_a_tip_and_a_name(library, small):
    from PySide6.QtWidgets import QAbstractButton

    library.open(small.folder)
    library.view.import_page.show()
    for button in library.view.findChildren(QAbstractButton):
        if button.isVisibleTo(library.view):
            assert button.toolTip(), button
            assert button.accessibleName() or button.text(), button


def test_the_window_loads_nothing_heavy_for_this_screen(library):
    heavy = {"torch", "transformers", "whisper", "faster_whisper", "librosa", "openai", "funasr", "onnxruntime"}
    assert heavy & set(sys.modules) == set()


def test_a_report_that_lies_in_the_workspace_is_opened_from_here(library, small, monkeypatch):
    opened = []
    monkeypatch.setattr("gui.library.screen.QDesktopServices.openUrl", opened.append)
    library.open(small.folder)
    assert not library.view.next.report.isVisible()
    (small.folder / "report.html").write_text("<html></html>")
    library.view.model.count()
    library.wait_for(lambda: library.view.next.report.isVisible())
    assert library.view.way.cells["report"].accessibleName().startswith("Report: 1.")
    library.press(library.view.next.report)
    assert [url.toLocalFile() for url in opened] == [str(small.folder / "report.html")]


def test_answers_without_audio_are_read_not_listened_to(library, tmp_path, finish):
    workspace = with_benchmark(open_workspace(tmp_path / "written", create=True), "robust")
    finish(take_responses(workspace, "vocalbench_zh", "writer", [response(0, "嵩山", "robust")]))
    library.open(workspace.folder)
    assert library.view.next.button.text() == "Read the worst answers"
    words.use("zh")
    assert library.view.next.button.text() == "阅读最差的回答"
