"""A newcomer's way through the whole window, with the real program below: sample, run, progress, audit, sound, look."""

from __future__ import annotations

import pytest
from shiboken6 import isValid

from gui.app import make_window
from gui.settings import settings_file
from tests.gui.drive.newcomer import Newcomer
from tests.gui.player import pulse
from tests.gui.timed import slow_always

pytestmark = pytest.mark.timeout(1800)

RUN_MS = 600_000


@pytest.fixture
def loudspeaker(monkeypatch):
    """A virtual loudspeaker, or None where no sound server is installed."""
    if not pulse.is_installed():
        yield None
        return
    speaker = pulse.VirtualLoudspeaker()
    try:
        speaker.start()
        for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER"):
            monkeypatch.setenv(name, speaker.environment[name])
        yield speaker
    finally:
        speaker.stop()


@pytest.fixture
def sit_down(qtbot):
    """Start the window as ``auricle-gui`` does, and whoever looks at it; all windows are closed at the end."""
    windows = []

    def start(size=(1366, 768)):
        window = make_window()
        windows.append(window)
        window.resize(*size)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        return Newcomer(window, qtbot)

    yield start
    for window in filter(isValid, windows):
        window.ask = lambda *_, **__: "stop"
        window.close()
        window.deleteLater()


def ended(person):
    """Close the window, which goes as with its process; what was asked on the way is given back."""
    asked = []

    def leave(_window, question, choices, *, default, escape):
        asked.append(question)
        return default

    person.window.ask = leave
    person.window.close()
    assert not person.window.isVisible()
    person.waits_until(lambda: person.window.services.jobs.running == (), "a job is left running")
    person.window.deleteLater()
    return asked


@pytest.fixture
def new_place(monkeypatch, tmp_path):
    """Give a walk settings, logs and workspaces of its own."""

    def give(number):
        for name in ("CONFIG", "LOG", "WORKSPACE"):
            monkeypatch.setenv(f"AURICLE_{name}", str(tmp_path / f"walk-{number}" / name.lower()))

    return give


def test_a_newcomer_goes_the_whole_way(sit_down, new_place, loudspeaker, qapp):
    walks = slow_always(qapp, lambda _: goes_the_whole_way(sit_down, loudspeaker), new_place)
    assert not walks.always, walks
    assert settings_file().exists()


def goes_the_whole_way(sit_down, loudspeaker):
    """From the first start to the third."""
    person = sit_down()
    makes_the_sample(person)
    begins_a_run(person)

    # the window closes while the run goes on, and finds it again
    person.waits_until(lambda: person.window.following.running is not None, "the run is not followed", 60_000)
    asked = ended(person)
    assert any("is going on" in question for question in asked)
    person = sit_down()
    person.waits_to_see("Closing the window leaves the run going.")
    person.waits_until(lambda: not person.sees("Stop run"), "the run does not end", RUN_MS)
    person.waits_to_see("100 %")

    looks_at_the_worst(person, loudspeaker)
    changes_the_look(person)
    ended(person)

    # and all of it is remembered
    person = sit_down()
    person.waits_to_see("3 个系统")
    assert person.window.palette().window().color().lightness() < 80
    ended(person)


def makes_the_sample(person):
    """The sample workspace in one click."""
    person.waits_to_see("Nothing is open yet.")
    person.clicks("Make it")
    person.waits_to_see("3 systems, 128 answers.")


def begins_a_run(person):
    """A run of one system: heard, measured, judged by words, scored."""
    person.clicks("Run")
    person.waits_to_see("Nothing has been run here yet.")
    person.presses("N")
    person.waits_to_see("clips to recognise")
    person.ticks("example-careful")
    person.ticks("example-flawed")
    person.waits_until(lambda: "1 of 3" in person.reads(), "two systems are still ticked")
    person.presses("Ctrl+Return")
    person.waits_to_see("Stop run", 60_000)
    person.waits_until(lambda: any("recognising" in text for text in person.reads()), "no progress", 120_000)


def looks_at_the_worst(person, loudspeaker):
    """The worst answer, seen and heard."""
    person.clicks("Audit")
    person.waits_to_see("offline-cascade")
    person.presses("Ctrl+F")
    person.types("system:offline-cascade")
    person.presses("Return")
    person.waits_until(lambda: shown_answers(person) == {"offline-cascade"}, "the filter does not hold")
    person.presses("Return")
    person.waits_to_see("Measurements")
    hears_the_answer(person, loudspeaker)


def changes_the_look(person):
    """Language and theme, at once."""
    person.presses("Ctrl+Shift+L")
    person.waits_to_see("审听")
    person.window.services.settings.set("theme", "dark")
    person.waits_until(lambda: person.window.palette().window().color().lightness() < 80, "still light")
    person.presses("Ctrl+1")
    person.waits_to_see("3 个系统")


def shown_answers(person):
    """The systems of the answers in the table."""
    model = person.window.view("audit").table.model()
    return {model.index(row, column).data() for row in range(model.rowCount()) for column in (2,)}


def hears_the_answer(person, loudspeaker):
    player = person.window.services.player
    if loudspeaker is None:
        person.presses("Space")
        person.waits_to_see("no sound device")
        return
    person.window.services.settings.set("sound_output", "pulse")
    recording = loudspeaker.record()
    person.presses("Space")
    person.waits_until(lambda: player.is_playing, "it does not play")
    person.waits_until(lambda: abs(recording.frames()).max(initial=0) > 0.01, "nothing comes out of the loudspeaker")
    person.presses("Space")
    person.waits_until(lambda: not player.is_playing, "it does not pause")
    recording.stop()
