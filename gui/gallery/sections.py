"""The sections of the gallery, each a function that fills a layout."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPlainTextEdit, QWidget

from gui.gallery.charts import charts
from gui.strings import words
from gui.theme import space, tokens
from gui.widgets import (
    STATES,
    Button,
    Card,
    CheckBox,
    Chip,
    ChipPart,
    ComboBox,
    EmptyState,
    Glyph,
    Hairline,
    IconButton,
    InlineError,
    KeyCap,
    LineEdit,
    Meter,
    Pill,
    ProgressBar,
    RadioButton,
    Segmented,
    Spinner,
    StateMark,
    Tag,
    label,
)
from gui.widgets.check_list import CheckList
from gui.widgets.facts_table import Cell, FactsTable
from gui.widgets.number_field import NumberField

HOSTILE = (
    "invoice_\u202etxt.exe \u202bولد\u202c and after",
    "a" * 3_000,
    "two\nlines\x00and\x1bcontrol\ttab\u200bzero\ufeffwidth",
    "Z" + "\u0336\u0335\u0334\u0337\u0338\u0321\u0322" * 12 + "algo, <b>bold?</b> &amp;",
    "عربي ثم 123 then English, 👩‍👩‍👧‍👦 and 𠮷",
)


def say(name: str) -> str:
    """A sample text in the language of now."""
    return words.text(f"widgets.gallery.{name}")


def row(body: QBoxLayout, *parts: QWidget) -> None:
    """Parts side by side."""
    line = QHBoxLayout()
    line.setSpacing(space(2))
    for part in parts:
        line.addWidget(part)
    line.addStretch(1)
    body.addLayout(line)


def type_sizes(body: QBoxLayout) -> None:
    """Each type in its own size."""
    for name in tokens()["type"]:
        body.addWidget(label(f"{name}  {say('sample')}", name, elide=True))
    body.addWidget(label(say("paragraph"), "body", family="content", wrap=True))


def buttons(body: QBoxLayout) -> None:
    """Roles, sizes, keys, disabled."""
    off = Button(say("off"), "export")
    off.setEnabled(False)
    off_primary = Button(say("off"), role="primary", key="Return")
    off_primary.setEnabled(False)
    row(body, Button(say("make"), role="primary", key="Return"), Button(say("open"), "folder-open", key="Ctrl+O"), off)
    row(
        body,
        Button(say("commands"), "command", "quiet", "Ctrl+K"),
        Button(say("delete"), "trash", "danger"),
        off_primary,
    )
    row(
        body,
        Button(say("more"), "arrow-right", size="button_small"),
        Button(say("stop"), "square", size="button_large", key="Space"),
        Button(say("make"), role="primary", size="button_large"),
    )
    pressed = IconButton("repeat", say("both"), "L", checkable=True)
    pressed.setChecked(True)
    dead = IconButton("trash", say("delete"))
    dead.setEnabled(False)
    plain = IconButton("note-pencil", say("answer"), "N", role="plain")
    row(body, IconButton("columns", say("some")), IconButton("export", say("export"), "E"), pressed, plain, dead)
    chosen = Segmented([say("published"), say("corrected"), say("both")], say("method"))
    chosen.set_value(say("corrected"))
    refused = Segmented([say("question"), say("answer")], say("question"))
    refused.setEnabled(False)
    row(body, chosen, refused)
    row(body, KeyCap("Ctrl+K"), KeyCap("Space"), KeyCap("Shift+Return"), KeyCap("J"), KeyCap("?"))


def fields(body: QBoxLayout) -> None:
    """Lines, lists, boxes, rings."""
    wrong = LineEdit("/data/answers")
    wrong.set_error(say("wrong_path"))
    off = LineEdit(say("off"))
    off.setEnabled(False)
    body.addWidget(LineEdit(placeholder=say("folder"), icon_name="folder-open"))
    body.addWidget(wrong)
    body.addWidget(label(say("wrong_path"), "small", "error", wrap=True))
    body.addWidget(off)
    count = NumberField(1, 99)
    count.set_number(30)
    count.set_name(say("question"))
    row(body, count)
    systems = ComboBox(say("system"))
    systems.addItems(["offline_cascade", "example-steady", "example-flawed"])
    empty = ComboBox(say("system"))
    empty.setPlaceholderText(say("choose"))
    row(body, systems, empty)
    some = CheckBox(say("some"))
    some.setCheckState(Qt.CheckState.PartiallyChecked)
    on = CheckBox(say("measure"))
    on.setChecked(True)
    off_box = CheckBox(say("off"))
    off_box.setEnabled(False)
    row(body, on, CheckBox(say("judge")), some, off_box)
    first = RadioButton(say("question"))
    first.setChecked(True)
    row(body, first, RadioButton(say("answer")))
    code = QPlainTextEdit("auricle measure && auricle score")
    code.setProperty("role", "code")
    code.setFont(label(type="figure").font())
    code.setAccessibleName("auricle measure")
    code.setMaximumHeight(72)
    body.addWidget(code)


def states(body: QBoxLayout) -> None:
    """Shapes, verdicts, tags."""
    row(body, *(StateMark(state, worded=True) for state in STATES))
    row(body, *(StateMark(state) for state in STATES), Spinner(), Glyph("warning", "verdict.warning"))
    row(body, Pill(say("right"), "right"), Pill(say("wrong"), "wrong"), Pill(say("near"), "warning"))
    row(body, Pill(say("unread"), "failed"), Pill("3 / 5"), Tag(say("tag")), Tag("markdown"), Tag("tts-loop"))


def filters(body: QBoxLayout) -> None:
    """Chips, one of them wrong."""
    bad = Chip([ChipPart(say("field_error"), "field"), ChipPart(say("value_bad"), "error")], say("why_bad"))
    row(body, Chip([say("field_system"), say("value_systems")]), Chip([say("field_error"), say("value_error")]))
    row(body, bad)
    body.addWidget(label(say("why_bad"), "small", "error"))
    row(body, Chip(["tag", "a" * 400]))


def progress(body: QBoxLayout) -> None:
    """None, some, all, and all three parts."""
    for counts in ((0, 0, 0, 0), (6_858, 99, 68, 11_200), (33_645, 0, 0, 33_645), (900, 300, 250, 1_000)):
        body.addWidget(ProgressBar(*counts))


def meters(body: QBoxLayout) -> None:
    """One channel with a threshold, two channels, and one that clipped."""
    one = Meter(threshold_dbfs=-42)
    one.set_levels([-17.4], 10.0)
    two = Meter(channels=2, ticks=(-36, -24, -12, 0), lamp=False)
    two.set_levels([-4.0, -21.0], 10.0)
    two.set_levels([-9.2, -30.0], 10.4)
    loud = Meter(ticks=())
    loud.set_levels([0.0], 10.0)
    for meter in (one, two, loud):
        body.addWidget(meter)


def cards(body: QBoxLayout) -> None:
    """A card with rows and a card that is chosen."""
    wrong = Card(say("card_title"), say("card_note"), ruled=True, flush=True)
    for state, text, count in (("unparsable", "row_reply", 61), ("failed", "row_time", 41)):
        line = QHBoxLayout()
        line.setContentsMargins(space(3), space(1), space(2), space(1))
        line.setSpacing(space(2))
        line.addWidget(StateMark(state))
        line.addWidget(label(say(text), elide=True), 1)
        line.addWidget(label(str(count), "figure", weight=600))
        line.addWidget(Button(say("open_these"), size="button_small"))
        wrong.body.addLayout(line)
        wrong.body.addWidget(Hairline())
    wrong.body.setSpacing(0)
    wrong.set_foot(say("card_foot"))
    start = Card(say("start"))
    start.set_chosen(True)
    start.body.addWidget(label(say("start_says"), "body", "secondary", wrap=True))
    body.addWidget(wrong)
    body.addWidget(start)


def nothing(body: QBoxLayout) -> None:
    """An empty place, and what stands in the way."""
    body.addWidget(
        EmptyState(say("empty"), Button(say("import"), role="primary"), [Button(say("ask"))], "chat-circle-dots")
    )
    body.addWidget(InlineError(say("no_sound"), say("help"), "player.device_gone"))
    body.addWidget(InlineError(say("no_keyring"), say("help"), tone="warning"))
    body.addWidget(InlineError(say("english_only"), say("other_system"), tone="note"))
    body.addWidget(InlineError(say("saved"), tone="good"))


def lists(body: QBoxLayout) -> None:
    """Things to tick, and facts in rows."""
    ticks = CheckList(say("system"))
    systems = [
        ("offline_cascade", "offline_cascade", "102"),
        ("example", "example-*", "1,284"),
        ("long", "a" * 200, "3"),
    ]
    ticks.entries.set_entries(systems, ("example",))
    ticks.fit()
    facts = FactsTable()
    rows = [(Cell(name), Cell(number, True), Cell("—", True, "text.tertiary")) for name, _, number in systems]
    facts.set_rows([say("system"), say("answer"), say("question")], rows)
    facts.setAccessibleName(say("system"))
    body.addWidget(ticks)
    body.addWidget(facts)


def hostile(body: QBoxLayout) -> None:
    """Names and answers nobody would type, and every widget that must bear them."""
    for text in HOSTILE:
        body.addWidget(label(text, "table", family="content", elide=True))
    body.addWidget(label(HOSTILE[1][:400] + HOSTILE[0], "small", "secondary", wrap=True))
    row(body, Pill(HOSTILE[1], "wrong"), Tag(HOSTILE[0]))


SECTIONS: dict[str, Callable[[QBoxLayout], None]] = {
    "type": type_sizes,
    "buttons": buttons,
    "fields": fields,
    "lists": lists,
    "cards": cards,
    "states": states,
    "filter": filters,
    "progress": progress,
    "meters": meters,
    "nothing": nothing,
    "text": hostile,
    "charts": charts,
}
