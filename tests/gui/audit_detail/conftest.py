"""A small workspace whose answers hold each thing the panel has to show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.runs.driver import driving
from engine.runs.error_rates import measure_error_rates
from engine.runs.imports import take_responses
from engine.scoring.derive import refresh
from engine.store.evidence import say, undo
from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.plans import Scope
from engine.store.results import (
    JudgementRow,
    MeasurementRow,
    TranscriptRow,
    put_judgements,
    put_measurements,
    put_transcripts,
)
from engine.store.transaction import transaction
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response, tone, with_benchmark

TEXT = "节气是夏至，在六月二十一日前后。"
HEARD = "节气是下至在六月十一日前后前后"
REASON = "听到的日期差十天。"
HOSTILE = "\u202eevil <b>bold</b>\x00\x07\n" + "长" * 30_000 + "\u0301" * 40 + "y" * 3_000


@dataclass(frozen=True)
class Answers:
    """The rows of the answers by what they are for."""

    workspace: Workspace
    judged: int
    hostile: int
    failed: int
    silent: int
    flipped: int
    spoken: int


@pytest.fixture(scope="session")
def answers(tmp_path_factory) -> Answers:
    """Built once; nobody writes into it."""
    folder: Path = tmp_path_factory.mktemp("detail")
    workspace = with_benchmark(open_workspace(folder / "workspace", create=True), count=6)
    given = [
        response(0, TEXT, audio=tone(folder / "0.wav", 6.0), timings={"first_audio_s": 1.28, "generation_s": 3.0}),
        response(1, HOSTILE, audio=tone(folder / "1.wav", 1.0)),
        response(2, None, error="timed out after 60 s"),
        response(3, "没有声音"),
        response(4, "对的", audio=tone(folder / "4.wav", 1.0)),
        response(5, "沸点是**100℃**", audio=tone(folder / "5.wav", 2.0)),
    ]
    run(take_responses(workspace, "vocalbench_zh", "example-flawed", given))
    db = workspace.connect()
    ids = [row[0] for row in db.execute("SELECT id FROM response ORDER BY id")]
    audio = [row[0] for row in db.execute("SELECT audio_id FROM response ORDER BY id")]
    with transaction(db):
        heard = maker_id(db, Maker("recogniser", "faster-whisper", settings={"weights": "base"}))
        set_floors(db, heard, [Floor("zh", "syllable_error_rate", 9, 500, 25, "made")])
        words = [(character, n * 0.4, n * 0.4 + 0.4, 0.9) for n, character in enumerate(HEARD)]
        put_transcripts(
            db,
            heard,
            [
                TranscriptRow(ids[0], audio[0], "scored", HEARD, "zh", words),
                TranscriptRow(ids[1], audio[1], "scored", "好", "zh"),
            ],
        )
        quality = maker_id(db, Maker("quality", "dnsmos"))
        put_measurements(
            db,
            quality,
            [MeasurementRow(ids[0], "dnsmos_ovrl", 3.21), MeasurementRow(ids[1], "dnsmos_ovrl", None, "failed")],
        )
        emotion = maker_id(db, Maker("imported", "emotion2vec"))
        put_measurements(
            db, emotion, [MeasurementRow(ids[0], "emotion_a_k", None, "unscored", detail={"why": "weights missing"})]
        )
        judge = maker_id(db, Maker("judge", "local-judge-7b", "3", {"language": "zh"}, None, "a41c" + "0" * 60))
        judged = [
            JudgementRow(ids[0], "knowledge", "scored", "incorrect", 0.0, REASON, f"判断：错误 {n}", repeat=n)
            for n in range(3)
        ]
        _flip(db, ids[4])
        put_transcripts(db, heard, [TranscriptRow(ids[5], audio[5], "scored", "沸点是一百摄氏度", "zh")])
        put_judgements(db, judge, [*judged, JudgementRow(ids[1], "knowledge", "unparsable", raw_reply=HOSTILE)])
        refresh(db, ids)
    undo(db, say(db, "tag", [ids[4]], "tts-loop"))
    say(db, "note", [ids[4]], "听第三秒")

    def rates():
        with driving(workspace, "measure", {}) as drive:
            yield from measure_error_rates(drive, Scope())

    run(rates())
    db.close()
    return Answers(workspace, *ids)


def _flip(db, response_id):
    """Two rubrics of one judge that disagree, one repeat against the others, a reply that is read otherwise now."""
    for version, rubric, verdicts in (("2", "b", ("correct",)), ("3", "c", ("incorrect", "incorrect", "correct"))):
        made = maker_id(db, Maker("judge", "local-judge-7b", version, {"language": "zh"}, None, rubric * 64))
        rows = [
            JudgementRow(
                response_id, "knowledge", "scored", verdict, float(verdict == "correct"), "因为", "判断：错误", repeat=n
            )
            for n, verdict in enumerate(verdicts)
        ]
        put_judgements(db, made, rows)


def run(work):
    for _ in work:
        pass


@pytest.fixture
def panel(services, open_here, answers, qtbot):
    """The panel on the small workspace, wide enough for everything."""
    from gui.audit.detail.panel import DetailPanel

    open_here(answers.workspace.folder)
    made = DetailPanel(services)
    made.resize(1520, 384)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def show(panel, qtbot):
    """Show an answer and wait until it is there."""

    def show_it(response_id, method="corrected"):
        panel.show_response(response_id, method)
        qtbot.waitUntil(lambda: panel.detail is not None and panel.detail.answered.id == response_id)
        return panel

    return show_it
