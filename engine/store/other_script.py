"""The condition that an answer is in the other script, of an index and of the filter that uses it.

A change of it needs a new step of the schema.
"""

from __future__ import annotations

# Letters of the other script alone: an English reply to a Chinese question, or the other way round.
_HAN, _LATIN = "'*[一-鿿]*'", "'*[A-Za-z][A-Za-z]*'"
OTHER_SCRIPT = (
    f"ifnull(CASE language WHEN 'zh' THEN text NOT GLOB {_HAN} AND text GLOB {_LATIN}"
    f" WHEN 'en' THEN text GLOB {_HAN} AND text NOT GLOB {_LATIN} END, 0)"
)
