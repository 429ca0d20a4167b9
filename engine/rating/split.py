"""Into which half of the labels an instance falls, for good: by a hash of what it is, not of where it is stored."""

from __future__ import annotations

import hashlib
from typing import Literal

DEV_SHARE = 0.3  # to choose cut-offs and rubrics by; what is reported comes from the rest


def split_of(benchmark: str, subset: str, key: str) -> Literal["dev", "test"]:
    """The split of an instance; all answers to it, in every workspace, share it.

    >>> [split_of("vocalbench_zh", "safety", f"safety-{number:03d}") for number in range(4)]
    ['test', 'test', 'dev', 'test']
    """
    told = "\x1f".join((benchmark, subset, key))
    place = int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big") / 2**64
    return "dev" if place < DEV_SHARE else "test"
