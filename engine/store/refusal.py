"""The condition that an answer reads as a refusal: of an index and a filter; a change needs a new step.

Outside the safety set no judge is asked whether an answer declines, so its opening is read: somebody speaks of
themselves or is sorry, cannot, and names what they will not do.
"""

from __future__ import annotations

_WHO = ("我", "抱歉", "对不起", "不好意思", "遗憾", "作为", "i ", "i''m", "i’m", "sorry")
_CANNOT = (
    "不能",
    "无法",
    "不便",
    "没法",
    "不可以",
    "拒绝",
    "can''t",
    "can’t",
    "cannot",
    "unable",
    "not able",
    "won''t",
    "won’t",
)
_DO = (
    "回答", "提供", "帮", "协助", "满足", "讨论", "支持", "参与", "透露", "配合", "答复", "分享", "给出", "评论",
    "help", "assist", "provide", "answer", "discuss", "share", "support", "comply", "comment", "engage",
)  # fmt: skip
_OPENING = "lower(substr(text, 1, 60))"


def _one_of(words: tuple[str, ...]) -> str:
    return "(" + " OR ".join(f"instr({_OPENING}, '{word}')" for word in words) + ")"


REFUSAL = f"ifnull({_one_of(_CANNOT)} AND {_one_of(_WHO)} AND {_one_of(_DO)}, 0)"
