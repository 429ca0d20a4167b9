"""Audio inside the report: each clip as an MP3 data address that every browser plays."""

from __future__ import annotations

import base64
import io
from functools import lru_cache
from pathlib import Path

from engine.audio.read import load_mono

SAMPLE_RATE_HZ = 24_000
LONGEST_S = 120.0


@lru_cache(maxsize=512)  # questions are shared by systems
def data_address(path: Path) -> str:
    """``path`` as a ``data:audio/mpeg`` address: mono, at most ``LONGEST_S`` seconds.

    Raises EngineError where the file cannot be read.
    """
    import soundfile

    samples = load_mono(path, SAMPLE_RATE_HZ)[: int(LONGEST_S * SAMPLE_RATE_HZ)]
    memory = io.BytesIO()
    soundfile.write(memory, samples.clip(-1, 1), SAMPLE_RATE_HZ, format="MP3", subtype="MPEG_LAYER_III")
    return "data:audio/mpeg;base64," + base64.b64encode(memory.getvalue()).decode("ascii")
