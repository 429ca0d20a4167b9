"""How items were picked, as it is read: what raters disagree about was never drawn, whatever a session kept of it.

Sessions of disagreements once carried over how the items of the first session had been drawn.
"""

from __future__ import annotations

ADJUDICATION = "adjudication"  # the stage of items that were picked because raters disagree about them


def selection_of(table: str) -> str:
    """SQL for the selection of a row of ``study`` or ``assignment``."""
    return f"CASE {table}.stage WHEN '{ADJUDICATION}' THEN 'manual' ELSE {table}.selection END"


def pi_of(table: str = "assignment") -> str:
    """SQL for the inclusion probability of an assignment."""
    return f"CASE {table}.stage WHEN '{ADJUDICATION}' THEN NULL ELSE {table}.pi END"
