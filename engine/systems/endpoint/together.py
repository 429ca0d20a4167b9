"""Several asks at once over one connection: an endpoint serves many, and waiting for it costs this machine nothing."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from queue import Queue

from engine.errors import EngineError
from engine.systems.values import Ask, Finished, Piece


def together(
    respond: Callable[[Ask], Iterator[Piece]], asks: Sequence[Ask]
) -> Generator[tuple[str, Piece | EngineError], None, None]:
    """The pieces of all answers as they come, each with the id of its ask; each ends with Finished or an error.

    Closing it stops each answer at its next piece.
    """
    told: Queue[tuple[str, Piece | BaseException]] = Queue()
    stopped = threading.Event()

    def run(ask: Ask) -> None:
        try:
            pieces = respond(ask)
            with contextlib.closing(pieces) if isinstance(pieces, Generator) else contextlib.nullcontext():
                for piece in pieces:
                    if stopped.is_set():
                        return
                    told.put((ask.id, piece))
        except BaseException as error:  # noqa: BLE001 - raised again where the pieces are read
            told.put((ask.id, error))

    for ask in asks:
        threading.Thread(target=run, args=(ask,), name=f"ask {ask.id}", daemon=True).start()
    still_open = len(asks)
    try:
        while still_open:
            name, piece = told.get()
            if isinstance(piece, BaseException) and not isinstance(piece, EngineError):
                raise piece
            still_open -= isinstance(piece, (Finished, EngineError))
            yield name, piece
    finally:
        stopped.set()
