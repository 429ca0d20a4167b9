"""Every system of the papers' tables is declared, with what the papers and its makers say of it."""

from __future__ import annotations

import re
import tomllib

import pytest

from engine.models.declaration import weights_of
from engine.scoring.overall import published_rows
from engine.shipped import shipped
from engine.systems.declaration import SystemDeclaration, load_systems
from tests.shared import needs_shared, shared_file

HUB = "https://huggingface.co/"


def declared_as(paper: str) -> dict[str, SystemDeclaration]:
    """The declarations that stand for a system of that paper, by the paper's name; no two for one."""
    named = [(system.papers[paper], system) for system in load_systems().values() if paper in system.papers]
    assert len(dict(named)) == len(named)
    return dict(named)


def rows(paper: str, start: str, end: str) -> list[list[str]]:
    """The cells of a printed table's rows, from the row that begins with ``start`` to the line that does with ``end``."""
    text = shared_file(f"papers/{paper}.txt").read_text(encoding="utf-8")
    table = text[text.index(f"\n{start}\t") : text.index(f"\n{end}")]
    return [line.split("\t") for line in table.splitlines() if "\t" in line]


PUBLISHED = sorted(system.id for system in load_systems().values() if system.papers)


def test_each_system_whose_published_figures_ship_is_declared_once():
    assert {row["system"] for row in published_rows("overall")} == set(declared_as("vocalbench_zh"))


@needs_shared
def test_what_the_first_paper_says_of_its_systems_is_what_is_declared():
    table = rows("vocalbench-zh", "Model\tFull Name", "Table 5: The information")[1:]
    declared = declared_as("vocalbench_zh")
    assert [name for name, *_ in table if name not in declared] == []
    assert len(table) == len(declared) == 15
    for name, _, base_model, _, address in table:
        assert declared[name].base_model.startswith(base_model), name
        assert address.removeprefix(HUB) in weights_of(declared[name]), name
        assert declared[name].modality == "speech"


@needs_shared
def test_the_second_papers_systems_are_declared_and_answer_in_writing():
    table = rows("dynamic-superb-phase-2", "Whisper-LLaMA", "PR: Phoneme Recognition")
    declared = {name.lower(): system for name, system in declared_as("dynamic_superb").items()}  # once it is Mu-LLaMA
    assert {name.lower() for name, *_ in table} == set(declared)
    assert all(system.modality == "text" and not system.abilities.speech_out for system in declared.values())
    # several audios natively for these alone; for the others the paper joins them with 0.5 s of silence
    assert {n for n, s in declared.items() if s.abilities.several_audios and s.kind != "cascade"} == {
        "qwen-audio",
        "qwen2-audio",
    }


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_system_says_what_it_is_what_it_takes_and_what_was_run_of_it(name):
    file = shipped(f"systems/{name}.toml")
    told, system = tomllib.loads(file.read_text(encoding="utf-8")), load_systems()[name]
    for key in ("base_model", "size", "licence", "memory_gb", "verified"):
        assert told.get(key) not in (None, ""), key
    assert system.memory_source in ("stated", "estimated", "measured")
    assert re.search(r"\d", system.size)
    if system.kind == "recorded":  # nobody can run it: the reason is told in both languages
        assert all(system.note[language] for language in ("en", "zh"))


def test_a_system_served_elsewhere_is_the_same_system_as_the_one_that_runs_here():
    systems = load_systems()
    served = {name: systems[name.removesuffix("_served")] for name in systems if name.endswith("_served") and name.removesuffix("_served") in systems}  # fmt: skip
    assert len(served) == 6
    for name, own in served.items():
        told = systems[name]
        facts = (told.base_model, told.size, told.licence, told.weights)
        assert facts == (own.base_model, own.size, own.licence, own.weights), name
        assert told.papers == {}  # its times are not the paper's


#: Names of the reading's overview that are spelled otherwise, and its tools, which answer nothing.
SPELLED = {
    "VocalNet2-1.7B / 8B": ("vocalnet2_1_7b", "vocalnet2_8b"),
    "SALMONN-7B / 13B": ("salmonn_7b", "salmonn_13b"),
    "VocalNet-ML (qwen25-7B)": ("vocalnet_ml",),
    "Qwen-Audio(-Chat)": ("qwen_audio_chat",),
    "Cascade Whisper-v3 + Qwen3-8B + CosyVoice2": ("cascade_qwen3_8b",),
    "Whisper-large-v3 + Llama-3.1-8B": ("whisper_llama",),
}
TOOLS = ("UTMOS (main strong learner)", "UTMOS OOD model", "emotion2vec_plus_large", "Whisper-large-v3")


@needs_shared
def test_every_system_of_the_reading_is_declared():
    text = shared_file("systems.md").read_text(encoding="utf-8")
    overview = text[text.index("| System | Best route") : text.index("### 0.2")]
    names = [line.split("|")[1].strip() for line in overview.splitlines()[2:] if line.startswith("|")]
    assert len(names) == 27
    systems = load_systems()
    weights = {re.sub(r"[^a-z0-9]", "", system.weights.partition("/")[2].lower()) for system in systems.values()}
    for name in names:
        if name in SPELLED:
            assert set(SPELLED[name]) <= set(systems), name
        elif name not in TOOLS:
            plain = re.sub(r"[^a-z0-9]", "", name.lower())
            assert plain in weights or plain in {one.replace("_", "") for one in systems}, name
