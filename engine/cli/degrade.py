"""``auricle degrade``: clean speech made worse in the six ways of the robustness sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import (
    ExclusiveOption,
    WorkspaceOption,
    language,
    open_or_stop,
    print_table,
    said,
    stop_for_problems,
    underscored,
    watch,
)


def degrade(
    folder: Annotated[
        Path | None, typer.Argument(help="A folder of audio files; without it, a subset of the workspace.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="A new folder; json/ and audio/ are made in it.")] = Path(
        "degraded"
    ),
    benchmark: Annotated[str, typer.Option("--benchmark", help="The imported benchmark.")] = "vocalbench_zh",
    subset: Annotated[str, typer.Option("--subset", help="Its clean subset.")] = "robust_clean",
    kind: Annotated[
        list[str] | None, typer.Option("--kind", metavar="NAME", help="Only this interference; may be repeated.")
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option("--level", metavar="NAME", help="Only this level (snr_-5); may be repeated.")
    ] = None,
    headline: Annotated[bool, typer.Option("--headline", help="Only the six levels of the paper's Table 15.")] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change what the papers leave open: reverberation.tail=cut; may be repeated.",
        ),
    ] = None,
    noise: Annotated[
        Path | None, typer.Option("--noise", help="A folder of noise, in place of babble from the set's own clips.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same files.")] = 0,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only so many of the clean clips.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write into a folder that holds something.")] = False,
    show: Annotated[bool, typer.Option("--list", help="List interferences, levels and settings, and leave.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Add noise, reverberation, distance, packet loss or clipping to clean speech; the originals stay as they are."""
    from engine.degrade.declaration import chosen
    from engine.degrade.make import MANIFEST
    from engine.degrade.make import degrade as degraded
    from engine.degrade.sources import sources_of_folder, sources_of_subset

    kinds = [name.replace("-", "_") for name in kind or ()]
    wanted = chosen(kinds, level or (), setting or (), headline)
    if show:
        rows = [
            [entry.id, entry.title[language()], " ".join(level.name for level in entry.levels),
             " ".join(f"{name}={str(value).lower()}" for name, value in entry.settings.items())]
            for entry in wanted
        ]  # fmt: skip
        print_table("", ["id", "", "--level", "--set"], rows, words=4)
        return
    if folder is not None:
        sources = sources_of_folder(folder, limit)
    else:
        opened = open_or_stop(workspace, exclusive=exclusive)
        sources = sources_of_subset(opened, underscored(benchmark) or "", underscored(subset) or "", limit)
    work = degraded(sources, out, wanted, seed=seed, noise=noise, replace=replace, with_clean=folder is not None)
    done = watch(work, "degrade")
    print(said("degraded", count=done.count, conditions=done.conditions, path=out, manifest=out / MANIFEST))
    print(said("degraded_import", path=out))
    stop_for_problems(done.problems)
