"""Speed of the error rates and of the way from text to toned syllables."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence

from engine.metrics.alignment import EditCounts, count_edits
from engine.text.tokens import tokens_of
from tests.bench import Figure, figure
from tests.shared import SHARED

PAIRS, TEXTS, LENGTH, BASELINE_PAIRS = 10_000, 20_000, 236, 20
_FINALS = ("a", "ai", "an", "ang", "ao", "e", "en", "eng", "i", "u")
SYLLABLES = [f"{initial}{final}{tone}" for initial in "bpmfdtnlgkhj" for final in _FINALS
             for tone in "1234"]  # fmt: skip


@figure("error_rate.syllable.10k.seconds")
def error_rate_10k() -> Figure:
    """Edits and reference length of 10,000 pairs against a plain dynamic-programming loop."""
    pairs = noisy_pairs(PAIRS)
    count_edits(pairs[:100])
    seconds = min(_timed(pairs) for _ in range(5))
    started = time.perf_counter()
    plain = [plain_counts(*pair) for pair in pairs[:BASELINE_PAIRS]]
    baseline = (time.perf_counter() - started) * PAIRS / BASELINE_PAIRS
    fast = count_edits(pairs[:BASELINE_PAIRS])
    assert [counts.errors for counts in plain] == [counts.errors for counts in fast]
    note = f"{PAIRS} pairs of {LENGTH} syllables, best of 5; baseline on {BASELINE_PAIRS} pairs, scaled"
    return Figure("error_rate.syllable.10k.seconds", seconds, "s", baseline, baseline / seconds, note)


@figure("pinyin.10k.seconds")
def pinyin_10k() -> Figure:
    """Spoken form and toned syllables of the texts of 10,000 pairs, in one process."""
    texts = real_texts(TEXTS)
    tokens_of("预热2次", "syllable")
    started = time.perf_counter()
    syllables = sum(len(tokens_of(text, "syllable")) for text in texts)
    seconds = time.perf_counter() - started
    note = f"{TEXTS} different texts of {LENGTH} characters, {syllables} syllables, normalised and read by one process"
    return Figure("pinyin.10k.seconds", seconds, "s", note=note)


def noisy_pairs(number: int) -> list[tuple[list[str], list[str]]]:
    """References of 236 syllables, each with what a recogniser might hear: one syllable in ten is wrong."""
    chance = random.Random(7)
    pairs = []
    for _ in range(number):
        reference = chance.choices(SYLLABLES, k=LENGTH)
        heard: list[str] = []
        for syllable in reference:
            edit = chance.random()
            if edit >= 0.02:
                heard.append(chance.choice(SYLLABLES) if edit < 0.08 else syllable)
            if edit > 0.98:
                heard.append(chance.choice(SYLLABLES))
        pairs.append((reference, heard))
    return pairs


def real_texts(number: int) -> list[str]:
    """Different texts of 236 characters cut from real questions, answers and transcripts; made-up ones without them."""
    chance = random.Random(7)
    corpus = _corpus()
    starts = (chance.randrange(len(corpus) - LENGTH) for _ in range(number))
    return [corpus[start : start + LENGTH] for start in starts]


def plain_counts(reference: Sequence[str], hypothesis: Sequence[str]) -> EditCounts:
    """The textbook: the whole table of distances by a loop, and the way back through it."""
    table = [list(range(len(hypothesis) + 1))]
    for row, said in enumerate(reference, start=1):
        line = [row]
        for column, heard in enumerate(hypothesis, start=1):
            replaced = table[row - 1][column - 1] + (said != heard)
            line.append(min(replaced, table[row - 1][column] + 1, line[column - 1] + 1))
        table.append(line)
    row, column, counts = len(reference), len(hypothesis), [0, 0, 0]
    while row or column:
        here = table[row][column]
        is_wrong = row > 0 and column > 0 and reference[row - 1] != hypothesis[column - 1]
        if row and column and here == table[row - 1][column - 1] + is_wrong:
            counts[0] += is_wrong
            row, column = row - 1, column - 1
        elif column and here == table[row][column - 1] + 1:
            counts[1] += 1
            column -= 1
        else:
            counts[2] += 1
            row -= 1
    return EditCounts(counts[0], counts[1], counts[2], len(reference))


def _timed(pairs: list[tuple[list[str], list[str]]]) -> float:
    started = time.perf_counter()
    count_edits(pairs)
    return time.perf_counter() - started


def _corpus() -> str:
    folder = SHARED / "vocalbench-zh"
    files = [*sorted((folder / "json").glob("*.json")), *sorted(folder.glob("model_output/*/json_asr/*.json"))]
    texts = [_words(record) for path in files for record in json.loads(path.read_text(encoding="utf-8"))]
    return (
        "\n".join(texts)
        or "今天是2024年5月1日，气温25.5℃，共有1,200人参加了第3届大会。这句话说了又说，长短不一。\n" * 500
    )


def _words(record: dict[str, object]) -> str:
    keys = ("Response", "Response_hyp", "Reference", "Answer", "Question")
    return "\n".join(str(record[key]) for key in keys if record.get(key))
