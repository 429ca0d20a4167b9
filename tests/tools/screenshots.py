"""Pictures of every screen, in both languages and themes, on the sample workspace: ``make screenshots``.

``python -m tests.tools.screenshots FOLDER [WORKSPACE]``. Each picture is taken by a process of its own, offscreen, so that
a scale factor can be given; the workspace is made and measured first where none is named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

SCREENS = ("library", "audit", "run", "rate", "settings")
LANGUAGES, THEMES = ("en", "zh"), ("light", "dark")
SETTLED_MS = 1200  # nothing has been read or drawn anew for so long


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture to take; sizes are in device-independent pixels."""

    screen: str
    language: str
    theme: str
    width: int = 1600
    height: int = 900
    scale: float = 1.0

    @property
    def name(self) -> str:
        size = "" if (self.width, self.scale) == (1600, 1.0) else f"-{self.width}x{self.height}"
        return f"{self.screen}-{self.language}-{self.theme}{size}{'' if self.scale == 1 else f'@{self.scale:g}'}.png"


SHOTS = (
    *(Shot(*which) for which in product(SCREENS, LANGUAGES, THEMES)),
    *(Shot(screen, "zh", "dark", 1366, 768) for screen in SCREENS),
    *(Shot(screen, "en", "light", 800, 450, 2.0) for screen in SCREENS),
)


def take(shot: Shot, workspace: Path, folder: Path) -> None:
    """Start a window with these settings, wait until it is at rest, keep its picture."""
    with tempfile.TemporaryDirectory() as config:
        settings = {"screen": shot.screen, "language": shot.language, "theme": shot.theme}
        Path(config, "settings.json").write_text(json.dumps(settings))
        environment = os.environ | {
            "QT_QPA_PLATFORM": "offscreen",
            "QT_SCALE_FACTOR": str(shot.scale),
            "AURICLE_CONFIG": config,
            "AURICLE_LOG": config,
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        job = [str(workspace), str(folder / shot.name), str(shot.width), str(shot.height)]
        subprocess.run(
            [sys.executable, "-m", "tests.tools.screenshots", "--take", *job], env=environment, check=True, timeout=120
        )


def picture(workspace: str, path: str, width: str, height: str) -> None:
    """In the process of one picture."""
    from PySide6.QtCore import QTimer

    from gui.app import make_application, make_window

    application = make_application()
    window = make_window(Path(workspace))
    window.resize(int(width), int(height))
    window.show()
    at_rest = QTimer(window)
    at_rest.setSingleShot(True)
    at_rest.setInterval(SETTLED_MS)

    def keep() -> None:
        window.grab().save(path)
        window.ask = lambda *_, **__: "leave"
        window.close()

    def look() -> None:
        if window.services.jobs.running or not window.shown_screen:
            at_rest.start()

    at_rest.timeout.connect(keep)
    often = QTimer(window)
    often.setInterval(20)
    often.timeout.connect(look)
    often.start()
    at_rest.start()
    application.exec()


def measured_sample(folder: Path) -> Path:
    """The sample workspace, with everything done that needs no judge."""
    command = [sys.executable, "-m", "engine.cli.main", "sample", "--run", "--workspace", str(folder)]
    subprocess.run(command, check=True)
    return folder


def main() -> None:
    """Take all pictures; names of those that did not work are told at the end."""
    if sys.argv[1:2] == ["--take"]:
        picture(*sys.argv[2:])
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    workspace = Path(sys.argv[2]) if len(sys.argv) > 2 else measured_sample(Path(tempfile.mkdtemp()) / "sample")
    for shot in SHOTS:
        take(shot, workspace, folder)
        print(folder / shot.name, flush=True)


if __name__ == "__main__":
    main()
