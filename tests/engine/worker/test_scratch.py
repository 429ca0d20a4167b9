"""What a worker puts aside goes with it, also when nobody is left to tell it to end."""

from __future__ import annotations

import base64
import os
import subprocess

import numpy as np
import soundfile

from engine.worker.process import COMMAND
from engine.worker.protocol import encode, messages


def test_a_worker_whose_driver_was_killed_leaves_no_folder(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros(1600), 16_000)
    made = tmp_path / "temporary"
    made.mkdir()
    data = base64.b64encode((tmp_path / "a.wav").read_bytes()).decode()
    items = [{"id": 1, "data": data, "suffix": ".wav"}]
    worker = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0, env={**os.environ, "TMPDIR": str(made)}
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(encode({"type": "ask", "id": 1, "kind": "facts", "items": items, "settings": {}}))
    worker.stdin.flush()
    answers = (message["type"] for message in messages(worker.stdout) if isinstance(message, dict))
    assert "result" in answers
    assert len(list(made.glob("auricle-worker-*"))) == 1
    worker.stdin.close()  # as the kernel does for a driver that is killed
    worker.wait(30)
    worker.stdout.close()
    assert list(made.iterdir()) == []
