"""Says formulas written in LaTeX, in Chinese or English words; what it does not know keeps its letters."""

from __future__ import annotations

import re

from engine.text.draft import Draft

_FORMULAS = (
    re.compile(r"\$\$([^$]{1,2000})\$\$"),
    re.compile(r"\\\[([^\[\]]{1,2000}?)\\\]"),
    re.compile(r"\\\(([^()\n]{1,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,20})\\\)"),
    re.compile(r"\$(?=[^\s$])([^$\n]{1,300})(?<=\S)\$(?!\d)"),  # $5 and $10 is money: blanks inside, digits after
)
_MATHEMATICAL = re.compile(r"[\\^_={}<>+]|^[A-Za-z]$|[A-Za-z]\(|^-?[\d.]+$")
_FRACTION = re.compile(r"\\[dt]?frac\s{0,3}\{([^{}]{0,300})\}\s{0,3}\{([^{}]{0,300})\}")
_ROOT = re.compile(r"\\sqrt\s{0,3}(?:\[([^\[\]{}]{1,20})\])?\s{0,3}\{([^{}]{0,300})\}")
_WRAPPED = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathbb|mathcal|operatorname|boxed|overline|underline|vec|hat|bar|textbf|textit|pmod)"
    r"\s{0,3}\{([^{}]{0,500})\}"
)
_POWER = re.compile(r"\^\s{0,3}(?:\{([^{}]{0,100})\}|(\\[A-Za-z]{1,20}|-?\w))")
_INDEX = re.compile(r"_\s{0,3}(?:\{([^{}]{0,100})\}|(\w))")
_COMMAND = re.compile(r"\\([A-Za-z]{1,24})\s?|\\([,;:!%#&{} ])")
_DEPTH = 6  # nested braces that are followed

_WORDS = {
    "zh": {
        "times": "乘",
        "cdot": "乘",
        "div": "除以",
        "pm": "正负",
        "leq": "小于等于",
        "le": "小于等于",
        "geq": "大于等于",
        "ge": "大于等于",
        "neq": "不等于",
        "ne": "不等于",
        "approx": "约等于",
        "lt": "小于",
        "gt": "大于",
        "infty": "无穷大",
        "sum": "求和",
        "int": "积分",
        "circ": "度",
        "degree": "度",
        "in": "属于",
        "cup": "并",
        "cap": "交",
        "angle": "角",
        "triangle": "三角形",
        "perp": "垂直于",
        "parallel": "平行于",
        "equiv": "恒等于",
        "therefore": "所以",
        "because": "因为",
        "%": "%",
        "alpha": "阿尔法",
        "beta": "贝塔",
        "gamma": "伽马",
        "delta": "德尔塔",
        "Delta": "德尔塔",
        "theta": "西塔",
        "lambda": "兰姆达",
        "mu": "缪",
        "pi": "派",
        "sigma": "西格马",
        "phi": "斐",
        "omega": "欧米伽",
        "epsilon": "艾普西隆",
        "rho": "柔",
        "to": "到",
        "lim": "极限",
        "prod": "连乘",
        "partial": "偏",
        "sqrt": "根号",
    },
    "en": {
        "times": "times",
        "cdot": "times",
        "div": "divided by",
        "pm": "plus or minus",
        "leq": "less than or equal to",
        "le": "less than or equal to",
        "geq": "greater than or equal to",
        "ge": "greater than or equal to",
        "neq": "not equal to",
        "ne": "not equal to",
        "approx": "approximately equal to",
        "lt": "less than",
        "gt": "greater than",
        "infty": "infinity",
        "sum": "sum",
        "int": "integral",
        "circ": "degrees",
        "degree": "degrees",
        "in": "in",
        "%": "%",
        "to": "to",
        "lim": "limit",
        "sqrt": "square root of",
    },
}
_SILENT = {
    "left",
    "right",
    "quad",
    "qquad",
    "displaystyle",
    "limits",
    "rightarrow",
    "Rightarrow",
    "implies",
    "cdots",
    "ldots",
    "dots",
    "big",
    "Big",
    "begin",
    "end",
    "mathrm",
    "text",
}


def say_formulas(draft: Draft, language: str) -> None:
    """Every ``$...$``, ``$$...$$``, ``\\(...\\)`` and ``\\[...\\]`` that holds a formula, said in ``language``."""
    if "$" not in draft.text and "\\" not in draft.text:
        return
    for pattern in _FORMULAS:
        draft.rewrite("formula", pattern, lambda match: _formula(match[1], language))
    if "\\" in draft.text:  # commands that stand outside the marks of a formula
        draft.rewrite("formula", _BARE, lambda match: _said(match[0], language))


_BARE = re.compile(
    r"\\(?:frac|dfrac|sqrt|times|div|cdot|pi|leq|geq|neq|approx|text|boxed)(?![A-Za-z])(?:\{[^{}]{0,300}\}){0,2}"
)


def _formula(inside: str, language: str) -> str | None:
    return f" {_said(inside, language).strip()} " if _MATHEMATICAL.search(inside.strip()) else None


def _said(formula: str, language: str) -> str:
    chinese = language != "en"
    for _ in range(_DEPTH):
        earlier = formula
        formula = _WRAPPED.sub(r"\1", formula)
        formula = _POWER.sub(lambda match: _power(match[1] or match[2] or "", chinese), formula)
        formula = _INDEX.sub(lambda match: match[1] or match[2] or "", formula)
        formula = _FRACTION.sub(r" \2分之\1 " if chinese else r" \1 over \2 ", formula)
        formula = _ROOT.sub(lambda match: _root(match[1], match[2], chinese), formula)
        if formula == earlier:
            break
    words = _WORDS["zh" if chinese else "en"]
    formula = _COMMAND.sub(lambda match: _command(match[1] or match[2], words), formula)
    return formula.replace("{", "").replace("}", "").replace("&", " ")


def _power(exponent: str, chinese: bool) -> str:
    exponent = exponent.strip()
    if exponent in ("\\circ", "\\degree"):
        return "°"
    if exponent in ("'", "\\prime", ""):
        return ""
    named = {"2": ("的平方", " squared "), "3": ("的立方", " cubed ")}.get(exponent)
    if named:
        return named[0 if chinese else 1]
    return f"的{exponent}次方" if chinese else f" to the power of {exponent} "


def _root(degree: str | None, inside: str, chinese: bool) -> str:
    if chinese:
        return f"{degree}次根号{inside}" if degree else f"根号{inside}"
    return f" root {degree} of {inside} " if degree else f" square root of {inside} "


def _command(name: str, words: dict[str, str]) -> str:
    if name in words:
        return f" {words[name]} " if words[name].isascii() and name != "%" else words[name]
    return " " if name in _SILENT or not name.isalpha() else f" {name} "
