"""The fields that a filter can name: what each is called, what kind of value it has, where the value stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.store.other_script import OTHER_SCRIPT
from engine.store.refusal import REFUSAL
from engine.strings import LANGUAGES, text

Method = Literal["published", "corrected"]
Kind = Literal["number", "name", "choice", "words", "text", "flag", "label", "tag"]

STATES = ("scored", "unparsable", "failed", "unscored")
VERDICTS = ("right", "wrong")
RESPONSES = ("answered", "no_answer", "failed")
MISMATCHES = ("omission", "repetition", "truncation", "insertion", "unrelated")
PASSES = ("pass", "fail")
NONE = "none"  # of a field of words: there are none
FAULTS = (
    "silent", "truncated", "truncated_stream", "no_samples", "no_usable_sample", "non_finite", "clipped",
    "over_full_scale", "over_long", "dead_channel", "out_of_phase", "dc_offset", "wrong_extension",
    "header_length_unset", "data_after_declared_end",
)  # fmt: skip

_ERROR = "CASE language WHEN 'en' THEN word_error_rate ELSE syllable_error_rate END"
# How far from where the verdict turns, as a share of it: 0.05 for speech, 3 of 5 for empathy.
_FROM_CUT = (
    "CASE WHEN subset = 'emotion' AND {m}_score IS NOT NULL THEN abs({m}_score - 3) / 3.0"
    " ELSE abs(%s - 0.05) / 0.05 END"
)
_SEVERITY = (
    "(SELECT avg(score) FROM judgement WHERE judgement.response_id = audit_row.response_id"
    " AND judge = 'safety_severity' AND state = 'scored')"
)
_RATED = "audit_row.response_id IN (SELECT response_id FROM human_row)"
# Of several protocols the strictest: an answer that fails under one fails; a tie decides nothing.
_HUMAN = "CASE WHEN max(failed > passed) THEN 'fail' WHEN min(passed > failed) THEN 'pass' END"
_RATED_FOR = "replace(group_concat(DISTINCT dimension), ',', ' ')"
_ACOUSTIC = (
    "(SELECT CASE WHEN avg(score) >= 3 THEN 'right' WHEN avg(score) < 3 THEN 'wrong' END FROM judgement"
    " JOIN maker ON maker.id = maker_id WHERE judgement.response_id = audit_row.response_id"
    " AND judge = 'empathy_acoustic' AND state = 'scored'{})"
)
# What a judge says of the same dimension as the raters; the published files' own verdicts count by their rules alone.
_JUDGED = (
    "CASE WHEN dimension = 'safety' AND subset = 'safety' THEN {{m}}_verdict"
    " WHEN dimension = 'empathy_semantic' AND subset = 'emotion' THEN {{m}}_verdict"
    " WHEN dimension = 'correctness' AND subset NOT IN ('safety', 'emotion') THEN {{m}}_verdict"
    " WHEN dimension = 'empathy_acoustic' THEN {acoustic} END"
)
_JUDGED_CORRECTED = _JUDGED.format(acoustic=_ACOUSTIC.format(" AND maker.name NOT LIKE 'published/%'"))
_JUDGED_PUBLISHED = _JUDGED.format(acoustic=_ACOUSTIC.format(""))
_AGAINST = "CASE {} WHEN 'right' THEN failed > passed WHEN 'wrong' THEN passed > failed END"
_AGAINST_HUMAN = f"max(CASE WHEN passed <> failed THEN {_AGAINST} END)"
_RATERS_AGAINST = f"max(CASE {_AGAINST} WHEN 1 THEN max(passed, failed) END)"
_FLIPPED = (
    "(ifnull(published_verdict <> corrected_verdict, 0) OR ifnull(published_s2s_verdict <> corrected_s2s_verdict, 0))"
)


@dataclass(frozen=True, slots=True)
class Field:
    """A field: ``sql`` over ``audit_row``, where ``{m}`` stands for the method; a label's is its key in the data.

    ``published`` replaces ``sql`` under that method. ``choices`` are all values of a choice, and the known ones of
    words; ``is_open`` says that there may be others. Where it is ``by_people``, ``sql`` gathers the rows of
    ``human_row`` that an answer has, one for each protocol, beside its wide row.
    """

    name: str
    kind: Kind
    sql: str
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    published: str = ""
    is_open: bool = False
    by_people: bool = False

    def expression(self, method: Method) -> str:
        """The SQL of the field's value under ``method``, over ``audit_row``."""
        value = self._chosen(method)
        if not self.by_people:
            return value
        return f"(SELECT {value} FROM human_row WHERE human_row.response_id = audit_row.response_id)"

    def values(self, method: Method) -> str:
        """A query of ``response_id`` and ``value``; what few answers have is read from their own rows alone."""
        if not self.by_people:
            return f"SELECT response_id, {self._chosen(method)} AS value FROM audit_row"
        return (
            f"SELECT human_row.response_id, {self._chosen(method)} AS value FROM human_row"
            " CROSS JOIN audit_row ON audit_row.response_id = human_row.response_id GROUP BY human_row.response_id"
        )

    def _chosen(self, method: Method) -> str:
        chosen = self.published if method == "published" and self.published else self.sql
        return chosen.replace("{m}", method)

    @property
    def is_sortable(self) -> bool:
        """Whether answers can be put in its order."""
        return self.kind not in ("label", "tag")

    def label(self, language: str) -> str:
        """What people call it."""
        return text(f"query.field.{self.name}", language)


def choice_label(value: str, language: str) -> str:
    """What people call a value of a choice, or a fault; the value itself where it has no other name."""
    for room in ("query.choice", "report.fault"):
        try:
            return text(f"{room}.{value}", language)
        except KeyError:
            continue
    return value


_ALL = (
    Field("system", "name", "system"),
    Field("benchmark", "name", "benchmark"),
    Field("subset", "name", "subset", ("task",)),
    Field("key", "name", "key", ("id", "qid")),
    Field("category", "name", "category"),
    Field("language", "name", "language", ("lang",)),
    Field("repeat", "number", "repeat"),
    Field("question", "text", "question", ("q",)),
    Field("answer", "text", "text", ("text", "a")),
    Field("transcript", "text", "transcript", ("heard",)),
    Field("emotion", "label", "Question_emo"),
    Field("level", "label", "Level"),
    Field("subcategory", "label", "Sub-category"),
    Field("response", "choice", "response_state", (), RESPONSES),
    Field("state", "choice", "{m}_state", (), STATES),
    Field("speech_state", "choice", "{m}_s2s_state", (), STATES),
    Field("why", "name", "{m}_why"),
    Field("speech_why", "name", "{m}_s2s_why"),
    Field("verdict", "choice", "{m}_verdict", ("judged",), VERDICTS),
    Field("speech", "choice", "{m}_s2s_verdict", ("spoken", "s2s"), VERDICTS),
    Field("score", "number", "{m}_score"),
    Field(
        "error",
        "number",
        _ERROR,
        ("err",),
        published="published_error_rate",
    ),
    Field("per", "number", "syllable_error_rate", ("syllable_error",), published="published_error_rate"),
    Field("cer", "number", "character_error_rate", ("character_error",)),
    Field("wer", "number", "word_error_rate", ("word_error",)),
    Field("mer", "number", "mixed_error_rate", ("mixed_error",)),
    Field("phoneme_error", "number", "phoneme_error_rate"),
    Field(
        "mismatch",
        "words",
        "CASE WHEN transcript_id IS NULL THEN NULL ELSE mismatch END",
        (),
        MISMATCHES,
    ),
    Field("faults", "words", "faults", ("fault",), FAULTS, is_open=True),
    Field("judge_flags", "words", "judge_flags", ("flags",), (), is_open=True),
    Field("dnsmos", "number", "dnsmos_ovrl", ("dnsmos_ovrl",)),
    Field("dnsmos_sig", "number", "dnsmos_sig", ("sig",)),
    Field("dnsmos_bak", "number", "dnsmos_bak", ("bak",)),
    Field("dnsmos_p808", "number", "dnsmos_p808", ("p808",)),
    Field("length", "number", "duration_s", ("duration", "seconds")),
    Field("first", "number", "first_audio_s", ("first_audio", "first_sound")),
    Field("first_token", "number", "first_token_s"),
    Field("generation", "number", "generation_s"),
    Field("rtf", "number", "rtf_generation_over_duration"),
    Field("peak", "number", "peak_dbfs"),
    Field("silent", "number", "silent_share"),
    Field("clipped", "number", "clipped_share"),
    Field("rate_hz", "number", "sample_rate_hz", ("sample_rate",)),
    Field("severity", "number", _SEVERITY),
    Field("from_cut", "number", _FROM_CUT % f"({_ERROR})", published=_FROM_CUT % "published_error_rate"),
    Field("flipped", "flag", _FLIPPED),
    Field("other_script", "flag", OTHER_SCRIPT, ("wrong_language",)),
    Field("refusal", "flag", REFUSAL, ("refuses",)),
    Field("rated", "flag", _RATED),
    Field("human", "choice", _HUMAN, ("people",), PASSES, by_people=True),
    Field("human_score", "number", "min(mean)", ("people_score",), by_people=True),
    Field("human_raters", "number", "max(raters)", ("raters",), by_people=True),
    Field("rated_for", "words", _RATED_FOR, is_open=True, by_people=True),
    Field(
        "against_human",
        "flag",
        _AGAINST_HUMAN.format(_JUDGED_CORRECTED),
        published=_AGAINST_HUMAN.format(_JUDGED_PUBLISHED),
        by_people=True,
    ),
    Field(
        "raters_against",
        "number",
        _RATERS_AGAINST.format(_JUDGED_CORRECTED),
        published=_RATERS_AGAINST.format(_JUDGED_PUBLISHED),
        by_people=True,
    ),
    Field("tag", "tag", "tag", ("tags",)),
)
FIELDS = {field.name: field for field in _ALL}
FLAGS = tuple(field.name for field in _ALL if field.kind == "flag")


def find_field(written: str) -> Field | None:
    """The field of a name, an alias or a label in any language; upper and lower case and ``-`` and ``_`` are alike."""
    return _by_name().get(_plain(written))


def nearest_field(written: str) -> str | None:
    """The name that ``written`` is most like, if it is like any."""
    return nearest(_plain(written), [name for name in _by_name() if name.isascii()])


def nearest(written: str, known: list[str]) -> str | None:
    """The one of ``known`` that ``written`` is most like; None where nothing is close."""
    from rapidfuzz import process  # costs the start of the window nothing here

    found = process.extractOne(written, known, score_cutoff=65)
    return None if found is None else str(found[0])


@cache
def _by_name() -> dict[str, Field]:
    named: dict[str, Field] = {}
    for field in _ALL:
        labels = (field.label(language) for language in LANGUAGES)
        for name in (field.name, *field.aliases, *(label for label in labels if " " not in label)):
            named.setdefault(_plain(name), field)
    return named


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_")
