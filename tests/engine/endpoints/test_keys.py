from __future__ import annotations

import pickle

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import NoKeyringError

from engine.endpoints.keys import ApiKey, KeySource, find_key, forget_key, is_local, keep_key, key_names, key_source
from engine.errors import EngineError

SECRET = "sk-very-secret-123456"
REMOTE = "https://api.openai.com/v1"


class MemoryKeyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class NoKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise NoKeyringError("none")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NoKeyringError("none")


@pytest.fixture(autouse=True)
def ring(monkeypatch: pytest.MonkeyPatch):
    for name in (*key_names(REMOTE), *key_names("https://dashscope.aliyuncs.com/v1"), "MY_KEY"):
        monkeypatch.delenv(name, raising=False)
    before, kept = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(kept)
    yield kept
    keyring.set_keyring(before)


def test_a_key_shows_nothing_of_itself():
    key = ApiKey(SECRET)
    assert SECRET not in f"{key!r} {key} {[key]} {vars(type(key))}"
    assert key.redact(f"Incorrect key {SECRET}!") == "Incorrect key ***!"
    with pytest.raises(TypeError):
        pickle.dumps(key)


def test_the_named_variable_goes_before_ours_and_ours_before_the_providers_own(monkeypatch: pytest.MonkeyPatch):
    for name, value in (("OPENAI_API_KEY", "own"), ("AURICLE_API_KEY", "ours"), ("MY_KEY", "named")):
        monkeypatch.setenv(name, value)
    assert key_names(REMOTE, "MY_KEY") == ("MY_KEY", "AURICLE_API_KEY", "OPENAI_API_KEY")
    found = []
    for name in key_names(REMOTE, "MY_KEY"):
        key = find_key(REMOTE, "MY_KEY")
        assert key is not None
        found.append(key.reveal())
        monkeypatch.delenv(name)
    assert found == ["named", "ours", "own"]


def test_a_providers_key_is_not_sent_to_another_host(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for url in ("https://dashscope.aliyuncs.com/v1", "https://notopenai.com/v1", "https://api.openai.com.evil.org/v1"):
        with pytest.raises(EngineError) as raised:
            find_key(url)
        assert raised.value.code == "judges.no_key"
        assert SECRET not in str(raised.value)


def test_the_keyring_is_asked_after_the_environment():
    keep_key(REMOTE, ApiKey(SECRET))
    key = find_key(REMOTE)
    assert key is not None
    assert key.reveal() == SECRET


def test_a_local_endpoint_needs_no_key_and_a_remote_one_says_how_to_give_it():
    assert find_key("http://127.0.0.1:8000/v1") is None
    with pytest.raises(EngineError, match="AURICLE_API_KEY, OPENAI_API_KEY"):
        find_key(REMOTE)


def test_a_machine_without_a_keyring_is_no_accident():
    keyring.set_keyring(NoKeyring())
    with pytest.raises(EngineError, match="OPENAI_API_KEY"):
        find_key(REMOTE)
    with pytest.raises(EngineError, match="AURICLE_API_KEY"):
        keep_key(REMOTE, ApiKey(SECRET))


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.0.0.1:1", True),
        ("http://[::1]:1/v1", True),
        ("http://192.168.1.4/v1", True),
        ("http://gpu1:8000/v1", True),
        ("http://gpu1.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_local_is_this_machine_or_a_private_network(url: str, local: bool):
    assert is_local(url) is local


def test_where_a_key_would_come_from_is_told_without_the_key(monkeypatch: pytest.MonkeyPatch):
    assert key_source("http://127.0.0.1:8000/v1") == KeySource("not_needed")
    assert key_source(REMOTE) == KeySource("missing")
    keep_key(REMOTE, ApiKey(SECRET))
    assert key_source(REMOTE) == KeySource("keyring")
    monkeypatch.setenv("MY_KEY", SECRET)
    assert key_source(REMOTE, "MY_KEY") == KeySource("environment", "MY_KEY")


def test_a_forgotten_key_is_gone_and_forgetting_it_again_is_no_error(ring: MemoryKeyring):
    keep_key(REMOTE, ApiKey(SECRET))
    forget_key(REMOTE)
    forget_key(REMOTE)
    assert ring.kept == {}


def test_a_keyring_that_keeps_nothing_is_none():
    class Hole(MemoryKeyring):
        def set_password(self, service: str, username: str, password: str) -> None:
            pass

    keyring.set_keyring(Hole())
    with pytest.raises(EngineError, match="AURICLE_API_KEY"):
        keep_key(REMOTE, ApiKey(SECRET))


@pytest.mark.parametrize("text", ["", "  ", "two words", "密钥", "a\nb"])
def test_what_no_key_looks_like_is_not_kept(text: str, ring: MemoryKeyring):
    with pytest.raises(EngineError, match="without blanks"):
        keep_key(REMOTE, ApiKey(text))
    assert ring.kept == {}
