"""Several workers share the accelerators of a machine, one each."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine.systems.local import placing as room
from engine.systems.values import Options


@pytest.fixture
def machine(monkeypatch):
    """A machine with so many CUDA devices, as torch would tell it."""

    def of(count: int) -> None:
        cuda = SimpleNamespace(
            is_available=lambda: count > 0, device_count=lambda: count, is_bf16_supported=lambda: True
        )
        mps = SimpleNamespace(is_available=lambda: False)
        torch = SimpleNamespace(cuda=cuda, backends=SimpleNamespace(mps=mps))
        monkeypatch.setattr(room, "torch_and_transformers", lambda: (torch, None))

    return of


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_each_worker_has_an_accelerator_of_its_own_as_long_as_there_are_enough(machine, device):
    machine(3)
    found = [room.placing(Options(device=device, worker=worker)).device for worker in range(4)]
    assert found == ["cuda:0", "cuda:1", "cuda:2", "cuda:0"]


def test_one_accelerator_a_named_one_and_none_are_as_before(machine):
    machine(1)
    assert room.placing(Options(worker=3)).device == "cuda"
    machine(2)
    assert room.placing(Options(device="cuda:1", worker=0)).device == "cuda:1"
    assert room.placing(Options(device="spread", worker=1)).device == "spread"
    machine(0)
    assert room.placing(Options(worker=1)).device == "cpu"
