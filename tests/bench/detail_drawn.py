"""Draws parts of the detail panel in a process of their own and prints what each step took, in milliseconds."""

from __future__ import annotations

import gc
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import soundfile
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gui.waveform.lanes import Lanes

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"
RATE, SECONDS = 48_000, 600
WIDE = 1_200
PANS = 120
ZOOMS = (2, 30, 1200)


@contextmanager
def lanes_of(high: int, *, has_spectrum: bool = False) -> Iterator[Callable[[float], Lanes]]:
    """Gives what shows a recording of so many seconds at 48 kHz as the answer, in lanes ``high`` pixels tall."""
    from PySide6.QtWidgets import QWidget

    from gui.jobs import JobRunner
    from gui.player.clip import Clip
    from gui.player.player import Player
    from gui.settings import Settings
    from gui.strings import words
    from gui.waveform.lanes import Lanes

    with tempfile.TemporaryDirectory() as folder:
        jobs, holder = JobRunner(), QWidget()
        settings = Settings(Path(folder, "settings.json"), jobs)
        settings.set("spectrum", settings.get("spectrum") | {"shown": has_spectrum})
        player = Player(jobs, settings, holder)
        services = SimpleNamespace(
            jobs=jobs, settings=settings, words=words, player=player, workspace=SimpleNamespace(current=None)
        )
        lanes = Lanes(services)  # type: ignore[arg-type]
        lanes.resize(WIDE + 118, high)
        lanes.show()

        def show(seconds: float) -> Lanes:
            path = Path(folder, f"{seconds:g}.wav")
            with soundfile.SoundFile(path, "w", RATE, 1, subtype="PCM_16") as file:
                for block in blocks(seconds):
                    file.write(block)
            lanes.show_clips(None, Clip(None, path, seconds, RATE, 1))
            _wait(lambda: jobs.running == ())
            return lanes

        try:
            yield show
        finally:
            player.close()
            jobs.close()


def blocks(seconds: float) -> Iterator[NDArray[np.float64]]:
    """Noise that swells and fades once a second, a second at a time: its maker leaves no memory behind."""
    chance = np.random.default_rng(1)
    swell = np.abs(np.sin(np.pi * np.arange(RATE) / RATE))
    for _ in range(int(seconds)):
        yield chance.normal(0, 0.1, RATE) * swell


def panned() -> list[float]:
    """One step of a pan each: the spectrum of ten minutes at 48 kHz, from the whole to half a second on screen."""
    from PySide6.QtGui import QPainter, QPixmap
    from PySide6.QtWidgets import QApplication

    with lanes_of(260, has_spectrum=True) as show:
        lanes = show(float(SECONDS))
        surface, taken = QPixmap(WIDE, 260), []

        def is_whole() -> bool:
            lanes.canvas.repaint()
            return lanes.spectrum.outline is not None and lanes._tiles.is_complete

        for factor in ZOOMS:
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
        return taken


def repainted() -> list[float]:
    """One step of a pan each, ours and pyqtgraph's in turn: the waveform of ten minutes at 48 kHz at three zooms."""
    import pyqtgraph
    from PySide6.QtWidgets import QApplication

    plot = pyqtgraph.PlotWidget()
    plot.resize(WIDE, 120)
    signal = np.concatenate(list(blocks(SECONDS))).astype(np.float32)
    curve = plot.plot(np.arange(len(signal)) / RATE, signal)
    curve.setDownsampling(auto=True, method="peak")
    curve.setClipToView(True)
    plot.show()
    with lanes_of(160) as show:
        lanes = show(float(SECONDS))
        canvas = lanes.canvas
        taken: list[float] = []
        for factor in ZOOMS:
            canvas.set_view(canvas.view.whole().zoomed(factor, SECONDS / 2))
            for _ in range(PANS // 3):
                QApplication.processEvents()
                canvas.set_view(canvas.view.moved(canvas.view.span_s / 60))
                began = time.perf_counter()
                canvas.repaint()
                ours = time.perf_counter() - began
                QApplication.processEvents()
                began = time.perf_counter()
                plot.setXRange(canvas.view.start_s, canvas.view.end_s, padding=0)
                plot.viewport().repaint()
                taken += [ours * 1e3, (time.perf_counter() - began) * 1e3]
        return taken


def held() -> list[float]:
    """MiB that the waveform of ten minutes at 48 kHz takes, once one of a second was shown."""
    from PySide6.QtWidgets import QApplication

    with lanes_of(160) as show:
        lanes = show(1.0)  # what is loaded for any recording is there then
        lanes.canvas.repaint()
        before = _resident_mib()
        show(float(SECONDS))
        for factor in ZOOMS:
            lanes.canvas.set_view(lanes.canvas.view.whole().zoomed(factor, SECONDS / 2))
            lanes.canvas.repaint()
            QApplication.processEvents()
        gc.collect()
        return [_resident_mib() - before]


def _resident_mib() -> float:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


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
    measures = {"pan": panned, "alignment": aligned, "waveform": repainted, "memory": held}
    print(json.dumps(measures[sys.argv[1]]()), flush=True)
    application.quit()


if __name__ == "__main__":
    main()
