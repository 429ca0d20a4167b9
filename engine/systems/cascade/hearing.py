"""Recognisers of cascades: those of the product, and any system that writes what it hears."""

from __future__ import annotations

from pathlib import Path

from engine.audio.read import load_mono
from engine.speech.recognise import load_recogniser
from engine.speech.values import SAMPLE_RATE_HZ, RecogniserSpec
from engine.systems.cascade.part import Table
from engine.systems.values import Ask, Finished, Options, SpokenTurn, System


class WhisperHearing:
    """A recogniser of ``engine.speech``: clips of any length, in windows of up to 30 s."""

    def __init__(self, table: Table, options: Options) -> None:
        backend = table.take("backend", "faster-whisper")
        device = table.take("device", options.device)
        self._language = table.take("language", "auto")
        spec = RecogniserSpec(
            backend=backend,
            weights=table.take("weights", "packaged"),
            revision=table.take("revision", "") or None,
            compute_type=table.take("compute_type", _usual_type(backend, device)),
            device=device,
            beam_size=table.take("beam_size", 5),
            cpu_threads=table.take("cpu_threads", 0),
            allow_pickle=options.allow_pickle,
        )
        table.no_more()
        self._recogniser = load_recogniser(spec)
        maker = self._recogniser.maker
        self.versions = {"recogniser": f"{maker.name} {maker.weights_sha256[:12]} {' '.join(maker.libraries)}"}

    def heard(self, audio: Path) -> str:
        """The words of an audio."""
        return self._recogniser.transcribe([load_mono(audio, SAMPLE_RATE_HZ)], self._language)[0].text

    def close(self) -> None:
        """Give back the weights' memory."""
        del self._recogniser


class SystemHearing:
    """An endpoint that transcribes, or another system that writes what it hears."""

    def __init__(self, system: System, time_limit_s: float) -> None:
        self._system, self._time_limit_s = system, time_limit_s
        self.versions: dict[str, str] = {}

    def heard(self, audio: Path) -> str:
        """The words of an audio."""
        ask = Ask("hear", (SpokenTurn("user", audios=(audio,)),), time_limit_s=self._time_limit_s)
        *_, last = self._system.respond(ask)
        if not isinstance(last, Finished):
            return ""
        self.versions = {f"recogniser {name}": version for name, version in last.versions.items()}
        return last.text.strip()

    def close(self) -> None:
        """Close the system."""
        self._system.close()


def _usual_type(backend: str, device: str) -> str:
    """float16 for transformers on a GPU, as the papers ran it; what the back end thinks right elsewhere."""
    if backend != "transformers" or device in ("cpu", "mps"):
        return "default"
    from engine.systems.local.packages import torch_and_transformers

    torch, _ = torch_and_transformers()
    return "float16" if torch.cuda.is_available() else "default"
