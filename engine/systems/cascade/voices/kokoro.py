"""The packaged Kokoro voices: Mandarin and English, on a processor."""

from __future__ import annotations

from collections.abc import Iterator

from engine.speech.synthesise import MAKER, SAMPLE_RATE_HZ, load_synthesiser
from engine.speech.threads import thread_count
from engine.systems.cascade.part import Samples, Table
from engine.systems.values import Options


class Kokoro:
    """Settings: ``voice``, ``language`` ("zh", "en"; "auto" goes by whether a sentence has Han characters)."""

    def __init__(self, table: Table, options: Options) -> None:
        self._voice = table.take("voice", "jf_gongitsune")
        self._language = table.take("language", "auto")
        table.no_more()
        self._synthesiser = load_synthesiser(thread_count())
        self.versions = {"synthesiser": f"{MAKER} {self._synthesiser.weights_sha256[:12]}"}

    def spoken(self, sentence: str, seed: int) -> Iterator[tuple[Samples, int]]:
        """The sentence in one piece at 24 kHz."""
        language = self._language
        if language == "auto":
            language = "zh" if any("一" <= sign <= "鿿" for sign in sentence) else "en"
        yield self._synthesiser.speak(sentence, language, self._voice), SAMPLE_RATE_HZ

    def close(self) -> None:
        """The model stays for the next cascade of this process."""
