"""What every test stands on: no hub, no network but loopback, a place for workspaces, one language."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine.store.workspace import Workspace, open_workspace

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["AURICLE_LANGUAGE"] = "en"

Result = TypeVar("Result")


REAL_MODELS = (
    "engine/speech",
    "engine/systems",
    "engine/worker",
    "engine/runs/test_measure",
    "engine/test_wheel",
)  # slow parts, on a machine that may be busy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests that run real models and whole programs ten minutes instead of two."""
    for item in items:
        where = item.path.relative_to(Path(__file__).parent).as_posix()
        if where.startswith(REAL_MODELS) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(600))


class NetworkForbiddenError(OSError):
    """A test tried to reach something that is not on this machine."""


_connect, _connect_ex, _look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


def _check(address: Any) -> None:
    if isinstance(address, tuple) and not _is_loopback(str(address[0])):
        raise NetworkForbiddenError(f"tests reach loopback only, not {address[0]}")


def _is_loopback(host: str) -> bool:
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Refuse every connection and name look-up that would leave this machine."""

    def connect(self: socket.socket, address: Any) -> None:
        _check(address)
        _connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _check(address)
        return _connect_ex(self, address)

    def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host is not None and not _is_loopback(host if isinstance(host, str) else host.decode()):
            raise NetworkForbiddenError(f"tests reach loopback only, not {host}")
        return _look_up(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket.socket, "connect_ex", connect_ex)
        patch.setattr(socket, "getaddrinfo", look_up)
        yield


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A new, empty workspace."""
    return open_workspace(tmp_path / "workspace", create=True)


@pytest.fixture
def finish() -> Callable[[Generator[Any, None, Result]], Result]:
    """Run a generator of progress to its end and give what it returns."""

    def run(work: Generator[Any, None, Result]) -> Result:
        while True:
            try:
                next(work)
            except StopIteration as end:
                result: Result = end.value
                return result

    return run
