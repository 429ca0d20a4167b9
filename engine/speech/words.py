"""Words with times out of tokens with times, the same for every back end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.speech.values import Word

_MEDIAN_WIDTH = 7  # frames, as the reference implementation of Whisper smooths its attention
SECONDS_PER_FRAME = 0.02


def tidy_words(pieces: Iterable[Word], end_s: float) -> tuple[Word, ...]:
    """Words in order, none without text, none of punctuation alone, none past ``end_s`` or ending before it starts.

    Punctuation is joined to the word before it; blanks are taken off.
    """
    words: list[Word] = []
    for piece in pieces:
        text = piece.text.strip()
        if not text:
            continue
        if words and not any(character.isalnum() for character in text):
            last = words[-1]
            words[-1] = Word(last.text + text, last.start_s, last.end_s, last.probability)
            continue
        start_s = min(max(0.0, piece.start_s), end_s)
        words.append(Word(text, start_s, min(max(start_s, piece.end_s), end_s), piece.probability))
    return tuple(words)


def pieces_of(tokens: Sequence[str], times: Sequence[float], probabilities: Sequence[float]) -> list[Word]:
    """Words of decoded ``tokens``: a new one begins at a blank and at each token that starts with a Han character.

    ``tokens`` hold whole characters, those of several tokens joined; ``times`` has one more entry, the end of the last.
    """
    pieces: list[Word] = []
    for index, (token, probability) in enumerate(zip(tokens, probabilities, strict=True)):
        start_s, end_s = times[index], times[index + 1]
        if pieces and _continues(pieces[-1].text, token):
            last = pieces[-1]
            pieces[-1] = Word(last.text + token, last.start_s, end_s, min(last.probability, probability))
        else:
            pieces.append(Word(token, start_s, end_s, probability))
    return pieces


def token_times(attention: NDArray[np.float64]) -> list[float]:
    """When each token begins, in seconds, by dynamic time warping along cross-attention (tokens, frames).

    The way of Whisper's reference implementation; the row of the end token tells when the last word ends.
    """
    rows, columns = _warped(-attention)
    begins = [int(columns[np.flatnonzero(rows == row)[0]]) for row in range(len(attention))]
    return [frame * SECONDS_PER_FRAME for frame in begins]


def smoothed_attention(heads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Attention of several heads (heads, tokens, frames), normalised over tokens, smoothed over frames, averaged."""
    from scipy.ndimage import median_filter

    heads = heads / heads.sum(axis=2, keepdims=True)  # over the frames that the window fills
    spread = heads.std(axis=1, keepdims=True)
    normal = (heads - heads.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    return np.asarray(median_filter(normal, size=(1, 1, _MEDIAN_WIDTH), mode="mirror").mean(axis=0), np.float64)


def _continues(before: str, token: str) -> bool:
    return not token.startswith(" ") and not _is_han(token[:1]) and not _is_han(before[-1:])


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"


def _warped(cost: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The cheapest monotone path through ``cost`` from corner to corner, as row and column indices."""
    rows, columns = cost.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    step = np.zeros((rows + 1, columns + 1), np.int8)  # 0 both, 1 next row, 2 next column
    total[0, 0] = 0.0
    for row in range(1, rows + 1):
        above, here = total[row - 1], total[row]
        for column in range(1, columns + 1):
            both, down, right = above[column - 1], above[column], here[column - 1]
            best = 0 if both < down and both < right else (1 if down < right else 2)
            step[row, column] = best
            here[column] = cost[row - 1, column - 1] + (both, down, right)[best]
    return _traced(step)


def _traced(step: NDArray[np.int8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    row, column = step.shape[0] - 1, step.shape[1] - 1
    path = []
    while row > 0 and column > 0:
        path.append((row - 1, column - 1))
        best = int(step[row, column])
        row, column = row - (best != 2), column - (best != 1)
    indices = np.array(path[::-1], np.intp)
    return indices[:, 0], indices[:, 1]
