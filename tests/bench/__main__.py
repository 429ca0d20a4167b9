"""``python -m tests.bench [--long] [GLOB]``: measure figures, print them, and write bench.json."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

from tests.bench import FIGURES, LONG, Figure

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("import", "audit", "detail", "text", "speech", "judge", "window", "player", "run", "rate")


def main() -> None:
    """Measure what the glob names; a figure that cannot be measured here is told with the reason."""
    arguments = argparse.ArgumentParser(prog="python -m tests.bench")
    arguments.add_argument("only", nargs="?", default="*")
    arguments.add_argument("--long", action="store_true", help="also those that take more than a minute")
    chosen = arguments.parse_args()
    for room in ROOMS:
        import_module(f"tests.bench.bench_{room}")
    figures: list[Figure] = []
    skipped: list[dict[str, str]] = []
    for name, measure in FIGURES.items():
        if not fnmatch(name, chosen.only):
            continue
        if name in LONG and not chosen.long:
            skipped.append({"name": name, "why": "takes more than a minute: make bench-long"})
            continue
        try:
            figure = measure()
        except (FileNotFoundError, ImportError) as error:
            skipped.append({"name": name, "why": str(error)})
            continue
        figures.append(figure)
        ratio = (
            f", {figure.ratio:.1f} x {figure.baseline:.3g} {figure.unit}" if figure.ratio and figure.baseline else ""
        )
        print(f"{figure.name}: {figure.value:.4g} {figure.unit}{ratio}  {figure.note}", flush=True)
    for entry in skipped:
        print(f"{entry['name']}: not measured ({entry['why']})")
    told = {"figures": [asdict(figure) for figure in figures], "skipped": skipped}
    (ROOT / "bench.json").write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
