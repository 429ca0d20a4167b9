"""The one function that finds the user's own folder of settings and declarations."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_config_path


def config_folder() -> Path:
    """The user's configuration folder, ``$AURICLE_CONFIG`` where it is set; it need not be there yet."""
    named = os.environ.get("AURICLE_CONFIG")
    return Path(named) if named else user_config_path("auricle", appauthor=False)
