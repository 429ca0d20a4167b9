"""The bounded cache of peak pyramids: what is drawn again is not read again.

It lies in ``peaks/`` of the workspace, one file per audio by the hash of its bytes. Losing it loses nothing.
"""

from __future__ import annotations

from pathlib import Path

from engine.audio import Pyramid, pyramid_from_bytes, read_pyramid
from engine.errors import EngineError
from engine.store.kept_files import keep_file, read_kept
from engine.store.workspace import Workspace

#: Some 180 hours of 48 kHz mono; an answer of ten seconds takes 12 kB.
MOST_BYTES = 512 << 20


def peaks_of(workspace: Workspace, sha256: str, path: Path, most_bytes: int = MOST_BYTES) -> Pyramid:
    """The pyramid of the audio ``sha256`` at ``path``, from the cache or made and kept there.

    A damaged file or one of another version is made again; where the folder cannot be written to, the pyramid is
    made each time. Used files stay, the longest unused go when all take more than ``most_bytes``.
    Raises what ``inspect_audio`` raises when the audio itself cannot be read.
    """
    kept = workspace.folder / "peaks" / f"{sha256}.peaks"
    data = read_kept(kept)
    if data is not None:
        try:
            return pyramid_from_bytes(data)
        except EngineError:  # damaged, or of another version
            pass
    made = read_pyramid(path)
    keep_file(kept, made.to_bytes(), most_bytes)
    return made
