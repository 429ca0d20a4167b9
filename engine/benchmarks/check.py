"""Checks recorded answers against the instances they answer, before anything is measured or a judge is paid."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from engine.benchmarks.check_audio import AudioCheck
from engine.benchmarks.responses import Recorded
from engine.benchmarks.values import Finding, Instance, Problem, RecordedResponse
from engine.benchmarks.wavfolder import StrayAudio
from engine.progress import Progress

_FAULT_FLAGS = ("two_layouts_differ", "ambiguous_audio", "audio_outside")
_NOTE_FLAGS = ("flat_layout", "two_layouts_same", "surrogate_replaced")


@dataclass(frozen=True, slots=True)
class SubsetCount:
    """How many instances of a subset were asked, answered (by text or audio), have audio, and have audio that nothing
    was found about."""

    subset: str
    asked: int
    answered: int
    with_audio: int
    good_audio: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the check found, by subset and key; ``problems`` are those of reading the files.

    ``good_audio_keys`` names (subset, key) of the answers whose audio nothing was found about, notes included.
    """

    findings: tuple[Finding, ...]
    counts: tuple[SubsetCount, ...]
    good_audio_keys: frozenset[tuple[str, str]]
    problems: tuple[Problem, ...]

    @property
    def asked(self) -> int:
        """Instances in all."""
        return sum(count.asked for count in self.counts)

    @property
    def answered(self) -> int:
        """Instances that have a text or audio."""
        return sum(count.answered for count in self.counts)

    @property
    def with_audio(self) -> int:
        """Instances that have an audio file, good or bad."""
        return sum(count.with_audio for count in self.counts)

    @property
    def good_audio(self) -> int:
        """Instances whose audio nothing was found about."""
        return sum(count.good_audio for count in self.counts)

    @property
    def has_faults(self) -> bool:
        """Whether anything would make a score wrong or missing; the checker's exit code is then not 0."""
        lost = any(problem.is_loss for problem in self.problems)
        return lost or any(finding.severity == "fault" for finding in self.findings)


def check_recorded(
    recorded: Recorded, instances: Sequence[Instance], with_audio: bool = True
) -> Generator[Progress, None, CheckReport]:
    """Compare answers with what was asked, and inspect their audio; yields after each audio file, changes nothing.

    Answers to subsets that ``instances`` lack are counted in one note a subset; a subset without a single answer
    is one note too, for a run may leave it out on purpose. ``with_audio`` False leaves the audio files unopened.
    """
    check = _Check(recorded, instances)
    findings = list(check.texts())
    audio = AudioCheck()
    if with_audio:
        heard = check.heard()
        for done, response in enumerate(heard, start=1):
            findings.extend(audio.inspect(response))
            yield Progress(done, len(heard), response.key)
        findings.extend(audio.sample_rates())
    return check.report(findings)


def repeats(recorded: Recorded) -> Iterator[Finding]:
    """Answers that were left out since their key had one already; a fault where they say something else."""
    for repeat in recorded.duplicates:
        differs = "duplicate_differs" in repeat.flags
        code = "benchmarks.duplicate_differs" if differs else "benchmarks.duplicate_same"
        yield Finding(repeat.subset, repeat.key, code, severity="fault" if differs else "note")


class _Check:
    def __init__(self, recorded: Recorded, instances: Sequence[Instance]) -> None:
        self._recorded = recorded
        self._asked = {(instance.subset, instance.key): instance for instance in instances}
        self._subsets = list(dict.fromkeys(instance.subset for instance in instances))
        self._answers = {(response.subset, response.key): response for response in recorded.responses}
        strays = {(stray.subset, stray.key) for stray in recorded.stray_audio}
        self._touched = {subset for subset, _ in (*self._answers, *strays)}
        self._speaks = any(response.audio for response in recorded.responses) or bool(strays)

    def texts(self) -> Iterator[Finding]:
        """What can be said without opening the audio."""
        yield from self._gaps()
        yield from self._other_subsets()
        for response in self._recorded.responses:
            if (response.subset, response.key) in self._asked:
                yield from self._of_answer(response)
            elif response.subset in self._subsets:
                yield Finding(response.subset, response.key, "benchmarks.unknown_key")
        yield from (finding for finding in repeats(self._recorded) if finding.subset in self._subsets)
        for stray in self._recorded.stray_audio:
            yield from self._of_stray(stray)
        if not self._speaks and self._recorded.responses:
            values = {"count": len(self._recorded.responses)}
            yield Finding("", "", "benchmarks.no_audio_at_all", values, severity="note")

    def heard(self) -> list[RecordedResponse]:
        """The answers to what was asked that have audio."""
        return [answer for place, answer in self._answers.items() if place in self._asked and answer.audio]

    def report(self, findings: list[Finding]) -> CheckReport:
        """The findings in order, and the counts."""
        spoiled = {(finding.subset, finding.key) for finding in findings}
        heard = {(response.subset, response.key) for response in self.heard()}
        answered = {place for place in self._asked if self._is_answered(place)}
        good = frozenset(heard - spoiled)
        counts = tuple(
            SubsetCount(
                subset, *(sum(place[0] == subset for place in each) for each in (self._asked, answered, heard, good))
            )
            for subset in self._subsets
        )
        ordered = sorted(findings, key=lambda finding: (finding.subset, finding.key))
        return CheckReport(tuple(ordered), counts, good, self._recorded.problems)

    def _is_answered(self, place: tuple[str, str]) -> bool:
        answer = self._answers.get(place)
        return answer is not None and (answer.text is not None or answer.audio is not None)

    def _gaps(self) -> Iterator[Finding]:
        for subset in self._subsets:
            missing = [key for owner, key in self._asked if owner == subset and (owner, key) not in self._answers]
            if subset not in self._touched:
                yield Finding(subset, "", "benchmarks.subset_unanswered", {"count": len(missing)}, severity="note")
            else:
                yield from (Finding(subset, key, "benchmarks.unanswered") for key in missing)

    def _other_subsets(self) -> Iterator[Finding]:
        for subset in sorted({response.subset for response in self._recorded.responses} - set(self._subsets)):
            count = sum(response.subset == subset for response in self._recorded.responses)
            yield Finding(subset, "", "benchmarks.subset_not_asked", {"count": count}, severity="note")

    def _of_answer(self, response: RecordedResponse) -> Iterator[Finding]:
        place = (response.subset, response.key)
        if response.error:
            yield Finding(*place, "benchmarks.error", {"error": response.error})
        if response.text is None and response.audio is None:
            yield Finding(*place, "benchmarks.empty_text")
        elif response.text is None:
            yield Finding(*place, "benchmarks.no_text", severity="note")
        elif response.audio is None and self._speaks and not set(_FAULT_FLAGS) & set(response.flags):
            yield Finding(*place, "benchmarks.no_audio")
        for flag in response.flags:
            if flag in _FAULT_FLAGS or flag in _NOTE_FLAGS:
                severity = "fault" if flag in _FAULT_FLAGS else "note"
                yield Finding(*place, f"benchmarks.{flag}", severity=severity)  # type: ignore[arg-type]

    def _of_stray(self, stray: StrayAudio) -> Iterator[Finding]:
        values = {"file": stray.path.name}
        if stray.subset:
            if (stray.subset, stray.key) in self._asked:
                yield Finding(stray.subset, stray.key, "benchmarks.audio_without_answer", values)
            elif stray.subset in self._subsets:
                yield Finding(stray.subset, stray.key, "benchmarks.unknown_audio", values)
            return
        owners = [subset for subset in self._subsets if (subset, stray.key) in self._asked]
        if owners:
            yield Finding(owners[0], stray.key, "benchmarks.audio_without_answer", values)
        else:
            yield Finding("", stray.key, "benchmarks.unclaimed_audio", values, severity="note")
