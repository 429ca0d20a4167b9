"""Makes the fonts and the icon font in resources from their upstream files; run once per upstream version.

    python tests/tools/make_fonts.py FOLDER_OF_INTER FOLDER_OF_JETBRAINS_MONO PHOSPHOR_TTF PHOSPHOR_CHARMAP_JSON

Needs fonttools. Inter and JetBrains Mono are cut to Latin, punctuation, arrows and the signs the window prints;
Phosphor to the glyphs named here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

STYLES = ("Regular", "Medium", "SemiBold")
RESOURCES = Path(__file__).parents[2] / "resources"
LETTERS = [
    *range(0x20, 0x7F), *range(0xA0, 0x180), 0x192, 0x218, 0x219, 0x21A, 0x21B, *range(0x2B0, 0x2E0), *range(0x300, 0x30D),
    0x394, 0x3A9, 0x3B1, 0x3B2, 0x3B3, 0x3B4, 0x3BA, 0x3BB, 0x3BC, 0x3C0, 0x3C1, 0x3C3, 0x3C7,
    *range(0x2000, 0x2070), *range(0x2070, 0x2090), 0x20AC, 0x2116, 0x2122,
    *range(0x2190, 0x219A), 0x21A9, 0x21B5, 0x21BA, 0x21BB, 0x21D2, 0x21E7, 0x21E5, 0x2205, 0x2207, 0x2208, 0x2211, 0x2212, 0x2215, 0x2219, 0x221A,
    0x221E, 0x222B, 0x2241, 0x2248, 0x2260, 0x2264, 0x2265, 0x22A3, 0x22C5, 0x2300, 0x2318, 0x2303, 0x2325, 0x232B, 0x238B, 0x23CE,
    *range(0x2400, 0x2427), 0x25A0, 0x25A1, 0x25B2, 0x25B3, 0x25BC, 0x25BD, 0x25B6, 0x25C0, 0x25C6, 0x25C7, 0x25CB, 0x25CF, 0x25CC,
    0x2713, 0x2715, 0x2717, 0xFFFD,
]  # fmt: skip
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "zero", "case", "cv11", "ss01", "sups", "subs"]
ICONS = [
    "books", "waves", "play-circle", "star-half", "scales", "chart-bar-horizontal", "microphone", "gear-six", "ear",
    "funnel", "columns", "export", "repeat", "tag", "note-pencil", "paper-plane-tilt", "swap", "fingerprint",
    "hand-palm", "lock-simple", "flask", "circle-dashed", "spinner-gap", "warning", "warning-circle",
    "warning-octagon", "info", "question", "play", "pause", "stop", "record", "skip-back", "skip-forward", "rewind",
    "fast-forward", "arrow-counter-clockwise", "arrow-clockwise", "arrows-clockwise", "arrow-u-up-left",
    "arrow-right", "arrow-left", "arrow-up", "arrow-down", "arrow-up-right", "arrow-down-right", "caret-down",
    "caret-up", "caret-left", "caret-right", "caret-double-left", "caret-double-right", "check", "check-circle", "x",
    "x-circle", "x-square", "plus", "plus-circle", "minus", "minus-circle", "prohibit", "pause-circle", "stop-circle",
    "command", "database", "headphones", "speaker-high", "speaker-slash", "speaker-low", "microphone-slash", "cpu",
    "hard-drive", "hard-drives", "desktop", "folder", "folder-open", "folder-plus", "folder-simple",
    "folder-notch-plus", "file", "file-text", "tray", "download-simple", "upload-simple", "chat-circle-dots", "ruler",
    "list-bullets", "list-dashes", "copy", "trash", "trash-simple", "pencil-simple", "pencil-line",
    "magnifying-glass", "magnifying-glass-plus", "magnifying-glass-minus", "sliders", "sliders-horizontal", "eye",
    "eye-slash", "key", "keyboard", "translate", "globe", "sun", "moon", "circle-half", "square", "square-half",
    "text-aa", "coffee", "flag", "arrows-out", "arrows-in", "clock", "clock-counter-clockwise", "timer", "hourglass",
    "calendar-blank", "link", "link-break", "wifi-slash", "cloud", "cloud-slash", "user", "users", "robot",
    "scissors", "crosshair", "bookmark-simple", "bookmark", "push-pin", "dots-three", "dots-three-vertical",
    "dots-six-vertical", "sort-ascending", "sort-descending", "arrows-down-up", "rows", "table", "list",
    "presentation", "terminal", "terminal-window", "code", "bug", "wrench", "shield-check", "sparkle", "lightning",
    "package", "cube", "stack", "chart-line", "chart-bar", "percent", "hash", "equals", "arrow-square-out",
    "sign-out", "wall", "note", "chats-circle", "gauge", "activity", "music-note", "broadcast", "lock-key",
    "lock-simple-open", "quotes", "selection-all", "repeat-once", "share-network", "floppy-disk",
    "currency-circle-dollar", "paperclip", "house", "path", "git-diff", "git-branch", "target", "circle",
    "circle-wavy-check", "caret-circle-down", "arrow-line-down", "cardholder", "rewind-circle", "toggle-left",
    "notification", "handshake", "arrows-left-right", "arrows-in-line-horizontal", "arrows-out-line-horizontal",
    "frame-corners", "corners-out", "git-commit", "chart-line-up", "trend-up", "archive-box", "first-aid-kit", "bell",
]  # fmt: skip
FILLED = [
    "books", "waves", "play-circle", "star-half", "scales", "chart-bar-horizontal", "microphone", "gear-six", "play",
    "pause", "stop", "record", "skip-back", "skip-forward", "check-circle", "warning", "warning-circle", "x-circle",
    "circle", "pause-circle", "stop-circle", "star-half", "flag", "bookmark-simple", "push-pin", "caret-down",
    "caret-up", "caret-right", "info", "tag",
]  # fmt: skip


def main(inter: Path, mono: Path, phosphor: Path, charmap: Path) -> None:
    for style in STYLES:
        name = f"Inter-{style}.otf"
        _cut(next(inter.rglob(name)), RESOURCES / "fonts" / name, LETTERS, "Inter", style)
        name = f"JetBrainsMono-{style}.ttf"
        _cut(next(mono.rglob(name)), RESOURCES / "fonts" / name, LETTERS, "JetBrains Mono", style)
    codes = json.loads(charmap.read_text())
    names = [*ICONS, *(f"{name}-fill" for name in FILLED)]
    kept = {name: int(codes[name], 16) for name in sorted(names)}
    _cut(phosphor, RESOURCES / "icons" / "phosphor.ttf", list(kept.values()), "Phosphor", "Regular")
    table = json.dumps({name: f"{code:x}" for name, code in kept.items()}, indent=0)
    (RESOURCES / "icons" / "phosphor.json").write_text(table + "\n")


def _cut(source: Path, target: Path, codes: list[int], family: str, style: str) -> None:
    font = TTFont(source)
    options = Options()
    options.layout_features = FEATURES
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting = False
    options.drop_tables += ["DSIG", "meta"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    # Qt tells faces of one family apart by weight, and asks the Chinese face behind it for a style of the same name
    font["name"].setName(family, 1, 3, 1, 0x409)
    font["name"].setName(style, 2, 3, 1, 0x409)
    font.save(target)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:]))
