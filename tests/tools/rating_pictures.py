"""Pictures of the rating screen: ``python -m tests.tools.rating_pictures FOLDER [NAME]``, offscreen, on made sounds."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main(folder: Path, only: str = "") -> None:
    """One picture of each state that is worth a look."""
    for name, (language, theme, protocol, size, steps) in PICTURES.items():
        if only in name:
            with tempfile.TemporaryDirectory() as place:
                _take(folder / f"{name}.png", Path(place), language, theme, protocol, size, steps)
            print(folder / f"{name}.png", flush=True)


def _take(
    target: Path, place: Path, language: str, theme: str, protocol: str, size: tuple[int, int], steps: str
) -> None:
    from tests.gui.rate.sitting.alone import alone
    from tests.gui.rate.sitting.made import session_of_all, spoken_workspace

    workspace = spoken_workspace(place)
    session = session_of_all(workspace, protocol, language, training=1 if "train" in steps else 0)
    with alone(workspace, session, place, language=language, theme=theme, size=size) as here:
        view, model = here.view, here.view.model

        def settle() -> None:
            end = time.monotonic() + 0.3
            here.until(lambda: time.monotonic() > end)

        for step in steps.split():
            if step == "item":
                here.to_the_first_item()
            elif step == "hear":
                view.act("play")
                here.until(lambda: not model.item.to_hear and not model.playing.is_playing)
            elif step == "part":
                here.sound.step_s = 0.02
                view.act("play")
                here.until(lambda: model.playing.now == "answer" and model.item.share("answer") > 0.55)
                here.sound.is_running = False
            elif step.isdigit():
                for digit in step:
                    model.choose(digit)
            elif step == "text":
                model.item.note = "“喝口水”那句放得很轻，挺自然。"
                view.item_page.show_item(model.item)
            elif step != "train":
                view.act(step)
            settle()
        settle()
        view.grab().save(str(target))


WIDE, SMALL, MIDDLE = (1600, 900), (800, 450), (1366, 768)
PICTURES = {
    "item-zh": ("zh", "light", "naturalness", WIDE, "item hear commit hear 4 text"),
    "item-dark": ("en", "dark", "empathy_acoustic", WIDE, "item part"),
    "item-text-en": ("en", "light", "empathy_semantic", WIDE, "item 3"),
    "safety-en": ("en", "light", "safety", WIDE, "item hear 24"),
    "safety-zh-small": ("zh", "light", "safety", SMALL, "item hear 24"),
    "revealed-zh": ("zh", "dark", "empathy_acoustic", WIDE, "item hear 42 commit"),
    "kept-zh": ("zh", "dark", "empathy_acoustic", MIDDLE, "item hear 42 text commit"),
    "kept-en": ("en", "light", "empathy_acoustic", MIDDLE, "item hear 42 text commit"),
    "kept-small-en": ("en", "dark", "empathy_acoustic", SMALL, "item hear 42 text commit"),
    "note-zh": ("zh", "light", "empathy_acoustic", MIDDLE, "item hear text 42"),
    "open-zh": ("zh", "light", "empathy_acoustic", MIDDLE, "item part"),
    "pair-en": ("en", "light", "preference", WIDE, "item hear 1"),
    "pair-zh": ("zh", "light", "comparison", MIDDLE, "item hear 5"),
    "training-en": ("en", "light", "empathy_acoustic", MIDDLE, "train item hear 22 commit"),
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
