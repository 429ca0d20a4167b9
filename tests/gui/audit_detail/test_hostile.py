"""Texts that try to break the panel: every one of the shared cases, in every place where text is shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.values import Instance, Turn
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.benchmarks import add_instances
from engine.store.evidence import say
from engine.store.makers import Maker, maker_id
from engine.store.results import JudgementRow, TranscriptRow, put_judgements, put_transcripts
from engine.store.transaction import transaction
from engine.store.workspace import open_workspace
from gui.widgets.text import shown_text
from tests.engine.runs.made import response, tone
from tests.gui.audit_detail.conftest import run
from tests.shared import case, make_case, needs_shared

SUBSET = "general_knowledge"
SIZES = ((1520, 384), (900, 300), (640, 240))


@pytest.fixture
def build(tmp_path):
    """A workspace whose answers are ``texts``, each also asked, heard, judged, noted and given as a reference."""

    def make(texts, answers=None):
        workspace = open_workspace(tmp_path / "hostile", create=True)
        db = workspace.connect()
        asked = [
            Instance(
                "vocalbench_zh",
                SUBSET,
                f"{SUBSET}-{n:04d}",
                n,
                text,
                text,
                text[:40],
                context=(Turn("user", text), Turn("assistant", text)),
                labels={"note": text},
            )
            for n, text in enumerate(texts)
        ]
        add_instances(db, workspace, "vocalbench_zh", tmp_path, asked)
        given = answers or [
            response(n, text, SUBSET, audio=tone(tmp_path / f"{n}.wav", 1.0, 200 + n)) for n, text in enumerate(texts)
        ]
        run(take_responses(workspace, "vocalbench_zh", "example-flawed", given))
        rows = db.execute("SELECT id, audio_id, text FROM response ORDER BY id").fetchall()
        with transaction(db):
            heard = maker_id(db, Maker("recogniser", "faster-whisper", settings={"weights": "base"}))
            judge = maker_id(db, Maker("judge", "local-judge", "1", {"language": "zh"}, None, "a" * 64))
            put_transcripts(
                db,
                heard,
                [
                    TranscriptRow(row["id"], row["audio_id"], "scored", row["text"], "zh")
                    for row in rows
                    if row["audio_id"]
                ],
            )
            put_judgements(
                db,
                judge,
                [
                    JudgementRow(row["id"], "knowledge", "scored", "incorrect", 0.0, text, text)
                    for row, text in zip(rows, texts, strict=True)
                ],
            )
            refresh(db, [row["id"] for row in rows])
        for row, text in zip(rows, texts, strict=True):
            if text.strip():
                say(db, "note", [row["id"]], text[:500])
        db.close()
        return workspace, [row["id"] for row in rows]

    return make


def all_labels_are_plain(panel):
    """No label guesses that what looks like markup is meant as such."""
    return [label for label in panel.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText] == []


def fits(panel, size):
    """Whether the panel keeps the size it is given, and nothing stands outside of what holds it."""
    panel.resize(*size)
    panel.grab()
    if (panel.width(), panel.height()) != size:
        return False
    shown = [part for part in panel.findChildren(QWidget) if part.isVisibleTo(panel) and part.parentWidget() is panel]
    return all(panel.rect().contains(part.geometry()) for part in shown)


def shown_everywhere(panel, qtbot):
    """The texts of everything that can be opened, by its name."""
    found = {}
    for name, show in (("texts", panel.show_texts), ("history", panel.show_history), ("raw", panel._show_raw_replies)):
        show()
        found[name] = panel.popover.shown
        panel.popover.leave()
    panel.alignment.spoken.clear()
    panel.toggle_spoken()
    if panel.detail.answered.text is not None:
        qtbot.waitUntil(lambda: panel.alignment.spoken.toPlainText() != "")
    found["spoken"] = panel.alignment.spoken.toPlainText()
    panel.toggle_spoken()
    found["reason"] = panel.judgement._reason.toPlainText()
    return found


@needs_shared
def test_what_looks_like_markup_is_shown_as_it_is_typed(build, open_here, panel, show, qtbot):
    texts = case("text-as-markup")["input"]["texts"]
    workspace, ids = build(texts)
    open_here(workspace.folder)
    for number, text in zip(ids, texts, strict=True):
        show(number)
        assert all_labels_are_plain(panel)
        places = shown_everywhere(panel, qtbot)
        for name in ("texts", "history", "raw", "spoken", "reason"):
            assert text in places[name], (name, text)
        assert panel.head._reference.whole_text() == text
        assert "49" not in places["texts"].replace("{{7*7}}", "")
        for widget in panel.findChildren(QWidget):
            tip = widget.toolTip()
            assert "<" not in tip or tip.startswith("<qt>"), tip
        assert all(fits(panel, size) for size in SIZES)


@needs_shared
def test_extreme_answers_break_no_layout_and_control_characters_are_signs(
    build, open_here, panel, show, qtbot, tmp_path
):
    made, expect = make_case("response-extremes", tmp_path), case("response-extremes")["expect"]
    folder = tmp_path / "model" / "json"
    folder.mkdir(parents=True)
    (made / "responses.json").rename(folder / f"{SUBSET}.json")
    work = read_recorded(tmp_path / "model")
    try:
        while True:
            next(work)
    except StopIteration as end:
        answers = end.value.responses
    texts = [answer.text or "" for answer in answers]
    assert len(texts) == expect["records"]
    workspace, ids = build(["问" if not text.strip() else text for text in texts], answers)
    open_here(workspace.folder)
    for number, text in zip(ids, texts, strict=True):
        show(number)
        assert all_labels_are_plain(panel)
        for told in shown_everywhere(panel, qtbot).values():
            assert not set(map(ord, told)) & {*range(9), *range(11, 32), 0x7F, 0x202E, 0x202D, 0xD83D}
        assert all(fits(panel, size) for size in SIZES)
        if 0 < len(text) < 200 and "\n" not in text:
            panel.show_texts()
            assert shown_text(text, 2000) in panel.popover.shown


@pytest.mark.parametrize(
    "text",
    [
        "שלום עולם 你好 مرحبا",
        "\u200b\u200d\ufeff\u2060字\u200b",
        "a" * 100_000,
        "长" * 100_000,
        "字\n" * 20_000,
        "👩‍👩‍👧‍👦🏳️‍🌈👍🏽" * 500,
        "Z\u0351\u036b\u0343" * 3_000,
        "\x00\x1b[31mred\x07\r\n\x85",
        "\u202e\u2066\u2067" * 200,
    ],
    ids=["rtl", "zero-width", "latin", "han", "lines", "emoji", "stacked", "control", "directions"],
)
def test_hostile_text_is_read_and_breaks_no_size(build, open_here, panel, show, qtbot, text):
    workspace, (number,) = build([text])
    open_here(workspace.folder)
    show(number)
    assert all_labels_are_plain(panel)
    for told in shown_everywhere(panel, qtbot).values():
        assert "\u202e" not in told and "\x00" not in told and "\x1b" not in told
    assert all(fits(panel, size) for size in SIZES)
    panel.lanes.pointed.emit("answer", 0.5)
    panel.lanes.next_mark()
