"""How much louder or softer a recording is played, so that recordings of different loudness can be compared.

What is played is changed, never what is kept.
"""

from __future__ import annotations

import math

#: Where EBU R 128 puts a programme.
TARGET_LUFS = -23.0
#: A sample over this would clip after the device's own resampling (EBU R 128: -1 dBTP).
HIGHEST_PEAK_DBFS = -1.0
#: More is never given: what is that soft is noise.
MOST_DB = 24.0


def gain_to_target(lufs: float) -> float:
    """Decibels that bring a loudness to the target; 0.0 for NaN, a recording without loudness.

    >>> gain_to_target(-26.5), gain_to_target(-18.0), gain_to_target(math.nan), gain_to_target(-60.0)
    (3.5, -5.0, 0.0, 24.0)
    """
    return 0.0 if math.isnan(lufs) else min(max(TARGET_LUFS - lufs, -MOST_DB), MOST_DB)


def without_clipping(gain_db: float, peak_dbfs: float) -> float:
    """As much of ``gain_db`` as no sample clips by; a recording is never made softer by this than it is.

    >>> without_clipping(6.0, -20.0), without_clipping(6.0, -3.0), without_clipping(6.0, 0.0)
    (6.0, 2.0, 0.0)
    >>> without_clipping(-6.0, 0.0)
    -6.0
    """
    return min(gain_db, max(0.0, HIGHEST_PEAK_DBFS - peak_dbfs))
