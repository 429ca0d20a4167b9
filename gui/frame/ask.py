"""Questions before what cannot be undone; everything else is said where it happens."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QMessageBox, QWidget


def ask(parent: QWidget, question: str, choices: Sequence[tuple[str, str]], *, default: str, escape: str) -> str:
    """The id of the choice the user took; ``choices`` are (id, words on its button), Enter takes ``default``."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(question)
    buttons = {}
    for choice, label in choices:
        role = QMessageBox.ButtonRole.RejectRole if choice == escape else QMessageBox.ButtonRole.AcceptRole
        buttons[choice] = box.addButton(label, role)
    box.setDefaultButton(buttons[default])
    box.setEscapeButton(buttons[escape])
    box.exec()
    clicked = box.clickedButton()
    return next((choice for choice, button in buttons.items() if button is clicked), escape)
