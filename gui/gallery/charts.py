"""The charts of the gallery."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QBoxLayout

from gui.charts import Event, Histogram, Legend, Series, TimeChart
from gui.strings import words
from gui.widgets import Card

_START_S = 1_795_953_960.0


def charts(body: QBoxLayout) -> None:
    """A rate with what happened to it, and a spread with a threshold."""

    def say(name: str) -> str:
        return words.text(f"widgets.gallery.{name}")

    seconds = [_START_S + 5 * place for place in range(73)]
    dip = [11 + math.sin(place) * 0.5 - (8 * math.exp(-(((place - 34) / 4) ** 2))) for place in range(73)]
    limit = [13.0 if place < 32 or place > 56 else 7.2 if place < 42 else 9.6 for place in range(73)]
    rate = Series(say("rate_line"), seconds, dip, area=True)
    most = Series(say("rate_limit"), seconds, limit, "series.1", "6 3", step=True)
    card = Card(say("rate"), say("rate_note"))
    card.head.insertWidget(1, Legend([rate, most]))
    chart = TimeChart(say("rate"), say("now"))
    chart.set_series([rate, most], [Event(seconds[32], say("rate_event"))])
    chart.setMinimumHeight(160)
    card.body.addWidget(chart)
    body.addWidget(card)
    spread = Card(say("lengths"), "n 1,284")
    histogram = Histogram(say("lengths"), say("lengths_unit"))
    counts = [12, 160, 310, 280, 190, 120, 80, 44, 30, 18, 9, 6]
    histogram.set_bins([5.0 * place for place in range(13)], counts, 30.0, 0.146)
    histogram.setMinimumHeight(140)
    spread.body.addWidget(histogram)
    body.addWidget(spread)
