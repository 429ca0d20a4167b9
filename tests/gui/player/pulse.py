"""A loudspeaker without hardware: PulseAudio with a null sink, in a folder of its own, and a recorder at its monitor."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

RATE_HZ = 48000
PROGRAMS = ("pulseaudio", "pactl", "parec")


def is_installed():
    return all(shutil.which(program) for program in PROGRAMS)


class VirtualLoudspeaker:
    """A sound server of this process alone; ``record`` hears what it plays."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="pulse-"))
        self.folder.chmod(0o700)
        self.environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(self.folder),
            "PULSE_SERVER": f"unix:{self.folder}/pulse/native",
            "HOME": str(self.folder),
        }
        self._keeper = None

    def start(self):
        self._run(
            "pulseaudio", "-n", "--daemonize", "--exit-idle-time=-1", "--log-level=error",
            "-L", "module-native-protocol-unix",
            "-L", f"module-null-sink sink_name=loudspeaker rate={RATE_HZ} channels=2",
        )  # fmt: skip
        until(lambda: self._run("pactl", "info", check=False).returncode == 0)
        self._run("pactl", "set-default-sink", "loudspeaker")
        self._keeper = Recording(self.environment)  # or one stream in four starts two seconds late
        until(lambda: len(self._keeper.frames()) > 0)

    def record(self):
        recording = Recording(self.environment)
        until(lambda: len(recording.frames()) > 0)
        return recording

    def stop(self):
        if self._keeper:
            self._keeper.stop()
            self._keeper = None
        number = self.folder / "pulse" / "pid"
        if number.exists():
            process = int(number.read_text())
            os.kill(process, signal.SIGTERM)
            until(lambda: not number.exists() or not _lives(process))
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, *command, check=True):
        return subprocess.run(command, env=self.environment, check=check, capture_output=True, timeout=30)


class Recording:
    """What the loudspeaker plays, as it goes on."""

    def __init__(self, environment):
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the recorder runs
        self._process = subprocess.Popen(
            ["parec", "--latency-msec=10", "-d", "loudspeaker.monitor", "--raw",
             "--format=float32le", "--channels=2", f"--rate={RATE_HZ}"],
            env=environment, stdout=self._file, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def frames(self):
        """Left ear so far."""
        size = os.fstat(self._file.fileno()).st_size // 8 * 8
        return np.frombuffer(os.pread(self._file.fileno(), size, 0), np.float32).reshape(-1, 2)[:, 0]

    def stop(self):
        self._process.terminate()
        self._process.wait(10)
        heard = self.frames()
        self._file.close()
        return heard


def until(condition, seconds=20):
    """Wait for a condition of another process, which sends no signal."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the sound server did not get there"
        time.sleep(0.02)


def _lives(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
