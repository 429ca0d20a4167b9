"""One process that plays on a virtual loudspeaker and hears itself at a recorder; tells what it found as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import soundfile

from tests.gui.player import pulse

RATE = pulse.RATE_HZ
STARTS = 24
COLD = 6  # of them with the device closed before
PAUSE_S = 0.3
LOOP = (0.2, 0.6)
TURNS = 20
LOUD = 1e-4


class Recorder:
    """What the loudspeaker plays, and when each frame of it came at the latest."""

    def __init__(self, environment: dict[str, str]) -> None:
        command = ["parec", "--latency-msec=5", "-d", "loudspeaker.monitor", "--raw", "--format=float32le"]
        command += ["--channels=1", f"--rate={RATE}"]
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, bufsize=0)
        self._pieces: list[bytes] = []
        self._size = 0
        self._earliest_s = np.inf  # when frame 0 was played: no frame can come before it is
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def seconds(self) -> float:
        """So much was recorded."""
        return self._size / 4 / RATE

    def frames(self) -> np.ndarray:
        data = b"".join(self._pieces)
        return np.frombuffer(data[: len(data) // 4 * 4], np.float32)

    def time_of(self, frame: float) -> float:
        """``time.monotonic`` when a frame was played, a few milliseconds late at most."""
        return float(self._earliest_s + frame / RATE)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)

    def _read(self) -> None:
        assert self._process.stdout is not None
        while data := self._process.stdout.read(65536):
            self._pieces.append(data)
            self._size += len(data)
            self._earliest_s = min(self._earliest_s, time.monotonic() - self.seconds)


handed_over: list[np.ndarray] = []


def keep_what_is_handed_over() -> None:
    """Have every block that goes to the device in ``handed_over`` too."""
    from gui.player.mixer import Mixer

    render = Mixer.render

    def kept(mixer: Mixer, count: int) -> np.ndarray:
        handed_over.append(render(mixer, count))
        return handed_over[-1]

    Mixer.render = kept  # type: ignore[method-assign]


class Desk:
    """The transport in a window, on the machine's own PortAudio."""

    def __init__(self, folder: Path) -> None:
        from PySide6.QtWidgets import QApplication, QMainWindow

        from gui.actions import Actions
        from gui.audit.transport import Transport
        from gui.jobs import JobRunner
        from gui.player.player import Player
        from gui.settings import Settings
        from gui.strings import words

        self.application = QApplication([])
        self.jobs = JobRunner()
        settings = Settings(folder / "settings.json", self.jobs)
        settings.set("sound_output", "pulse")
        self.window = QMainWindow()
        self.player = Player(self.jobs, settings, self.window)
        actions = Actions(words, settings, self.window)
        given: Any = SimpleNamespace(player=self.player, actions=actions, settings=settings, say=lambda *_: None)
        self.window.setCentralWidget(Transport(given))
        actions.belong_to(self.window)
        actions.enter("audit")
        self.window.show()

    def until(self, condition: Any, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the player did not get there")
            self.application.processEvents()
            time.sleep(0.001)

    def rest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end, seconds + 5)

    def press(self, key: Any) -> float:
        """Press a key; when."""
        from PySide6.QtTest import QTest

        pressed = time.monotonic()
        QTest.keyClick(self.window, key)
        return pressed

    def close(self) -> None:
        self.player.close()
        self.jobs.close()


def noise(seconds: float) -> np.ndarray:
    """Loud from its first frame on, and like itself at one place only."""
    return np.random.default_rng(7).uniform(0.2, 0.5, round(seconds * RATE)) * np.random.default_rng(8).choice(
        [-1.0, 1.0], round(seconds * RATE)
    )


def place_of(piece: np.ndarray, heard: np.ndarray) -> int:
    """Where ``piece`` lies in ``heard``, to the frame."""
    size = 1 << (len(heard) + len(piece)).bit_length()
    products = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(piece, size)), size)
    return int(np.argmax(products[: len(heard)]))


def starts(desk: Desk, recorder: Recorder) -> dict[str, Any]:
    """Space is pressed again and again: how long until a recorder hears something, less the device's buffer."""
    from PySide6.QtCore import Qt

    from gui.player.player import State

    warm, cold, buffers = [], [], []
    for number in range(STARTS + 1):  # the first one loads code
        is_cold = number % (STARTS // COLD) == 0
        if is_cold:
            desk.player._device.release()
        desk.player.seek(0.0)
        desk.rest(PAUSE_S)
        begin = len(recorder.frames())
        pressed = desk.press(Qt.Key.Key_Space)
        desk.until(lambda: desk.player.state is State.PLAYING)
        desk.rest(PAUSE_S)
        buffers.append(desk.player.latency_s)
        desk.press(Qt.Key.Key_Space)
        desk.until(lambda: desk.player.state is State.READY)
        desk.rest(0.1)
        loud = np.flatnonzero(np.abs(recorder.frames()[begin:]) > LOUD)
        heard = recorder.time_of(begin + int(loud[0]))
        if number:
            (cold if is_cold else warm).append(heard - pressed - buffers[-1])
    return {"warm_s": warm, "cold_s": cold, "buffer_s": float(np.median(buffers))}


def playhead(desk: Desk, recorder: Recorder, samples: np.ndarray) -> dict[str, Any]:
    """While it plays, where the playhead stands and what the recorder hears at that time."""
    from gui.player.player import State

    seen: list[tuple[float, float]] = []
    desk.player.seek(0.0)
    begin = len(recorder.frames())
    desk.player.position_changed.connect(lambda position_s: seen.append((time.monotonic(), position_s)))
    desk.player.play()
    desk.until(lambda: desk.player.state is State.PLAYING)
    desk.until(lambda: desk.player.position_s > 4.0)
    desk.player.pause()
    desk.until(lambda: desk.player.state is State.READY)
    desk.rest(0.3)
    heard = recorder.frames()[begin:]
    first = begin + place_of(samples[RATE // 2 : RATE], heard) - RATE // 2
    errors = [position_s - (at_s - recorder.time_of(first)) for at_s, position_s in seen if 0.1 < position_s < 3.9]
    return {"errors_s": errors, "underruns": desk.player.underruns}


def loop(desk: Desk, recorder: Recorder, samples: np.ndarray, speed: float) -> dict[str, Any]:
    """A loop of 0.4 s: how many frames each turn is off its place, as handed to the device and at the recorder."""
    from gui.player.player import State

    handed_over.clear()
    before = desk.player.underruns
    desk.player.set_speed(speed)
    desk.player.set_loop(LOOP)
    begin = len(recorder.frames())
    desk.player.play()
    desk.until(lambda: desk.player.state is State.PLAYING)
    length = round(LOOP[1] * RATE / speed) - round(LOOP[0] * RATE / speed)
    desk.rest(length / RATE * (TURNS + 1) + 0.5)
    desk.player.pause()
    desk.until(lambda: desk.player.state is State.READY)
    desk.player.set_loop(None)
    desk.player.set_region(None)
    handed = np.concatenate([block[:, 0] for block in handed_over])
    return {
        "errors": turns(handed, length),
        "errors_heard": turns(recorder.frames()[begin:], length),
        "underruns": desk.player.underruns - before,
    }


def turns(sound: np.ndarray, length: int) -> list[int]:
    """How many frames each turn of a loop begins off its place after the second one."""
    start, room = int(np.flatnonzero(np.abs(sound) > LOUD)[0]) + length, 2400
    turn = sound[start + 480 : start + length - 480]  # without the ramps
    return [
        abs(place_of(turn, sound[start + n * length + 480 - room :][: length + 2 * room]) - room)
        for n in range(1, TURNS - 1)
    ]


def main() -> None:
    """Play, hear, and print what was found."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    speaker = pulse.VirtualLoudspeaker()
    try:
        speaker.start()
        os.environ.update({name: speaker.environment[name] for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER")})
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measured(Path(folder), speaker.environment)))
    finally:
        speaker.stop()


def measured(folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    from gui.player.clip import Clip

    keep_what_is_handed_over()
    samples = noise(5.0)
    path = folder / "noise.wav"
    soundfile.write(path, samples, RATE, subtype="FLOAT")
    recorder, desk = Recorder(environment), Desk(folder)
    try:
        desk.until(lambda: recorder.seconds > 0.5)
        desk.player.load(None, Clip(None, path, 5.0, RATE, 1))
        desk.until(lambda: desk.player.plan is not None)
        desk.rest(0.5)
        return {
            "starts": starts(desk, recorder),
            "playhead": playhead(desk, recorder, samples),
            "loop": loop(desk, recorder, samples, 1.0),
            "loop_fast": loop(desk, recorder, samples, 1.3),
        }
    finally:
        desk.close()
        recorder.stop()


if __name__ == "__main__":
    main()
