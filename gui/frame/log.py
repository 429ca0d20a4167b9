"""The window's log: a small rotating file with what broke and what Qt complained of; never a key, never an answer."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from platformdirs import user_log_path

LIMIT, OLD = 500_000, 2
logger = logging.getLogger("auricle.window")


def log_folder() -> Path:
    """Where logs lie: ``$AURICLE_LOG``, else the user's folder for logs."""
    named = os.environ.get("AURICLE_LOG")
    return Path(named) if named else user_log_path("auricle", appauthor=False)


def start_log() -> None:
    """Write what is logged into ``window.log``; where that cannot be, go on without."""
    if logger.handlers:
        return
    from logging.handlers import RotatingFileHandler  # with it come sockets and pickles

    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        log_folder().mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            log_folder() / "window.log", maxBytes=LIMIT, backupCount=OLD, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
