"""``python -P -m engine.worker``: serve inference on standard input and output."""

import os

# Before any other import: what a library prints must not reach the protocol, nor may it read from it.
_OUTGOING = os.dup(1)
_INCOMING = os.dup(0)
os.dup2(2, 1)
_NULL = os.open(os.devnull, os.O_RDONLY)
os.dup2(_NULL, 0)
os.close(_NULL)


def main() -> None:
    """Serve until the input ends or a ``bye`` comes; the whole process group ends with it."""
    from engine.worker.kinds import KINDS
    from engine.worker.serve import Server, own_group

    own_group()
    with os.fdopen(_INCOMING, "rb") as incoming, os.fdopen(_OUTGOING, "wb", buffering=0) as outgoing:
        try:
            Server(incoming, outgoing, KINDS).run()
        except SystemExit:  # of somebody else's code: to close the pipes would be to wait for their reader
            os._exit(1)


if __name__ == "__main__":
    main()
