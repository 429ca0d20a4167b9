"""Whether this computer keeps secrets; no secret is read."""

from __future__ import annotations


def keyring_name() -> str:
    """The name of the keyring that would keep a key, ``""`` where there is none that can.

    Loads the keyring package and asks its back ends which of them work here; up to 0.2 s the first time.
    """
    import keyring
    from keyring.errors import KeyringError

    try:
        backend = keyring.get_keyring()
        usable = float(backend.priority) > 0
    except (KeyringError, RuntimeError, OSError):
        return ""
    if not usable:
        return ""
    backends = getattr(backend, "backends", None)  # the chainer asks the best of several
    if backends is not None:
        return str(backends[0].name) if backends else ""
    return str(backend.name)
