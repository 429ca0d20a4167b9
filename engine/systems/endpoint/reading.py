"""What a reply says, piece by piece: text and sound out of every form that compatible endpoints send."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.systems.endpoint.connection import Connection, Reply
from engine.systems.endpoint.failures import CallError, failure_in_body
from engine.systems.endpoint.sound import Base64Pieces, SoundStream, UnreadableSoundError
from engine.systems.values import AudioPiece, TextPiece

_NO_ANSWER = {"content_filter": "filtered", "length": "no_room", "tool_calls": "tool_call"}
_FLAG_OF_FINISH = {"length": "cut_off", "content_filter": "filtered"}


@dataclass(slots=True)
class Read:
    """What is known of an answer beside its pieces, filled while it is read."""

    text: str = ""
    has_sound: bool = False
    flags: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    finishes: list[str] = field(default_factory=list)

    def flag(self, name: str) -> None:
        """Take note of something, once."""
        if name not in self.flags:
            self.flags.append(name)


class ChatReader:
    """Reads one reply, streamed or whole, by what it is and not by what was asked for.

    The first source of words that speaks is the answer's text: ``content``, else the sound's ``transcript``, else the
    ``refusal`` (flagged ``refused``); so nothing is told twice. Reasoning is passed over.
    """

    def __init__(self, connection: Connection, read: Read) -> None:
        self._connection, self._read = connection, read
        settings = connection.settings
        self._base64 = Base64Pieces()
        self._sound = SoundStream(settings.audio_format, settings.pcm_rate_hz)
        self._speaks = ""

    def pieces(self, reply: Reply, clock: Any) -> Iterator[TextPiece | AudioPiece]:
        """The pieces as they come; ``clock()`` gives the seconds since the ask. Raises CallError."""
        events = self._events(reply) if "event-stream" in reply.content_type else self._one(reply)
        try:
            for event in events:
                yield from self._of_event(event, clock)
            yield from self._sounded(self._base64.end(), clock)
            if len(samples := self._sound.end()):
                yield self._heard(samples, clock)
        except UnreadableSoundError as error:
            raise CallError("endpoints.sound_unreadable", reason=str(error), **self._connection.where) from error
        self._close()

    def _events(self, reply: Reply) -> Iterator[Mapping[str, Any]]:
        for line in reply.lines():
            if not line.startswith(b"data:"):
                continue  # comments keep the line open; names and numbers of events say nothing here
            data = line[5:].strip()
            if data == b"[DONE]":
                return
            if data:
                yield self._object(data)

    def _one(self, reply: Reply) -> Iterator[Mapping[str, Any]]:
        data = reply.whole()
        if data.lstrip()[:5] == b"data:":  # a stream that does not say so
            yield from self._events(Reply("", iter((data,))))
        elif data.strip():
            yield self._object(data)

    def _object(self, data: bytes) -> Mapping[str, Any]:
        try:
            told = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise CallError("endpoints.broken_reply", **self._connection.where) from error
        if not isinstance(told, dict):
            raise CallError("endpoints.broken_reply", **self._connection.where)
        return told

    def _of_event(self, event: Mapping[str, Any], clock: Any) -> Iterator[TextPiece | AudioPiece]:
        if event.get("error"):
            raise failure_in_body(event["error"], self._connection.key, **self._connection.where)
        for name, key in (("model", "model"), ("fingerprint", "system_fingerprint")):
            if isinstance(event.get(key), str) and event[key]:
                self._read.versions[name] = event[key]
        for choice in _list(event.get("choices")):
            if not isinstance(choice, Mapping):
                continue
            if isinstance(finish := choice.get("finish_reason"), str):
                self._read.finishes.append(finish)
            message = choice.get("delta") or choice.get("message")
            if isinstance(message, Mapping):
                yield from self._of_message(message, event.get("modality") == "audio", clock)

    def _of_message(self, message: Mapping[str, Any], is_sound: bool, clock: Any) -> Iterator[TextPiece | AudioPiece]:
        sound = message.get("audio") if isinstance(message.get("audio"), Mapping) else {}
        assert isinstance(sound, Mapping)
        content = _content(message.get("content"))
        if is_sound:  # vLLM-Omni streams sound as the content of chunks of that modality
            yield from self._sounds(content, clock)
            content = ""
        words = (("content", content), ("transcript", sound.get("transcript")), ("refusal", message.get("refusal")))
        for source, text in words:
            if isinstance(text, str) and text and self._speaks in ("", source) and (text.strip() or self._speaks):
                self._speaks = source
                self._read.text += text
                yield TextPiece(text, clock())
        yield from self._sounds(sound.get("data"), clock)

    def _sounds(self, data: Any, clock: Any) -> Iterator[AudioPiece]:
        if isinstance(data, str) and data:
            yield from self._sounded(self._base64.add(data), clock)

    def _sounded(self, data: bytes, clock: Any) -> Iterator[AudioPiece]:
        if data and len(samples := self._sound.add(data)):
            yield self._heard(samples, clock)

    def _heard(self, samples: Any, clock: Any) -> AudioPiece:
        self._read.has_sound = True
        return AudioPiece(samples, self._sound.sample_rate_hz, clock())

    def _close(self) -> None:
        """Flags of the end; raises CallError where nothing was answered."""
        for finish in self._read.finishes:
            if finish in _FLAG_OF_FINISH:
                self._read.flag(_FLAG_OF_FINISH[finish])
        if self._speaks == "refusal":
            self._read.flag("refused")
        if not self._read.text and not self._read.has_sound:
            reasons = [_NO_ANSWER[finish] for finish in self._read.finishes if finish in _NO_ANSWER]
            raise CallError(f"endpoints.{reasons[0] if reasons else 'empty_reply'}", **self._connection.where)


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [part for part in _list(content) if isinstance(part, Mapping)]
    return "".join(str(part.get("text") or "") for part in parts if part.get("type") in ("text", "output_text"))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
