"""The key pair with which this installation signs bundles and results, and the fingerprint people compare."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.config_folder import config_folder
from engine.errors import EngineError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SERVICE, _ENTRY = "auricle", "rating-signature"
_SEED_BYTES = 32
_SHOWN_BYTES = 16


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key; it shows its public half only."""

    _private: Ed25519PrivateKey

    @property
    def public(self) -> bytes:
        """The 32 bytes by which anybody checks what was signed."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of ``message``, 64 bytes."""
        return self._private.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey({fingerprint(self.public)})"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is neither stored nor sent to another process")


def own_key() -> SigningKey:
    """This installation's key, made when it is first wanted.

    It lies in the keyring; where this computer has none that keeps anything, in a file of the user's own (0600) in the
    user's folder of settings. A file goes before the keyring, so that a keyring that comes later changes no signature.
    """
    path = key_file()
    seed = _from_file(path) or _from_keyring()
    if seed is None:
        seed = os.urandom(_SEED_BYTES)
        if not _into_keyring(seed):
            seed = _into_file(path, seed)
    return _key(seed)


def made_key() -> SigningKey:
    """A new key that is kept nowhere."""
    return _key(os.urandom(_SEED_BYTES))


def key_file() -> Path:
    """Where the key lies on a computer without a keyring: beside the settings, ``$AURICLE_CONFIG`` or the user's."""
    return config_folder() / "rating-signature.key"


def is_signed(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of ``public`` signed ``message``."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """A public key as people read it out to each other: eight groups of four characters."""
    digits = hashlib.sha256(public).hexdigest()[: 2 * _SHOWN_BYTES]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def _key(seed: bytes) -> SigningKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(Ed25519PrivateKey.from_private_bytes(seed))


def _seed(text: str | None) -> bytes | None:
    try:
        seed = bytes.fromhex(text or "")
    except ValueError:
        return None
    return seed if len(seed) == _SEED_BYTES else None


def _from_keyring() -> bytes | None:
    import keyring
    from keyring.errors import KeyringError

    try:
        return _seed(keyring.get_password(_SERVICE, _ENTRY))
    except (KeyringError, RuntimeError):  # none on this machine, or it is locked
        return None


def _into_keyring(seed: bytes) -> bool:
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, _ENTRY, seed.hex())
    except (KeyringError, RuntimeError):
        return False
    return _from_keyring() == seed


def _from_file(path: Path) -> bytes | None:
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError("bundle.key_unreadable", path=str(path), why=str(error)) from error
    seed = _seed(text.strip())
    if seed is None:
        raise EngineError("bundle.key_unreadable", path=str(path), why="-")
    return seed


def _into_file(path: Path, seed: bytes) -> bytes:
    """Write the seed for the user's eyes alone; where another process was first, its seed holds."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _from_file(path) or seed
    except OSError as error:
        raise EngineError("bundle.key_unwritable", path=str(path), why=error.strerror or str(error)) from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(seed.hex())
        file.flush()
        os.fsync(file.fileno())
    return seed
