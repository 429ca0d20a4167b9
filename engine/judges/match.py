"""Knowledge by comparing strings, before a judge is asked: the published rule, and one that errs towards the judge."""

from __future__ import annotations

import re

from engine.judges.folding import folded, with_digits
from engine.judges.values import Match

MATCH_VERSION = "1"  # raise it when a response may be decided differently

_SENTENCE_END = re.compile(r"[。!?！？;；\n]+|\.(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、:：()（）—…]+")
# A single numeral that no verb, measure or pause leads up to may belong to a name (王五) or a word (统一).
_IN_A_NAME = re.compile(
    r"(?<=[^\W\d是有为共约达到计在了过需要第])[一二两三四五六七八九](?![〇零一二两三四五六七八九十百千万亿])"
)
_HAN = "\u3400-\u9fff\U00020000-\U0003ffff"

# Words that make a clause deny, doubt or only report the answer that it holds.
_DOUBT_HAN = re.compile(
    "不(?!仅|但|只|断|少|久|朽|愧|可或缺|同凡响)|没|非(?!洲|常|凡)|未必|未能|无法|无关|错|误|别的|除了|除外|以外|之外|以为|据说|传说|有人|有些人"
    "|可能|也许|或许|大概|好像|似乎"
    "|应该不|难道|吗|呢|是否|还是|或者|或|曾被|假如|如果|比如|例如|类似|不同于|相反|区别|混淆|相似|并列|齐名"
)
_DOUBT_LATIN = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without|except|unlike|instead|rather|besides|than|wrong|incorrect|false"
    r"|mistaken|maybe|perhaps|possibly|might|may|could|probably|some say|think|guess|believe|or|either|if|whether"
    r"|such as|similar|like"
    r"|(?:is|are|was|were|do|does|did|ca|wo|could|would|should|have|has|ai)n'?t)\b"
)
# What follows in the same sentence, or opens the next one, and takes back what was said.
_TAKEN_BACK = re.compile(
    r"不对|不是|并非|不准确|有误|错了|错的|错误|其实|实际上|事实上|更正|纠正|而是|才是|应该是|应为"
    r"|\b(?:actually|wrong|incorrect|sorry|correction|in fact)\b"
    r"|^\W*(?:但|不过|然而|可是|but|however|although|though|no)"
)
_UNKNOWING = re.compile(
    r"不知道|不清楚|不确定|不了解|不太确定|无法确定|无法回答|没有相关信息"
    r"|\b(?:i don'?t know|not sure|no idea|unsure|uncertain|i cannot|i can'?t)\b"
)
_COMMITTING = re.compile(r"答案|因此|所以|综上|\banswer\b|\btherefore\b")
_LISTING_BEFORE = re.compile(
    r"(?:、|和|与|及|跟|同|比|像|或|/|\b(?:and|or|than|like|vs)\s)\s*$|(?:^|\s)[a-h1-9][.):、]\s*$"
)
_LISTING_AFTER = re.compile(
    r"^\s*(?:、|和|与|及|跟|或|/|(?:and|or|vs)\b|附近|旁边|以前|以后|之前|之后|的(?:弟子|学生|父亲|母亲|儿子|女儿|哥哥|弟弟|妻子|丈夫))"
)


def published_match(response: str, reference: str) -> Match:
    """The published rule: the answer is right when its string stands anywhere in the response, exactly as written.

    Decides ``correct`` or nothing. An empty reference stands in every response, as it did there.
    """
    return _match(reference in response, "published_substring", reference)


def published_code_switch_match(response: str, answer_zh: str, answer_en: str) -> Match:
    """The published rule of the code-switching set: the Chinese answer, any of its parts between ·, or the English
    answer in any case.
    """
    parts = [answer_zh, *(answer_zh.split("·") if "·" in answer_zh else [])]
    found = next((part for part in parts if part in response), None)
    if found is None and answer_en.lower() in response.lower():
        found = answer_en
    return _match(found is not None, "published_code_switch", found or answer_zh)


def corrected_match(response: str, reference: str, question: str = "") -> Match:
    """Whether the response states the reference plainly enough to need no judge; decides ``correct`` or nothing.

    Compared without case, width, script variant, quotes, book marks, emphasis and the · of names; numbers compare by
    value, in digits or Chinese numerals. The answer must stand as a word of its own (Latin), as a whole number
    (digits), in the first sentence or in one that concludes, in a clause that neither denies, doubts, lists nor
    compares, with nothing that takes it back, and nowhere else be denied. Never decides where the question holds the
    answer already, where one Han character is the answer and more than it was said, or where the response says that
    it does not know.
    """
    answer, said, asked = (with_digits(folded(text)) for text in (reference, response, question))
    answer = answer.strip(" .,。，")
    if not answer or not said.strip():
        return Match(False, None, "nothing to compare", "empty")
    if said.strip(" .,。，!！") == answer:
        return Match(True, "correct", reference, "whole_response")
    if _hits(answer, asked):
        return Match(False, None, f"the question holds {reference}", "in_question")
    if re.fullmatch(f"[{_HAN}〇]", folded(reference)):
        return Match(False, None, f"{reference} is a single character", "single_character")
    if len(answer) == 1:
        said = with_digits(_IN_A_NAME.sub("\N{OBJECT REPLACEMENT CHARACTER}", folded(response)))
    if _UNKNOWING.search(said):
        return Match(False, None, "the response says that it does not know", "unknowing")
    return _stated(answer, said, asked, reference)


def _stated(answer: str, said: str, asked: str, reference: str) -> Match:
    hits = _hits(answer, said)
    if not hits:
        return Match(False, None, f"{reference} does not stand in the response", "absent")
    if answer.isdigit() and _other_numbers(answer, said, asked):
        return Match(False, None, f"{reference} is not the only number", "other_numbers")
    sentences = _spans(_SENTENCE_END, said)
    if any(_is_doubtful(said, hit, sentences) for hit in hits):
        return Match(False, None, f"{reference} is denied, doubted, listed or compared", "doubtful")
    if not any(_commits(said, hit, sentences) for hit in hits):
        return Match(False, None, f"{reference} comes only in passing", "in_passing")
    return Match(True, "correct", reference, "stated")


def _hits(answer: str, text: str) -> list[tuple[int, int]]:
    """Where the answer stands in the text, not as part of a longer word or number."""
    before = after = ""
    if re.match(r"[a-z\u00c0-\u024f]", answer):
        before = r"(?<![a-z\u00c0-\u024f0-9])"
    elif answer[0].isdigit():
        before = r"(?<!\d)(?<!\d[.,:/])(?<!-)(?<![a-z第])"
    if re.search(r"[a-z\u00c0-\u024f]$", answer):
        after = r"(?![a-z\u00c0-\u024f0-9]|-[a-z])"
    elif answer[-1].isdigit():
        after = r"(?!\d|[.,:/]\d|%|[十百千万亿]|[a-z])"
    return [match.span() for match in re.finditer(before + re.escape(answer) + after, text)]


def _other_numbers(answer: str, said: str, asked: str) -> bool:
    numbers = set(re.findall(r"\d+(?:\.\d+)?", said))
    return bool(numbers - {answer} - set(re.findall(r"\d+(?:\.\d+)?", asked)))


def _is_doubtful(said: str, hit: tuple[int, int], sentences: list[tuple[int, int]]) -> bool:
    number, (start, end) = next((i, span) for i, span in enumerate(sentences) if span[0] <= hit[0] < span[1])
    clauses = [(start + a, start + b) for a, b in _spans(_CLAUSE_END, said[start:end])]
    first, last = next(span for span in clauses if span[0] <= hit[0] < span[1])
    own = said[first : hit[0]] + " " + said[hit[1] : max(last, hit[1])]
    following = said[slice(*sentences[number + 1])][:40] if number + 1 < len(sentences) else ""
    return bool(
        _DOUBT_HAN.search(own)
        or _DOUBT_LATIN.search(own)
        or _LISTING_BEFORE.search(said[start : hit[0]])
        or _LISTING_AFTER.search(said[hit[1] : end])
        or _TAKEN_BACK.search(said[hit[1] : end])
        or any(_TAKEN_BACK.search(said[a:b]) for a, b in clauses if a > hit[1])
        or _TAKEN_BACK.search(following)
        or said[hit[1] : end + 1].rstrip().endswith(("?", "？"))
    )


def _commits(said: str, hit: tuple[int, int], sentences: list[tuple[int, int]]) -> bool:
    start = next(start for start, end in sentences if start <= hit[0] < end)
    return start == sentences[0][0] or _COMMITTING.search(said[start : hit[0]]) is not None


def _spans(separator: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """The stretches of text between separators, without the empty ones."""
    ends = [*(match.span() for match in separator.finditer(text)), (len(text), len(text))]
    starts = [0, *(end for _, end in ends)]
    return [(start, end[0]) for start, end in zip(starts, ends, strict=False) if text[start : end[0]].strip()]


def _match(decided: bool, rule: str, reference: str) -> Match:
    return Match(decided, "correct" if decided else None, reference if decided else f"{reference} is absent", rule)
