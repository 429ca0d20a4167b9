"""Why a judgement failed: kept as a code with values, worded in the language of whoever reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.judges.values import Judgement
from engine.strings import text

_ROOM = "judges."
_WITHOUT_REASON = ("failed", "unscored")  # states in which no judge gave one


def failure_said(code: str, values: Mapping[str, Any], language: str) -> str:
    """The failure ``code`` (``judges.name``) with its values as a sentence."""
    return text(f"{_ROOM}failure.{code.removeprefix(_ROOM)}", language, **values)


def kept_reason(judgement: Judgement) -> str:
    """What the store keeps as the reason: the judge's own words, or the values of a failure as JSON."""
    if judgement.state in _WITHOUT_REASON and judgement.error_code:
        return json.dumps(dict(judgement.error_values), ensure_ascii=False)
    return judgement.reason


def reason_said(state: str, error: str | None, reason: str, language: str) -> str:
    """What the store keeps as a reason, as a reader sees it: the judge's words as they are, a failure as a sentence.

    Failures of earlier versions were kept as a sentence and are shown as such.
    """
    if state not in _WITHOUT_REASON or error is None or not error.startswith(_ROOM) or not reason.startswith("{"):
        return reason
    try:
        return failure_said(error, json.loads(reason), language)
    except (KeyError, ValueError):  # of a later version
        return error
