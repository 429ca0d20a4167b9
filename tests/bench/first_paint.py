"""A window that tells when it was first painted and when its rows were shown, and how much memory it takes then.

``python -m tests.bench.first_paint WORKSPACE``; the parent says when it started this process, by the machine's clock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer

STARTED = float(os.environ["AURICLE_BENCH_STARTED"])
SIZE = (1600, 900)


def since_start() -> float:
    return time.monotonic() - STARTED


def resident_mib() -> float:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


class Watch(QObject):
    """Sees the first paint of the window and the first paint of the table that has rows and a chosen answer."""

    def __init__(self, window) -> None:
        super().__init__(window)
        self.window, self.told = window, {}
        window.installEventFilter(self)
        self.model = self.viewport = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            if watched is self.window and "first_paint_s" not in self.told:
                QTimer.singleShot(0, self, self._painted)
            if self.viewport is None and (screen := self.window.view("audit")) is not None:
                self.model, self.viewport = screen.table.model(), screen.table.viewport()
                self.viewport.installEventFilter(self)
            if watched is self.viewport and "rows_s" not in self.told and self._has_rows():
                self.told["rows_s"] = since_start()
                QTimer.singleShot(1500, self, self._end)
        return False

    def _painted(self) -> None:
        self.told.setdefault("first_paint_s", since_start())

    def _has_rows(self) -> bool:
        return self.model.rowCount() > 0 and bool(self.model.index(0, 1).data())

    def _end(self) -> None:
        self.told["rss_mib"] = resident_mib()
        self.told["rows"] = self.model.rowCount()
        self.window.close()


def main() -> None:
    from gui.app import make_application, make_window

    application = make_application()
    window = make_window(Path(sys.argv[1]))
    window.resize(*SIZE)
    watch = Watch(window)
    window.show()
    QTimer.singleShot(30_000, application.quit)
    application.exec()
    print(json.dumps(watch.told))


if __name__ == "__main__":
    main()
