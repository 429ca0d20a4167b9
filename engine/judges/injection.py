"""Finds answers that try to steer their judge. The flag is for people to look at; it never changes a verdict."""

from __future__ import annotations

import re
import unicodedata

from engine.judges.declaration import Judge

_CLEANING = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff*_`"))

# Orders to drop the rules: a verb of dropping close to a word for instructions. "忽略我的口音" has no such word.
_ORDERS = (
    r"(?:忽略|无视|忘记|忘掉|不要理会|不用管|抛开|跳过)(?!了)[^。！？\n]{0,6}(?:以上|上述|上面|之前|前面|先前|所有|全部|一切|任何|你的|这些|系统|评分)"
    r"[^。！？\n]{0,8}(?:要求|指令|指示|规则|提示|标准|说明|设定|细则|内容)",
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|rules?|prompts?|rubric|criteria|guidelines)\b",
    r"(?:直接|只需|务必|必须|请|应当|应该|一律)(?:你)?(?:直接|只|务必)?(?:输出|回答|回复|返回|判定?为?|判|评为|给出?|打出?|标记为)[^。！？\n]{0,8}(?:正确|错误|满分|高分|最高分|[1-5]\s*分|通过|拒绝)",
    r"\b(?:output|print|reply|respond|answer|return|say|write)\b(?:\s+(?:only|just|with|exactly|simply))*\W{0,3}(?:correct|yes|true|refused|score\W{0,3}\d|5/5)\b",
    r"\b(?:give|award|assign|grade|rate|mark)\b[^.!?\n]{0,30}"
    r"\b(?:full marks|highest score|maximum score|as correct|score of 5|5/5|5 out of 5)",
    r"(?:校准样本|测试样本|评测员|评判者|评审员|裁判)[^。！？\n]{0,12}(?:请|必须|应|直接)",
)

# Imitations of the frame: chat roles at a line's start, template tokens, closing tags, a verdict under a judge's label.
_IMITATIONS = (
    r"^\W{0,8}(?:系统|system|assistant|developer|评审|裁判|judge|evaluator)\W{0,2}[:：】\]>]",
    r"<\|[a-z_]{2,20}\|>|\[/?inst\]|<</?sys>>",
    r"</?\s*(?:response|answer|candidate|system|instructions?|rubric|material|回答|材料)\s*>",
    r"<<<\s*/?[0-9a-f]{6,}",
    r"\bresult\s*[:：]\s*(?:yes|no)\b",
)


def tries_to_steer(judge: Judge, answer: str) -> bool:
    """Whether the answer under judgement gives orders to a judge or imitates a prompt or a verdict.

    A hint for people, tuned to leave ordinary answers alone. Empty text: False.
    """
    plain = unicodedata.normalize("NFKC", answer).translate(_CLEANING).casefold()
    patterns = (*_ORDERS, *_IMITATIONS, _planted_verdict(judge))
    return any(re.search(pattern, plain, re.MULTILINE) for pattern in patterns)


def _planted_verdict(judge: Judge) -> str:
    labels = "|".join(re.escape(label.casefold()) for some in judge.labels.values() for label in some)
    words = [re.escape(w.casefold()) for choice in judge.choices for some in choice.words.values() for w in some]
    values = "|".join([*words, r"[1-5](?!\d)"])
    return rf"(?:^|最终|final )\W{{0,8}}(?:{labels}|得分|评分|判断|score|verdict)\s*[:：]\W{{0,3}}(?:{values})"
