"""GLM-4-Voice: tokens from its own server, which is started here, and sound from its decoder, in blocks."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any

RATE_HZ = 22050
BLOCKS = (25, 50, 100, 150, 200)  # tokens of sound that are decoded together; the last again and again
SYSTEM = (
    "User will provide you with a {kind} instruction. Do it step by step. First, think about the instruction and "
    "respond in a interleaved manner, with 13 text token followed by 26 audio tokens. "
)


class Glm4Voice:
    """Settings: ``tokenizer`` and ``decoder`` (their repositories), ``port``, ``model_dtype`` (bfloat16 or int4)."""

    def __init__(self, settings: Any) -> None:
        sys.path.insert(0, os.path.join(str(settings["code"]), "third_party", "Matcha-TTS"))
        from flow_inference import AudioDecoder
        from speech_tokenizer.modeling_whisper import WhisperVQEncoder
        from transformers import AutoTokenizer, WhisperFeatureExtractor

        self._settings, folder = settings, settings.folder()
        trusted = bool(settings.get("trust_remote_code"))
        self._words: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=trusted)
        ears, decoder = settings.folder("tokenizer"), settings.folder("decoder")
        self._ears = WhisperVQEncoder.from_pretrained(ears).eval().to("cuda")
        self._features = WhisperFeatureExtractor.from_pretrained(ears)
        self._decoder = AudioDecoder(
            config_path=os.path.join(decoder, "config.yaml"),
            flow_ckpt_path=os.path.join(decoder, "flow.pt"),
            hift_ckpt_path=os.path.join(decoder, "hift.pt"),
            device="cuda",
        )
        first: Any = self._words.convert_tokens_to_ids("<|audio_0|>")
        self._first_sound = int(first)
        self._port = int(settings.get("port") or _free_port())
        self._server = self._started(folder)

    def respond(self, ask: Any) -> Iterator[Any]:
        """Words and sound as they come."""
        text_ids: list[int] = []
        told = ""
        waiting: list[int] = []
        blocks = list(BLOCKS)
        speaker = _Speaker(self._decoder)
        for token in self._tokens(ask):
            if token >= self._first_sound:
                waiting.append(token - self._first_sound)
                if len(waiting) >= blocks[0]:
                    yield speaker.add(waiting, is_last=False), RATE_HZ
                    waiting, blocks = [], blocks[1:] or blocks
                continue
            text_ids.append(token)
            whole = self._words.decode(text_ids, spaces_between_special_tokens=False).split("<|user|>")[0]
            if not whole.endswith("\ufffd") and len(whole) > len(told):  # no half characters
                yield whole[len(told) :]
                told = whole
        if waiting:
            yield speaker.add(waiting, is_last=True), RATE_HZ

    def _tokens(self, ask: Any) -> Iterator[int]:
        settings = dict(self._settings, **ask.settings)
        body: dict[str, Any] = {
            "prompt": self._prompt(ask),
            "temperature": float(settings.get("temperature", 0.2)),
            "top_p": float(settings.get("top_p", 0.8)),
            "max_new_tokens": int(settings.get("max_new_tokens", 2000)),
        }
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/generate_stream",
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        count = 0
        # a generation that fails in the server leaves its client waiting: the ask's own limit ends that
        with urllib.request.urlopen(request) as reply:
            for line in reply:
                found = json.loads(line)
                if found.get("error_code") or "token_id" not in found:
                    raise RuntimeError(str(found.get("text") or found))
                count += 1
                yield int(found["token_id"])
        if count >= body["max_new_tokens"]:
            ask.flag("cut_off")

    def _prompt(self, ask: Any) -> str:
        parts = []
        for turn in ask.history:
            mark = "<|user|>\n" if turn.role == "user" else "<|assistant|>streaming_transcription\n"
            parts.append(mark + self._heard(turn.audios) + turn.text)
        system = SYSTEM.format(kind="speech" if ask.audios else "text")
        if ask.system:
            system += f"\n{ask.system}"
        last = self._heard(ask.audios) + ask.words
        return f"<|system|>\n{system}{''.join(parts)}<|user|>\n{last}<|assistant|>streaming_transcription\n"

    def _heard(self, audios: list[str]) -> str:
        if not audios:
            return ""
        from speech_tokenizer.utils import extract_speech_token

        found = extract_speech_token(self._ears, self._features, audios)
        tokens = ("".join(f"<|audio_{token}|>" for token in one) for one in found)
        return "".join(f"<|begin_of_audio|>{one}<|end_of_audio|>" for one in tokens)

    def _started(self, folder: str) -> Any:
        """Its server, once it takes connections; it ends with this process's group."""
        dtype = str(self._settings.get("model_dtype", "bfloat16"))
        command = [sys.executable, "model_server.py", "--host", "localhost", "--model-path", folder]
        command += ["--port", str(self._port), "--dtype", dtype, "--device", "cuda:0"]
        server = subprocess.Popen(command, cwd=str(self._settings["code"]))
        while server.poll() is None:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", self._port)) == 0:
                    return server
            time.sleep(0.2)
        raise RuntimeError(f"model_server.py ended with exit code {server.returncode}")


class _Speaker:
    """Decodes blocks of one answer, each with those before it as its prompt."""

    def __init__(self, decoder: Any) -> None:
        import torch

        self._decoder, self._uuid = decoder, str(uuid.uuid4())
        self._tokens = torch.zeros(1, 0, dtype=torch.int64)
        self._mels: list[Any] = []

    def add(self, tokens: list[int], is_last: bool) -> Any:
        import torch

        now = torch.tensor(tokens, dtype=torch.int64)[None]
        before = torch.cat(self._mels, dim=-1).transpose(1, 2) if self._mels else torch.zeros(1, 0, 80)
        speech, mel = self._decoder.token2wav(
            now.to("cuda"),
            uuid=self._uuid,
            prompt_token=self._tokens.to("cuda"),
            prompt_feat=before.to("cuda"),
            finalize=is_last,
        )
        self._mels.append(mel.cpu())
        self._tokens = torch.cat([self._tokens, now], dim=-1)
        return speech.reshape(-1)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def load(settings: Any) -> Glm4Voice:
    """The tokenizer, the decoder, and the server of the model."""
    return Glm4Voice(settings)
