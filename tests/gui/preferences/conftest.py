"""Settings as a user meets it, a keyring in memory, and no keys in the environment."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend

from engine.endpoints.keys import key_names


class MemoryKeyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]
    name = "Memory"

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither the environment nor a keyring holds a key."""
    from keyring.backends import null

    for name in key_names("https://api.openai.com/v1"):
        monkeypatch.delenv(name, raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def ring(no_keys) -> MemoryKeyring:
    """A keyring that keeps what it is given."""
    made = MemoryKeyring()
    keyring.set_keyring(made)
    return made


@pytest.fixture
def screen(services, qtbot):
    """The Settings screen, shown."""
    from gui.preferences.screen import make

    made = make(services)
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def open_page(screen, jobs, qtbot):
    """Show one section and wait until all that was asked for it is there; gives its page."""

    def open_it(section: str):
        screen.show_section(section)
        qtbot.waitUntil(lambda: not jobs.running, timeout=20_000)
        return screen.page(section)

    return open_it


@pytest.fixture
def idle(jobs, qtbot):
    """Wait until no job runs."""

    def wait() -> None:
        qtbot.waitUntil(lambda: not jobs.running, timeout=40_000)

    return wait
