"""Results in the words of whoever reads them, whatever language the protocol was put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.errors import EngineError
from engine.rating.protocols import load_protocol
from engine.rating.result_values import ScaleResult, StepCount, StepShare, StudyResults, SystemResult
from engine.rating.values import Protocol, Value
from engine.strings import text


def counted(what: str, n: int, language: str) -> str:
    """A number of items, raters, ratings, answers; one of them in the singular.

    >>> counted("raters", 1, "en"), counted("raters", 3, "en")
    ('1 rater', '3 raters')
    """
    return text(f"rating.lack.{what}{'_one' if n == 1 else ''}", language, n=n)


def worded(results: StudyResults, language: str) -> StudyResults:
    """``results`` with questions, steps and what passes in ``language``.

    Of a protocol that is not shipped in that version the words stay as they were put to the raters.
    """
    try:
        protocol = load_protocol(results.protocol, language)
    except EngineError:
        return results
    if protocol.version != results.protocol_version or results.languages == (language,):
        return results
    return replace(results, scales=tuple(_scale(scale, protocol) for scale in results.scales))


def _scale(found: ScaleResult, protocol: Protocol) -> ScaleResult:
    scale = next((one for one in protocol.scales if one.id == found.scale), None)
    if scale is None:
        return found
    labels = {step.value: step.label for step in scale.steps}
    rule = protocol.passes_when
    return replace(
        found,
        question=scale.question,
        passes_note=rule.note if rule and rule.scale == scale.id and found.passes_note else found.passes_note,
        histogram=_labelled(found.histogram, labels),
        systems=tuple(_system(system, labels) for system in found.systems),
        items=tuple(replace(item, histogram=_labelled(item.histogram, labels)) for item in found.items),
    )


def _system(found: SystemResult, labels: Mapping[Value, str]) -> SystemResult:
    shares = tuple(_share(one, labels) for one in found.shares)
    return replace(found, histogram=_labelled(found.histogram, labels), shares=shares)


def _share(found: StepShare, labels: Mapping[Value, str]) -> StepShare:
    return replace(found, label=labels.get(found.value, found.label))


def _labelled(found: tuple[StepCount, ...], labels: Mapping[Value, str]) -> tuple[StepCount, ...]:
    return tuple(replace(one, label=labels.get(one.value, one.label) if one.label else "") for one in found)
