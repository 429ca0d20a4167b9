"""A room is imported without making a Qt class off the GUI thread."""

from __future__ import annotations

import json
import subprocess
import sys

CODE = """
import json, sys, threading
from gui.loading import import_steps, load_engine_of

ROOM = "gui.audit.answer_parts"
before = set(sys.modules)
worker = threading.Thread(target=load_engine_of, args=(ROOM,))
worker.start()
worker.join()
aside = set(sys.modules) - before
steps = sum(1 for _ in import_steps(ROOM))
print(json.dumps({"aside": sorted(aside), "steps": steps, "whole": ROOM in sys.modules}))
"""


def test_what_has_qt_classes_is_imported_a_module_a_step_and_the_rest_beside():
    ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=60, check=True)
    told = json.loads(ended.stdout)
    assert [name for name in told["aside"] if name.startswith("gui.")] == []
    assert {"engine.query.detail", "engine.query.compare", "numpy"} <= set(told["aside"])
    assert told["whole"]
    assert told["steps"] > 40
