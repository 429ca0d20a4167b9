"""The theme is the tokens: every value is there, readable, and follows a change at once."""

import itertools

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontDatabase, QFontInfo, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from gui.theme import font, height, icon, line, missing_cjk, radius, set_theme, space, switch, theme, tokens, width
from gui.theme.colours import Theme, theme_named
from gui.theme.fonts import register_fonts
from gui.theme.icons import _codes

SURFACES = ("window", "panel", "sunken", "lane", "raised", "hover", "selected")
THEMES = ("light", "dark")


def luminance(colour: QColor) -> float:
    """Relative luminance of WCAG 2."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_black_on_white_is_twenty_one():
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("ink", ["text.primary", "text.secondary", "text.tertiary"])
def test_text_is_readable_on_every_surface(name, surface, ink):
    if (surface, ink) == ("sunken", "text.tertiary"):
        return  # they never meet
    colours = Theme(name)
    assert contrast(colours.color(ink), colours.color(f"surface.{surface}")) >= 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("text.on_accent", "accent.base"),
        ("text.on_accent", "accent.hover"),
        ("text.on_accent", "accent.pressed"),
        ("accent.base", "accent.tint"),
        ("accent.base", "surface.panel"),
        ("accent.base", "surface.window"),
        ("verdict.pass", "state_tint.scored"),
        ("verdict.fail", "verdict.fail_tint"),
        ("verdict.warning", "verdict.warning_tint"),
        ("state.failed", "state_tint.failed"),
        ("text.primary", "verdict.fail_tint"),
        ("text.tertiary", "verdict.fail_tint"),
        ("text.tertiary", "verdict.warning_tint"),
        ("text.primary", "verdict.warning_tint"),
        ("mark.substitution", "mark.substitution_tint"),
        ("mark.insertion", "mark.insertion_tint"),
        ("mark.deletion", "mark.deletion_tint"),
        *((f"heat_text.{step}", f"heat.{step}") for step in range(5)),
        *((f"state.{state}", "surface.panel") for state in ("scored", "unparsable", "failed", "unscored")),
    ],
)
def test_text_is_readable_on_its_own_ground(name, ink, ground):
    colours = Theme(name)
    assert contrast(colours.color(ink), colours.color(ground)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("surface", ["window", "panel", "lane", "hover", "selected"])
@pytest.mark.parametrize(
    "mark",
    [
        "surface.control_edge",
        "accent.focus",
        "state.scored",
        "state.unparsable",
        "state.failed",
        "state.unscored",
        "verdict.fail",
        "audio.playhead",
        "audio.meter_low",
        "audio.meter_mid",
        "audio.meter_high",
    ],
)
def test_marks_are_seen_on_every_surface_they_meet(name, surface, mark):
    colours = Theme(name)
    assert contrast(colours.color(mark), colours.color(f"surface.{surface}")) >= 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("wave", ["question", "question_rms", "answer", "answer_rms"])
def test_waves_are_seen_on_their_lane(name, wave):
    colours = Theme(name)
    assert contrast(colours.color(f"audio.{wave}"), colours.color("surface.lane")) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_no_two_systems_share_a_colour(name):
    colours = [theme_named(name).series(place) for place in range(6)]
    assert all(one != other for one, other in itertools.combinations(colours, 2))
    assert theme_named(name).series(6) == colours[0]


def test_a_translucent_colour_keeps_its_alpha():
    assert theme_named("light").color("audio.loop_fill").alpha() == 0x1F
    assert theme_named("light").hex("audio.loop_fill") == "#1f0b6770"


def test_an_unknown_colour_is_a_bug():
    with pytest.raises(KeyError):
        theme().color("surface.nothing")


def test_lengths_come_from_the_tokens():
    assert (height("row"), width("rail"), radius("card"), line("curve")) == (26, 80, 6, 1.75)
    assert [space(step) for step in range(4)] == [0, 4, 8, 12]


def test_a_change_of_theme_reaches_palette_and_listeners(qtbot):
    with qtbot.waitSignal(switch().changed):
        set_theme("dark")
    app = QApplication.instance()
    assert theme().is_dark
    assert app.palette().color(QPalette.ColorRole.Window) == theme_named("dark").color("surface.window")
    assert app.styleSheet() == ""  # a sheet costs a new polish of every widget


def test_the_same_theme_again_changes_nothing(qtbot):
    with qtbot.assertNotEmitted(switch().changed):
        set_theme("light")


def test_system_follows_the_desktop(qtbot, monkeypatch):
    desktop = ["light"]
    monkeypatch.setattr("gui.theme.choice._of_the_system", lambda: desktop[0])
    turned = QGuiApplication.styleHints().colorSchemeChanged
    set_theme("system")
    desktop[0] = "dark"
    with qtbot.waitSignal(switch().changed):
        turned.emit(Qt.ColorScheme.Dark)
    assert theme().name == "dark"
    set_theme("light")
    turned.emit(Qt.ColorScheme.Dark)
    assert theme().name == "light"  # what the user fixed stays


def test_the_shipped_faces_are_used():
    assert set(register_fonts()) == {"Inter", "JetBrains Mono"}
    assert QFontInfo(font("body")).family() == "Inter"
    assert QFontInfo(font("figure")).family() == "JetBrains Mono"
    assert QFontInfo(font("body", "mono")).fixedPitch()


@pytest.mark.parametrize("name", list(tokens()["type"]))
def test_every_type_has_its_size_to_the_half_pixel(name):
    size, _, weight = tokens()["type"][name]
    assert QFontInfo(font(name)).pixelSize() == pytest.approx(size, abs=0.51)
    assert QFontMetricsF(font(name)).height() > size
    assert font(name).weight() == weight
    assert size >= 10.5


def test_half_pixels_of_type_are_kept():
    narrow, wide = (QFontMetricsF(font(name)).horizontalAdvance("measure" * 20) for name in ("figure", "table"))
    assert QFontMetricsF(font("table")).horizontalAdvance("measure" * 20) > QFontMetricsF(
        font("small")
    ).horizontalAdvance("measure" * 20)
    assert narrow != wide


def test_three_weights_are_three_faces():
    widths = {
        weight: QFontMetricsF(font("display", weight=weight)).horizontalAdvance("Auricle" * 9)
        for weight in (400, 500, 600)
    }
    assert len(set(widths.values())) == 3
    assert QFontDatabase.styles("Inter") != []


def test_figures_are_as_wide_as_each_other():
    metrics = QFontMetricsF(font("body"))
    assert len({round(metrics.horizontalAdvance(digit * 10), 3) for digit in "0123456789"}) == 1


def test_signs_the_window_prints_are_in_the_shipped_faces():
    from PySide6.QtGui import QRawFont

    from engine.shipped import shipped

    signs = "−≠≁⊣○⌀·“”‘’…—–×±≥≤→←↑↓↵✓✕⌘␀⏎"
    face = QRawFont(str(shipped("fonts/Inter-Regular.otf")), 16)
    missing = [sign for sign in signs if not face.supportsCharacter(ord(sign))]
    assert set(missing) <= set("␀⏎✓✕⊣○⌀≁")  # these come from the faces behind it


def test_each_icon_draws_something_in_the_colour_of_the_theme():
    for name in _codes():
        plain, fill = name.removesuffix("-fill"), name.endswith("-fill")
        picture = icon(plain, fill=fill).pixmap(QSize(16, 16)).toImage()
        assert any(picture.pixelColor(x, y).alpha() for x in range(16) for y in range(16)), name


def test_an_icon_follows_the_theme_and_the_screens_pixels():
    made = icon("stop", "text.primary", fill=True)
    light = made.pixmap(QSize(16, 16), 2.0)
    assert (light.width(), light.devicePixelRatio()) == (32, 2.0)
    assert light.toImage().pixelColor(16, 16) == theme_named("light").color("text.primary")
    set_theme("dark")
    assert made.pixmap(QSize(16, 16), 2.0).toImage().pixelColor(16, 16) == theme_named("dark").color("text.primary")


def test_a_disabled_icon_is_grey():
    from PySide6.QtGui import QIcon

    picture = icon("stop", fill=True).pixmap(QSize(16, 16), QIcon.Mode.Disabled).toImage()
    assert picture.pixelColor(8, 8) == theme().color("text.disabled")


def test_an_unknown_icon_is_a_bug():
    with pytest.raises(KeyError):
        icon("no-such-thing")


def test_a_machine_without_chinese_faces_is_told(monkeypatch):
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: ["Inter", "DejaVu Sans"] if not _ else [])
    assert missing_cjk()
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: ["Inter", "PingFang SC"])
    assert not missing_cjk()


def test_a_label_takes_the_colour_of_its_tone_from_the_sheet(qtbot):
    from gui.widgets import label

    made = label("word", tone="error")
    qtbot.addWidget(made)
    assert isinstance(made, QLabel)
    made.ensurePolished()
    picture = made.grab().toImage()
    reddest = max(
        (picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())),
        key=lambda c: c.red() - c.green(),
    )
    assert reddest.red() - reddest.green() > 60
