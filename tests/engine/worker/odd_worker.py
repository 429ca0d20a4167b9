"""A worker of ours with more kinds: noisy, flooding, forking, hanging, dying, wrong; run by its path."""

import os
import signal
import subprocess
import sys
import threading

import engine.worker.__main__ as door  # first: it takes the descriptors
from engine.worker import kinds
from engine.worker.serve import Done

_HANDS = threading.Event()  # never set


def noisy(request):
    """Say things on standard output by every way there is, then answer."""
    for item in request.items:
        print("{not a message}", flush=True)  # noqa: T201 - that is what it tests
        os.write(1, b'{"type":"result","id":1,"item":"x","values":{}}\n')
        subprocess.run(["echo", "from a child"], check=True)
        yield Done(item["id"], {"read": sys.stdin.read()})


def flooding(request):
    """Write 8 MiB of errors for each answer."""
    for item in request.items:
        for _ in range(128):
            os.write(2, b"e" * 65535 + b"\n")
        yield Done(item["id"], {})


def forking(request):
    """Leave a child behind and tell its number."""
    for item in request.items:
        child = subprocess.Popen(["sleep", "1000"])
        yield Done(item["id"], {"child": child.pid})


def odd(request):
    """Do with each item what its ``do`` says."""
    for item in request.items:
        if "gate" in item:
            open(item["gate"], "w").close()  # returns when the test opens the other end: it knows that this runs
        match item.get("do"):
            case "hang":
                _HANDS.wait()
            case "freeze":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exit":
                os._exit(3)
            case "bug":
                raise ZeroDivisionError("made for a test")
            case "garble":
                os.write(door._OUTGOING, b'\xff\xfe not utf-8\n[1]\n{"type":"strange"}\n')
            case "wait for cancel":
                assert request._cancelled.wait(20)
        yield Done(item["id"], {"process": os.getpid(), "level": float("nan")})


kinds.KINDS.update(noisy=noisy, flooding=flooding, forking=forking, odd=odd)

if __name__ == "__main__":
    door.main()
