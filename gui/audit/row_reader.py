"""Reads the rows that the table asks for, one job at a time, the newest first wanted."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.audit.arrangement import Arrangement
from gui.audit.reading import Pages, read_pages
from gui.audit.rows_model import PAGE, RowsModel
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace

PAGES_AT_ONCE = 3


class RowReader(QObject):
    """Answers what ``RowsModel`` wants; the ``arrangement`` says by whose rules and with which fields.

    Signals:
        failed: an exception.
    """

    failed = Signal(object)

    def __init__(
        self,
        rows: RowsModel,
        workspace: OpenWorkspace,
        jobs: JobRunner,
        arrangement: Arrangement,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._rows, self._workspace, self._jobs, self._arrangement = rows, workspace, jobs, arrangement
        self._job: Job | None = None
        rows.wanted.connect(self._read)

    def stop(self) -> None:
        """What is being read is not wanted any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _read(self, pages: list[int]) -> None:
        workspace = self._workspace.current
        if workspace is None or self._job is not None:
            return
        newest = pages[-PAGES_AT_ONCE:]  # pages passed by in a quick scroll are asked for again when they are painted
        wanted = {page: self._rows.ids[page * PAGE : (page + 1) * PAGE].tolist() for page in newest}
        method, fields = self._arrangement.method, self._arrangement.fields
        self._job = job = self._jobs.call(read_pages, workspace, wanted, method, fields)
        job.succeeded.connect(self._on_pages)
        job.failed.connect(self.failed)

    def _on_pages(self, pages: Pages) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        for page, rows in pages.rows.items():
            self._rows.put_page(page, rows, pages.scales)
        left = self._rows.take_asked()
        if left:
            self._read(left)
