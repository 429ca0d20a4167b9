"""An import is chosen, checked, written and told; stopping and failing leave the store as it says."""

from __future__ import annotations

import json
import threading
from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.benchmarks.values import Finding
from engine.runs.checked_import import Example, Group
from engine.store.overview import overview
from engine.store.workspace import open_workspace
from gui.library import work
from gui.library.import_report import example_lines, place_of
from gui.strings import words
from tests.engine.runs.made import tone, with_benchmark


def answers(folder, count=9, audio=2):
    (folder / "json").mkdir(parents=True)
    rows = [{"Qid": f"chinese_knowledge-{n:04d}", "Response": "少林"} for n in range(count)]
    rows.append({"Qid": "chinese_knowledge-9999", "Response": "?"})
    (folder / "json" / "chinese_knowledge.json").write_text(json.dumps(rows), encoding="utf-8")
    for n in range(audio):
        tone(folder / "wav" / "chinese_knowledge" / f"chinese_knowledge-{n:04d}.wav")
    return folder


def benchmark(folder, count=3):
    (folder / "json").mkdir(parents=True)
    rows = [
        {"Qid": f"safety-{n:03d}", "Question": "问", "Audio": f"safety/{n}.wav", "Source": "s", "Category": "c"}
        for n in range(count)
    ]
    (folder / "json" / "safety.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


@pytest.fixture
def asked(library, tmp_path):
    """A workspace with a benchmark of ten questions is open."""
    library.open(with_benchmark(open_workspace(tmp_path / "w", create=True), count=10).folder)
    return library


def page(library):
    return library.view.importing.page


def stored(library):
    with closing(library.services.workspace.current.connect()) as db:
        return overview(db)


def test_answers_are_chosen_checked_imported_and_opened(asked, chooser, tmp_path):
    chooser.path = answers(tmp_path / "parrot")
    asked.press(asked.view.import_)
    import_page = asked.view.import_page
    import_page.choose.kinds["answers"].click()
    asked.press(import_page.choose.folder)
    asked.wait_for(lambda: import_page.choose.check.isEnabled())
    asked.press(import_page.choose.check)
    asked.wait_for(lambda: page(asked) == "report")
    assert stored(asked).answers == 0
    report = import_page.report
    assert "parrot answered 9 of the 10 questions" in report._what.text()
    names = [row.accessibleName() for row in report.rows()]
    assert any(name.startswith("fault: 7: no audio") for name in names)
    assert any("not in the set" in name for name in names)
    assert report.write.text() == "Import 9 as they are"
    asked.wait_until_idle()
    asked.press(report.write)
    asked.wait_for(lambda: page(asked) == "done")
    asked.wait_until_idle()
    assert "9 answers are new" in import_page.done._lines.text()
    assert stored(asked).answers == 9
    assert asked.view._heading.text() == "1 system, 9 answers."
    asked.press(import_page.done.open)
    screen, selection = asked.services.asked.gone[-1]
    assert (screen, selection.query) == ("audit", "system:parrot benchmark:vocalbench_zh")


def test_the_keyboard_alone_imports_and_goes_back(asked, tmp_path, qtbot):
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    import_page = asked.view.import_page
    assert asked.view.importing.kind == "answers"
    import_page.setFocus()
    qtbot.keyClick(import_page, Qt.Key.Key_Return)
    asked.wait_for(lambda: page(asked) == "report")
    asked.wait_until_idle()
    qtbot.keyClick(import_page, Qt.Key.Key_Escape)
    assert page(asked) == "choose"
    qtbot.keyClick(import_page, Qt.Key.Key_Return)
    asked.wait_for(lambda: page(asked) == "report")
    asked.wait_until_idle()
    qtbot.keyClick(import_page, Qt.Key.Key_Return)
    asked.wait_for(lambda: page(asked) == "done")
    asked.wait_until_idle()
    qtbot.keyClick(import_page, Qt.Key.Key_Return)
    assert asked.view._stack.currentWidget() is asked.view._main


def test_a_benchmark_makes_the_workspace_when_none_is_open(library, tmp_path):
    library.view._take(benchmark(tmp_path / "vocalbench"))
    library.wait_until_idle()
    importing, import_page = library.view.importing, library.view.import_page
    assert importing.kind == "vocalbench_zh"
    assert import_page.choose._target.isVisible()
    importing.check()
    library.wait_for(lambda: page(library) == "report")
    library.wait_for(lambda: "note: 3: no audio" in [row.accessibleName() for row in import_page.report.rows()])
    library.wait_until_idle()
    assert library.services.workspace.current is None
    library.press(import_page.report.write)
    library.wait_for(lambda: library.services.workspace.current is not None)
    library.wait_until_idle()
    assert stored(library).instances == 3
    assert "3 instances are new" in import_page.done._lines.text()
    library.press(import_page.done.library)
    assert library.view.next.button.text() == "Import answers"
    library.press(library.view.next.button)
    assert (page(library), importing.kind) == ("choose", "answers")


def test_answers_without_their_benchmark_are_told_where_the_user_looks(library, tmp_path):
    library.open(open_workspace(tmp_path / "w", create=True).folder)
    library.view._take(answers(tmp_path / "parrot"))
    library.wait_until_idle()
    library.view.importing.check()
    library.wait_for(lambda: library.view.import_page.choose.error.isVisible())
    assert page(library) == "choose"
    assert "not in this workspace yet" in library.view.import_page.choose.error.sentence()
    words.use("zh")
    assert "请先导入" in library.view.import_page.choose.error.sentence()


def test_a_folder_that_is_something_else_says_what_it_needs(asked, tmp_path):
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    asked.view.import_page.choose.kinds["dynamic_superb"].click()
    asked.press(asked.view.import_page.choose.check)
    asked.wait_for(lambda: asked.view.import_page.choose.error.isVisible())
    assert "metadata.json" in asked.view.import_page.choose.error.sentence()
    asked.view.import_page.choose.kinds["answers"].click()
    assert not asked.view.import_page.choose.error.isVisible()


def test_one_of_several_systems_is_chosen(asked, tmp_path):
    for name in ("one", "two"):
        answers(tmp_path / "model_output" / name)
    asked.view._take(tmp_path / "model_output")
    asked.wait_until_idle()
    choose = asked.view.import_page.choose
    assert choose.systems.isVisible()
    assert not choose.check.isEnabled()
    choose.systems.setCurrentIndex(1)
    choose.systems.activated.emit(1)
    assert asked.view.importing.path == tmp_path / "model_output" / "two"
    assert choose.check.isEnabled()


def test_results_computed_elsewhere_come_in_with_their_system(asked, tmp_path):
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    asked.view.importing.check()
    asked.wait_for(lambda: page(asked) == "report")
    asked.wait_until_idle()
    asked.view.importing.write()
    asked.wait_for(lambda: page(asked) == "done")
    asked.wait_until_idle()
    table = tmp_path / "utmos.csv"
    rows = [f"chinese_knowledge,chinese_knowledge-{n:04d},utmos,{n / 2}" for n in range(12)]
    table.write_text("\n".join(["subset,Qid,metric,value", *rows]), encoding="utf-8")
    asked.view._take(table)
    asked.wait_until_idle()
    choose = asked.view.import_page.choose
    assert asked.view.importing.kind == "results"
    assert not choose.keep.isVisible()
    asked.qtbot.keyClicks(choose.system, "parrot")
    asked.press(choose.check)
    asked.wait_for(lambda: page(asked) == "report")
    assert "9 of 12 results" in asked.view.import_page.report._what.text()
    asked.wait_until_idle()
    asked.press(asked.view.import_page.report.write)
    asked.wait_for(lambda: page(asked) == "done")
    assert "9 measurements" in asked.view.import_page.done._lines.text()


def test_stopping_keeps_what_is_written_and_says_so(asked, tmp_path, monkeypatch):
    gate, reached = threading.Event(), threading.Event()
    write = work.write

    def slow(folder, checked):
        steps = write(folder, checked)
        try:
            for step in steps:
                if step.done:
                    reached.set()
                    gate.wait(10)
                yield step
        finally:
            steps.close()

    monkeypatch.setattr(work, "write", slow)
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    asked.view.importing.check()
    asked.wait_for(lambda: page(asked) == "report")
    asked.wait_until_idle()
    asked.view.importing.write()
    asked.wait_for(reached.is_set)
    asked.press(asked.view.import_page.busy.stop)
    gate.set()
    asked.wait_for(lambda: page(asked) == "done")
    asked.wait_until_idle()
    assert "Stopped" in asked.view.import_page.done.told.sentence()
    found = stored(asked)
    assert found.answers == 9
    assert found.last_run.state == "cancelled"


def test_while_it_writes_a_second_import_waits(asked, tmp_path, monkeypatch):
    gate = threading.Event()

    def slow(folder, checked):
        yield work.Progress(1, 2)
        gate.wait(10)
        return folder, None

    monkeypatch.setattr(work, "write", slow)
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    asked.view.importing.check()
    asked.wait_for(lambda: page(asked) == "report")
    asked.wait_until_idle()
    asked.view.importing.write()
    asked.view._take(tmp_path)
    asked.press(asked.view.import_)
    assert page(asked) == "write"
    assert asked.services.jobs.is_working
    gate.set()
    asked.wait_until_idle()


def test_odd_names_and_values_are_shown_as_text(asked, tmp_path):
    folder = tmp_path / "<b>bold</b>\u202e"
    (folder / "json").mkdir(parents=True)
    rows = [{"Qid": "chinese_knowledge-0000", "Response": ["<img src=x>"] * 400}, "x" * 50_000, {"Qid": "\x00\u200b"}]
    (folder / "json" / "chinese_knowledge.json").write_text(json.dumps(rows), encoding="utf-8")
    asked.view._take(folder)
    asked.wait_until_idle()
    asked.view.importing.check()
    asked.wait_for(lambda: page(asked) == "report")
    report = asked.view.import_page.report
    assert report.isVisible()
    assert all(row.sizeHint().width() < 4000 for row in report.rows())
    assert asked.view.minimumSizeHint().width() < 1300


def test_the_report_speaks_the_language_of_now(asked, tmp_path):
    asked.view._take(answers(tmp_path / "parrot"))
    asked.wait_until_idle()
    asked.view.importing.check()
    asked.wait_for(lambda: page(asked) == "report")
    words.use("zh")
    report = asked.view.import_page.report
    assert report.write.text() == "照原样导入 9 条"
    asked.wait_for(lambda: any("没有音频" in row.accessibleName() for row in report.rows()))


def test_a_subset_without_an_answer_is_named_by_its_title_and_an_answer_by_its_key():
    whole = Example(Finding("robust", "", "benchmarks.subset_unanswered", severity="note"))
    one = Example(Finding("robust", "robust-0001", "benchmarks.unanswered"))
    group = Group("benchmarks.subset_unanswered", "note", 3, ("robust",), (whole,))
    assert (place_of(whole, "en"), place_of(whole, "zh"), place_of(one, "en")) == (
        "Robustness",
        "鲁棒性",
        "robust-0001",
    )
    assert example_lines(group, True, "en") == ["Robustness", "and 2 more"]
