from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from engine import __version__
from engine.store.workspace import open_workspace


class Desktop(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    @Slot(QUrl)
    def show(self, url: QUrl) -> None:
        self.shown.append(url.toLocalFile())


def test_versions_files_and_licences_are_told(open_page, tmp_path):
    page = open_page("about")
    assert __version__ in page.version
    assert page.places["settings"].text == str(tmp_path / "config" / "settings.json")
    assert page.places["log"].text == str(tmp_path / "log")
    assert "Apache License" in page.notice.toPlainText()


def test_a_folder_is_opened_and_a_path_copied(open_page, tmp_path):
    desktop = Desktop()
    QDesktopServices.setUrlHandler("file", desktop, "show")
    page = open_page("about")
    page.places["settings"].open.click()
    page.places["settings"].copy.click()
    QDesktopServices.unsetUrlHandler("file")
    assert desktop.shown == [str(tmp_path / "config")]
    assert QGuiApplication.clipboard().text() == str(tmp_path / "config" / "settings.json")


def test_the_workspace_is_told_once_it_is_open(open_page, open_here, tmp_path):
    page = open_page("about")
    assert not page.places["workspace"].open.isEnabled()
    open_workspace(tmp_path / "w.x", create=True)
    open_here(tmp_path / "w.x")
    assert page.places["workspace"].text == str(tmp_path / "w.x")
    assert page.places["workspace"].open.isEnabled()
