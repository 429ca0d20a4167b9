"""What every test of the window stands on: offscreen, one font, fresh settings, and nothing left running at the end."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["AURICLE_LANGUAGE"] = "en"

HEAVY = {"torch", "transformers", "whisper", "faster_whisper", "librosa", "openai", "funasr"}


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """The application as the window makes it, able to tell what took long."""
    from PySide6.QtCore import QLocale

    from tests.gui.timed import TimedApplication

    QLocale.setDefault(QLocale("zh_CN"))
    return TimedApplication


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, logs and the default workspace of this test alone."""
    monkeypatch.setenv("AURICLE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("AURICLE_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("AURICLE_WORKSPACE", str(tmp_path / "none"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


@pytest.fixture(autouse=True)
def same_look(qapp) -> Iterator[None]:
    """Each test begins in English and in the light theme."""
    from PySide6.QtCore import QCoreApplication, QEvent

    from gui.strings import words
    from gui.theme import set_theme

    words.use("en")
    set_theme("light")
    yield
    words.use("en")
    set_theme("light")
    # widgets go now and here: a collection on a pool thread of the next test would delete them there
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True, scope="session")
def collect_here() -> Iterator[None]:
    """Garbage is collected on the GUI thread alone, as in the window."""
    gc.disable()
    gc.freeze()
    yield
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def nothing_heavy() -> Iterator[None]:
    """No process of the window's tests loads what the window must not load."""
    yield
    assert not HEAVY & set(sys.modules)


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """What a test leaves behind goes before the next one begins."""
    yield
    gc.collect()
    gc.disable()  # a window that closed has switched it on


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    """A test fails when a thread of ours outlives it."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and t.is_alive() and not t.daemon]
    assert left == []


@pytest.fixture
def jobs(qapp) -> Iterator[object]:
    """A job runner that must be idle within ten seconds of the test's end."""
    from gui.jobs import JobRunner

    runner = JobRunner()
    yield runner
    assert runner.close()
    runner.deleteLater()


@pytest.fixture
def settings(tmp_path: Path, jobs):
    """Settings in a folder of this test's own."""
    from gui.settings import Settings

    made = Settings(tmp_path / "config" / "settings.json", jobs)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def services(qapp, jobs, settings):
    """All that a screen is given, without a window: ``gone`` and ``said`` keep what it asked the window for."""
    from types import SimpleNamespace

    from PySide6.QtWidgets import QWidget

    from gui.actions import Actions
    from gui.open_workspace import OpenWorkspace
    from gui.player.player import Player
    from gui.services import Services
    from gui.strings import words

    asked = SimpleNamespace(gone=[], said=[], answer=True)
    holder = QWidget()
    actions = Actions(words, settings, holder)
    player = Player(jobs, settings, holder)
    made = Services(
        OpenWorkspace(jobs, settings, holder),
        jobs,
        words,
        settings,
        actions,
        lambda: player,
        lambda screen, selection=None: asked.gone.append((screen, selection)),
        lambda sentence, tone="": asked.said.append((sentence, tone)),
        lambda question, word: asked.answer,
    )
    made.asked = asked  # type: ignore[attr-defined]
    yield made
    player.close()
    holder.deleteLater()


@pytest.fixture
def open_here(services, qtbot):
    """Open a workspace in the services and wait until it is there."""

    def open_it(folder: Path) -> None:
        with qtbot.waitSignal(services.workspace.changed, timeout=20_000):
            services.workspace.open(folder)

    return open_it
