"""Stand-ins for what the environments of published systems hold: their modules, with the signatures recorded of them.

``COMMON`` are packages that several use; ``SYSTEMS`` has for each adapter the files of its checkout. They answer with
what they were told, so that a test can see it; a call with other names than those of the original fails.
"""

from __future__ import annotations

_TORCH = """
import contextlib, types
import numpy as np

class Tensor(np.ndarray):
    def cuda(self): return self
    def cpu(self): return self
    def to(self, *a, **k): return self
    def detach(self): return self
    def float(self): return self.astype(np.float32)
    def numpy(self): return np.asarray(self)
    def clone(self): return self.copy()
    def clamp(self, low, high): return self.clip(low, high)
    def permute(self, *order): return np.transpose(self, order).view(Tensor)
    def transpose(self, first, second): return np.swapaxes(self, first, second).view(Tensor)
    def reshape(self, *shape): return np.reshape(self, shape).view(Tensor)
    def squeeze(self, dim=None):
        return self if dim is not None and self.shape[dim] != 1 else np.squeeze(np.asarray(self), dim).view(Tensor)

def tensor(values, dtype=None): return np.array(values, dtype).view(Tensor)
def from_numpy(values): return np.asarray(values).view(Tensor)
def zeros(*shape, dtype=None): return np.zeros(shape, dtype or np.float32).view(Tensor)
def ones_like(values): return np.ones_like(values).view(Tensor)
def linspace(a, b, n): return np.linspace(a, b, n, dtype=np.float32).view(Tensor)
def LongTensor(values): return np.array(values, np.int64).view(Tensor)
def cat(parts, dim=0): return np.concatenate(parts, dim).view(Tensor)
def manual_seed(seed): globals()["seed"] = seed
bfloat16, float16, int64 = "bfloat16", "float16", np.int64
inference_mode = contextlib.nullcontext
amp = types.SimpleNamespace(autocast=lambda dtype=None: contextlib.nullcontext())
cuda = types.SimpleNamespace(amp=amp)

def _pad(parts, batch_first):
    assert batch_first
    longest = max(map(len, parts))
    return np.stack([np.pad(p, [(0, longest - len(p))] + [(0, 0)] * (p.ndim - 1)) for p in parts]).view(Tensor)

nn = types.SimpleNamespace(utils=types.SimpleNamespace(rnn=types.SimpleNamespace(pad_sequence=_pad)))
"""

_SOUND = """
import wave
import numpy as np
def read(path):
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768, file.getframerate()
"""

COMMON = {
    "torch.py": _TORCH,
    "sound_of.py": _SOUND,
    "soundfile.py": "import sound_of\ndef read(path, dtype): return sound_of.read(path)\n",
    "librosa.py": (
        "import sound_of\ndef load(path, sr, mono):\n"
        "    samples, rate = sound_of.read(path)\n    assert rate == sr and mono\n    return samples, rate\n"
    ),
    "torchaudio.py": (
        "import torch, sound_of\ndef load(path):\n"
        "    samples, rate = sound_of.read(path)\n    return torch.from_numpy(samples[None]), rate\n"
    ),
    "whisper.py": (
        "import numpy as np, torch, sound_of\n"
        "def load_audio(path):\n    samples, rate = sound_of.read(path)\n    assert rate == 16000\n    return samples\n"
        "def pad_or_trim(samples): return np.resize(samples, 480000)\n"
        "def log_mel_spectrogram(samples, n_mels):\n    assert len(samples) == 480000\n"
        "    return torch.zeros(n_mels, 3000)\n"
    ),
}

SYSTEMS: dict[str, dict[str, str]] = {}

SYSTEMS["llama_omni2"] = {
    "transformers.py": """
import os, types, torch
class AutoConfig:
    @staticmethod
    def from_pretrained(path): return types.SimpleNamespace(path=path)
class AutoTokenizer:
    pad_token_id = 0
    @classmethod
    def from_pretrained(cls, path, use_fast):
        assert not use_fast
        return cls()
    def convert_tokens_to_ids(self, token): return {"<speech>": 7}[token]
    def apply_chat_template(self, messages, add_generation_prompt, return_tensors):
        assert add_generation_prompt and return_tensors == "pt"
        assert [m["role"] for m in messages if m["role"] != "system"][::2] == ["user"] * ((len(messages) + 1) // 2)
        self.asked = " / ".join(m["role"] + "=" + m["content"].replace("\\n", "+") for m in messages)
        AutoTokenizer.last = self.asked
        return torch.tensor([[1, 7, 2]])
    def batch_decode(self, ids, skip_special_tokens): return [" " + AutoTokenizer.last + " "]
""",
    "llama_omni2/model/language_model/omni2_speech2s_qwen2.py": """
import torch
class Omni2Speech2SQwen2ForCausalLM:
    @classmethod
    def from_pretrained(cls, path, config, torch_dtype):
        assert config.tts_tokenizer == path + "/tts_tokenizer" and config.speech_encoder and torch_dtype == "bfloat16"
        return cls()
    def cuda(self): return self
    def generate(self, input_ids, speech, speech_lengths, do_sample, temperature, top_p, top_k, num_beams,
                 max_new_tokens, pad_token_id):
        assert input_ids.tolist() == [[1, -200, 2]] and speech.shape[1:] == (3000, 128)
        assert list(speech_lengths) == [3000] * len(speech) and do_sample == (temperature > 0)
        return torch.tensor([[1] * 5]), "<|10|><|20|>"
""",
    "llama_omni2/inference/run_cosy2_decoder.py": """
import torch
class SpeechDecoder:
    def __init__(self, model_dir): assert model_dir
    def entry(self, units, prompt_speech_16k, stream):
        assert units.tolist() == [10, 20] and prompt_speech_16k.shape[0] == 1 and not stream
        return torch.from_numpy(units[None] / 100)
""",
}

SYSTEMS["freeze_omni"] = {
    "bin/inference.py": """
class audioEncoderProcessor:
    def get_chunk_size(self): return 2560
    def process(self, samples):
        assert len(samples) == 2560
        return samples
    def reset(self): pass
""",
    "models/pipeline.py": """
import types, torch
class inferencePipeline:
    def __init__(self, config):
        assert {"model_path", "llm_path", "top_p", "top_k", "temperature"} <= set(vars(config))
        embed = types.SimpleNamespace(embed_tokens=lambda ids: torch.zeros(len(ids), 896))
        tokenizer = types.SimpleNamespace(encode=lambda text: [1] * len(text))
        self.model = types.SimpleNamespace(llm_decoder=types.SimpleNamespace(model=embed), tokenizer=tokenizer)
        self.words = []
    def post_process(self, text): return text.strip()
    def speech_dialogue(self, audio, stat="pre", role=None, past_tokens=(), adapter_cache=0, encoder_cache=0,
                        pe_index=0, text="", hidden_state=None, left=None, heard=0):
        if stat == "pre":
            self.words = [".", "第3", ".", "5号", "。", "[%s]" % role.replace("\\n", "+"), "！"]
            return dict(stat="sl", past_tokens=[], left=0, heard=0)
        if audio is not None:
            return dict(stat="cl", past_tokens=[], left=0, heard=heard + 1)
        state = dict(past_tokens=list(past_tokens) + [1], left=left, heard=heard, text="", hidden_state=torch.zeros(1, 1, 896))
        if stat == "ss":
            assert adapter_cache is None and encoder_cache is None and pe_index == 0 and heard == 1
            return dict(state, stat="cs", text="")
        if left == len(self.words):
            return dict(state, stat="sl")
        return dict(state, stat="cs", left=left + 1, text="".join(self.words[: left + 1]))
""",
    "models/decoder/llm2tts.py": """
import torch
class llm2TTS:
    def __init__(self, model_path): pass
    def run(self, embeddings, top_k, hidden, codec_chunk_size, codec_padding_size):
        assert (top_k, codec_chunk_size, codec_padding_size) == (2, 40, 10)
        assert embeddings.shape[0] == hidden.shape[0] == 1 and embeddings.shape[2] == hidden.shape[2] == 896
        yield torch.zeros(1, 1, 10)
""",
}

SYSTEMS["step_audio_2"] = {
    "stepaudio2.py": """
class StepAudio2:
    def __init__(self, model_path): pass
    def __call__(self, messages, max_new_tokens, temperature, repetition_penalty, top_p, do_sample):
        assert messages[0]["role"] == "system" and messages[-1]["role"] == "assistant"
        assert all(m["role"] in ("system", "human", "assistant") for m in messages)
        speaks = messages[-1]["content"] == "<tts_start>" and messages[-1]["eot"] is False
        told = []
        for m in messages[1:-1]:
            parts = m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}]
            told.append(m["role"] + "=" + "+".join(p["type"] if p["type"] == "audio" else p["text"] for p in parts))
        return [1, 2], " / ".join(told) + "<|EOT|>", [5, 6] if speaks else []
""",
    "token2wav.py": """
import io, wave, os
class Token2wav:
    def __init__(self, path): assert os.path.basename(path) == "token2wav"
    def __call__(self, tokens, prompt_wav):
        memory = io.BytesIO()
        with wave.open(memory, "wb") as file:
            file.setnchannels(1); file.setsampwidth(2); file.setframerate(24000)
            file.writeframes(b"\\0\\x40" * 2)
        return memory.getvalue()
""",
}

SYSTEMS["baichuan_omni"] = {
    "transformers.py": """
import types, torch
TOKENS = {1: "<audio_start>", 2: "<audio_end>", 3: "<audiogen_start_baichuan>", 4: "<audiogen_end_baichuan>"}
class AutoTokenizer:
    eos_token_id = 9
    @classmethod
    def from_pretrained(cls, path, trust_remote_code): return cls()
    def convert_ids_to_tokens(self, number): return TOKENS[number]
    def decode(self, ids): return "".join(Model.words.get(int(i), "") for i in ids)
class Model:
    words = {}
    config = types.SimpleNamespace(audio_config=types.SimpleNamespace(
        audio_start_token_id=1, audio_end_token_id=2, audiogen_start_token_id=3, audiogen_end_token_id=4))
    def cuda(self): return self
    def bind_processor(self, tokenizer, training, relative_path): assert relative_path == "/"
    def processor(self, texts):
        Model.words = {100: texts[0], 101: "第二段", 9: "<|endoftext|>"}
        one = torch.tensor([[50, 51]])
        return types.SimpleNamespace(input_ids=one, attention_mask=one, audios=one, encoder_length=one, bridge_length=None)
    def generate(self, ids, attention_mask, tokenizer, max_new_tokens, stop_strings, audios=None, encoder_length=None,
                 bridge_length=None, past_key_values=None, **sampling):
        assert sampling["do_sample"] and sampling["return_dict_in_generate"] and sampling["top_p"] == 0.85
        new = [100, 3] if audios is not None else [101, 9]
        assert sampling["temperature"] == (0.8 if audios is not None else 0.3)
        return types.SimpleNamespace(sequences=torch.cat([ids, torch.tensor([new])], 1), past_key_values=1)
class AutoModelForCausalLM:
    @staticmethod
    def from_pretrained(path, torch_dtype, trust_remote_code): return Model()
""",
    "web_demo/generation.py": """
import types, torch
class GenerationAudioTokens:
    @staticmethod
    def generate(model, ids, attention_mask, past_key_values, max_new_tokens, **sampling):
        assert ids[0, -1] == 3 and max_new_tokens == 500 and sampling["temperature"] == 0.5
        return types.SimpleNamespace(sequences=torch.cat([ids, torch.tensor([[60]])], 1), past_key_values=1,
                                     audios_sequences=torch.tensor([[7]]))
def decode_wave_vocoder(tokens, vocoder, model): return [torch.zeros(1, 1000) + 0.5]
""",
    "third_party/cosy24k_vocoder/cosy24k_vocoder.py": """
class Cosy24kVocoder:
    @classmethod
    def from_pretrained(cls, path):
        assert path.endswith("hift.pt")
        return cls()
    def cuda(self): return self
""",
}

SYSTEMS["minicpm_o"] = {
    "transformers.py": """
import types, wave
class AutoTokenizer:
    @staticmethod
    def from_pretrained(path, trust_remote_code): return "tokenizer"
class Model:
    tts = types.SimpleNamespace(float=lambda: None)
    def eval(self): return self
    def cuda(self): return self
    def init_tts(self): pass
    def reset_session(self): self.heard = []
    def get_sys_prompt(self, ref_audio, mode, language):
        assert mode == "audio_assistant"
        return {"role": "system", "content": [language]}
    def _told(self, msgs):
        return " / ".join(m["role"] + "=" + "+".join(p if isinstance(p, str) else "audio" for p in m["content"]) for m in msgs)
    def chat(self, msgs, tokenizer, sampling, max_new_tokens, use_tts_template, generate_audio, temperature,
             output_audio_path):
        assert sampling and use_tts_template and generate_audio and max_new_tokens == 2048
        with wave.open(output_audio_path, "wb") as file:
            file.setnchannels(1); file.setsampwidth(2); file.setframerate(24000)
            file.writeframes(b"\\0\\x40" * 2)
        return types.SimpleNamespace(text=self._told(msgs))
    def streaming_prefill(self, session_id, msgs, tokenizer):
        assert len(msgs) == 1
        self.heard += msgs
    def streaming_generate(self, session_id, tokenizer, temperature, generate_audio):
        import torch
        yield types.SimpleNamespace(text=self._told(self.heard), audio_wav=None, sampling_rate=24000)
        yield types.SimpleNamespace(text="", audio_wav=torch.tensor([0.5, 0.5]), sampling_rate=24000)
class AutoModel:
    @staticmethod
    def from_pretrained(path, attn_implementation, torch_dtype, init_vision, init_audio, init_tts, trust_remote_code):
        assert trust_remote_code
        return Model()
""",
}

SYSTEMS["vocalnet"] = {
    "omni_speech/infer/vocalnet.py": """
import os, wave
COSYVOICE_MODEL = VOCALNET_MODEL = None
class VocalNetModel:
    def __init__(self, path, s2s):
        assert s2s and COSYVOICE_MODEL and VOCALNET_MODEL == path
    def __initilize__(self): self.ready = True
    def set_audio_dir(self, folder): self.folder = folder
    def __call__(self, messages):
        assert self.ready and len(messages) == 1 and messages[0]["content"] == "<speech>"
        path = os.path.join(self.folder, "0.wav")
        with wave.open(path, "wb") as file:
            file.setnchannels(1); file.setsampwidth(2); file.setframerate(24000)
            file.writeframes(b"\\0\\x40" * 2)
        return {"text": "听到了", "audio": path}
""",
}

SYSTEMS["glm_4_voice"] = {
    "transformers.py": """
class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, path, trust_remote_code): return cls()
    def convert_tokens_to_ids(self, token): return {"<|audio_0|>": 2_000_000}[token]
    def decode(self, ids, spaces_between_special_tokens): return "".join("<|user|>" if i == 3 else chr(i) for i in ids)
class WhisperFeatureExtractor:
    @staticmethod
    def from_pretrained(path): return "features"
""",
    "speech_tokenizer/modeling_whisper.py": """
class WhisperVQEncoder:
    @classmethod
    def from_pretrained(cls, path): return cls()
    def eval(self): return self
    def to(self, device): return self
""",
    "speech_tokenizer/utils.py": """
def extract_speech_token(model, features, paths):
    assert features == "features"
    return [[1, 2] for _ in paths]
""",
    "flow_inference.py": """
import torch
class AudioDecoder:
    def __init__(self, config_path, flow_ckpt_path, hift_ckpt_path, device): pass
    def token2wav(self, token, uuid, prompt_token, prompt_feat, finalize):
        assert prompt_feat.shape[2] == 80 and prompt_feat.shape[1] == prompt_token.shape[1]
        return torch.zeros(1, token.shape[1]) + 0.5, torch.zeros(1, 80, token.shape[1])
""",
    "model_server.py": """
import argparse, json
from http.server import BaseHTTPRequestHandler, HTTPServer
parser = argparse.ArgumentParser()
for name in ("host", "model-path", "port", "dtype", "device"):
    parser.add_argument("--" + name, required=True)
told = parser.parse_args()
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert self.path == "/generate_stream" and set(body) == {"prompt", "temperature", "top_p", "max_new_tokens"}
        prompt = body["prompt"].split("interleaved manner")[1].replace("\\n", "+")
        self.send_response(200); self.end_headers()
        words = [*map(ord, prompt[prompt.index("<|user|>") + 8 :].replace("|", "/")), 3]
        for token in [*words, *range(2_000_000, 2_000_030), ord("。"), 2_000_000]:
            self.wfile.write(json.dumps({"token_id": token, "error_code": 0}).encode() + b"\\n")
    def log_message(self, *a): pass
HTTPServer(("127.0.0.1", int(told.port)), Handler).serve_forever()
""",
}

SYSTEMS["vita_audio"] = {
    "tools/inference_sts.py": """
import torch
RATE = 22050
class S2SInference:
    def __init__(self, model_name_or_path, audio_tokenizer_path, audio_tokenizer_type, flow_path):
        assert audio_tokenizer_type == "sensevoice_glm4voice"
    def run_infer(self, audio_path, prompt_audio_path, message, mode, do_sample, mtp_inference_mode):
        assert prompt_audio_path is None and mode in (None, "luke")
        text = "<|im_start|>user\\n听<|im_end|><|im_start|>assistant\\n" + message + "好<|begin_of_audio|><|audio_12|><|audio_3|>"
        return text + "<|end_of_audio|>吗<|im_end|>", torch.zeros(1, 2) + 0.5
raise SystemExit("the demonstrations would run now")
""",
}

SYSTEMS["kimi_audio"] = {
    "kimia_infer/api/kimia.py": """
import torch
class KimiAudio:
    def __init__(self, model_path, load_detokenizer): self.speaks = load_detokenizer
    def generate(self, chats, output_type="text", audio_temperature=0.0, audio_top_k=5, text_temperature=0.0, text_top_k=5,
                 audio_repetition_penalty=1.0, audio_repetition_window_size=64, text_repetition_penalty=1.0,
                 text_repetition_window_size=16, max_new_tokens=-1):
        assert output_type == ("both" if self.speaks else "text") and (audio_temperature, audio_top_k) == (0.8, 10)
        assert all(m["role"] in ("user", "assistant") for m in chats)
        told = [m["role"] + "=" + (m["content"] if m["message_type"] == "text" else "audio") for m in chats]
        return torch.zeros(1, 1, 2) + 0.5 if self.speaks else None, " / ".join(told)
""",
}

SYSTEMS["mimo_audio"] = {
    "src/mimo_audio/mimo_audio.py": """
import wave
class MimoAudio:
    def __init__(self, model_path, mimo_audio_tokenizer_path, device=None): pass
    def _said(self, path, text):
        with wave.open(path, "wb") as file:
            file.setnchannels(1); file.setsampwidth(2); file.setframerate(24000)
            file.writeframes(b"\\0\\x40" * 2)
        return text + ".....<|eot|>....."
    def spoken_dialogue_sft(self, input_speech, output_audio_path=None, system_prompt=None, prompt_speech=None, add_history=False):
        assert not add_history
        return self._said(output_audio_path, "说：%s" % system_prompt)
    def spoken_dialogue_sft_multiturn(self, message_list, output_audio_path=None, system_prompt=None, prompt_speech=None):
        assert isinstance(message_list[1]["content"], dict) and set(message_list[1]["content"]) == {"text", "audio"}
        return self._said(output_audio_path, "%d轮" % len(message_list))
    def audio_understanding_sft(self, input_speech, input_text, thinking=False): return "懂：" + input_text + "<|im_end|>"
    def speech2text_dialogue_sft(self, input_speech, thinking=False, add_history=False): return "听"
""",
}

SYSTEMS["cosyvoice2"] = {
    "cosyvoice/cli/cosyvoice.py": """
import torch
class AutoModel:
    sample_rate = 24000
    def __init__(self, model_dir): pass
    def inference_zero_shot(self, tts_text, prompt_text, prompt_wav, zero_shot_spk_id="", stream=False, speed=1.0,
                            text_frontend=True):
        for _ in tts_text.split("。")[:-1]:
            yield {"tts_speech": torch.zeros(1, 2) + 0.5}
    def inference_cross_lingual(self, tts_text, prompt_wav, zero_shot_spk_id="", stream=False, speed=1.0, text_frontend=True):
        yield {"tts_speech": torch.zeros(1, 2) - 0.5}
""",
}

SYSTEMS["salmonn"] = {
    "transformers.py": """
class WhisperFeatureExtractor:
    @staticmethod
    def from_pretrained(path): return "features"
""",
    "config.py": """
import types
class Config:
    def __init__(self, args):
        assert args.cfg_path and args.options is None
        self.config = types.SimpleNamespace(model=types.SimpleNamespace(), generate="beams 4")
""",
    "models/salmonn.py": """
class SALMONN:
    @classmethod
    def from_config(cls, model):
        assert model.llama_path and model.whisper_path and model.beats_path and model.ckpt
        return cls()
    def to(self, device): assert device == "cuda"
    def eval(self): pass
    def generate(self, samples, generate_cfg, prompts=None):
        assert samples == "sample" and generate_cfg == "beams 4"
        return ["<s>" + prompts[0].replace("\\n", "+") + "</s>"]
""",
    "utils.py": """
def prepare_one_sample(wav_path, wav_processor):
    assert wav_processor == "features"
    return "sample"
""",
}

SYSTEMS["ltu_as"] = {
    "inference_gradio.py": """
import gradio as gr
def predict(audio_path, question):
    return "info", " " + question + " "
demo = gr.Interface(fn=predict, inputs=[gr.Audio(type="filepath"), gr.Textbox(value="?")], outputs=["text"])
with gr.Blocks() as page:
    demo.launch(debug=False, share=True)
""",
}

SYSTEMS["qwen_audio"] = {
    "transformers.py": """
class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, path, trust_remote_code): return cls()
    def from_list_format(self, parts): return "+".join(p["text"] if "text" in p else "audio" for p in parts)
class AutoModelForCausalLM:
    @classmethod
    def from_pretrained(cls, path, device_map, trust_remote_code):
        assert trust_remote_code
        return cls()
    def eval(self): return self
    def chat(self, tokenizer, query, history):
        return "%s | %s" % (history, query), []
""",
}

SYSTEMS["wavllm"] = {
    "examples/wavllm/test_data/keep": "",
    "examples/wavllm/scripts/inference_sft.sh": (
        'folder="$(dirname "$1")/decode_checkpoint_beam1/$2"; mkdir -p "$folder"\n'
        'prompt="$(tail -n 1 "examples/wavllm/test_data/$2.tsv" | cut -f 4)"\n'
        'printf "S-0\\tx\\nD-0\\t-0.1\\t%s\\n" "$prompt" > "$folder/generate-$2.txt"\n'
    ),
}

SYSTEMS["mu_llama"] = {
    "llama/__init__.py": """
import types
def load(model_path, llama_dir, mert_path, knn, knn_dir, llama_type):
    assert knn and llama_type == "7B"
    return Model()
def format_prompt(question): return "prompt:" + question
class Model:
    tokenizer = types.SimpleNamespace(encode=lambda text, bos, eos: [text])
    def eval(self): pass
    def generate(self, inputs, prompts, max_gen_len, temperature, top_p, cache_size, cache_t, cache_weight):
        assert inputs["Audio"][1] == 1 and inputs["Audio"][0].ndim == 1 and len(inputs["Audio"][0]) == 2400
        assert (max_gen_len, temperature, top_p, cache_size, cache_t, cache_weight) == (512, 0.6, 0.8, 100, 20.0, 0.0)
        return [prompts[0][0]]
""",
}

SYSTEMS["gama"] = {
    "gama_inf_single_audio.py": "def predict(audio_path, question):\n    return {'log': 1}, question + '!'\n",
}
