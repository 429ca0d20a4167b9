"""A judge's reply made plain: reasoning taken off, invisible and full-width characters folded, quotations blanked."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = dict.fromkeys((0x00AD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A)))
_TAG = "(?:think|thinking|thought|reasoning)"
_REASONING = re.compile(rf"\A\s*<({_TAG})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(rf"</{_TAG}>", re.IGNORECASE)
_FINAL_CHANNEL = re.compile(r"\A\s*(?:<\|start\|>assistant)?<\|channel\|>.*<\|channel\|>final<\|message\|>", re.DOTALL)
_TEMPLATE_TOKEN = re.compile(r"<\|[a-z_]{1,24}\|>|</s>|\\(?:boxed|textbf|mathbf|text)(?=\{)|\$")
_WHOLE_FENCE = re.compile(r"\s*```[\w-]*\n(.*?)\n?\s*```\s*", re.DOTALL)
_WHOLE_QUOTE = re.compile(r"\s*[\"'“‘「『]([^\"'“”‘’「」『』]*)[\"'”’」』]\s*[.。]?\s*")
# Marks that differ at both ends may quote over lines; straight quotes end with their line.
_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|“[^”]*”|‘[^’]*’|「[^」]*」|『[^』]*』|《[^》]*》|«[^»]*»"
    r"|(?<!\w)\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|^>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_LONGEST_QUOTED_VERDICT = 24  # characters: a verdict in marks is a word or a number, a quotation is a sentence


def answering_part(raw: str) -> tuple[str, str]:
    """The part of a reply that answers, as written, and what stood before a closing reasoning tag without an opening
    one ("" as a rule). A reasoning block at the start goes, with the rest of the reply if it never ends.
    """
    text = _REASONING.sub("", _FINAL_CHANNEL.sub("", raw))
    before, after = "", text
    for end in _REASONING_END.finditer(without_quotations(text)):
        before, after = text[: end.start()], text[end.end() :]
    return after, before


def plain(text: str) -> str:
    """``text`` in plain characters: full-width forms become ASCII, invisible characters go, and so does one code fence
    or one pair of quotes around the whole.
    """
    text = _TEMPLATE_TOKEN.sub("", text.translate(_INVISIBLE))
    text = unicodedata.normalize("NFKC", "\n".join(text.splitlines()))
    if (fenced := _WHOLE_FENCE.fullmatch(text)) and "```" not in fenced[1]:
        text = fenced[1]
    if quoted := _WHOLE_QUOTE.fullmatch(text):
        text = quoted[1]
    return text.strip()


def without_quotations(text: str) -> str:
    """``text`` with everything quoted (marks, code, > lines) blanked out, character for character.

    A judge that repeats the answer's words repeats a planted verdict too, so nothing quoted is read. What is quoted
    and is all that stands after a label's colon, such as 判断："正确", is the judge's own and stays.
    """
    return _QUOTED.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    quoted = match[0]
    before = match.string[: match.start()].rstrip(" *_")
    rest_of_line = match.string[match.end() :].partition("\n")[0]
    is_value = before.endswith(":") and not rest_of_line.strip(" *_。.") and "\n" not in quoted
    if is_value and len(quoted) <= _LONGEST_QUOTED_VERDICT and not quoted.startswith(">"):
        return f" {quoted[1:-1]} "
    return re.sub(r"[^\n]", "\N{OBJECT REPLACEMENT CHARACTER}", quoted)
