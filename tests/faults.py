"""Programs that meet a full disk or a folder that may not be written, whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The administrator's right to write anywhere is given up (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH), also by children.
AS_ANYBODY = """
import ctypes, os
if os.getuid() == 0:
    libc = ctypes.CDLL(None)
    for right in (1, 2):
        libc.prctl(24, right, 0, 0, 0)
    head, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, data) == 0
    data[0] &= ~0b110
    data[1] &= ~0b110
    assert libc.capset(head, data) == 0
"""


def with_small_disk(largest: int) -> str:
    """No file may grow beyond ``largest`` bytes: writing on is answered as by a full disk."""
    return f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({largest}, {largest}))\n"


def auricle_under(before: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own that runs the code ``before`` first."""
    code = f"{before}\nimport sys\nsys.argv = ['auricle', *sys.argv[1:]]\nfrom engine.cli.main import main\nmain()"
    told = {**os.environ, "AURICLE_LANGUAGE": "en", **environment}
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words], env=told, capture_output=True, text=True, timeout=110, check=False
    )


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """``folder`` and all in it may be read and not written, until the end."""
    paths = [folder, *folder.rglob("*")]
    modes = [(path, path.stat().st_mode & 0o777) for path in paths]
    for path, mode in modes:
        path.chmod(mode & 0o555)
    try:
        yield folder
    finally:
        for path, mode in modes:
            path.chmod(mode)
