"""Draws parts of the detail panel in a process of their own and prints what each step took, in milliseconds."""

from __future__ import annotations

import gc
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import soundfile

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
RATE, SECONDS = 48_000, 600
WIDE = 1_200
PANS = 120


def panned() -> list[float]:
    """One step of a pan each: the spectrum of ten minutes at 48 kHz, from the whole to half a second on screen."""
    from PySide6.QtGui import QPainter, QPixmap
    from PySide6.QtWidgets import QApplication, QWidget

    from gui.jobs import JobRunner
    from gui.player.clip import Clip
    from gui.player.player import Player
    from gui.settings import Settings
    from gui.strings import words
    from gui.waveform.lanes import Lanes

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ten-minutes.wav")
        noise = np.random.default_rng(1).normal(0, 0.1, RATE * SECONDS)
        soundfile.write(path, noise * np.abs(np.sin(np.arange(len(noise)) / RATE)), RATE, subtype="PCM_16")
        jobs, holder = JobRunner(), QWidget()
        settings = Settings(Path(folder, "settings.json"), jobs)
        player = Player(jobs, settings, holder)
        services = SimpleNamespace(
            jobs=jobs, settings=settings, words=words, player=player, workspace=SimpleNamespace(current=None)
        )
        lanes = Lanes(services)  # type: ignore[arg-type]
        lanes.resize(WIDE + 118, 260)
        lanes.show()
        lanes.show_clips(None, Clip(None, path, float(SECONDS), RATE, 1))
        surface, taken = QPixmap(WIDE, 260), []

        def is_whole() -> bool:
            lanes.canvas.repaint()
            return lanes.spectrum.outline is not None and lanes._tiles.is_complete

        for factor in (1, 30, 1200):
            lanes.canvas.set_view(lanes.canvas.view.whole().zoomed(factor, SECONDS / 2))
            _wait(is_whole)
            for _ in range(PANS // 3):
                lanes.canvas.set_view(lanes.canvas.view.moved(lanes.canvas.view.span_s / 60))
                began = time.perf_counter()
                painter = QPainter(surface)
                lanes.spectrum.paint(painter, lanes.canvas.view, 1.0)
                painter.end()
                taken.append((time.perf_counter() - began) * 1e3)
                QApplication.processEvents()
        _wait(is_whole)
        player.close()
        jobs.close()
        return taken


def aligned() -> list[float]:
    """From an answer's 1,000 characters and what was heard to the lines on screen; the texts are other ones each time."""
    from PySide6.QtWidgets import QApplication

    from engine.metrics.drawn import drawn_alignment
    from engine.metrics.located import times_by_estimate
    from engine.query.alignment import ShownAlignment
    from gui.audit.detail.alignment_view import AlignmentView

    view = AlignmentView()
    view.resize(1_000, 120)
    view.show()
    transcript = SimpleNamespace(maker=SimpleNamespace(kind="recogniser", name="", settings={}))
    taken = []
    for number in range(22):
        written, heard = _pair(number)
        began = time.perf_counter()
        drawn = drawn_alignment(written, heard)
        assert drawn is not None
        shown = ShownAlignment(drawn, times_by_estimate(drawn.cells, 0.0, 200.0), (), transcript, "corrected")  # type: ignore[arg-type]
        view.show_alignment(shown)
        view.viewport().repaint()
        taken.append((time.perf_counter() - began) * 1e3)
        QApplication.processEvents()
    return taken[2:]  # the first ones load the tables of readings


def _pair(number: int) -> tuple[str, str]:
    """1,000 characters of the sample's answers, shuffled by clause, and the same with 140 edits."""
    chance = random.Random(number)
    clauses = _clauses()
    chance.shuffle(clauses)
    written = "".join(clauses)[:1_000]
    heard = list(written)
    for _ in range(100):
        heard[chance.randrange(len(heard))] = chance.choice(written)
    for _ in range(40):
        del heard[chance.randrange(len(heard))]
    return written, "".join(heard)


def _clauses() -> list[str]:
    answers = sorted((SAMPLE / "model_output" / "example-careful" / "json").glob("*.json"))
    records = [json.loads(line) for path in answers for line in path.read_text(encoding="utf-8").splitlines()]
    text = "".join(record["Response"] for record in records if isinstance(record["Response"], str))
    return re.findall(r"[\u4e00-\u9fff]+[，。！？；：、]", text)


def _wait(condition: Callable[[], bool], limit_s: float = 60.0) -> None:
    from PySide6.QtWidgets import QApplication

    ends = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < ends, "it did not come in time"
        QApplication.processEvents()
        time.sleep(0.002)


def main() -> None:
    from gui.app import make_application

    application = make_application()
    gc.disable()  # as the window does: it collects when nothing else is to be done
    print(json.dumps({"pan": panned, "alignment": aligned}[sys.argv[1]]()), flush=True)
    application.quit()


if __name__ == "__main__":
    main()
