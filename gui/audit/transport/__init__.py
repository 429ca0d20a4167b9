"""The bar below the screen that plays: what is heard, where, how fast, how loud, and by which device."""

from gui.audit.transport.bar import Transport

__all__ = ["Transport"]
