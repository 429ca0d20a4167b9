"""An installation has one key, kept for its user alone."""

from __future__ import annotations

import os
import pickle
import stat

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import null

from engine.errors import EngineError
from engine.rating.bundle import keys
from engine.rating.bundle.keys import fingerprint, is_signed, made_key, own_key


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[(service, username)] = password


@pytest.fixture
def ring(monkeypatch, tmp_path):
    monkeypatch.setattr(keys, "key_file", lambda: tmp_path / "config" / "key")
    before = keyring.get_keyring()
    yield keyring.set_keyring
    keyring.set_keyring(before)


def test_the_key_lies_in_the_keyring_where_there_is_one(ring, tmp_path):
    made = Ring()
    ring(made)
    assert own_key().public == own_key().public
    assert len(made.kept) == 1
    assert not (tmp_path / "config").exists()


def test_without_a_keyring_the_key_is_a_file_of_the_user_alone(ring, tmp_path):
    ring(null.Keyring())
    first = own_key()
    path = tmp_path / "config" / "key"
    assert own_key().public == first.public
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_keyring_that_comes_later_changes_no_signature(ring):
    ring(null.Keyring())
    first = own_key().public
    ring(Ring())
    assert own_key().public == first


def test_a_key_file_that_holds_something_else_is_told_and_never_replaced(ring, tmp_path):
    ring(null.Keyring())
    path = tmp_path / "config" / "key"
    path.parent.mkdir()
    path.write_text("not a key")
    with pytest.raises(EngineError, match=r"key_unreadable|cannot be read"):
        own_key()
    assert path.read_text() == "not a key"


def test_what_was_signed_is_known_and_what_was_not_is_not():
    key = made_key()
    signature = key.sign(b"message")
    assert is_signed(key.public, signature, b"message")
    assert not is_signed(key.public, signature, b"messagE")
    assert not is_signed(made_key().public, signature, b"message")
    assert not is_signed(b"short", signature, b"message")


def test_a_key_shows_its_public_half_only():
    key = made_key()
    assert fingerprint(key.public) in repr(key)
    assert len(fingerprint(key.public)) == 39
    with pytest.raises(TypeError):
        pickle.dumps(key)
