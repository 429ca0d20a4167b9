"""The bounded cache of pitch and energy curves: what was computed once for a recording is drawn at once.

It lies in ``curves/`` of the workspace, one file per audio by the hash of its bytes. Losing it loses nothing.
"""

from __future__ import annotations

from engine.speech.curves import Curves, curves_from_bytes
from engine.store.kept_files import keep_file, read_kept
from engine.store.workspace import Workspace

#: Some 45 hours of speech; an answer of ten seconds takes 8 kB.
MOST_BYTES = 128 << 20


def kept_curves(workspace: Workspace, sha256: str) -> Curves | None:
    """The curves of a recording where they are kept; None where they have to be made, or made again."""
    return curves_from_bytes(read_kept(workspace.folder / "curves" / f"{sha256}.curves"))


def keep_curves(workspace: Workspace, sha256: str, curves: Curves, most_bytes: int = MOST_BYTES) -> None:
    """Keep curves; the longest unused go when all take more than ``most_bytes``."""
    keep_file(workspace.folder / "curves" / f"{sha256}.curves", curves.to_bytes(), most_bytes)
