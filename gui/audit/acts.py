"""What keys do on the Audit screen with the answers chosen and the one looked at, known before what does it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from gui.actions import Actions

SCREEN = "audit"


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the screen; its id is ``audit.`` and the name."""

    name: str
    keys: str | tuple[str, ...]
    icon: str = ""


_ANSWER = (
    Act("full_text", "V", "file-text"),
    Act("history", "H", "clock-counter-clockwise"),
    Act("people", "Shift+H", "users"),
    Act("alignment", "Ctrl+L", "rows"),
    Act("spectrum", "G", "waves"),
    Act("spectrum_scale", "Shift+G"),
    Act("spoken", "A", "text-aa"),
    Act("pitch", "F"),
    Act("energy", "E"),
    Act("next_mark", "F8", "caret-right"),
    Act("previous_mark", "Shift+F8", "caret-left"),
    Act("correct", "Ctrl+E", "pencil-simple"),
    Act("undo_correction", "Ctrl+Alt+Z", "arrow-counter-clockwise"),
)
_SYSTEMS = (
    Act("compare_1", "Alt+1"),
    Act("compare_2", "Alt+2", "swap"),
    Act("compare_3", "Alt+3"),
    Act("compare_4", "Alt+4"),
    Act("compare_5", "Alt+5"),
    Act("compare_6", "Alt+6"),
    Act("compare_next", "Alt+Right"),
    Act("compare_previous", "Alt+Left"),
    Act("compare_mode", "W", "swap"),
)
_SOUND = (
    Act("play", "Space", "play"),
    Act("play_range", "Shift+Space", "play"),
    Act("loop", ("R", "Shift+L"), "repeat"),
    Act("loop_start", "["),
    Act("loop_end", "]"),
    Act("clear_range", "Shift+R"),
    Act("back", "J"),
    Act("pause", "K", "pause"),
    Act("forward", "L"),
    Act("slower", ","),
    Act("faster", "."),
    Act("as_recorded", "/"),
    Act("gain", "U"),
    Act("mute", "M", "speaker-slash"),
    Act("clip_lamp", "Shift+M"),
    Act("sound_device", "Ctrl+D", "headphones"),
)
_SAID = (
    Act("tag", "T", "tag"),
    Act("note", "N", "note-pencil"),
    Act("undo", "Ctrl+Z", "arrow-u-up-left"),
    Act("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "arrow-clockwise"),
    Act("playlists", "P", "list-bullets"),
    Act("play_through", "Shift+P", "fast-forward"),
    Act("to_rating", "Ctrl+R", "paper-plane-tilt"),
    Act("export", "Ctrl+Shift+E", "export"),
)
_ONWARD = (
    Act("charts", "Ctrl+G", "chart-bar"),
    Act("measure_again", "Ctrl+Shift+M", "arrows-clockwise"),
    Act("judge_again", "Ctrl+Shift+J", "scales"),
)
ACTS = {act.name: act for act in (*_ANSWER, *_SYSTEMS, *_SOUND, *_SAID, *_ONWARD)}


def register(actions: Actions, runs: Mapping[str, Callable[[], object]]) -> None:
    """Let these do what the acts of their names say."""
    for name, run in runs.items():
        act = ACTS[name]
        actions.add(f"{SCREEN}.{name}", act.keys, run, screen=SCREEN, icon=act.icon)


def expect(actions: Actions, wanted: Callable[[str], object]) -> None:
    """Register all of them; until the part that does one is made, its key calls ``wanted`` with the action's id."""
    for name, act in ACTS.items():
        action = f"{SCREEN}.{name}"
        actions.expect(action, act.keys, partial(wanted, action), screen=SCREEN, icon=act.icon)
