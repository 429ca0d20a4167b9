"""Every clip of the pack: what it says, what is done to it, and how it is stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from data.sample.build import degrade
from data.sample.build.records import ALL_SUBSETS, EXAMPLES, answers, english_metadata, questions, texts
from engine.speech.synthesise import SAMPLE_RATE_HZ, load_synthesiser

SEED = 20_261
ASKING_VOICES = ("jf_gongitsune", "jf_nezumi")
_OPUS_LEVEL = 0.9  # about 32 kbit/s in mono
_SUFFIXES = {"silence": ".flac", "clip": ".flac", "rate": ".flac", "break": ".wav"}
_BABBLE = (("reasoning", 2), ("creativity", 0), ("emotion", 4), ("safety", 0))


@dataclass(frozen=True, slots=True)
class Clip:
    """One audio file: its path in the pack, the speech, and an effect as its texts file declares it ({} for none)."""

    path: str
    text: str
    language: str
    voice: str
    speed: float
    effect: tuple[tuple[str, Any], ...] = ()

    def fingerprint(self) -> str:
        """Changes when anything changes that the sound depends on."""
        return hashlib.sha256(json.dumps([asdict(self), SEED], ensure_ascii=False).encode()).hexdigest()[:16]


def question_clips() -> Iterator[Clip]:
    """The spoken questions of both halves; robust_clean shares the audio of single_round."""
    for subset in ALL_SUBSETS:
        if subset == "robust_clean":
            continue
        for index, record in enumerate(questions(subset)):
            language = "en" if subset == "cs_knowledge_en" else "zh"
            effect: tuple[tuple[str, Any], ...] = ()
            if subset == "robust":
                effect = (("kind", "robust"), ("category", record["Category"]), ("level", record["Level"]))
            voice = ASKING_VOICES[index % 2] if subset != "robust" else ASKING_VOICES[0]
            yield Clip(f"vocalbench_zh/audio/{record['Audio']}", record["Question"], language, voice, 1.0, effect)
    for task in texts("dynamic_superb"):
        for index, (name, record) in enumerate(english_metadata(task).items()):
            yield Clip(f"dynamic_superb/{task}/{name}", record["text"], "en", ASKING_VOICES[index % 2], 1.0)


def answer_clips() -> Iterator[Clip]:
    """The spoken answers of the two example systems; an answer whose audio is missing on purpose has none."""
    for system in EXAMPLES:
        voice = texts(system)["system"]["voice"]
        for subset, question, entry in answers(system):
            effect = entry.get("effect", {})
            if effect.get("kind") == "missing":
                continue
            suffix = _SUFFIXES.get(effect.get("kind", ""), ".ogg")
            said, language = str(entry.get("spoken", entry["response"])), entry.get("language", "zh")
            path = f"model_output/{system}/wav/{subset}/{question['Qid']}{suffix}"
            yield Clip(path, said, language, voice, entry.get("speed", 1.0), tuple(effect.items()))


@dataclass(frozen=True, slots=True)
class Renderer:
    """Speaks clips; keeps plain speech in ``cache`` so that a text is synthesised once."""

    cache: Path

    def speech(self, clip: Clip) -> degrade.Samples:
        """The clip's speech before its effect."""
        kept = self.cache / f"{Clip('', clip.text, clip.language, clip.voice, clip.speed).fingerprint()}.npy"
        if kept.exists():
            return np.asarray(np.load(kept), np.float32)
        samples = load_synthesiser().speak(clip.text, clip.language, clip.voice, clip.speed)
        self.cache.mkdir(parents=True, exist_ok=True)
        np.save(kept, samples)
        return samples

    def render(self, clip: Clip) -> tuple[degrade.Samples, int]:
        """The clip's samples and their rate."""
        effect = dict(clip.effect)
        kind = effect.get("kind")
        if kind == "silence":
            return np.zeros(round(effect["seconds"] * SAMPLE_RATE_HZ), np.float32), SAMPLE_RATE_HZ
        speech = self.speech(clip)
        if kind == "robust":
            others = [self.speech(Clip("", *_question(*place), ASKING_VOICES[0], 1.0)) for place in _BABBLE]
            return degrade.robust(speech, others, effect["category"], effect["level"], SEED), SAMPLE_RATE_HZ
        if kind == "rate":
            import soxr

            rate = int(effect["sample_rate_hz"])
            return np.asarray(soxr.resample(speech, SAMPLE_RATE_HZ, rate), np.float32), rate
        if kind == "cut":
            return degrade.cut_short(speech, effect["keep"]), SAMPLE_RATE_HZ
        if kind == "clip":
            return degrade.amplify_until_clipped(speech, effect["gain"]), SAMPLE_RATE_HZ
        if kind == "bright":
            return degrade.raise_voice(speech, effect["factor"]), SAMPLE_RATE_HZ
        return speech, SAMPLE_RATE_HZ

    def write(self, clip: Clip, pack: Path) -> None:
        """Render the clip and store it in the pack."""
        samples, rate = self.render(clip)
        store(pack / clip.path, samples, rate)
        effect = dict(clip.effect)
        if effect.get("kind") == "break":
            path = pack / clip.path
            whole = path.read_bytes()
            path.write_bytes(whole[: 44 + 2 * round(effect["keep"] * samples.size)])


def store(path: Path, samples: degrade.Samples, rate: int) -> None:
    """Write mono samples as Ogg/Opus, 16-bit FLAC or 16-bit WAV, by the suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".ogg":
        soundfile.write(path, samples, rate, format="OGG", subtype="OPUS", compression_level=_OPUS_LEVEL)
    else:
        soundfile.write(path, samples, rate, subtype="PCM_16")


def _question(subset: str, index: int) -> tuple[str, str]:
    return questions(subset)[index]["Question"], "zh"
