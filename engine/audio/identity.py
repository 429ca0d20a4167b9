"""The identity of an audio file: the hash of its bytes."""

from __future__ import annotations

import hashlib
from os import PathLike
from pathlib import Path


def content_hash(path: str | PathLike[str]) -> str:
    """SHA-256 of a file's bytes as 64 lower-case hexadecimal digits, whatever the file is named or holds.

    Raises OSError when it cannot be read.
    """
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
