"""Starts a run as a process of its own that outlives whoever started it, and asks it to stop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from engine.clock import utc_text
from engine.errors import EngineError
from engine.progress import Progress
from engine.runs.driver import STOP
from engine.runs.request import WorkRequest
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.respond_request import RespondRequest
from engine.store.processes import is_running, process_mark
from engine.store.runs import runs_of
from engine.store.workspace import Workspace
from engine.worker.process import worker_environment

LOGS = "launched"  # below runs/: what each started process wrote
_KEPT_LOGS = 20
_START_S = 60.0
_LOOK_S = 0.05

# A process between us and the driver: with it gone the driver is nobody's child, so that its end leaves no zombie and
# the end of the window's terminal does not reach it.
_DETACH = """
import subprocess, sys
log = open(sys.argv[1], "ab")
flags = {"start_new_session": True}
if sys.platform == "win32":
    flags = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
print(subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=log, stderr=log, **flags).pid)
import os
sys.stdout.flush()
os._exit(0)
"""


@dataclass(frozen=True, slots=True)
class Launched:
    """A started process and the file that it writes to; ``mark`` tells it from a later one of the same number."""

    process: int
    mark: str
    log: Path
    at: str


def launch(
    workspace: Workspace, request: WorkRequest | RespondRequest, *, language: str = "en", exclusive: bool = False
) -> Launched:
    """Start ``auricle work`` or ``auricle run`` for ``request``, detached; returns as soon as the process is there.

    It finds keys itself, in the environment or the keyring: none is passed on. Raises EngineError
    ``store.cannot_write`` or ``runs.did_not_start``; whether it found its work is told by :func:`started`.
    """
    log = _new_log(workspace)
    asked = log.with_suffix(".json")
    asked.write_text(json.dumps(request.told(), ensure_ascii=False, default=str), encoding="utf-8")
    verb = "run" if isinstance(request, RespondRequest) else "work"
    command = [
        sys.executable, "-P", "-m", "engine.cli.main", verb, "--workspace", str(workspace.folder),
        "--request", str(asked), *(["--exclusive"] if exclusive else []),
    ]  # fmt: skip
    environment = {**worker_environment(is_first=True), "AURICLE_LANGUAGE": language}
    at = utc_text()
    try:
        found = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _DETACH, str(log), *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, check=True,
        )  # fmt: skip
        process = int(found.stdout)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise EngineError("runs.did_not_start", why=str(error), log=str(log)) from error
    return Launched(process, process_mark(process), log, at)


def started(workspace: Workspace, launched: Launched) -> Generator[Progress, None, int]:
    """Wait until the run of a launched process has its row; yields meanwhile, returns the run's id.

    Raises the EngineError that the process itself met (no answers, another driver, a missing key), or
    ``runs.did_not_start`` with its last line.
    """
    deadline = time.monotonic() + _START_S
    db = workspace.connect()
    try:
        while time.monotonic() < deadline:
            ended = is_running(launched.process, launched.mark) is False
            for run in runs_of(db, ("work", RESPOND), limit=5):
                if run.process_id == launched.process and run.started_at >= launched.at:
                    return run.id
            if ended:
                raise refusal(launched.log)
            yield Progress(0, 0, "starting")
            time.sleep(_LOOK_S)
    finally:
        db.close()
    raise EngineError("runs.did_not_start", why=f"{_START_S:.0f} s", log=str(launched.log))


def ask_to_stop(workspace: Workspace, run_id: int) -> None:
    """Ask a run's driver to stop: it ends within a second or so and keeps what is finished.

    Works where signals do not reach: another user's process, another machine. Raises EngineError ``runs.cannot_stop``.
    """
    path = workspace.runs / str(run_id) / STOP
    try:
        path.write_text(utc_text(), encoding="utf-8")
    except OSError as error:
        raise EngineError("runs.cannot_stop", path=str(path), why=error.strerror or str(error)) from error


def _new_log(workspace: Workspace) -> Path:
    folder = workspace.runs / LOGS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in sorted(folder.glob("*.log"))[:-_KEPT_LOGS]:
            old.unlink(missing_ok=True)
            old.with_suffix(".json").unlink(missing_ok=True)
        path = folder / f"{utc_text().replace(':', '')}-{os.getpid()}.log"
        path.touch()
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(folder), why=error.strerror or str(error)) from error
    return path


def refusal(log: Path) -> EngineError:
    """Why a process that was started ended before its run began, by what it wrote."""
    try:
        written = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        written = ""
    lines = [line for line in written.splitlines() if line.strip()]
    for line in reversed(lines):
        if line.startswith('{"event": "refused"'):
            told = json.loads(line)
            return EngineError(told["code"], **told["values"])
    return EngineError("runs.did_not_start", why=lines[-1] if lines else "—", log=str(log))
