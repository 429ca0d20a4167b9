"""What importers hand on: instances, recorded responses, outside results, and what was wrong with the files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from engine.errors import EngineError
from engine.strings import text

JSON = Any  # what json.loads gives: str, int, float, bool, None, list, dict
Language = Literal["zh", "en", "mixed"]
_VALUE_LOST = ("benchmarks.bad_timing", "benchmarks.not_text", "benchmarks.audio_outside")
_WHERE = re.compile(r"(line|record) (\d+)(?: \((.*)\))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of the conversation that an instance continues; its text, never its audio."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class AudioRef:
    """One question audio: ``name`` as the data spell it, ``path`` absolute, or None when there is no such file."""

    name: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Instance:
    """One row of a subset or task: the thing asked.

    ``key`` (the Qid) is its identity within (benchmark, subset); ``position`` is its index in the file, from 0, and
    identifies nothing. ``reference`` is None where the data have no answer. ``labels`` holds every other key of the
    record untouched. A multi-round instance has its earlier turns in ``context`` and the last one in ``question``.
    """

    benchmark: str
    subset: str
    key: str
    position: int
    question: str
    reference: str | None = None
    category: str | None = None
    language: Language = "zh"
    context: tuple[Turn, ...] = ()
    audio: tuple[AudioRef, ...] = ()
    labels: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedResponse:
    """What a system is recorded to have answered to one instance.

    ``text`` is None for no answer (missing, null, empty or blank) and otherwise kept character for character.
    ``audio`` is absolute, or None when no file was found. ``transcript`` is what a recogniser heard, where the
    recording brings one. ``timings`` holds first_token_s, first_audio_s, generation_s, duration_s, those given.
    ``flags`` say what was unusual: ``blank_text``, ``surrogate_replaced``, and of the audio ``flat_layout``,
    ``two_layouts_same``, ``two_layouts_differ``, ``ambiguous_audio``, ``audio_outside``, ``audio_missing``.
    ``extra`` holds every other key of the record untouched.
    """

    subset: str
    key: str
    text: str | None
    audio: Path | None = None
    transcript: str | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    flags: tuple[str, ...] = ()
    extra: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutsideJudgement:
    """A verdict that something else gave: a judge's ``state``, ``verdict`` and ``score``, and who made it.

    ``state`` is one of scored, unparsable, failed, unscored; only ``scored`` has a verdict or a score.
    ``system`` is None where the file does not say whose answer was judged.
    """

    subset: str
    key: str
    judge: str
    state: str
    verdict: str | None = None
    score: float | None = None
    reason: str = ""
    system: str | None = None
    maker_name: str = ""
    maker_version: str = ""
    where: str = field(default="", compare=False)  # as a problem's


@dataclass(frozen=True, slots=True)
class OutsideMeasurement:
    """A number that something else computed for one response; NaN where it had no value."""

    subset: str
    key: str
    metric: str
    value: float
    system: str | None = None
    maker_name: str = ""
    maker_version: str = ""
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file that is read on: which file, where in it, what, and whether the entry was kept.

    ``where`` is ``"line 1"``, ``"record 3"``, ``"record 3 (general_knowledge-0003)"``, or empty for the whole file;
    lines count from 1, records from 0 as the data number them. ``code`` is ``benchmarks.name``; its sentence stands
    under ``[problem]`` of the room's strings and may use ``values``.
    """

    file: Path
    where: str
    code: str
    values: Mapping[str, JSON] = field(default_factory=dict)
    kept: bool = False

    @property
    def is_loss(self) -> bool:
        """Whether something was left out: the entry, or a value of it."""
        return not self.kept or self.code in _VALUE_LOST

    def sentence(self, language: str = "en") -> str:
        """The problem as one sentence: file, place, what is wrong and what to do."""
        what, place = self.what(language), self.place(language, str(self.file))
        return text("benchmarks.place.problem", language, place=place, what=what)

    def what(self, language: str = "en") -> str:
        """What is wrong and what to do, without the place."""
        room, _, name = self.code.partition(".")
        return text(f"{room}.problem.{name}", language, **self.values)

    def place(self, language: str = "en", file: str = "") -> str:
        """Where it is: the file by its name, or as ``file`` says, and the line or record."""
        file = file or self.file.name
        found = _WHERE.fullmatch(self.where)
        if found is None:
            return text("benchmarks.place.file", language, file=file)
        kind, number, key = found.groups()
        place = text(f"benchmarks.place.{kind}", language, file=file, number=number)
        return f"{place} ({key})" if key else place


@dataclass(frozen=True, slots=True)
class Imported:
    """What an importer read of a benchmark: the instances in file order, and what was wrong.

    ``audio_missing`` counts the instances whose audio file is not there; those refused for a name that leads outside
    the audio folder are not among them but in ``problems``. ``subsets`` were found.
    """

    benchmark: str
    subsets: tuple[str, ...]
    instances: tuple[Instance, ...]
    problems: tuple[Problem, ...]
    audio_missing: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What the check says about one response (``key``) or a whole subset (``key`` empty).

    A ``fault`` makes a later score wrong or missing; a ``note`` is accepted as it is, but worth a look.
    ``code`` is ``benchmarks.name``, or ``audio.name`` for a fault of the audio room, with that fault's values.
    """

    subset: str
    key: str
    code: str
    values: Mapping[str, JSON] = field(default_factory=dict)
    severity: Literal["fault", "note"] = "fault"

    @property
    def place(self) -> str:
        """What it is about: the response, else the subset; empty where it is about all that was read."""
        return self.key or self.subset

    def sentence(self, language: str = "en") -> str:
        """The finding as one sentence, without the key it is about."""
        room, _, name = self.code.partition(".")
        if room == "audio":
            from engine.audio.facts import Fault  # here, for the room's numpy and soundfile cost every import 0.3 s

            return Fault(name, self.values).sentence(language)
        values = dict(self.values)
        if "error_code" in values:
            values["reason"] = EngineError(values["error_code"], **values["error_values"]).sentence(language)
        return text(f"{room}.finding.{name}", language, **values)
