"""The line at the foot: which run, when, which sound, which recogniser, which rubric."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from engine.query.told import ResponseDetail
from gui.audit.detail.measurement_lines import maker_told
from gui.strings import words
from gui.theme import height, space
from gui.widgets.empty import Glyph
from gui.widgets.labels import label
from gui.widgets.text import tip_text

_ENDS = 4  # letters of a hash at either end
_KEY = 6
_DAY = 10


class ProvenanceLine(QWidget):
    """One small line; hover tells everything in full."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height("status"))
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), 0, space(3), 0)
        row.setSpacing(space(2))
        self._line = label("", "axis", "tertiary", family="mono", elide=True)
        row.addWidget(Glyph("fingerprint", "text.tertiary", 14))
        row.addWidget(self._line, 1)

    def show_detail(self, detail: ResponseDetail, method: str) -> None:
        """Tell of another answer."""
        parts, told = _parts(detail, method)
        self._line.setText(" · ".join(parts))
        whole = "\n".join(told)
        self._line.setToolTip(tip_text(whole))
        self.setToolTip(tip_text(whole))
        self.setAccessibleName(words.text("audit.detail.provenance_name"))
        self.setAccessibleDescription(whole)


def _parts(detail: ResponseDetail, method: str) -> tuple[list[str], list[str]]:
    answered = detail.answered
    parts = [words.text("audit.detail.provenance.run", run=answered.run_id), answered.created_at[:_DAY]]
    told = [f"{parts[0]} ({answered.run_kind}), {answered.run_started_at[:19]}", f"response {answered.uid}"]
    sha256 = answered.clip.sha256 if answered.clip else None
    if sha256:
        parts.append(words.text("audit.detail.provenance.wav", hash=f"{sha256[:_ENDS]}…{sha256[-_ENDS:]}"))
        told.append(f"sha256 {sha256}")
    else:
        parts.append(words.text("audit.detail.provenance.no_wav"))
    heard = detail.transcript(method)
    if heard is not None:
        parts.append(words.text("audit.detail.provenance.recogniser", hash=heard.maker.key[:_KEY]))
        told.append(maker_told(heard.maker))
    rates = next((m for m in detail.measurements if m.transcript_maker and m.metric != "mismatch"), None)
    if rates is not None:
        parts.append(words.text("audit.detail.provenance.code", version=rates.maker.code_version))
        told.append(maker_told(rates.maker))
    verdict = detail.verdicts.get((method, "text"))
    judge = detail.maker(verdict.maker_id) if verdict else None
    if judge is not None and judge.rubric_sha256:
        told.append(maker_told(judge))
    return parts, told
