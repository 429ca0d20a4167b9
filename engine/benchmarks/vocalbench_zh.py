"""Reads VocalBench-zh from its own files: a checkout, its json folder, or the hub's folder."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import cast

from engine.benchmarks.audiopath import AudioFolder, OutsideFolderError
from engine.benchmarks.declaration import SubsetDeclaration, declared_subsets
from engine.benchmarks.jsonfile import Record, json_kind, place, read_records, shortened, what_is_wrong
from engine.benchmarks.values import JSON, AudioRef, Imported, Instance, Language, Problem, Turn
from engine.errors import EngineError
from engine.progress import Progress

BENCHMARK = "vocalbench_zh"
_NESTED = ("", "json", "vocalbench_zh_code/json", "data/json")  # json itself, a checkout, two of its layouts
_PARSED = {"Qid", "Audio", "Question", "Context"}


def find_json_folder(folder: Path) -> Path:
    """The folder of the subset files at or below ``folder``.

    Raises EngineError when there is none, and says so where only the hub's Parquet files are there.
    """
    found = json_folder(folder)
    if found is not None:
        return found
    if not folder.is_dir():
        raise EngineError("benchmarks.no_such_folder", folder=folder)
    only_parquet = any(True for _ in folder.glob("**/*.parquet"))
    raise EngineError("benchmarks.only_parquet" if only_parquet else "benchmarks.not_vocalbench_zh", folder=folder)


def json_folder(folder: Path) -> Path | None:
    """The folder of the subset files, in one of the places where they may lie; None where they do not."""
    known = [Path(subset.file).name for subset in declared_subsets(BENCHMARK).values()]
    for root in (folder, *sorted(folder.glob("snapshots/*"), reverse=True)):
        for nested in _NESTED:
            if any((root / nested / name).is_file() for name in known):
                return root / nested
    return None


def read_vocalbench_zh(
    folder: Path, subsets: Sequence[str] | None = None, audio: Path | None = None, encoding: str | None = None
) -> Generator[Progress, None, Imported]:
    """Read the subsets that are in ``folder`` (or those named); yields after each file, writes nothing.

    Args:
        subsets: names such as ``"safety"`` (hyphens are taken for underscores); None takes all that are there.
        audio: the folder that ``Audio`` is relative to; None takes ``audio`` beside the json folder.
        encoding: of the files, where they do not tell it themselves.

    Raises EngineError when the folder holds no subset, or not one that was named.
    """
    files = find_json_folder(folder)
    wanted = _wanted(files, subsets)
    audio_folder = AudioFolder(audio if audio is not None else files.parent / "audio")
    instances: list[Instance] = []
    problems: list[Problem] = []
    yield Progress(0, len(wanted))
    for done, subset in enumerate(wanted, start=1):
        path = files / Path(subset.file).name
        reader = _SubsetReader(subset, path, audio_folder)
        instances.extend(reader.read(encoding))
        problems.extend(reader.problems)
        yield Progress(done, len(wanted), subset.name)
    refused = sum(problem.code == "benchmarks.audio_outside" for problem in problems)
    without = sum(instance.audio[0].path is None for instance in instances)
    names = tuple(subset.name for subset in wanted)
    return Imported(BENCHMARK, names, tuple(instances), tuple(problems), without - refused)


def _wanted(files: Path, subsets: Sequence[str] | None) -> list[SubsetDeclaration]:
    declared = declared_subsets(BENCHMARK)
    there = {name: subset for name, subset in declared.items() if (files / Path(subset.file).name).is_file()}
    if subsets is None:
        return list(there.values())
    names = list(dict.fromkeys(name.removeprefix(f"{BENCHMARK}/").replace("-", "_") for name in subsets))
    for name in names:
        if name not in there:
            code = "benchmarks.subset_not_there" if name in declared else "benchmarks.unknown_subset"
            raise EngineError(code, subset=name, folder=files, known=", ".join(declared))
    return [there[name] for name in names]


class _SubsetReader:
    """Turns the records of one file into instances; what stands in the way becomes ``problems``."""

    def __init__(self, subset: SubsetDeclaration, path: Path, audio: AudioFolder) -> None:
        self.problems: list[Problem] = []
        self._subset, self._path, self._audio = subset, path, audio
        parsed = _PARSED | ({subset.reference} if subset.reference else set())
        self._parsed = parsed | ({subset.category} if subset.category else set())
        self._also_required = [key for key in subset.required if key not in parsed]

    def read(self, encoding: str | None) -> Iterator[Instance]:
        file = read_records(self._path, encoding)
        self.problems.extend(file.problems)
        seen: dict[str, dict[str, JSON]] = {}
        for record in file.records:
            fields = record.fields
            key, name = self._identity(record, "Qid"), self._identity(record, "Audio")
            if key is None or name is None:
                continue
            if key in seen:
                same = fields == seen[key]
                self._say(record, "duplicate_same" if same else "duplicate_differs", qid=key)
                continue
            seen[key] = fields
            yield self._instance(record, key, name)

    def _instance(self, record: Record, key: str, name: str) -> Instance:
        fields, subset = record.fields, self._subset
        for needed in self._also_required:
            if needed not in fields:
                self._say(record, "key_missing", kept=True, field=needed)
        return Instance(
            benchmark=BENCHMARK,
            subset=subset.name,
            key=key,
            position=record.index,
            question=self._text(record, "Question") or "",
            reference=self._text(record, subset.reference) if subset.reference else None,
            category=self._category(fields),
            language=cast(Language, subset.language),
            context=self._context(record),
            audio=(AudioRef(name, self._audio_path(record, name)),),
            labels={label: value for label, value in fields.items() if label not in self._parsed},
        )

    def _identity(self, record: Record, key: str) -> str | None:
        """A key that identifies the record or its audio; None, and a problem, where the record is of no use without."""
        value = record.fields.get(key)
        if isinstance(value, str) and value.strip():
            return value
        code, values = what_is_wrong(key, record)
        self._say(record, code, **values)
        return None

    def _text(self, record: Record, key: str) -> str | None:
        value = record.fields.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if key not in record.fields:
            self._say(record, "key_missing", kept=True, field=key)
        elif value is None:
            self._say(record, "null", kept=True, field=key)
        elif isinstance(value, str):
            self._say(record, "empty", kept=True, field=key)
        else:
            self._say(record, "wrong_kind", kept=True, field=key, kind=json_kind(value), value=shortened(value))
            return shortened(value, longest=10**6) if isinstance(value, (int, float)) else None
        return None

    def _category(self, fields: dict[str, JSON]) -> str | None:
        value = fields.get(self._subset.category)
        return value if isinstance(value, str) else None

    def _context(self, record: Record) -> tuple[Turn, ...]:
        if "Context" not in self._subset.required:
            return ()
        value = record.fields.get("Context")
        turns = [_turn(entry) for entry in value] if isinstance(value, list) else [None]
        if None in turns:
            self._say(record, "bad_context", kept=True, field="Context", value=shortened(value))
        return tuple(turn for turn in turns if turn is not None)

    def _audio_path(self, record: Record, name: str) -> Path | None:
        try:
            return self._audio.find(name)
        except OutsideFolderError:
            self._say(record, "audio_outside", kept=True, field="Audio", value=name)
            return None

    def _say(self, record: Record, code: str, *, kept: bool = False, **values: JSON) -> None:
        self.problems.append(Problem(self._path, place(record), f"benchmarks.{code}", values, kept))


def _turn(entry: JSON) -> Turn | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("value"), str):
        return None
    role = entry.get("from")
    return Turn(role, entry["value"]) if role in ("user", "assistant") else None
