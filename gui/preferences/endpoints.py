"""Judge endpoints as the settings keep them, without their keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from engine.judges.endpoint import Endpoint

AT_ONCE, MOST_AT_ONCE = 32, 128
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class KeptEndpoint:
    """One entry of ``settings["endpoints"]``; prices are for a million tokens, None where none was given."""

    name: str
    base_url: str
    model: str
    key_env: str = ""
    concurrency: int = AT_ONCE
    price_in: float | None = None
    price_out: float | None = None

    @property
    def host(self) -> str:
        """The host that is asked, or the address as it stands where it has none."""
        return urlsplit(self.base_url).hostname or self.base_url

    def told(self) -> dict[str, Any]:
        """As the settings keep it."""
        return asdict(self)

    def endpoint(self) -> Endpoint:
        """What is asked; raises EngineError ``judges.no_base_url`` for what is no address."""
        from engine.judges.endpoint import Endpoint  # loads asyncio; see EndpointsViewModel.look

        return Endpoint(self.base_url, self.model, self.key_env, concurrency=self.concurrency)


def kept_endpoints(entries: Iterable[object]) -> tuple[KeptEndpoint, ...]:
    """The entries of the settings that are endpoints; a file that was edited by hand may hold others."""
    return tuple(_read(entry) for entry in entries if isinstance(entry, Mapping) and entry.get("base_url"))


def is_variable(name: str) -> bool:
    """Whether an environment variable can be called so."""
    return _VARIABLE.fullmatch(name) is not None


def _read(entry: Mapping[str, Any]) -> KeptEndpoint:
    base_url, model = str(entry["base_url"]), str(entry.get("model") or "")
    name = str(entry.get("name") or model or base_url)
    told = entry.get("concurrency")
    at_once = told if isinstance(told, int) and 1 <= told <= MOST_AT_ONCE else AT_ONCE
    prices = (_price(entry.get("price_in")), _price(entry.get("price_out")))
    return KeptEndpoint(name, base_url, model, str(entry.get("key_env") or ""), at_once, *prices)


def _price(told: object) -> float | None:
    is_price = isinstance(told, int | float) and not isinstance(told, bool) and told >= 0
    return float(told) if is_price else None  # type: ignore[arg-type]  # is_price says that it is a number
