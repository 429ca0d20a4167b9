"""Finds parts that were given less room than they need; run as a program it looks at the gallery at one scale."""

import sys

from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QWidget

from gui.gallery.page import Gallery
from gui.widgets import Chip, ElidedLabel, Paragraph, Pill, Tag


def open_gallery(width: int) -> Gallery:
    """The page, shown as wide as told and tall enough for all of it."""
    page = Gallery()
    page.resize(width, 900)
    page.show()
    area = page.findChild(QScrollArea)
    page.resize(width, page.height() + area.widget().sizeHint().height())
    QApplication.processEvents()
    return page


def clipped(page: QWidget) -> list[str]:
    """What is smaller than it must be: its least size, or all of it where it may not give way."""
    found = []
    for child in page.findChildren(QWidget):
        if not child.isVisibleTo(page) or child.objectName().startswith("qt_") or _is_qts_own(child):
            continue
        need = child.minimumSizeHint()
        if isinstance(child, Paragraph):
            need.setHeight(child.heightForWidth(child.width()))
        elif (isinstance(child, QLabel) and not isinstance(child, ElidedLabel)) or isinstance(child, (Chip, Pill, Tag)):
            need = child.sizeHint()
        if child.width() < need.width() or child.height() < need.height():
            found.append(f"{child} has {child.size()} and needs {need}")
        inside = child.parentWidget()
        if inside is not None and not inside.rect().contains(child.geometry()) and not _scrolls(inside):
            found.append(f"{child} at {child.geometry()} sticks out of {inside} with {inside.rect()}")
    return found


def _is_qts_own(child: QWidget) -> bool:
    """The button that Qt puts into a field for an icon."""
    return isinstance(child.parentWidget(), QLineEdit)


def _scrolls(inside: QWidget) -> bool:
    parent = inside.parentWidget()
    return hasattr(parent, "viewport") and parent.viewport() is inside


def main() -> int:
    app = QApplication([])
    from gui.theme import set_theme

    set_theme("light")
    faults = clipped(open_gallery(1_300)) + clipped(open_gallery(720))
    sys.stdout.write("\n".join([f"{app.devicePixelRatio():g}", *faults]) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
