"""What is evened out on playback, so that silence and level tell nobody whose an answer is; files stay as they are.

Bandwidth is not matched: a low-pass over the other systems would change the voice that is rated.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing

from engine.audio.playback_gain import MOST_DB, TARGET_LUFS, without_clipping
from engine.progress import Progress
from engine.rating.leaks.sound import ClipSound, sounds_of
from engine.rating.leaks.values import ClipFix, Fixes
from engine.rating.values import Protocol
from engine.store.blind_answers import BlindAnswer, blind_answers
from engine.store.workspace import Workspace

#: Silence left before the first sound and after the last: one frame of onset, and a breath to end on.
LEAD_S, TAIL_S = 0.02, 0.1
#: No common level lies under this, whatever a few clips with high peaks would ask for; those stay softer than the rest.
LOWEST_TARGET_LUFS = -31.0


def allowed_fixes(fixes: Fixes, protocol: Protocol) -> Fixes:
    """As much of ``fixes`` as does not touch what the protocol rates.

    Under a gain per clip one per system is allowed too, never the other way round: a clip's own level is rated there.
    """
    is_heard = protocol.perceived != "text"
    order = ("none", "per_system", "per_clip")
    gain = min(fixes.gain, protocol.gain, key=order.index)
    return Fixes(fixes.trim and protocol.may_trim and is_heard, gain if is_heard else "none")


def most_fixes(protocol: Protocol) -> Fixes:
    """All that the protocol allows."""
    return allowed_fixes(Fixes(True, "per_clip"), protocol)


def playback_fixes(
    workspace: Workspace, response_ids: Sequence[int], fixes: Fixes
) -> Generator[Progress, None, dict[int, ClipFix]]:
    """How each of the answers is to be played, by response id; an answer without a clip that can be read has none.

    All come to one level, at most that of EBU R 128, lower where a peak would clip; per system by the middle of its
    answers here, so give all answers of a study at once.
    """
    with closing(workspace.connect()) as db:
        answers = blind_answers(db, response_ids)
    sounds = yield from sounds_of(workspace, answers)
    return fixes_of(answers, sounds, fixes)


def fixes_of(answers: Iterable[BlindAnswer], sounds: Mapping[int, ClipSound], fixes: Fixes) -> dict[int, ClipFix]:
    """As ``playback_fixes``, from the figures."""
    groups: dict[int, list[int]] = {}  # answers that share a gain
    for answer in answers:
        if answer.id in sounds:
            groups.setdefault(answer.system_id if fixes.gain == "per_system" else answer.id, []).append(answer.id)
    gains = _gains(list(groups.values()), sounds) if fixes.gain != "none" else {}
    return {
        number: _fix(sounds[number], gains.get(number, 0.0), fixes.trim)
        for group in groups.values()
        for number in group
    }


def _fix(sound: ClipSound, gain_db: float, is_trimmed: bool) -> ClipFix:
    if not is_trimmed or sound.end_s <= sound.start_s:
        return ClipFix(gain_db=gain_db)
    stop_s = sound.end_s + TAIL_S
    return ClipFix(max(0.0, sound.start_s - LEAD_S), gain_db, stop_s if stop_s < sound.duration_s else None)


def _gains(groups: Sequence[Sequence[int]], sounds: Mapping[int, ClipSound]) -> dict[int, float]:
    """Decibels for each clip, one for all of a group, that bring the middle of every group to one level.

    That level is the highest at which no clip is made so loud that it clips.
    """
    levels = [statistics.median(_loudness(group, sounds) or [math.nan]) for group in groups]
    rooms = [_room(group, sounds) for group in groups]
    reachable = [level + room for level, room in zip(levels, rooms, strict=True) if not math.isnan(level)]
    target = max(min([TARGET_LUFS, *reachable]), LOWEST_TARGET_LUFS)
    found: dict[int, float] = {}
    for group, level, room in zip(groups, levels, rooms, strict=True):
        wanted = 0.0 if math.isnan(level) else min(max(target - level, -MOST_DB), MOST_DB)
        found |= dict.fromkeys(group, min(wanted, room))
    return found


def _loudness(group: Sequence[int], sounds: Mapping[int, ClipSound]) -> list[float]:
    return [sounds[number].lufs for number in group if not math.isnan(sounds[number].lufs)]


def _room(group: Sequence[int], sounds: Mapping[int, ClipSound]) -> float:
    """How much louder the group may be played; 0.0 where a peak stands as high as any may."""
    return min(without_clipping(MOST_DB, sounds[number].peak_dbfs) for number in group)
