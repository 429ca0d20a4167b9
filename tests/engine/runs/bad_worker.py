"""A worker of ours with a system that does what its question says, mostly wrong; run by its path."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np

import engine.worker.__main__ as door  # first: it takes the descriptors
from engine.errors import EngineError
from engine.systems.kinds import KINDS
from engine.systems.values import Abilities, AudioPiece, Finished, TextPiece

_NEVER = threading.Event()
_RATE = 16_000
_HUM = np.full(_RATE, 0.1, np.float32)


class Bad:
    """Answers well to "good"; to another question as that says."""

    abilities = Abilities(text_history=True)

    def respond(self, ask):
        """The pieces of an answer, or worse."""
        do = ask.turns[-1].text
        yield TextPiece("少林寺。", 0.0)
        if (wrong := getattr(self, f"_{do}", None)) is not None:
            yield from wrong() or ()
        elif do != "silent":
            yield AudioPiece(_HUM, _RATE, 0.1)
        yield Finished("少林寺。" if do != "loop" else "少林寺。" + "它很有名。" * 60)

    def close(self):
        """Nothing is held."""

    def _print(self):
        print("{not a message}", flush=True)  # noqa: T201 - that is what it tests
        os.write(1, b'{"type":"result","id":1,"item":"x","values":{}}\n\xff\xfe\n')
        subprocess.run(["echo", "from a child"], check=True)
        yield AudioPiece(_HUM, _RATE, 0.1)

    def _hang(self):
        _NEVER.wait()

    def _flood(self):
        while True:
            yield TextPiece("水" * 1000, 0.1)

    def _flood_the_log(self):
        for _ in range(1200):
            os.write(2, b"e" * 65535 + b"\n")
        yield AudioPiece(_HUM, _RATE, 0.1)

    def _fork(self):
        subprocess.Popen(["sleep", "1000"])
        os.fork()
        yield AudioPiece(_HUM, _RATE, 0.1)

    def _nan(self):
        yield AudioPiece(np.array([0.1, np.nan, np.inf], np.float32), _RATE, 0.1)

    def _zero_samples(self):
        yield AudioPiece(np.zeros(0, np.float32), _RATE, 0.1)

    def _an_hour(self):
        for _ in range(3600):
            yield AudioPiece(_HUM, _RATE, 0.1)

    def _two_channels(self):
        yield AudioPiece(np.zeros((2, 100), np.float32), _RATE, 0.1)

    def _other_rate(self):
        yield AudioPiece(_HUM, _RATE, 0.1)
        yield AudioPiece(_HUM, 24_000, 0.1)

    def _integers(self):
        yield AudioPiece(_HUM * 32768, _RATE, 0.1)

    def _invalid_utf8(self):
        yield TextPiece(b"\xff\xfe\xe5", 0.1)
        yield TextPiece("\ud800", 0.1)
        yield AudioPiece(_HUM, _RATE, 0.1)

    def _raise(self):
        raise ZeroDivisionError("made for a test")

    def _refuse(self):
        raise EngineError("systems.cannot_take_instruction", item="x")

    def _memory(self):
        raise MemoryError("40 GB")

    def _die(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def _leave(self):
        sys.exit(3)


class Together(Bad):
    """Answers several at once; a batch with "break" in it breaks, "refuse" refuses in its turn."""

    def respond_together(self, asks):
        """Pieces of all answers, one after another."""
        for ask in asks:
            do = ask.turns[-1].text
            if do == "break":
                raise RuntimeError("made for a test")
            if do == "refuse":
                yield ask.id, EngineError("systems.cannot_take_instruction", item=ask.id)
                continue
            yield ask.id, TextPiece(f"{len(asks)} together", 0.0)
            yield ask.id, AudioPiece(_HUM, _RATE, 0.1)
            yield ask.id, Finished(f"{len(asks)} together", ("answered_together",))


KINDS["together"] = lambda declaration, options: Together()
KINDS["bad"] = lambda declaration, options: Bad()

if __name__ == "__main__":
    door.main()
