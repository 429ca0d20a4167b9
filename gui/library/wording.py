"""How the Library screen says counts, sizes and what stands in the way."""

from __future__ import annotations

from engine.errors import EngineError
from gui.strings import words

#: Errors whose own sentence speaks of the command line.
OWN_WORDS = {
    "store.no_workspace",
    "store.network_drive",
    "store.cannot_write",
    "runs.sample_in_the_way",
    "runs.benchmark_not_imported",
}
GIGABYTE, MEGABYTE = 10**9, 10**6


def counted(what: str, count: int) -> str:
    """``3 systems``, ``1 system``: a count of ``here.<what>`` or ``way.<what>`` in the language of now."""
    table = "way" if what == "benchmarks" else "here"
    return words.text(f"library.{table}.{what}{'_one' if count == 1 else ''}", count=count)


def size_in_words(byte_count: int) -> str:
    """``9 MB``, ``84.8 GB``."""
    if byte_count >= GIGABYTE:
        return words.text("library.here.gigabytes", count=byte_count / GIGABYTE)
    return words.text("library.here.megabytes", count=byte_count / MEGABYTE)


def trouble_in_words(error: EngineError) -> str:
    """What stands in the way and what to do in the window."""
    if error.code not in OWN_WORDS:
        return words.error(error)
    return words.text(f"library.trouble.{error.code.partition('.')[2]}", **error.values)
