"""A workspace as large as a whole comparison: 15 systems x 11,215 answers, made up, in under a minute.

``python -m tests.tools.large_workspace FOLDER [SYSTEMS [INSTANCES]]``; made once, it serves every bench.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from engine.clock import utc_text
from engine.store.derivation import ROWS_VERSION, mark_derivation
from engine.store.search import bigrams
from engine.store.transaction import transaction
from engine.store.workspace import Workspace, open_workspace
from tests.tools.large_sounds import add_sounds

SUBSETS = {
    "chinese_knowledge": 1000, "foreign_knowledge": 1000, "general_knowledge": 1000, "reasoning": 851,
    "creativity": 240, "single_round": 200, "multi_round": 400, "instruction_following": 1000, "emotion": 500,
    "safety": 400, "cs_knowledge": 362, "cs_knowledge_en": 362, "cs_open_ended": 200, "robust": 3600, "robust_clean": 100,
}  # fmt: skip
SCORED = {"creativity", "single_round", "multi_round", "instruction_following", "emotion", "cs_open_ended"}
EMOTIONS = ("happy", "sad", "angry", "surprised", "neutral")
KINDS = ("omission", "repetition", "truncation", "insertion", "unrelated")
TEXTS = 24_000  # different answers, given by many systems alike, as greetings and refusals are
_WHO = [
    "外婆",
    "木匠",
    "船长",
    "邻居",
    "教练",
    "裁缝",
    "园丁",
    "店员",
    "学徒",
    "记者",
    "医生",
    "司机",
    "画家",
    "渔夫",
    "厨师",
    "老师",
    "孩子",
    "工人",
    "诗人",
    "农夫",
]
_DID = [
    "修好",
    "带来",
    "看见",
    "忘记",
    "收拾",
    "描写",
    "打听",
    "挑选",
    "保存",
    "介绍",
    "测量",
    "种下",
    "画出",
    "找到",
    "夸奖",
    "整理",
    "等待",
    "听懂",
]
_WHAT = [
    "旧钟",
    "茶叶蛋",
    "蓝雨伞",
    "节气歌",
    "竹篮",
    "木船",
    "石桥",
    "手风琴",
    "棉被",
    "地图",
    "豆腐",
    "灯笼",
    "风车",
    "日记",
    "苹果",
    "绿植",
    "火车票",
    "信封",
]
_WHERE = [
    "在河边",
    "在集市上",
    "在山脚下",
    "在图书馆",
    "在车站",
    "在屋顶",
    "在厨房里",
    "在果园",
    "在旧城墙下",
    "在雨后的街口",
]
_WHEN = ["夏至那天", "周四下午", "天亮以前", "昨天夜里", "下课以后", "冬天", "刚才", "去年春天", "每逢雨天", "午饭之后"]
_SO = [
    "，所以大家都很高兴。",
    "，不过没有人相信。",
    "，于是话题就此打住。",
    "，说起来并不奇怪。",
    "，这一点值得记住。",
    "。",
]
_ENGLISH = [
    "the",
    "quick",
    "answer",
    "is",
    "seven",
    "apples",
    "shared",
    "by",
    "four",
    "people",
    "before",
    "the",
    "meeting",
    "on",
    "friday",
    "morning",
]


def sentence(choose: random.Random) -> str:
    """One Chinese sentence of 12 to 25 characters."""
    parts = (_WHEN, _WHO, _WHERE, _DID, _WHAT, _SO)
    return "".join(choose.choice(part) for part in parts)


def large_workspace(folder: Path, systems: int = 15, instances: int = 11_215) -> Workspace:
    """The workspace in ``folder``, made when it is not there."""
    is_made = (folder / "made").exists()
    workspace = open_workspace(folder, create=True)
    if not is_made:
        _fill(workspace, systems, instances)
        (folder / "made").touch()
    if not (folder / "sounds").exists():
        add_sounds(workspace)
        (folder / "sounds").touch()
    return workspace


def bench_workspace() -> Workspace:
    """The one that every bench shares: made once on a machine, or where ``$AURICLE_BENCH_WORKSPACE`` says."""
    named = os.environ.get("AURICLE_BENCH_WORKSPACE")
    return large_workspace(Path(named) if named else Path(tempfile.gettempdir()) / "auricle-bench-large-2")


def _fill(workspace: Workspace, systems: int, instances: int) -> None:
    choose = random.Random(168_225)
    db = workspace.connect()
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -400000")
    texts = ["".join(sentence(choose) for _ in range(choose.randint(2, 9))) for _ in range(TEXTS)]
    asked = list(_instances(choose, instances))
    with transaction(db):
        mark_derivation(db, ROWS_VERSION)
        at = utc_text()
        db.execute("INSERT INTO benchmark VALUES (1, 'vocalbench_zh', NULL, ?)", (at,))
        db.execute(
            "INSERT INTO run (id, uid, kind, settings, state, started_at) VALUES (1, ?, 'import', '{}', 'done', ?)",
            (str(uuid.uuid4()), at),
        )
        db.executemany(
            "INSERT INTO instance VALUES (:id, 1, :subset, :key, :position, :question, :reference, :category,"
            " :language, NULL, :labels, '')",
            asked,
        )
        for number in range(1, systems + 1):
            name = f"system-{number:02d}"
            db.execute("INSERT INTO system VALUES (?, ?, 'recorded', '{}', ?)", (number, name, at))
            _answer(db, choose, number, name, asked, texts, at)
        db.executemany(
            "INSERT INTO tag (uid, origin, origin_seq, response_id, name, made_at) VALUES (?, 'made', ?, ?, ?, ?)",
            [
                (str(uuid.uuid4()), n, n * 97 % (systems * instances) + 1, choose.choice(("seen", "lang", "flat")), at)
                for n in range(1, 2001)
            ],
        )
    db.execute("ANALYZE")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def _instances(choose: random.Random, wanted: int) -> Iterator[dict[str, Any]]:
    number = 0
    for subset, size in SUBSETS.items():
        for position in range(size):
            if number == wanted:
                return
            number += 1
            emotion = choose.choice(EMOTIONS) if subset == "emotion" else None
            yield {
                "id": number,
                "subset": subset,
                "key": f"{subset}-{position:04d}",
                "position": position,
                "question": "请问，" + sentence(choose).replace("。", "？"),
                "reference": choose.choice(_WHAT),
                "category": choose.choice(("Integrated", "Suggestion", "Narratives")),
                "language": "en" if subset == "cs_knowledge_en" else "zh",
                "labels": json.dumps({"Question_emo": emotion} if emotion else {"Source": "made"}),
            }


def _answer(
    db: sqlite3.Connection,
    choose: random.Random,
    number: int,
    system: str,
    asked: list[dict[str, Any]],
    texts: list[str],
    at: str,
) -> None:
    first = (number - 1) * len(asked) + 1
    rows = [
        {"response_id": first + offset, "system": system, **_row(choose, instance, texts)}
        for offset, instance in enumerate(asked)
    ]
    db.executemany(
        f"INSERT INTO response (id, uid, run_id, instance_id, system_id, state, text, content_sha256, created_at)"
        f" VALUES (:response_id, hex(randomblob(16)), 1, :instance, {number}, :response_state, :text, '', '{at}')",
        [{**row, "instance": offset + 1} for offset, row in enumerate(rows)],
    )
    columns = ", ".join(rows[0])
    db.executemany(f"INSERT INTO audit_row ({columns}) VALUES ({', '.join(':' + c for c in rows[0])})", rows)
    db.executemany(
        "INSERT INTO search (rowid, question, text, transcript) VALUES (?, ?, ?, ?)",
        [
            (row["response_id"], _cached(row["question"]), _cached(row["text"]), _cached(row["transcript"]))
            for row in rows
        ],
    )


@cache
def _cached(text: str | None) -> str:
    return bigrams(text)


def _row(choose: random.Random, instance: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    answered = choose.random() > 0.01
    english = instance["language"] == "en"
    text = " ".join(choose.choices(_ENGLISH, k=12)) if english else choose.choice(texts)
    rate = round(min(1.2, max(0.0, choose.gauss(0.03, 0.06))), 4) if answered else None
    duration_s = round(choose.uniform(1, 40), 2) if answered else None
    generation_s = round(choose.uniform(0.5, 30), 2) if answered else None
    mean = round(choose.uniform(1, 5), 1) if instance["subset"] in SCORED else None
    state = "scored" if answered and choose.random() > 0.02 else "failed" if not answered else "unparsable"
    verdict = choose.choice(("right", "right", "wrong")) if state == "scored" and mean is None else None
    spoken = ("right" if rate is not None and rate < 0.05 else "wrong") if verdict == "right" else verdict
    flipped = choose.random() < 0.02 and verdict is not None
    row = {
        **{name: instance[name] for name in ("subset", "key", "category", "language", "question")},
        "benchmark": "vocalbench_zh",
        "repeat": 0,
        "text": text if answered else None,
        "transcript": text if answered else None,
        "transcript_id": 1 if answered else None,
        "transcript_state": "scored" if answered else None,
        "response_state": "answered" if answered else "failed",
        "faults": choose.choice(("silent", "clipped", "truncated over_long")) if choose.random() < 0.02 else "",
        "duration_s": duration_s,
        "sample_rate_hz": 24_000 if answered else None,
        "peak_dbfs": round(choose.uniform(-12, 0), 2) if answered else None,
        "silent_share": round(choose.random() ** 3, 3) if answered else None,
        "clipped_share": 0.0 if answered else None,
        "generation_s": generation_s,
        "first_token_s": round(choose.uniform(0.1, 2), 2) if answered else None,
        "first_audio_s": round(choose.uniform(0.3, 4), 2) if answered else None,
        "rtf_generation_over_duration": generation_s / duration_s if generation_s and duration_s else None,
        "rtf_duration_over_generation": duration_s / generation_s if generation_s and duration_s else None,
        "word_error_rate": rate if english else None,
        "character_error_rate": rate,
        "mixed_error_rate": rate,
        "syllable_error_rate": None if english else rate,
        "published_error_rate": rate,
        "published_error_state": "scored" if answered else None,
        "counts": json.dumps({"character_error_rate": [round((rate or 0) * 100), 100]}),
        "mismatch": choose.choice(KINDS) if rate is not None and rate > 0.1 else "",
        "quality_state": "scored" if answered else None,
        **{name: round(choose.uniform(1.5, 4.5), 3) if answered else None for name in ("dnsmos_ovrl", "dnsmos_sig")},
        **{name: round(choose.uniform(1.5, 4.5), 3) if answered else None for name in ("dnsmos_bak", "dnsmos_p808")},
    }
    for method in ("published", "corrected"):
        turned = flipped and method == "published"
        given = {"right": "wrong", "wrong": "right"}.get(verdict or "", verdict) if turned else verdict
        row |= {
            f"{method}_state": state,
            f"{method}_why": "judge" if state == "scored" else "failed",
            f"{method}_verdict": given,
            f"{method}_score": mean if state == "scored" else None,
            f"{method}_s2s_state": state,
            f"{method}_s2s_why": "error_rate" if spoken else "judge",
            f"{method}_s2s_verdict": spoken,
        }
    return row


if __name__ == "__main__":
    started = time.perf_counter()
    sizes = [int(size) for size in sys.argv[2:]]
    large_workspace(Path(sys.argv[1]), *sizes)
    sys.stdout.write(f"{time.perf_counter() - started:.1f} s\n")
