"""The test call in a process of its own, for a window that never loads openai's client."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from dataclasses import asdict
from typing import Any

from engine.errors import EngineError
from engine.judges.endpoint import Endpoint
from engine.judges.trial import Trial, TrialFailedError, test_call
from engine.progress import Progress
from engine.worker.process import worker_environment

_COMMAND = (sys.executable, "-P", "-m", "engine.judges.trial_process")
_LOOK_S = 0.1
_LONGEST_LOG = 2_000


def try_endpoint(endpoint: Endpoint) -> Generator[Progress, None, Trial]:
    """Make the small call of ``test_call`` and return what it found; yields while it waits.

    The process finds the key itself, in the environment or the keyring: none is passed on. Closing the generator ends
    the process. Raises EngineError as ``test_call`` does.
    """
    process = subprocess.Popen(
        _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=worker_environment(True)
    )
    try:
        said, log = yield from _talk(process, json.dumps(asdict(endpoint)).encode())
        return _read(said, log, process.returncode)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def _talk(process: subprocess.Popen[bytes], asked: bytes) -> Generator[Progress, None, tuple[bytes, bytes]]:
    to_send: bytes | None = asked
    while True:
        try:
            return process.communicate(to_send, timeout=_LOOK_S)
        except subprocess.TimeoutExpired:
            to_send = None  # it is on its way
            yield Progress(0, 1)


def _read(said: bytes, log: bytes, status: int) -> Trial:
    try:
        told: Mapping[str, Any] = json.loads(said)
    except ValueError:
        raise RuntimeError(
            f"the test call ended with {status}: {log.decode('utf-8', 'replace')[-_LONGEST_LOG:]}"
        ) from None
    if "code" in told:
        kind = TrialFailedError if told["code"] == "judges.test_failed" else EngineError
        raise kind(told["code"], **told["values"])
    return Trial(**told)


def main() -> None:
    """Read an endpoint as JSON from standard input, call it, and write what it answered or why it did not."""
    endpoint = Endpoint(**json.load(sys.stdin))
    try:
        told: dict[str, Any] = asdict(test_call(endpoint))
    except EngineError as error:
        told = {"code": error.code, "values": error.values}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
