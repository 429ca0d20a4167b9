"""Markdown, tags, formulas and emoji as a reader aloud would treat them."""

from __future__ import annotations

import pytest

from engine.text.normalise import spoken_form
from engine.text.tokens import comparable_form


@pytest.mark.parametrize(
    ("written", "right"),
    {
        "**少林寺**在*河南*，~~不在~~__嵩山__": "少林寺在河南不在嵩山",
        "### 结论：\n\n- 清热\n* 解表\n+ 通络\n• 活血": "结论清热解表通络活血",
        "1. 收敛\n2) 益气\n10. 补肾": "一收敛二益气十补肾",
        "1. **收敛**：固涩": "一收敛固涩",
        "> 原文\n>> 引用": "原文引用",
        "- [x] 完成\n- [ ] 没有": "完成没有",
        "[链接](https://a.cn/x_1?y=2) 和 ![图片](p.png)": "链接和图片",
        "|药|性|\n|---|:-:|\n|黄柏|寒|": "药性黄柏寒",
        "```python\n打印\n```\n`行内`": "打印行内",
        "上\n\n---\n\n下\n***\n末": "上下末",
        "✅ **答案：青蒿** 😀👨‍👩‍👧 1️⃣": "答案青蒿一",
        "snake_case_name": "snakecasename",
        "<b>粗</b><br/>行<div class='x'>块</div><!-- 注 -->": "粗行块",
        "3 < 5 且 a<b": "三小于五且a小于b",
        "&lt;标签&gt; A&amp;B": "标签AB",
        "3*4*5": "三乘四乘五",
        r"$\frac{1}{2}$": "二分之一",
        r"面积$S=\pi r^2$": "面积S等于派r的平方",
        r"\(\sqrt{x+1}\) \[a^{10}\leq 3\]": "根号x加一a的十次方小于等于三",
        r"$$\frac{\frac{1}{2}}{3}$$": "三分之二分之一",
        r"$90^\circ$": "九十度",
        r"$\text{速度}\times 2$": "速度乘二",
        "价格$100和$200": "价格一百美元和二百美元",
    }.items(),
)
def test_marks_go_and_words_stay(written: str, right: str) -> None:
    assert comparable_form(spoken_form(written).text) == right


def test_what_looks_like_a_tag_and_is_none_stays() -> None:
    assert "小于" in spoken_form("若 x < y 则停").text
