"""Keys of endpoints: from the environment or the keyring, never shown, stored or pickled."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from engine.errors import EngineError

ANY_ENDPOINT = "AURICLE_API_KEY"
_SERVICE = "auricle"
# A provider's own variable is read for that provider's hosts alone, so that a key never travels elsewhere.
_OWN_NAMES = {
    "openai.com": "OPENAI_API_KEY",
    "aliyuncs.com": "DASHSCOPE_API_KEY",
    "deepseek.com": "DEEPSEEK_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "moonshot.cn": "MOONSHOT_API_KEY",
    "bigmodel.cn": "ZHIPUAI_API_KEY",
    "siliconflow.cn": "SILICONFLOW_API_KEY",
    "volces.com": "ARK_API_KEY",
    "mistral.ai": "MISTRAL_API_KEY",
    "together.xyz": "TOGETHER_API_KEY",
    "groq.com": "GROQ_API_KEY",
}


class ApiKey:
    """A key that says nothing of itself: its text comes out of ``reveal`` alone, and it cannot be pickled."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The key's text, for the one place that sends it."""
        return self._text

    def redact(self, message: str) -> str:
        """``message`` without the key, should a server have repeated it."""
        return message.replace(self._text, "***") if self._text else message

    def __repr__(self) -> str:
        return "ApiKey(***)"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is neither stored nor sent to another process")


def key_names(base_url: str, key_env: str = "") -> tuple[str, ...]:
    """The environment variables looked at for an endpoint, in order: the one named, ours, the provider's own."""
    host = _host(base_url)
    own = [name for domain, name in _OWN_NAMES.items() if host == domain or host.endswith(f".{domain}")]
    return tuple(dict.fromkeys(name for name in (key_env, ANY_ENDPOINT, *own) if name))


def find_key(base_url: str, key_env: str = "") -> ApiKey | None:
    """The key of an endpoint: the first set variable of ``key_names``, else the keyring's entry for its host.

    None where there is none and the endpoint is on this machine or a private network; elsewhere raises EngineError
    ``judges.no_key``. The keyring is not asked for a local endpoint.
    """
    for name in key_names(base_url, key_env):
        if text := os.environ.get(name, "").strip():
            return ApiKey(text)
    if is_local(base_url):
        return None
    if text := _from_keyring(base_url):
        return ApiKey(text)
    raise EngineError("judges.no_key", base_url=base_url, names=list(key_names(base_url, key_env)))


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where an endpoint's key would come from: the variable ``name``, the keyring, nowhere, or none is needed."""

    kind: Literal["environment", "keyring", "missing", "not_needed"]
    name: str = ""


def key_source(base_url: str, key_env: str = "") -> KeySource:
    """What ``find_key`` would find, without the key."""
    for name in key_names(base_url, key_env):
        if os.environ.get(name, "").strip():
            return KeySource("environment", name)
    if is_local(base_url):
        return KeySource("not_needed")
    return KeySource("keyring" if _from_keyring(base_url) else "missing")


def keep_key(base_url: str, key: ApiKey) -> None:
    """Put the key of an endpoint's host into the keyring; an older one is replaced.

    Raises EngineError ``judges.odd_key`` for what no key looks like, and ``judges.no_keyring`` where this machine has
    no keyring, or one that keeps nothing.
    """
    import keyring
    from keyring.errors import KeyringError

    text = key.reveal().strip()
    if not text or not all("!" <= character <= "~" for character in text):
        raise EngineError("judges.odd_key")
    try:
        keyring.set_password(_SERVICE, _host(base_url), text)
    except (KeyringError, RuntimeError) as error:
        raise EngineError("judges.no_keyring", name=ANY_ENDPOINT) from error
    if _from_keyring(base_url) != text:
        raise EngineError("judges.no_keyring", name=ANY_ENDPOINT)


def forget_key(base_url: str) -> None:
    """Take the key of an endpoint's host out of the keyring; one that is not there is no error.

    Raises EngineError ``judges.key_stays`` where the keyring refuses.
    """
    import keyring
    from keyring.errors import KeyringError

    if not _from_keyring(base_url):
        return
    try:
        keyring.delete_password(_SERVICE, _host(base_url))
    except (KeyringError, NotImplementedError) as error:
        raise EngineError("judges.key_stays", host=_host(base_url)) from error


def is_local(base_url: str) -> bool:
    """Whether an endpoint is on this machine, in a private network, or a bare host name: such may go without a key."""
    host = _host(base_url)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".lan", ".internal"))
    return address.is_loopback or address.is_private


def _from_keyring(base_url: str) -> str:
    import keyring
    from keyring.errors import KeyringError

    try:
        return (keyring.get_password(_SERVICE, _host(base_url)) or "").strip()
    except KeyringError:  # no keyring on this machine, or it is locked
        return ""


def _host(base_url: str) -> str:
    return (urlsplit(base_url).hostname or "").casefold()
