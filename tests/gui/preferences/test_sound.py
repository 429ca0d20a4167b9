from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.shipped import shipped
from gui.player.devices import OutputDevice
from gui.preferences.hearing import SENTENCES
from gui.preferences.sound_page import SoundPage
from tests.gui.player.fakes import FakeSound


class Devices(FakeSound):
    """Two devices, or the trouble there is with them."""

    def __init__(self) -> None:
        super().__init__()
        self.devices = (OutputDevice("Headphones", 2, True), OutputDevice("Screen", 2, False))

    def outputs(self, refresh):
        if self.trouble:
            raise self.trouble
        self.looked_again += refresh
        return self.devices


@pytest.fixture
def sound():
    return Devices()


@pytest.fixture
def services(services, sound):
    """A player on these devices."""
    services.player._sound = services.player._device._sound = sound
    return services


@pytest.fixture
def page(services, qtbot, idle):
    made = SoundPage(services)
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    made.shown()
    idle()
    return made


def entries(page):
    return [page.device.itemText(place) for place in range(page.device.count())]


def test_the_devices_are_listed_with_the_usual_one_first(page):
    assert entries(page) == ["the usual one (Headphones)", "Headphones", "Screen"]
    assert page.device.currentIndex() == 0


def test_a_chosen_device_is_kept(page, services):
    page.device.setCurrentIndex(2)
    page.device.activated.emit(2)
    assert services.settings.get("sound_output") == "Screen"
    assert page.device.currentText() == "Screen"


def test_a_chosen_device_that_is_gone_is_still_named(page, services):
    services.settings.set("sound_output", "Old speaker")
    assert entries(page)[-1] == "Old speaker (not connected)"
    assert page.device.currentIndex() == 3


def test_a_sentence_is_heard_to_its_end(page, sound, qtbot, idle):
    page.hear.click()
    assert page.hear.text() == "Stop"
    qtbot.waitUntil(lambda: bool(sound.opened), timeout=20_000)
    sound.opened[0].play(6.0)
    idle()
    assert page.heard == "Played on Headphones, 16 kHz."
    assert sound.opened[0].is_closed
    assert page.hear.text() == "Hear a sentence"


def test_the_sentence_can_be_stopped(page, sound, qtbot, idle):
    page.hear.click()
    qtbot.waitUntil(lambda: bool(sound.opened), timeout=20_000)
    page.hear.click()
    idle()
    assert sound.opened[0].is_closed
    assert page.heard == ""


def test_a_device_that_cannot_be_opened_says_why(page, sound, idle):
    sound.cannot_open = EngineError("player.cannot_open", device="Headphones", why="busy")
    page.hear.click()
    idle()
    assert "busy" in page.trouble.sentence()


def test_without_the_library_the_page_says_how_to_get_it(page, sound, idle):
    sound.trouble = EngineError("player.no_portaudio")
    page.refresh.click()
    idle()
    assert "libportaudio2" in page.trouble.sentence()


def test_without_a_device_the_page_says_what_to_do(services, sound, qtbot, idle):
    sound.devices = ()
    made = SoundPage(services)
    qtbot.addWidget(made)
    made.shown()
    idle()
    assert "look again" in made.trouble.sentence()


def test_looking_again_closes_what_plays_here_first(page, sound, qtbot, idle, services, monkeypatch):
    order = []
    monkeypatch.setattr(services.player, "refresh_devices", lambda: order.append(sound.opened[0].is_closed))
    page.hear.click()
    qtbot.waitUntil(lambda: bool(sound.opened), timeout=20_000)
    page.refresh.click()
    idle()
    assert order == [True]


@pytest.mark.parametrize("path", SENTENCES.values())
def test_the_sentences_ship(path):
    assert (shipped("data/sample") / path).exists()
