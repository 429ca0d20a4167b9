"""Plays one sentence of the sample on an output, apart from what the player holds."""

from __future__ import annotations

import time
from collections.abc import Generator

from engine.errors import EngineError
from engine.progress import Progress
from engine.shipped import shipped
from gui.player.clip import Clip
from gui.player.deck import Part
from gui.player.decode import fill
from gui.player.devices import Plan
from gui.player.mixer import Mixer
from gui.player.output import Output, Sound
from gui.player.pcm import Pcm

#: A short question in each language.
SENTENCES = {
    "zh": "vocalbench_zh/audio/knowledge/chinese/0001.ogg",
    "en": "dynamic_superb/SpokenQuestionAnswering_Auricle-General/"
    "SpokenQuestionAnswering_Auricle-General_capital_of_france.ogg",
}
_LOOK_S = 0.03
_DEAD_S = 2.0


def hear_a_sentence(sound: Sound, device: str, language: str) -> Generator[Progress, None, Plan]:
    """Play the sentence to its end and return how the device was driven; closing it stops the sound.

    For a pool thread. Raises EngineError ``player.*``.
    """
    plan = sound.plan(device, refresh=False)
    pcm = Pcm(plan.rate_hz)
    yield from fill(pcm, Clip(None, shipped("data/sample") / SENTENCES[language]))
    mixer = Mixer(plan.rate_hz)
    mixer.load((Part("answer", pcm),))
    mixer.play()
    output = sound.open(plan, mixer, _nobody)
    try:
        while not _is_out(mixer, output):
            time.sleep(_LOOK_S)  # this thread has nothing else to do
            yield Progress(0, 0)
    finally:
        output.close()
    return plan


def _is_out(mixer: Mixer, output: Output) -> bool:
    """Whether the last frame was heard. Raises EngineError ``player.device_lost`` where the device asks no more."""
    now = output.now()
    if output.told.last_block_s is not None and now - output.told.last_block_s > _DEAD_S:
        raise EngineError("player.device_lost", device=output.plan.device)
    frame = output.clock.frame(now)
    return frame is not None and mixer.frames > 0 and mixer.is_still(min(frame, float(mixer.frames)))


def _nobody() -> None:
    """The device ended by itself: the loop sees that it asks for nothing any more."""
