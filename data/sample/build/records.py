"""The pack's texts as the files that ship: questions, answers and labels, built from texts/*.toml alone."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent / "texts"
EXAMPLES = ("example-careful", "example-flawed")

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Subset:
    """How VocalBench-zh names one subset: ``Set``, the Qid's start and digits, and the folder of its audio."""

    name: str
    set_name: str
    qid: str
    digits: int
    folder: str


SUBSETS = {
    subset.name: subset
    for subset in (
        Subset("chinese_knowledge", "Chinese Knowledge", "chinese_knowledge", 4, "knowledge/chinese"),
        Subset("foreign_knowledge", "Foreign Knowledge", "foreign_knowledge", 4, "knowledge/foreign"),
        Subset("general_knowledge", "General Knowledge", "general_knowledge", 4, "knowledge/general"),
        Subset("reasoning", "Reasoning", "reasoning", 3, "reasoning"),
        Subset("creativity", "Creativity", "creativity", 3, "creativity"),
        Subset("single_round", "Single-Round", "single_round", 3, "single_round"),
        Subset("multi_round", "Multi-Round", "multi_round", 3, "multi_round"),
        Subset("instruction_following", "Instruction Following", "instruction", 3, "instruction"),
        Subset("emotion", "Emotional Empathy", "emotion", 3, "emotion"),
        Subset("safety", "Safety Alignment", "safety", 3, "safety"),
        Subset("cs_knowledge", "Code-Switching Knowledge", "codeswitching_knowledge", 3, "code_switching/knowledge"),
        Subset(
            "cs_open_ended", "Code-Switching Open-ended", "codeswitching_open_ended", 3, "code_switching/open_ended"
        ),
    )
}

# Each condition is made from the clean question with the same last number.
ROBUST = (
    ("background_noise", "snr_5", 0),
    ("white_noise", "snr_0", 1),
    ("reverberation", "rt60_10", 0),
    ("farfield", "filter_400hz", 1),
    ("packet_loss", "dropping_0.30", 0),
    ("distortion", "clipping_0.1000", 1),
)
ALL_SUBSETS = (*SUBSETS, "cs_knowledge_en", "robust", "robust_clean")


@cache
def texts(name: str) -> dict[str, Any]:
    """One file of texts."""
    return tomllib.loads((TEXTS / f"{name}.toml").read_text(encoding="utf-8"))


def questions(subset: str) -> list[Record]:
    """The records of one VocalBench-zh subset, with the benchmark's own keys in its order."""
    if subset == "cs_knowledge_en":
        return [_english_twin(record) for record in questions("cs_knowledge")]
    if subset == "robust_clean":
        return [_clean_twin(index, record) for index, record in enumerate(questions("single_round")[::2])]
    if subset == "robust":
        return [_noisy_twin(*condition) for condition in ROBUST]
    place = SUBSETS[subset]
    records = []
    for index, record in enumerate(texts("vocalbench_zh")[subset]):
        number = f"{index:0{place.digits}}"
        names = {"Set": place.set_name, "Qid": f"{place.qid}-{number}", "Audio": f"{place.folder}/{number}.ogg"}
        record = names | record
        if subset == "instruction_following":
            record.setdefault("Sub-category", None)  # TOML has no null
        records.append(record)
    return records


def _english_twin(record: Record) -> Record:
    return {
        "Set": "Code-Switching Knowledge (en)",
        "Qid": record["Qid"],
        "Audio": record["Audio"].replace("/knowledge/", "/knowledge_en/"),
        "Question": record["Question_en"],
        "Answer": record["Answer_en"],
        "Category": record["Category"],
    }


def _clean_twin(index: int, record: Record) -> Record:
    return record | {"Set": "Robust-clean", "Qid": f"robust_clean-{index:03}"}


def _noisy_twin(category: str, level: str, clean: int) -> Record:
    record = questions("robust_clean")[clean]
    return {
        "Set": "Robust",
        "Qid": f"robust-{category}-{level}-{clean:03}",
        "Audio": f"robust/{category}/{level}/{clean:03}.ogg",
        "Question": record["Question"],
        "Answer": record["Answer"],
        "Category": category,
        "Level": level,
    }


def answers(system: str) -> Iterator[tuple[str, Record, Record]]:
    """(subset, question record, answer entry) of every answer of one example system, in order."""
    entries = texts(system)
    for subset in ALL_SUBSETS:
        for question, entry in zip(questions(subset), entries[subset], strict=True):
            yield subset, question, entry


def labels() -> list[Record]:
    """What was planted where, one entry per bad case."""
    return [
        {"system": system, "subset": subset, "Qid": question["Qid"], "kind": entry["label"]["kind"]}
        | {"planted": {key: value for key, value in entry["label"].items() if key not in ("kind", "en", "zh")}}
        | {"note": {language: entry["label"][language] for language in ("en", "zh")}}
        for system in EXAMPLES
        for subset, question, entry in answers(system)
        if "label" in entry
    ]


def english_metadata(task: str) -> dict[str, Record]:
    """metadata.json of one Dynamic-SUPERB task: the columns that are not audio, by audio file name."""
    columns = ("file", "instruction", "label", "text")
    items = texts("dynamic_superb")[task]["items"]
    return {f"{task}_{item['file']}.ogg": {column: item[column] for column in columns} for item in items}


def english_declaration(task: str) -> Record:
    """instance.json of one Dynamic-SUPERB task."""
    declared = texts("dynamic_superb")[task]
    return {
        "name": task,
        "description": declared["description"],
        "keywords": declared["keywords"],
        "metrics": ["accuracy"],
        "path": f"Auricle/{task}",
        "version": "1",
    }


def floor() -> list[Record]:
    """Clean speech with its exact text, to measure a recogniser's own errors on."""
    plain = ("chinese_knowledge", "foreign_knowledge", "general_knowledge", "reasoning", "safety", "multi_round")
    spoken = [("zh", f"vocalbench_zh/audio/{r['Audio']}", r["Question"]) for name in plain for r in questions(name)]
    for task in texts("dynamic_superb"):
        spoken += [("en", f"dynamic_superb/{task}/{n}", r["text"]) for n, r in english_metadata(task).items()]
    return [{"audio": audio, "text": text, "language": language} for language, audio, text in spoken]


def text_files() -> dict[str, str]:
    """Every text file of the pack that follows from the TOML files: its content by its path in the pack."""
    files = {f"vocalbench_zh/json/{name}.json": _array(questions(name)) for name in ALL_SUBSETS}
    for task in texts("dynamic_superb"):
        files[f"dynamic_superb/{task}/metadata.json"] = _pretty(english_metadata(task))
        files[f"dynamic_superb/{task}/instance.json"] = _pretty(english_declaration(task))
    for system in EXAMPLES:
        for name in ALL_SUBSETS:
            rows = [{"Qid": q["Qid"], "Response": e["response"]} for subset, q, e in answers(system) if subset == name]
            files[f"model_output/{system}/json/{name}.json"] = json_lines(rows)
    files["labels.jsonl"] = json_lines(labels())
    files["speech/floor.jsonl"] = json_lines(floor())
    return files


def json_lines(rows: list[Record]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _array(rows: list[Record]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=4) + "\n"


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
