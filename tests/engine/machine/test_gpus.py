"""Graphics memory as the driver's program tells it, played by a script of that name."""

from __future__ import annotations

import sys

import pytest

from engine.machine.computer import gpu_use

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch):
    def write(body: str) -> None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    return write


def test_each_processor_tells_its_memory_and_what_it_does_not_know_is_left_out(nvidia_smi):
    nvidia_smi("""cat <<E
0, NVIDIA H200, 1024, 143771, 37
1, NVIDIA Odd, Inc., 0, 8192, [N/A]
2, NVIDIA Lost, [N/A], [N/A], 3
No devices were found
E""")
    first, second = gpu_use()
    assert (first.number, first.name, first.busy) == (0, "NVIDIA H200", 0.37)
    assert (first.used_gb, first.total_gb) == pytest.approx((1.073741824, 150.755), rel=1e-4)  # MiB of 1,048,576 bytes
    assert (second.name, second.used_gb, second.busy) == ("NVIDIA Odd, Inc.", 0.0, None)


def test_a_driver_that_fails_or_is_not_there_has_none(nvidia_smi, monkeypatch, tmp_path):
    nvidia_smi("exit 9")
    assert gpu_use() == ()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert gpu_use() == ()
