"""Takes Markdown, HTML tags and emoji away and keeps the words, as a speaker who reads the text aloud would."""

from __future__ import annotations

import html
import re

from engine.text.draft import Draft

_MARKUP = re.compile(r"[*_`~#>|\[\]<&\\+\-=•◦▪●■]|\d[.)]")
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u23e9-\u23fa\u231a\u231b\u25a0-\u25ff\u203c\u2049\u2139\u3030\u303d]+"
)
_LINES = (  # marks that begin a line or fill it; every part is bounded or possessive, so that no text is slow
    ("code-fence", re.compile(r"^[ \t]{0,3}(?:```|~~~)[^\n`]{0,40}$", re.M), ""),
    ("rule", re.compile(r"^[ \t]{0,3}([-*_=])(?:[ \t]{0,3}\1){2,100}[ \t]{0,10}$", re.M), ""),
    ("table-rule", re.compile(r"^[ \t]{0,3}\|?(?:[ \t]{0,9}:?-{1,99}:?[ \t]{0,9}\|){1,50}[ \t:-]{0,99}$", re.M), ""),
    ("heading", re.compile(r"^[ \t]{0,3}#{1,6}[ \t]{1,9}", re.M), ""),
    ("quote", re.compile(r"^[ \t]{0,3}(?:>[ \t]?){1,9}", re.M), ""),
    ("heading", re.compile(r"^[ \t]{0,3}#{1,6}[ \t]{1,9}", re.M), ""),  # a heading inside a quotation
    ("task", re.compile(r"^[ \t]{0,20}[-*+][ \t]{1,9}\[[ xX]\][ \t]{1,9}", re.M), ""),
    ("bullet", re.compile(r"^[ \t]{0,20}(?:[-*+][ \t]{1,9}|[•◦▪●■][ \t]{0,9})", re.M), ""),
    ("list-number", re.compile(r"^([ \t]{0,20}(?:[*_]{2})?\d{1,3})[.)](?=[ \t*])", re.M), r"\1 "),
    ("table", re.compile(r"^[ \t]{0,3}\||\|[ \t]{0,9}$", re.M), ""),
    ("table", re.compile(r"[ \t]{0,3}\|[ \t]{0,3}"), "，"),
)
_LINKS = (
    ("image", re.compile(r"!\[([^\]\[\n]{0,300})\]\([^()\n]{0,500}\)"), r"\1"),
    ("link", re.compile(r"\[([^\]\[\n]{1,300})\]\([^()\s]{0,500}(?:[ ]\"[^\"\n]{0,200}\")?\)"), r"\1"),
    ("footnote", re.compile(r"\[\^[^\]\s]{1,20}\]:?"), ""),
    ("address", re.compile(r"<(?:https?://)([^<>\s]{1,500})>"), r" \1 "),
    ("address", re.compile(r"https?://(?:www\.)?(?=\w)"), ""),
)
_COMMENT = re.compile(r"<!--[^<>]{0,2000}-->")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:[ \t\n/][^<>]{0,500})?>")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_SPANS = (
    ("code", re.compile(r"`{1,3}"), ""),
    ("emphasis", re.compile(r"(?<![\d \t])\*{1,3}|\*{1,3}(?![\s\d])|\*{2,3}"), ""),
    ("strike", re.compile(r"~~"), ""),
    ("emphasis", re.compile(r"(?<![A-Za-z0-9_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![A-Za-z0-9_])"), ""),
    ("underscore", re.compile(r"(?<=[A-Za-z0-9])_{1,3}(?=[A-Za-z0-9])"), " "),
    ("escape", re.compile(r"\\(?=[*_`#\[\]()>~|!.{}-])"), ""),
)


def strip_tags(draft: Draft) -> None:
    """Comments and tags away (a comparison such as ``a < b`` stays), entities to their characters."""
    if "<" in draft.text:
        draft.rewrite("comment", _COMMENT, "")
        draft.rewrite("tag", _TAG, lambda match: "\n" if match[0][:3].lower() in ("<br", "</p", "</l") else "")
    if "&" in draft.text:
        draft.rewrite("entity", _ENTITY, lambda match: html.unescape(match[0]).replace("\xa0", " "))


def strip_markdown(draft: Draft) -> None:
    """The marks of lines, links and emphasis away, their words kept; list numbers stay, for they are said."""
    if _MARKUP.search(draft.text) is not None:
        for name, pattern, after in (*_LINES, *_LINKS, *_SPANS):
            draft.rewrite(name, pattern, after)
    draft.rewrite("emoji", _EMOJI, "")
