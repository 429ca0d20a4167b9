"""What an endpoint has to be told and how: read from a declaration and the options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options

_ONE_OF = {
    "task": ("chat", "transcription", "speech"),
    "input_form": ("input_audio", "audio_url"),
    "system_place": ("message", "instruction"),
    "audio_format": ("wav", "pcm16", "pcm", "mp3", "flac", "opus"),
    "voice_place": ("audio", "speaker"),
}


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where an endpoint is and which of the forms in use it speaks. Holds no key.

    Args:
        key_env: the environment variable with the key, if not a usual one.
        task: "chat" asks /chat/completions, "transcription" and "speech" the audio addresses.
        input_form: how audio is put into a message: "input_audio" or "audio_url".
        data_prefix: stands before the base64 of the audio: "" for bare base64, "data:;base64,", ...
        modalities: what is wanted ("text", "audio"); empty leaves it out.
        voice_place: "audio" puts the voice beside the format, "speaker" into a field of that name.
        audio_format: what speech is asked for in; raw PCM is read at ``pcm_rate_hz``, 16 bits, mono.
        system_prompt, system_place: a fixed system text, as a message of its own or before the instruction.
        text_first: the instruction stands before the audio.
        one_audio_per_message: several audios become messages in a row.
        send_rate_hz: audio is sent as mono 16-bit WAV at this rate; 0 leaves the rate and sends MP3 as it is.
        extra: goes into the request's body as it is.
        language: of a transcription, "" lets the endpoint find it.
        tries, longest_wait_s: how often, and how long a Retry-After is waited for.
    """

    base_url: str
    model: str
    key_env: str = ""
    task: str = "chat"
    input_form: str = "input_audio"
    data_prefix: str = ""
    modalities: tuple[str, ...] = ()
    voice: str = ""
    voice_place: str = "audio"
    audio_format: str = "wav"
    pcm_rate_hz: int = 24000
    stream: bool = False
    stream_usage: bool = True
    system_prompt: str = ""
    system_place: str = "message"
    text_first: bool = False
    one_audio_per_message: bool = False
    send_rate_hz: int = 0
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_tokens_name: str = "max_tokens"
    send_seed: bool = True
    language: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    tries: int = 6
    longest_wait_s: float = 120.0

    @property
    def wants_audio(self) -> bool:
        """Whether an answer in sound is asked for."""
        return "audio" in self.modalities or self.task == "speech"


def read_settings(declaration: SystemDeclaration, options: Options) -> EndpointSettings:
    """The settings of a declaration with those of a run over them.

    Raises EngineError ``endpoints.setting_missing``, ``setting_unknown``, ``setting_value`` or ``no_base_url``.
    """
    told: dict[str, Any] = {**declaration.settings, **options.settings}
    told.setdefault("model", options.weights or declaration.weights)
    known = {entry.name for entry in fields(EndpointSettings)}
    for name in told:
        if name not in known:
            raise EngineError("endpoints.setting_unknown", system=declaration.id, name=name, known=list(known))
    for name in ("base_url", "model"):
        if not told.get(name):
            raise EngineError("endpoints.setting_missing", system=declaration.id, name=name)
    values = {name: _as_declared(declaration.id, name, value) for name, value in told.items()}
    return EndpointSettings(**{**values, "base_url": _trimmed(declaration.id, values["base_url"])})


_KINDS = get_type_hints(EndpointSettings)


def _as_declared(system: str, name: str, value: Any) -> Any:
    kind = _KINDS[name]
    if name == "modalities":
        fits, value = isinstance(value, (list, tuple)) and set(value) <= {"text", "audio"}, tuple(value)
    elif name == "extra":
        fits = isinstance(value, Mapping)
    elif kind in (float, float | None):
        fits = (isinstance(value, (int, float)) and not isinstance(value, bool)) or (
            value is None and kind is not float
        )
    elif kind in (int, int | None):
        fits = type(value) is int or (value is None and kind is not int)
    else:
        fits = isinstance(value, kind)
    if not fits or (name in _ONE_OF and value not in _ONE_OF[name]):
        wanted = ", ".join(_ONE_OF.get(name, ("text, audio",) if name == "modalities" else (str(kind),)))
        raise EngineError("endpoints.setting_value", system=system, name=name, value=str(value), wanted=wanted)
    return value


def _trimmed(system: str, base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password or parts.query:
        shown = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"  # an address may hold a password
        raise EngineError("endpoints.no_base_url", system=system, base_url=shown)
    return base_url.rstrip("/").removesuffix("/chat/completions")
