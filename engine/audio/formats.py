"""Names of containers and codings: what they are called, which file names they go by, how deep a sample is."""

from __future__ import annotations

from collections.abc import Mapping

_WAV = frozenset({".wav", ".wave", ".bwf", ".rf64"})

#: File name endings by container. NIST SPHERE files are named .wav in TIMIT and many corpora after it.
EXTENSIONS: Mapping[str, frozenset[str]] = {
    "WAV": _WAV,
    "RF64": _WAV,
    "W64": frozenset({".w64"}),
    "FLAC": frozenset({".flac"}),
    "OGG": frozenset({".ogg", ".oga", ".opus", ".spx"}),
    "MP3": frozenset({".mp3", ".mp2", ".mp1", ".mpga"}),
    "AIFF": frozenset({".aif", ".aiff", ".aifc"}),
    "AU": frozenset({".au", ".snd"}),
    "CAF": frozenset({".caf"}),
    "NIST": frozenset({".nist", ".sph", ".wav"}),
}

_OTHER_AUDIO = frozenset({".m4a", ".mp4", ".aac", ".wma", ".webm", ".mka", ".amr"})
_KNOWN = frozenset().union(_OTHER_AUDIO, *EXTENSIONS.values())

_BITS: Mapping[str, int] = {
    "PCM_S8": 8,
    "PCM_U8": 8,
    "PCM_16": 16,
    "PCM_24": 24,
    "PCM_32": 32,
    "FLOAT": 32,
    "DOUBLE": 64,
    "ULAW": 8,
    "ALAW": 8,
}

FLOATING = frozenset({"FLOAT", "DOUBLE"})


def container_name(libsndfile_name: str) -> str:
    """The container's name: libsndfile's, but WAVEX (extensible WAV) is a WAV to everyone else."""
    return "WAV" if libsndfile_name == "WAVEX" else libsndfile_name


def bits_of(subtype: str) -> int | None:
    """Bits of one stored sample, None for codings that have none (MP3, Opus, Vorbis, ADPCM)."""
    return _BITS.get(subtype)


def is_misnamed(container: str, extension: str) -> bool:
    """True when ``extension`` (with its dot, any case) belongs to another audio format than the content.

    An ending that names no audio format (``.bin``, none) claims nothing and is never wrong.
    """
    extension = extension.lower()
    return extension in _KNOWN and container in EXTENSIONS and extension not in EXTENSIONS[container]
