"""Takes in what ``rating_packing`` carries out: each row once, in any order; a presentation whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from engine.store.merging import Taken


def ratings_in(db: sqlite3.Connection, told: Mapping[str, Any]) -> Taken:
    """Take in what ``ratings_out`` told of another store, in one transaction; again and in any order is harmless.

    A presentation of an assignment that is not here, or that says what cannot be, is refused with all that was said in
    it and stands in ``refused``; what is here and says otherwise stays and is a conflict.
    """
    return Taken()
