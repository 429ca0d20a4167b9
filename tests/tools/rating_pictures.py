"""Pictures of the rating screen: ``python -m tests.tools.rating_pictures FOLDER [NAME]``, offscreen, on made sounds."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main(folder: Path, only: str = "") -> None:
    """One picture of each state that is worth a look."""
    for name, (language, theme, protocol, size, steps) in PICTURES.items():
        if only in name:
            with tempfile.TemporaryDirectory() as place:
                _take(folder / f"{name}.png", Path(place), language, theme, protocol, size, steps)


def _take(
    target: Path, place: Path, language: str, theme: str, protocol: str, size: tuple[int, int], steps: str
) -> None:
    from PySide6.QtWidgets import QApplication, QWidget

    from gui.actions import Actions
    from gui.app import make_application
    from gui.jobs import JobRunner
    from gui.open_workspace import OpenWorkspace
    from gui.player.player import Player
    from gui.rate.sitting.view import SittingView
    from gui.services import Services
    from gui.settings import Settings
    from gui.strings import words
    from gui.theme import set_theme
    from tests.gui.rate.sitting.fast import FastSound, Pump
    from tests.gui.rate.sitting.made import session_of_all, spoken_workspace

    application = make_application()
    words.use(language)
    set_theme(theme)
    workspace = spoken_workspace(place)
    session = session_of_all(workspace, protocol, language, training=1 if "train" in steps else 0)
    jobs, window = JobRunner(), QWidget()
    settings = Settings(place / "settings.json", jobs)
    opened = OpenWorkspace(jobs, settings, window)
    opened.current = workspace
    sound = FastSound(48000)
    sound.plan_now = SimpleNamespace(device="Headphones", number=0, rate_hz=48000, channels=2)
    actions = Actions(words, settings, window)
    player = Player(jobs, settings, window, sound=sound)
    services = Services(
        opened,
        jobs,
        words,
        settings,
        actions,
        lambda: player,
        print,
        print,
        lambda *_: True,  # type: ignore[arg-type]
    )
    pump = Pump(sound, window)
    actions.belong_to(window)
    window.resize(*size)
    view = SittingView(services, session, window)
    view.resize(*size)
    window.show()
    view.show()

    def until(condition: Callable[[], bool], most_s: float = 10) -> None:
        end = time.monotonic() + most_s
        while not condition() and time.monotonic() < end:
            application.processEvents()

    def settle() -> None:
        end = time.monotonic() + 0.3
        until(lambda: time.monotonic() > end)

    until(lambda: view.model.page not in ("reading",) and actions._screen == "sitting")
    for step in steps.split():
        if step == "item":
            view.check.skip()
            while view.model.page != "item":
                view.model.go_on()
        elif step == "hear":
            view.model.playing._gap.setInterval(0)
            view.act("play")
            until(lambda: not view.model.item.to_hear and not view.model.playing.is_playing)
        elif step == "part":
            view.act("play")
            until(lambda: view.model.playing.now == "answer" and view.model.item.share("answer") > 0.55)
            sound.is_running = False
        elif step.isdigit():
            for digit in step:
                view.model.choose(digit)
        elif step == "text":
            view.model.item.note = "“喝口水”那句放得很轻，挺自然。"
            view.item_page.show_item(view.model.item)
        elif step != "train":
            view.act(step)
        settle()
    pump.deleteLater()
    view.grab().save(str(target))
    print(target, flush=True)
    view.close_sitting()
    player.close()
    settings.close()
    jobs.close()
    window.hide()
    QApplication.processEvents()


WIDE, SMALL, MIDDLE = (1600, 900), (800, 450), (1366, 768)
PICTURES = {
    "item-zh": ("zh", "light", "naturalness", WIDE, "item hear commit hear 4 text"),
    "item-dark": ("en", "dark", "empathy_acoustic", WIDE, "item part"),
    "item-text-en": ("en", "light", "empathy_semantic", WIDE, "item 3"),
    "safety-en": ("en", "light", "safety", WIDE, "item hear 24"),
    "safety-zh-small": ("zh", "light", "safety", SMALL, "item hear 24"),
    "revealed-zh": ("zh", "dark", "empathy_acoustic", WIDE, "item hear 42 commit"),
    "pair-en": ("en", "light", "preference", WIDE, "item hear 1"),
    "pair-zh": ("zh", "light", "comparison", MIDDLE, "item hear 5"),
    "training-en": ("en", "light", "naturalness", MIDDLE, "train item hear 3 commit"),
    "small-en": ("en", "light", "naturalness", SMALL, "item part"),
    "small-zh": ("zh", "dark", "empathy_acoustic", SMALL, "item hear 4"),
    "check-en": ("en", "light", "naturalness", WIDE, ""),
    "sides-zh": ("zh", "light", "naturalness", MIDDLE, "commit play"),
    "instructions-zh": ("zh", "light", "safety", WIDE, "skip"),
    "warning-en": ("en", "dark", "safety", SMALL, "skip commit"),
    "skip-en": ("en", "light", "naturalness", MIDDLE, "item skip"),
    "tag-en": ("en", "light", "naturalness", MIDDLE, "item part tag"),
    "break-zh": ("zh", "light", "naturalness", WIDE, "item break"),
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
