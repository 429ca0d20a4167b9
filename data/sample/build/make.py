"""Builds the sample pack: `python data/sample/build/make.py`; `--check` compares what is there, changing nothing."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # so that it also runs from a checkout not installed

import soundfile

from data.sample.build.cascade import cascade_clips, run_cascade
from data.sample.build.clips import Renderer, answer_clips, question_clips
from data.sample.build.records import json_lines, text_files

PACK = Path(__file__).resolve().parents[1]
MANIFEST = "audio.jsonl"


def build(cache: Path, cascade: bool) -> None:
    """Write every text, and every clip whose speech or effect has changed since the manifest was written."""
    for name, content in text_files().items():
        path = PACK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    known = {entry["audio"]: entry["made_from"] for entry in _manifest()}
    renderer = Renderer(cache)
    clips = [*question_clips(), *answer_clips()]
    for done, clip in enumerate(clips, start=1):
        if known.get(clip.path) != clip.fingerprint() or not (PACK / clip.path).exists():
            renderer.write(clip, PACK)
            sys.stderr.write(f"{done} of {len(clips)} {clip.path}\n")
    if cascade:
        run_cascade(PACK)
    made_from = {clip.path: clip.fingerprint() for clip in clips} | dict.fromkeys(cascade_clips(PACK), "")
    for stale in known.keys() - made_from.keys():
        (PACK / stale).unlink(missing_ok=True)
    entries = [_entry(path, fingerprint) for path, fingerprint in made_from.items()]
    (PACK / MANIFEST).write_text(json_lines(entries), encoding="utf-8", newline="\n")


def differences() -> Iterator[str]:
    """One line for each text or clip that is not what this script builds; audio by its length, not by its bytes."""
    for name, content in text_files().items():
        if not (PACK / name).exists() or (PACK / name).read_bytes() != content.encode():
            yield f"{name} differs from its texts"
    entries = {entry["audio"]: entry for entry in _manifest()}
    expected: dict[str, str] = {clip.path: clip.fingerprint() for clip in [*question_clips(), *answer_clips()]}
    expected |= dict.fromkeys(cascade_clips(PACK), "")
    for path, made_from in expected.items():
        if path not in entries or entries[path] | {"made_from": made_from} != entries[path]:
            yield f"{path} was made from other words or settings"
        elif not (PACK / path).exists() or _entry(path, made_from) != entries[path]:
            yield f"{path} is missing or has another length"
    yield from (f"{path} belongs to nothing" for path in entries if path not in expected)


def _manifest() -> list[dict[str, str]]:
    path = PACK / MANIFEST
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line] if path.exists() else []


def _entry(path: str, made_from: str) -> dict[str, object]:
    info = soundfile.info(PACK / path)
    return {"audio": path, "sample_rate_hz": info.samplerate, "frames": info.frames, "made_from": made_from}


def main() -> int:
    """Build or check; 0 when all is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; list what differs")
    parser.add_argument("--cascade", action="store_true", help="also run the offline cascade again (new timings)")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "auricle-sample-pack")
    options = parser.parse_args()
    if not options.check:
        build(options.cache, options.cascade)
    found = list(differences())
    sys.stderr.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
