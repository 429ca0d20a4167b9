"""New declarations of a user's own: a file to fill in, and for an adapter the few lines of Python that it needs."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import EngineError
from engine.systems.declaration import user_folder

DRAFTED = ("adapter", "endpoint")

_HEAD = """\
id = "{id}"
version = 1                # raise it whenever a past answer would no longer compare
kind = "{kind}"
title = {{ en = "{id}", zh = "{id}" }}
base_model = ""
size = ""
modality = "speech"        # what comes out: "speech" or "text"
licence = ""
verified = "never run"     # once it ran: {{ date = "2026-01-31", device = "...", what = "..." }}

[abilities]                # what it cannot take is put otherwise, or refused, and either is told
speech_out = true
streaming = {streaming}
text_history = false       # earlier turns as text
audio_history = false      # earlier turns as audio
several_audios = false     # in one turn; else they are joined with 0.5 s of silence
text_instruction = true    # words beside the audio
languages = ["zh", "en"]
# longest_audio_s = 30

[settings]
"""
_ADAPTER = """\
adapter = "{id}.py"        # beside this file
python = ""                # the interpreter of its environment, e.g. "~/envs/{id}/bin/python"
# code = "~/src/{id}"      # put first on its path, and its working directory
# input_rate_hz = 16000    # audio comes as mono WAV of 16 bits at this rate; 0 leaves it as it is
# remote_code = true       # its weights bring code: asks for --allow-remote-code
# command = ["ssh", "gpu1", "/envs/{id}/bin/python", "-E", "-s", "/srv/adapter_worker.py", "/srv/{id}.py"]
# send = "bytes"           # with such a command: audio travels with the ask
"""
_ENDPOINT = """\
base_url = "http://127.0.0.1:8091/v1"
model = ""
# key_env = ""             # the environment variable with its key, if not a usual one
# task = "chat"            # or "transcription", "speech"
input_form = "input_audio" # or "audio_url"
# data_prefix = ""         # before the base64, e.g. "data:;base64,"
modalities = ["text", "audio"]
# voice = ""
# audio_format = "wav"     # or "pcm16", "mp3", "flac", "opus"
stream = false
"""
_CODE = '''\
"""Serves {id} out of its own environment. Python 3.8 on; imports of that environment stand inside the functions."""


class System:
    def __init__(self, settings):
        # settings["code"], settings["weights"], settings["device"], and what the declaration says beside
        self.settings = settings

    def respond(self, ask):
        # ask.audios: paths of the last turn's audio; ask.words: its text and the instruction; ask.history: earlier
        # turns (role, text, audios); ask.system; ask.seed; ask.settings; ask.folder for files.
        # ask.flag("cut_off") tells something of the answer, ask.cannot("why") says that there is none.
        yield "words, as often as they come"
        yield [0.0] * 2400, 24000  # samples and rate: a list, array or tensor; or pathlib.Path, or bytes of a WAV


def load(settings):
    return System(settings)
'''


def new_declaration(name: str, kind: str, folder: Path | None = None) -> tuple[Path, ...]:
    """Write a declaration to fill in, and its adapter; returns the files. Nothing that exists is written over.

    Raises EngineError ``adapters.odd_id``, ``adapters.exists`` or ``systems.file_unreadable``.
    """
    name = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise EngineError("adapters.odd_id", id=name)
    folder = folder or user_folder()
    head = _HEAD.format(id=name, kind=kind, streaming="true" if kind == "adapter" else "false")
    rest = (_ADAPTER if kind == "adapter" else _ENDPOINT).format(id=name)
    drafts = {folder / f"{name}.toml": head + rest}
    if kind == "adapter":
        drafts[folder / f"{name}.py"] = _CODE.format(id=name)
    for path in drafts:
        if path.exists():
            raise EngineError("adapters.exists", file=str(path))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in drafts.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise EngineError("systems.file_unreadable", file=str(folder), what=error.strerror or str(error)) from error
    return tuple(drafts)
