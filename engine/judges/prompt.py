"""The question put to a judge: its rubric, then the material behind a fence that the material cannot close."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.errors import EngineError
from engine.judges.declaration import Judge
from engine.strings import text

_UNSENT = "{code}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two messages of one call, and the code that its fences carry."""

    system: str
    user: str
    code: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """As chat completions take them."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


def build_prompt(judge: Judge, language: str, fields: Mapping[str, str]) -> Prompt:
    """The prompt for one answer. Every field stands between markers with a random code that no field contains.

    Raises EngineError ``judges.missing_field`` when a declared field is not given. A field may be empty; characters
    that no encoding can carry (lone surrogates) become question marks.
    """
    missing = [field.name for field in judge.fields if field.name not in fields]
    if missing:
        raise EngineError("judges.missing_field", judge=judge.id, field=missing[0])
    material = {field.name: _encodable(fields[field.name]) for field in judge.fields}
    code = _code_outside(material.values())
    return Prompt(system_text(judge, language), _user_text(judge, language, material, code), code)


def system_text(judge: Judge, language: str) -> str:
    """The constant part: the rubric, how the material is fenced, and the two lines that a reply consists of."""
    words = {name: text(f"judges.prompt.{name}", language) for name in ("fence", "reply", "reason_line")}
    verdict = f"{judge.labels[language][0]}{text('judges.prompt.colon', language)}{_what_to_write(judge, language)}"
    return "\n\n".join((judge.rubric[language], words["fence"], f"{words['reply']}\n{words['reason_line']}\n{verdict}"))


def rubric_sha256(judge: Judge, language: str) -> str:
    """The hash of all the constant text that this judge is asked with in ``language``, as lower-case hex digits."""
    blank = _user_text(judge, language, {field.name: "" for field in judge.fields}, _UNSENT)
    return hashlib.sha256(f"{system_text(judge, language)}\0{blank}".encode()).hexdigest()


def _what_to_write(judge: Judge, language: str) -> str:
    if judge.kind == "score":
        return text("judges.prompt.score", language, lowest=judge.scale[0], highest=judge.scale[-1])
    return text("judges.prompt.or", language).join(choice.words[language][0] for choice in judge.choices)


def _user_text(judge: Judge, language: str, material: Mapping[str, str], code: str) -> str:
    parts = [text("judges.prompt.code", language, code=code)]
    for field in judge.fields:
        title = field.title[language]
        parts.append(f"<<<{code} {title}>>>\n{material[field.name]}\n<<<{code} /{title}>>>")
    parts.append(text("judges.prompt.end", language))
    return "\n\n".join(parts)


def _code_outside(texts: Iterable[str]) -> str:
    everything = "\n".join(texts).casefold()
    while (code := secrets.token_hex(8)) in everything:
        continue
    return code


def _encodable(field: str) -> str:
    return field.encode("utf-8", "replace").decode("utf-8")
