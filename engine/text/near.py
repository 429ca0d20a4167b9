"""The name that was probably meant by one that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like ``name``, whatever its case, hyphens and folders; None where none is like it.

    >>> nearest("Qwen2-omni", ["moshi", "qwen2_5_omni_7b"])
    'qwen2_5_omni_7b'
    >>> nearest("moshi", ["gama"]) is None
    True
    """
    from difflib import get_close_matches  # for errors alone, and every start knows errors

    plain = {_plain(one): one for one in known}
    wanted = _plain(name)
    found = get_close_matches(wanted, plain, n=1, cutoff=0.6)
    if found:
        return plain[found[0]]
    holding = [one for one in plain if len(wanted) >= 3 and (wanted in one or one in wanted)]
    return plain[min(holding, key=len)] if holding else None


def _plain(name: str) -> str:
    return name.rpartition("/")[2].lower().replace("-", "_").replace(" ", "_")
