"""The rows of the measurements panel: each number with what stands beside it, who made it, and its state."""

from __future__ import annotations

from dataclasses import dataclass

from engine.metrics.mismatch import Mismatch
from engine.query.told import MakerTold, MeasurementTold, ResponseDetail
from engine.report.figures import reason
from engine.scoring.derive import floor_metric
from engine.scoring.verdicts import ERROR_RATE_CUT, admits
from gui.strings import words

RATES = (
    "published_syllable_error_rate",
    "word_error_rate",
    "syllable_error_rate",
    "character_error_rate",
    "mixed_error_rate",
    "phoneme_error_rate",
)
QUALITY = ("dnsmos_ovrl", "dnsmos_sig", "dnsmos_bak", "dnsmos_p808")
SCALES = {*QUALITY, "utmos", "distillmos"}
MINUS = "−"
_HASH = 6


@dataclass(frozen=True, slots=True)
class MeasurementLine:
    """One row; ``value`` is empty where ``state`` stands in its place, and ``beside`` says why then."""

    name: str
    value: str = ""
    beside: str = ""
    maker: str = ""
    state: str = "scored"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class FloorLine:
    """What the recogniser errs on known speech; ``kind`` is admitted, too_weak, unknown, person or none."""

    sentence: str
    kind: str


def measurement_lines(detail: ResponseDetail, method: str) -> list[MeasurementLine]:
    """Rows in the order of the look: error rates, mismatch, quality, time, what others measured, the clip itself."""
    return [
        *_rate_lines(detail, method),
        *_mismatch_lines(detail),
        *_quality_lines(detail),
        *_time_lines(detail),
        *_other_lines(detail, method),
        *_clip_lines(detail),
    ]


def floor_line(detail: ResponseDetail, method: str) -> FloorLine:
    """The floor of the recogniser that ``method`` reads, in the answer's language, against the cut."""
    heard = detail.transcript(method)
    if heard is None:
        return FloorLine(words.text("audit.detail.floor.none"), "none")
    if heard.maker.kind == "person":
        return FloorLine(words.text("audit.detail.floor.person"), "person")
    language = "en" if detail.asked.language == "en" else "zh"
    metric = floor_metric(language) if method == "corrected" else RATES[0]
    floor = detail.floors.get((heard.maker.id, language, metric))
    if floor is None:
        return FloorLine(words.text("audit.detail.floor.unknown"), "unknown")
    kind = "admitted" if admits(floor.rate) else "too_weak"
    said = words.text(f"audit.detail.floor.{kind}", floor=f"{floor.rate:.3f}", cut=f"{ERROR_RATE_CUT:g}")
    return FloorLine(said, kind)


def maker_words(maker: MakerTold) -> str:
    """A maker as a table names it: recogniser and weights, judge and rubric, a person, else its name."""
    if maker.kind == "person":
        return words.text("scoring.maker.person")
    if maker.kind == "recogniser":
        weights = str(maker.settings.get("weights", "")).rstrip("/").rsplit("/", 1)[-1]
        return f"{maker.name} {weights}".strip()
    return maker.name


def metric_words(metric: str) -> str:
    """The name of a metric in a row; one that came from outside keeps its own."""
    try:
        return words.text(f"audit.detail.metric.{metric}")
    except KeyError:
        return metric.replace("_", " ")


def maker_told(maker: MakerTold) -> str:
    """A maker with all that tells it from another, a line each."""
    kind = words.text(f"audit.detail.maker_kind.{maker.kind}")
    named = {"name": maker.name, "version": maker.code_version, "kind": kind}
    hashes = {"key": maker.key, "weights": maker.weights_sha256, "rubric": maker.rubric_sha256}
    lines = [words.text("audit.detail.maker.line", **named)]
    lines += [words.text(f"audit.detail.maker.{name}", hash=value[:12]) for name, value in hashes.items() if value]
    lines += [f"{name} {version}" for name, version in maker.libraries.items()]
    return "\n".join(lines)


def _rate_lines(detail: ResponseDetail, method: str) -> list[MeasurementLine]:
    rates = [(metric, detail.measurement(metric, _method_of(metric))) for metric in _rates_of(detail, method)]
    lines = [_line(found, _recogniser(detail, found)) for _, found in rates if found is not None]
    if lines:
        return lines
    first = RATES[0] if method == "published" else floor_metric(detail.asked.language)
    return [MeasurementLine(metric_words(first), state=_hearing(detail), beside=_why_not_heard(detail, method))]


def _rates_of(detail: ResponseDetail, method: str) -> list[str]:
    """Published first under its method; the mixed rate only where it differs from characters and words."""
    mixed = detail.measurement("mixed_error_rate", "corrected")
    others = (detail.measurement(name, "corrected") for name in ("character_error_rate", "word_error_rate"))
    is_twin = mixed is not None and any(
        other is not None and (mixed.errors, mixed.reference_length) == (other.errors, other.reference_length)
        for other in others
    )
    kept = [metric for metric in RATES[1:] if not (metric == "mixed_error_rate" and is_twin)]
    if method == "published":
        return [RATES[0], *kept]
    return kept if detail.asked.language == "en" else [*kept, RATES[0]]  # its reader drops what is not Han


def _method_of(metric: str) -> str:
    return "published" if metric == RATES[0] else "corrected"


def _hearing(detail: ResponseDetail) -> str:
    is_failed = detail.answered.state != "answered" or any(t.state == "failed" for t in detail.transcripts)
    return "failed" if is_failed else "unscored"


def _why_not_heard(detail: ResponseDetail, method: str) -> str:
    if detail.answered.state != "answered":
        return reason(detail.answered.state, words.language)
    speech = detail.verdicts.get((method, "speech"))
    if detail.transcript(method) is not None:
        return reason("answer_has_no_text", words.language)
    if any(transcript.state == "failed" for transcript in detail.transcripts):
        return reason("recognition_failed", words.language)
    if (speech is not None and speech.why == "no_audio") or detail.answered.clip is None:
        return reason("no_audio", words.language)
    return words.text("audit.detail.measure.no_transcript")


def _recogniser(detail: ResponseDetail, found: MeasurementTold) -> MakerTold:
    """Whose transcript a rate rests on."""
    return next((t.maker for t in detail.transcripts if t.maker.key == found.transcript_maker), found.maker)


def _line(found: MeasurementTold, maker: MakerTold, name: str = "") -> MeasurementLine:
    name = name or metric_words(found.metric)
    tip = f"{name}\n{maker_told(maker)}"
    if found.maker.id != maker.id:
        tip += f"\n{maker_told(found.maker)}"
    if found.state != "scored" or found.value is None:
        state = found.state if found.state != "scored" else "unscored"
        return MeasurementLine(name, "", _why_no_value(found), maker_words(maker), state, tip)
    value = figure(found.value, 3 if found.errors is not None or "rate" in found.metric else 2)
    return MeasurementLine(name, value, _beside(found), maker_words(maker), "scored", tip)


def _why_no_value(found: MeasurementTold) -> str:
    why = found.detail.get("why") or found.detail.get("error")
    if why is not None:
        return str(why)
    if found.reference_length == 0:
        return words.text("audit.detail.measure.reference_empty")
    return words.text("audit.detail.measure.no_value")


def _beside(found: MeasurementTold) -> str:
    if found.errors is not None and found.reference_length is not None:
        return f"{found.errors:g} / {found.reference_length:g}"
    return words.text("audit.detail.measure.scale") if found.metric in SCALES else ""


def _mismatch_lines(detail: ResponseDetail) -> list[MeasurementLine]:
    stored = detail.measurement("mismatch", "corrected")
    if stored is None or not detail.mismatches:
        return []
    said = words.text("query.word.comma").join(mismatch_words(mismatch) for mismatch in detail.mismatches)
    return [MeasurementLine(metric_words("mismatch"), f"{len(detail.mismatches)}", said, "", tip=said)]


def mismatch_words(mismatch: Mismatch) -> str:
    """A mismatch by its class, a loop with how often it is said."""
    return words.text(f"audit.detail.mismatch.{mismatch.kind}", count=mismatch.count)


def _quality_lines(detail: ResponseDetail) -> list[MeasurementLine]:
    chosen = [m for m in detail.measurements if m.metric in QUALITY and m.maker.id == detail.quality_maker_id]
    if chosen:
        by_metric = {m.metric: m for m in chosen}
        return [_line(by_metric[metric], by_metric[metric].maker) for metric in QUALITY if metric in by_metric]
    if detail.answered.clip is None:
        return []
    why = words.text("audit.detail.measure.not_measured")
    return [MeasurementLine(metric_words("dnsmos_ovrl"), state="unscored", beside=why)]


def _time_lines(detail: ResponseDetail) -> list[MeasurementLine]:
    """First sound with the real-time factor beside it, as in the look; the others as far as they are known."""
    timings = detail.answered.timings
    known = [("first_sound_s", detail.first_sound_s)]
    known += [(name, timings.get(name)) for name in ("first_audio_s", "first_token_s", "generation_s")]
    rtf = detail.derived.get("rtf_generation_over_duration")
    beside = words.text("audit.detail.measure.rtf", rtf=figure(rtf, 2)) if rtf is not None else ""
    lines = []
    for name, seconds in known:
        if seconds is not None:
            lines.append(MeasurementLine(metric_words(name), f"{figure(seconds, 2)} s", beside, detail.system.name))
            beside = ""
    return lines


def _other_lines(detail: ResponseDetail, method: str) -> list[MeasurementLine]:
    """What was measured by another recogniser or elsewhere, each with its maker in its name."""
    read = {transcript.maker.key for m in ("corrected", "published") if (transcript := detail.transcript(m))}
    lines = []
    for found in detail.measurements:
        is_shown = found.transcript_maker in read or found.maker.id == detail.quality_maker_id
        if not is_shown and found.metric != "mismatch":
            lines.append(_line(found, _recogniser(detail, found)))
    return lines


def _clip_lines(detail: ResponseDetail) -> list[MeasurementLine]:
    facts = (detail.answered.clip.facts if detail.answered.clip else None) or {}
    lines = []
    if facts.get("duration_s") is not None:
        rate = f"{facts.get('sample_rate_hz', 0) / 1000:g} kHz"
        lines.append(MeasurementLine(metric_words("duration_s"), f"{figure(facts['duration_s'], 2)} s", rate))
    if facts.get("peak_dbfs") is not None:
        lines.append(MeasurementLine(metric_words("peak_dbfs"), figure(facts["peak_dbfs"], 1), "dBFS"))
    for name in ("silent_share", "clipped_share"):
        if facts.get(name):
            lines.append(MeasurementLine(metric_words(name), f"{figure(100 * facts[name], 1)} %"))
    faults = [*(str(fault.get("code", "")) for fault in facts.get("faults", ())), *detail.answered.flags]
    if faults:
        said = words.text("query.word.comma").join(fault_words(fault) for fault in dict.fromkeys(faults))
        lines.append(MeasurementLine(metric_words("faults"), f"{len(set(faults))}", said, tip=said))
    return lines


def fault_words(code: str) -> str:
    """A fault of a file by its name; a rare one by its code."""
    try:
        return words.text(f"report.fault.{code}")
    except KeyError:
        return code.replace("_", " ")


def figure(value: float, decimals: int) -> str:
    """A number with its decimals and a true minus sign."""
    return f"{value:.{decimals}f}".replace("-", MINUS)
