"""Three systems with sounds of their own on the same instances, and a player on a device that the test moves."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
import soundfile

from engine.benchmarks.values import OutsideJudgement
from engine.runs.imports import take_judgements, take_responses
from engine.scoring.derive import refresh
from engine.store.makers import Maker, maker_id
from engine.store.results import MeasurementRow, TranscriptRow, put_measurements, put_transcripts
from engine.store.transaction import transaction
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response, with_benchmark
from tests.gui.player.fakes import FakeSound

RATE = 16_000
STEP_S = 0.25
#: What each system says to instance 0: the same clauses in another order, and nothing alike.
SAID = {
    "steady": "白天最长的节气是夏至，在六月二十一日前后。",
    "turned": "在六月二十一日前后，白天最长的节气是夏至。",
    "strange": "苹果香蕉葡萄西瓜。",
}
LEVELS = {"steady": 0.2, "turned": 0.4, "strange": 0.6}
HOSTILE = "\u202eevil <b>bold</b>\x00\x07\n" + "长" * 30_000 + "\u0301" * 40


@dataclass(frozen=True)
class Made:
    """The workspace, and the answers of each system by instance."""

    workspace: Workspace
    ids: dict[str, list[int]]


def letters(text):
    return [letter for letter in text if letter not in "，。"]


def finish(work):
    for _ in work:
        pass


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Made:
    """``steady`` and ``turned`` answer six instances, ``strange`` the first two; one of its answers failed."""
    folder = tmp_path_factory.mktemp("compare")
    workspace = with_benchmark(open_workspace(folder / "w", create=True), count=6)
    for system, text in SAID.items():
        sound = folder / f"{system}.wav"
        seconds = len(letters(text)) * STEP_S
        soundfile.write(sound, np.full(round(seconds * RATE), LEVELS[system], np.float32), RATE, subtype="FLOAT")
        given = [response(n, text if n == 0 else "少林寺", audio=sound if n == 0 else None) for n in range(6)]
        if system == "strange":
            given = [given[0], response(1, None, error="timed out")]
        if system == "turned":
            given[2] = response(2, HOSTILE)
        finish(take_responses(workspace, "vocalbench_zh", system, given))
    db = workspace.connect()
    ids = {
        system: [
            row[0]
            for row in db.execute(
                "SELECT response.id FROM response JOIN system ON system.id = system_id WHERE name = ? ORDER BY 1",
                (system,),
            )
        ]
        for system in SAID
    }
    with transaction(db):
        heard = maker_id(db, Maker("recogniser", "faster-whisper", settings={"weights": "base"}))
        rows = []
        for system in ("steady", "turned", "strange"):
            text = "".join(letters(SAID[system]))
            words = [(letter, n * STEP_S, (n + 1) * STEP_S, 0.9) for n, letter in enumerate(text)]
            audio = db.execute("SELECT audio_id FROM response WHERE id = ?", (ids[system][0],)).fetchone()[0]
            facts = json.dumps({"duration_s": len(text) * STEP_S, "sample_rate_hz": RATE, "channels": 1})
            db.execute("UPDATE audio SET facts = ? WHERE id = ?", (facts, audio))
            rows.append(TranscriptRow(ids[system][0], audio, "scored", text, "zh", words))
        put_transcripts(db, heard, rows)
        quality = maker_id(db, Maker("quality", "dnsmos"))
        values = [
            MeasurementRow(number, "dnsmos_ovrl", 1.0 + place + (system == "turned") / 2)
            for system in ("steady", "turned")
            for place, number in enumerate(ids[system][:4])
        ]
        put_measurements(db, quality, values)
        refresh(db, [number for numbers in ids.values() for number in numbers])
    judged = [
        OutsideJudgement("chinese_knowledge", f"chinese_knowledge-{n:04d}", "knowledge", "scored",
                         "correct" if (n % 2 == 0) == (system == "steady") else "incorrect",
                         system=system, maker_name="own")
        for system in ("steady", "turned")
        for n in range(3)
    ]  # fmt: skip
    take_judgements(db, "vocalbench_zh", judged)
    db.close()
    return Made(workspace, ids)


@pytest.fixture
def sound():
    return FakeSound(RATE)


@pytest.fixture
def services(services, sound, jobs, settings):
    """The services of every test, with a player on the device that the test moves."""
    from gui.player.player import Player

    services.player.close()
    player = Player(jobs, settings, sound=sound)
    services.make_player = lambda: player
    services.__dict__["player"] = player
    yield services
    player.close()
