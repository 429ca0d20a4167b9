"""Audio files: facts and faults, samples at any rate, peaks for drawing, writing that is whole or not at all."""

from engine.audio.envelope import envelope, holes, loudness
from engine.audio.facts import AudioFacts, Fault
from engine.audio.identity import content_hash
from engine.audio.pyramid import Pyramid, build_pyramid, pyramid_from_bytes, read_pyramid
from engine.audio.read import inspect_audio, load_channels, load_mono, resample
from engine.audio.sound import Sound, is_over_long, sound_of
from engine.audio.write import encode_audio, write_audio, write_bytes

__all__ = [
    "AudioFacts",
    "Fault",
    "Pyramid",
    "Sound",
    "build_pyramid",
    "content_hash",
    "encode_audio",
    "envelope",
    "holes",
    "inspect_audio",
    "is_over_long",
    "load_channels",
    "load_mono",
    "loudness",
    "pyramid_from_bytes",
    "read_pyramid",
    "resample",
    "sound_of",
    "write_audio",
    "write_bytes",
]
