"""``auricle measure``: recognise, error rates, speech quality, timing; each computed once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    FINDINGS,
    BenchmarkOption,
    EventsOption,
    ExclusiveOption,
    SubsetOption,
    SystemOption,
    WorkspaceOption,
    derived,
    open_or_stop,
    said,
    underscored,
    watch,
)

if TYPE_CHECKING:
    from engine.runs.measure import Measured


def measure(
    recogniser: Annotated[
        str, typer.Option("--recogniser", help="faster-whisper, openai-whisper or transformers.")
    ] = "faster-whisper",
    weights: Annotated[
        str, typer.Option("--weights", help="packaged, a folder or file of Whisper weights, or a hub id.")
    ] = "packaged",
    revision: Annotated[str | None, typer.Option("--revision", help="Commit or tag of a hub id.")] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    compute_type: Annotated[str, typer.Option("--compute-type", help="default, int8, float16, float32 …")] = "default",
    beam_size: Annotated[int, typer.Option("--beam-size", help="Hypotheses kept; 1 is greedy.", min=1)] = 5,
    batch_size: Annotated[int, typer.Option("--batch-size", help="Windows decoded together.", min=1)] = 8,
    word_times: Annotated[bool, typer.Option("--word-times/--no-word-times", help="When each word is said.")] = True,
    allow_download: Annotated[bool, typer.Option("--allow-download", help="Fetch a hub id's weights.")] = False,
    allow_pickle: Annotated[
        bool, typer.Option("--allow-pickle", help="Load weights in Python's pickle format: they can run any code.")
    ] = False,
    recognise: Annotated[bool, typer.Option("--recognise/--no-recognise", help="Recognise the speech.")] = True,
    quality: Annotated[bool, typer.Option("--quality/--no-quality", help="Measure DNSMOS.")] = True,
    limit: Annotated[int | None, typer.Option("--limit", help="At most so many clips of each kind.", min=1)] = None,
    system: SystemOption = None,
    benchmark: BenchmarkOption = None,
    subset: SubsetOption = None,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Measure what is not measured yet; exit status 1 when clips failed."""
    from engine.runs.measure import MeasureOptions, measure_workspace
    from engine.runs.scope import chosen_scope
    from engine.speech.values import RecogniserSpec

    opened = derived(open_or_stop(workspace, exclusive=exclusive))
    subsets = tuple(underscored(name) or name for name in subset or ())
    scope = chosen_scope(opened, system, underscored(benchmark), subsets, limit)
    spec = RecogniserSpec(
        backend=recogniser,
        weights=weights,
        revision=revision,
        compute_type=compute_type,
        device=device,
        batch_size=batch_size,
        beam_size=beam_size,
        word_times=word_times,
        allow_download=allow_download,
        allow_pickle=allow_pickle,
    )
    options = MeasureOptions(spec, recognise=recognise, quality=quality)
    done = watch(measure_workspace(opened, scope, options, sys.stdout if events else None), "measure", quiet=events)
    tell_measured(done)
    if done.failed:
        raise typer.Exit(FINDINGS)


def tell_measured(done: Measured) -> None:
    """Say what a measuring run did, on stderr."""
    print(
        said(
            "measured",
            read=done.read,
            recognised=done.recognised,
            measured=done.measured,
            compared=done.compared,
            failed=done.failed,
        ),
        file=sys.stderr,
    )
    for count, sentence in done.troubles.values():
        print(said("judge_trouble", count=count, why=sentence), file=sys.stderr)
