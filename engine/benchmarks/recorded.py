"""Reads a system's recorded answers from ``model_output/<system>``: json, wav, json_asr and result."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.benchmarks.declaration import declared_subsets
from engine.benchmarks.jsonfile import Record, json_kind, place, read_records, shortened, what_is_wrong
from engine.benchmarks.published_results import Results, read_results
from engine.benchmarks.responses import Recorded, ResponseRows, spoken_text
from engine.benchmarks.values import JSON, Problem, RecordedResponse
from engine.benchmarks.wavfolder import WavFolder
from engine.errors import EngineError
from engine.progress import Progress

_ASPECTS = ("semantic", "acoustic", "full")  # a script for each writes a result file of its own
_PARTS = ("json", "json_asr", "result", "wav")


def read_recorded(
    folder: Path, system: str | None = None, subsets: Sequence[str] | None = None, encoding: str | None = None
) -> Generator[Progress, None, Recorded]:
    """Read the answers of one system; yields after each file, decodes no audio.

    Where a subset has a wav folder of its own and no json, each of its files is an answer without text.

    Args:
        folder: ``model_output/<system>``.
        system: its name; None takes the folder's.
        subsets: only these, hyphens taken for underscores; None reads every file.

    Raises EngineError when the folder has none of json, json_asr, result, wav.
    """
    if not any((folder / part).is_dir() for part in _PARTS):
        raise EngineError("benchmarks.not_model_output", folder=folder)
    wanted = None if subsets is None else {name.rpartition("/")[2].replace("-", "_") for name in subsets}
    reader = _FolderReader(folder, wanted, encoding)
    names = reader.subsets()
    yield Progress(0, len(names))
    for done, name in enumerate(names, start=1):
        reader.read(name)
        yield Progress(done, len(names), name)
    return reader.recorded(system or folder.resolve().name)


class _FolderReader:
    def __init__(self, folder: Path, wanted: set[str] | None, encoding: str | None) -> None:
        self._folder, self._wanted, self._encoding = folder, wanted, encoding
        self._rows = ResponseRows()
        self._problems: list[Problem] = []
        self._results: list[Results] = []

    def subsets(self) -> list[str]:
        """The names of the files in json, json_asr and result, in order."""
        files = (path for part in _PARTS[:3] for path in (self._folder / part).glob("*.json*"))
        names = {path.stem for path in files if path.suffix in (".json", ".jsonl") and not path.name.startswith(".")}
        return sorted(name for name in names if self._wanted is None or _subset_of(name) in self._wanted)

    def read(self, name: str) -> None:
        """Read the up to three files of one name."""
        if (path := self._file("json", name)) is not None:
            for response in self._responses(path, name):
                self._rows.add(response)
        if (path := self._file("json_asr", name)) is not None:
            self._add_transcripts(path, name)
        if (path := self._file("result", name)) is not None:
            self._add_results(path, name)

    def recorded(self, system: str) -> Recorded:
        """All that was read, with the audio that lies beside it."""
        audio = WavFolder.scan(self._folder / "wav")
        for outside in audio.outside:
            values = {"field": "wav", "value": outside}
            self._problems.append(Problem(self._folder / "wav", "", "benchmarks.audio_outside", values))
        self._add_audio_only(audio)
        users = self._rows.key_users()
        responses = []
        for (subset, key), response in self._rows.found.items():
            found = audio.find(subset, key, users)
            responses.append(replace(response, audio=found.path, flags=(*response.flags, *found.flags)))
        return Recorded(
            system=system,
            responses=tuple(responses),
            problems=tuple(self._problems),
            duplicates=tuple(self._rows.duplicates),
            stray_audio=audio.strays(self._rows.found),
            judgements=tuple(judgement for results in self._results for judgement in results.judgements),
            measurements=tuple(measurement for results in self._results for measurement in results.measurements),
        )

    def _add_audio_only(self, audio: WavFolder) -> None:
        """Answers of a system that wrote no text: the files in the folder of a subset that no json speaks of."""
        written = {subset for subset, _ in self._rows.found}
        for subset, files in audio.by_subset.items():
            if subset and subset not in written and (self._wanted is None or subset in self._wanted):
                for key in files:
                    self._rows.add(RecordedResponse(subset, key, None))

    def _file(self, part: str, name: str) -> Path | None:
        return next(
            (path for ext in ("json", "jsonl") if (path := self._folder / part / f"{name}.{ext}").exists()), None
        )

    def _responses(self, path: Path, subset: str) -> Iterable[RecordedResponse]:
        file = read_records(path, self._encoding)
        self._problems.extend(file.problems)
        for record in file.records:
            key = record.fields.get("Qid")
            if not isinstance(key, str) or not key.strip():
                self._say(path, record, *what_is_wrong("Qid", record))
                continue
            if "Response" not in record.fields:
                self._say(path, record, "key_missing", {"field": "Response"}, kept=True)
            yield self._response(path, record, subset, key)

    def _response(self, path: Path, record: Record, subset: str, key: str) -> RecordedResponse:
        value = record.fields.get("Response")
        text, flags = None, ["surrogate_replaced"] if "Response" in record.replaced else []
        if isinstance(value, str):
            text = spoken_text(value)
            flags += ["blank_text"] if value and text is None else []
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            text = shortened(value, 10**6)
            self._say(path, record, *what_is_wrong("Response", record), kept=True)
        elif value is not None:
            values = {"field": "Response", "kind": json_kind(value), "value": shortened(value)}
            self._say(path, record, "not_text", values, kept=True)
        extra = {name: other for name, other in record.fields.items() if name not in ("Qid", "Response")}
        return RecordedResponse(subset, key, text, flags=tuple(flags), extra=extra)

    def _add_transcripts(self, path: Path, subset: str) -> None:
        file = read_records(path, self._encoding)
        self._problems.extend(file.problems)
        for record in file.records:
            key, heard = record.fields.get("Qid"), record.fields.get("Response_hyp")
            if not isinstance(key, str) or not isinstance(heard, str):
                self._say(path, record, *what_is_wrong("Response_hyp" if isinstance(key, str) else "Qid", record))
                continue
            known = self._rows.found.get((subset, key))
            if known is None:  # json_asr repeats the answer, so it stands for a lost json
                known = self._response(path, record, subset, key)
                known = replace(known, extra={name: v for name, v in known.extra.items() if name != "Response_hyp"})
            elif self._is_other_text(record, known):
                self._say(path, record, "other_text", {"field": "Response_hyp"})
                continue
            self._rows.found[subset, key] = replace(known, transcript=heard)

    def _add_results(self, path: Path, subset: str) -> None:
        declared = declared_subsets("vocalbench_zh").get(_subset_of(subset))
        if declared is None:
            self._problems.append(Problem(path, "", "benchmarks.unknown_file", {"subset": subset}))
            return
        results = read_results(path, declared, self._encoding)
        self._results.append(results)
        self._problems.extend(results.problems)

    def _is_other_text(self, record: Record, known: RecordedResponse) -> bool:
        again = record.fields.get("Response")
        return isinstance(again, str) and spoken_text(again) != known.text

    def _say(self, path: Path, record: Record, code: str, values: dict[str, JSON], kept: bool = False) -> None:
        self._problems.append(Problem(path, place(record), f"benchmarks.{code}", values, kept))


def _subset_of(stem: str) -> str:
    """The subset that a file is about: ``emotion_acoustic`` in ``result`` is about ``emotion``."""
    subset, _, aspect = stem.rpartition("_")
    return subset if aspect in _ASPECTS else stem
