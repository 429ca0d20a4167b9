"""What stands beside the owner's PIN, where a rater reads it too."""

from __future__ import annotations

import pytest

from gui.rate.wording import say
from gui.strings import words


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_rater_is_not_told_how_to_take_the_pin_away(language):
    words.use(language)
    told = say("people.forgotten", path="/home/somebody/settings.json")
    assert "PIN" in told
    assert "settings" not in told
    assert "owner_pin" not in told
