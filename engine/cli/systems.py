"""``auricle systems``: which systems are declared, what each needs, one of your own, and a first word with one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.bring import bring_for_system
from engine.cli.console import FINDINGS, JsonOption, column, language, print_json, print_table
from engine.cli.options import with_options
from engine.cli.run import SystemChoice
from engine.strings import text

if TYPE_CHECKING:
    from engine.systems.declaration import SystemDeclaration
    from engine.systems.values import Ask, System

app = typer.Typer(help="List the systems, see what one needs, declare your own, try one.", no_args_is_help=True)
NameArgument = Annotated[str | None, typer.Argument(metavar="NAME", help="The system's id.")]
NameOption = Annotated[str | None, typer.Option("--system", help="The same.")]
DeclarationOption = Annotated[Path | None, typer.Option("--declaration", help="A file that declares it.")]


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """The declared systems, yours among them, and whether anybody has run them."""
    from engine.systems.declaration import load_systems

    systems = load_systems().values()
    if as_json:
        print_json([_told(system) for system in systems])
        return
    rows = [(s.id, s.kind, s.size or "—", said(s.modality), verified(s), s.title[language()]) for s in systems]
    headings = [column("system"), column("kind"), said("size"), said("answers_in"), said("verified"), column("title")]
    print_table("", headings, rows, words=len(headings))


@app.command()
def show(
    name: NameArgument = None,
    system_id: NameOption = None,
    declaration: DeclarationOption = None,
    as_json: JsonOption = False,
) -> None:
    """All that is declared of one system, and how to make its environment."""
    from engine.systems.declaration import declared_system

    system = declared_system(_named(name, system_id, declaration), declaration)
    if as_json:
        print_json(_told(system))
        return
    print(f"{system.id} {system.version} ({system.kind}): {system.title[language()]}\n")
    for label, value in _facts(system):
        print(f"  {label}: {value}")
    if note := system.note.get(language()):
        print(f"\n{note}\n")
    for name_of_part, part in {**system.parts, "": system.settings}.items():
        for key, value in part.items():
            print(f"  {name_of_part + '.' if name_of_part else ''}{key} = {value}")


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="Its id: small letters, digits, underscores.")],
    kind: Annotated[str, typer.Option("--kind", help="adapter or endpoint.")] = "adapter",
    folder: Annotated[Path | None, typer.Option("--folder", help="Where to write; else your own folder.")] = None,
) -> None:
    """Write a declaration to fill in, and an adapter's few lines of Python."""
    from engine.systems.drafts import DRAFTED, new_declaration

    if kind not in DRAFTED:
        raise typer.BadParameter(", ".join(DRAFTED), param_hint="--kind")
    files = new_declaration(name, kind, folder)
    for path in files:
        print(path)
    here = f" --declaration {files[0]}" if folder else ""
    print(said("drafted", command=f"auricle systems test {files[0].stem}{here}"))


@app.command("test")
@with_options
def try_system(
    chosen: SystemChoice,
    system_id: NameArgument = None,
    audio: Annotated[list[Path] | None, typer.Option("--audio", help="What it hears; else a shipped question.")] = None,
    words: Annotated[str, typer.Option("--text", help="What it reads in place of audio.")] = "",
    instruction: Annotated[str, typer.Option("--instruction", help="Words beside the audio.")] = "",
    out: Annotated[Path | None, typer.Option("--out", help="Write its sound to this file.")] = None,
) -> None:
    """Ask a system one thing and show what comes, when. Exit status 1 where nothing came."""
    import tempfile
    from dataclasses import replace

    from engine.runs.respond_request import named_system
    from engine.shipped import shipped
    from engine.systems.kinds import open_system
    from engine.systems.values import Ask, SpokenTurn

    options = chosen.options()
    declared = named_system(_named(system_id, chosen.system, chosen.declaration), chosen.declaration)
    bring_for_system(declared, options)
    usual = () if words else (shipped("data/sample/vocalbench_zh/audio/knowledge/chinese/0001.ogg"),)
    turn = SpokenTurn("user", words or None, tuple(audio or usual))
    ask = Ask("test", (turn,), instruction or None, time_limit_s=chosen.time_limit)
    with tempfile.TemporaryDirectory(prefix="auricle-test-") as scratch:
        began = time.perf_counter()
        system = open_system(declared, replace(options, scratch=Path(scratch)))
        print(said("loaded", seconds=time.perf_counter() - began))
        try:
            if not _shown(system, ask, Path(scratch), out):
                raise typer.Exit(FINDINGS)
        finally:
            system.close()


def _shown(system: System, ask: Ask, scratch: Path, out: Path | None) -> bool:
    """Print what comes as it comes; returns whether anything did."""
    import numpy as np

    from engine.audio.write import write_audio
    from engine.systems.adapting import adapted
    from engine.systems.values import AudioPiece, Finished, TextPiece

    put, changed = adapted(ask, system.abilities, scratch)
    sounds: list[Any] = []
    rate, words, flags = 0, "", list(changed)
    for piece in _each(system, put):
        if isinstance(piece, TextPiece):
            if not words:
                print(said("first_text", seconds=piece.after_s))
            words += piece.text
        elif isinstance(piece, AudioPiece):
            if not sounds:
                print(said("first_sound", seconds=piece.after_s))
            sounds, rate = [*sounds, piece.samples], piece.sample_rate_hz
        elif isinstance(piece, Finished):
            words, flags = piece.text or words, [*flags, *piece.adapted, *piece.flags]
    print(f"\n{words}\n")
    samples = np.concatenate(sounds) if sounds else np.zeros(0, np.float32)
    if len(samples):
        print(said("sound", seconds=len(samples) / rate, rate=rate))
        if out is not None:
            print(write_audio(out, samples, rate))
    if flags:
        print(said("flags", flags=list(dict.fromkeys(flags))))
    return bool(words.strip() or len(samples))


def _each(system: System, ask: Ask) -> Iterator[Any]:
    yield from system.respond(ask)


def _named(name: str | None, option: str | None, declaration: Path | None) -> str:
    """The system's id, wherever it was written."""
    if name is None and option is None and declaration is None:
        raise typer.BadParameter("a system's id, or --declaration", param_hint="NAME")
    return name or option or ""


def said(key: str, **values: Any) -> str:
    """One word or sentence about systems, in the user's language."""
    return text(f"systems.said.{key}", language(), **values)


def verified(system: SystemDeclaration) -> str:
    """What was really run of a system, in a few words."""
    return said("never_run") if system.verified is None else f"{system.verified.date}, {system.verified.device}"


def _facts(system: SystemDeclaration) -> Iterator[tuple[str, str]]:
    """What is known of a system, each with its label."""
    yield said("verified"), verified(system) + (f": {system.verified.what}" if system.verified else "")
    for key in ("base_model", "size", "licence", "weights", "revision"):
        if value := getattr(system, key):
            yield said(key), value
    yield said("answers_in"), said(system.modality)
    if system.memory_gb is not None:
        yield said("memory"), f"{system.memory_gb:g} GB ({system.memory_source})"
    for paper, name in system.papers.items():
        yield said("in_paper", paper=paper), name
    can = system.abilities
    claims = ("streaming", "text_history", "audio_history", "several_audios", "text_instruction")
    yield said("takes"), ", ".join(said(claim) for claim in claims if getattr(can, claim)) or "—"
    if can.longest_audio_s is not None:
        yield said("longest_audio"), f"{can.longest_audio_s:g} s"
    if can.languages:
        yield said("languages"), ", ".join(can.languages)


def _told(system: SystemDeclaration) -> dict[str, Any]:
    return {key: value for key, value in system.told().items() if key != "file"}
