"""Studies of made-up answers: bursts of noise instead of speech, in which exactly what a test asks for differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from engine.benchmarks.values import Instance
from engine.store.audio import take_audio
from engine.store.benchmarks import add_instances
from engine.store.responses import NewResponse, add_responses, system_id
from engine.store.runs import begin_run
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

RATE = 16_000
TEXTS = (
    "景德镇在江西省，以瓷器闻名。", "它是中国最长的河流。", "一共有七种颜色。", "这首诗的作者是李白。", "水在零度时结冰。",
    "北京是中国的首都。", "答案是四十二。", "请先关掉电源再检查。",
)  # fmt: skip

#: What of an answer a test may change: (number of the item, number of the system, random source) -> keywords of clip.
Change = Callable[[int, int, np.random.Generator], Mapping[str, Any]]


def clip(
    path: Path,
    rng: np.random.Generator,
    *,
    lead_s: float = 0.1,
    tail_s: float = 0.3,
    spoken_s: float = 0.8,
    level_db: float = -26.0,
    below_hz: float = 8000.0,
    floor_db: float = -90.0,
    rate: int = RATE,
    subtype: str = "PCM_16",
) -> Path:
    """A WAV file with ``lead_s`` of near silence, syllables of noise for ``spoken_s`` with a pause, and ``tail_s`` of near silence.

    ``below_hz``: no syllable sounds above it. ``floor_db``: white noise throughout, in dBFS.
    """
    lead, spoken, tail = (round(seconds * rate) for seconds in (lead_s, spoken_s, tail_s))
    time = np.arange(spoken) / rate
    lines = np.fft.rfft(rng.normal(size=spoken))
    lines[np.fft.rfftfreq(spoken, 1 / rate) > below_hz] = 0
    syllables = np.fft.irfft(lines, spoken) * (0.55 + 0.45 * np.cos(2 * np.pi * 5 * time))
    syllables[spoken // 2 : spoken // 2 + rate // 6] = 0  # a pause
    syllables *= 10 ** (level_db / 20) / np.sqrt(np.mean(syllables**2))
    samples = np.concatenate([np.zeros(lead), syllables, np.zeros(tail)])
    samples += rng.normal(size=len(samples)) * 10 ** (floor_db / 20)
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, subtype=subtype)
    return path


def study(
    workspace: Workspace,
    folder: Path,
    change: Change | None = None,
    *,
    items: int = 16,
    systems: int = 4,
    seed: int = 7,
) -> list[int]:
    """Answers of ``systems`` systems to ``items`` questions; lead, length, level and floor vary by chance alone.

    ``change`` may give ``text``, and anything that ``clip`` takes. Returns their ids.
    """
    rng = np.random.default_rng(seed)
    asked = [Instance("made", "made", f"made-{n:03d}", n, f"第{n}个问题是什么？", "答", "here") for n in range(items)]
    with closing(workspace.connect()) as db:
        add_instances(db, workspace, "made", folder, asked)
        ids = [row[0] for row in db.execute("SELECT id FROM instance ORDER BY position")]
        with transaction(db):
            run, added = begin_run(db, "import", {}), []
            for system in range(systems):
                answers = []
                for item, instance in enumerate(ids):
                    told: dict[str, Any] = {
                        "lead_s": rng.uniform(0.1, 0.3),
                        "tail_s": rng.uniform(0.2, 0.6),
                        "spoken_s": rng.uniform(0.7, 1.1),
                        "level_db": rng.normal(-26, 1),
                        "text": str(rng.choice(TEXTS)),
                    }
                    told |= dict(change(item, system, rng)) if change else {}
                    text = told.pop("text")
                    path = clip(folder / f"{system}-{item}.wav", rng, **told)
                    audio = take_audio(db, workspace, path, keep="reference")
                    answers.append(NewResponse(instance, "answered", text, audio, {}))
                made, _ = add_responses(db, run, system_id(db, f"made-{system}", "recorded"), answers, {})
                added += made
    return added
