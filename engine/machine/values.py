"""What a check found, as a value that speaks both languages, and what has to be known to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.speech.values import RecogniserSpec
from engine.strings import text

State = Literal["ready", "missing", "warning"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing of this computer: ``ready``, ``missing`` (all else works without) or a ``warning``.

    ``says`` and ``helps`` are keys below ``machine.says`` and ``machine.helps``; ``helps`` is empty where there is
    nothing to do. ``values`` fill the places of both.
    """

    id: str
    state: State
    says: str
    values: Mapping[str, Any] = field(default_factory=dict)
    helps: str = ""

    def title(self, language: str = "en") -> str:
        """What was checked."""
        return text(f"machine.title.{self.id}", language)

    def sentence(self, language: str = "en") -> str:
        """What was found."""
        return text(f"machine.says.{self.says}", language, **self.values)

    def help(self, language: str = "en") -> str:
        """How to get what is missing; empty where there is nothing to do."""
        return text(f"machine.helps.{self.helps}", language, **self.values) if self.helps else ""


@dataclass(frozen=True, slots=True)
class JudgeAsked:
    """An endpoint that the user has set up."""

    base_url: str
    model: str
    key_env: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the checks are about.

    Attributes:
        folder: of the workspace, or the one it would be made in.
        recogniser: the one that is set.
        judges: endpoints that are set up.
        floors: the recogniser's error rate on known speech by language, where the store knows it.
        chinese_font: the family that shows Chinese, ``""`` where there is none, None where nobody looked.
        list_devices: whether sound devices are asked for: it loads PortAudio and may take a tenth of a second.
    """

    folder: Path
    recogniser: RecogniserSpec = field(default_factory=RecogniserSpec)
    judges: tuple[JudgeAsked, ...] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    chinese_font: str | None = None
    list_devices: bool = False
