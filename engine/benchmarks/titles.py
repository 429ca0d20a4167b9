"""How subsets and tasks are called in print."""

from __future__ import annotations

import re

from engine.benchmarks.declaration import declared_subsets

_BENCHMARKS = {"vocalbench_zh": "VocalBench-zh", "dynamic_superb": "Dynamic-SUPERB"}
_DECLARED = ("vocalbench_zh",)
#: The last word of a task's name in Dynamic-SUPERB; what follows it names the data set.
_TASK_ENDS = re.compile(
    r"(answering|captioning|classification|conversion|counting|detection|diarization|enhancement|estimation|evaluation"
    r"|extraction|generation|grounding|identification|localization|matching|prediction|recognition|retrieval"
    r"|segmentation|separation|summarization|synthesis|transcription|translation|understanding|verification)"
)


def benchmark_title(benchmark: str) -> str:
    """How a benchmark is called in print; its id where no other name is known."""
    return _BENCHMARKS.get(benchmark, benchmark)


def subset_title(subset: str, language: str) -> str:
    """The title of a subset in ``en`` or ``zh``; of a task, which has none, its name in words and its data set apart.

    ``subset`` may stand after its benchmark, as in ``vocalbench_zh/robust``.

    >>> subset_title("vocalbench_zh/chinese_knowledge", "zh")
    '中国知识'
    >>> subset_title("spoken_topic_classification_auricle_everyday", "en")
    'Spoken topic classification · auricle everyday'
    """
    name = subset.rpartition("/")[2]
    for benchmark in _DECLARED:
        if name in declared_subsets(benchmark):
            return declared_subsets(benchmark)[name].title[language]
    return _in_words(name)


def _in_words(name: str) -> str:
    words = name.replace("_", " ").split()
    end = next((place for place, word in enumerate(words, start=1) if _TASK_ENDS.fullmatch(word)), len(words))
    parts = [" ".join(words[:end]), " ".join(words[end:])]
    parts[0] = parts[0][:1].upper() + parts[0][1:]
    return " · ".join(filter(None, parts)) or name
