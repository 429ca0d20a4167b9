"""``auricle run``: ask a system the instances of a benchmark; every answer is written as it comes."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.asked import DryRunOption, RequestOption, asked_by, refusal_told
from engine.cli.bring import bring_for_system
from engine.cli.console import (
    FINDINGS,
    EventsOption,
    ExclusiveOption,
    SubsetOption,
    WorkspaceOption,
    open_derived,
    said,
    underscored,
    watch,
)
from engine.cli.options import (
    AllowDownloadOption,
    AllowPickleOption,
    OnlyBenchmarkOption,
    OnOption,
    RayAddressOption,
    RayResourceOption,
    WorkerCommandOption,
    WorkersOption,
    amounts,
    with_options,
)
from engine.cli.queue import LaterOption, put_in_queue
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.runs.respond import Responded
    from engine.runs.respond_plan import RespondPlan
    from engine.runs.respond_request import RespondRequest
    from engine.store.workspace import Workspace
    from engine.systems.values import Options


@dataclass(frozen=True, slots=True)
class AskedChoice:
    """Which instances a system is asked."""

    benchmark: OnlyBenchmarkOption = None
    subset: SubsetOption = None
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="NAME", help="Only this one; may be repeated.")
    ] = None
    where: Annotated[
        str | None,
        typer.Option("--where", help="Only instances that pass this filter, or whose answers do, e.g. 'per>0.05'."),
    ] = None
    limit: Annotated[int | None, typer.Option("--limit", help="The first so many instances.", min=1)] = None
    sample: Annotated[int | None, typer.Option("--sample", help="So many, drawn by --seed.", min=1)] = None
    seed: Annotated[int, typer.Option("--seed", help="Of the draw and of each answer.")] = 0
    repeat: Annotated[int, typer.Option("--repeat", help="Ask each so often, with other seeds.", min=1)] = 1
    shard: Annotated[str, typer.Option("--shard", help="Only the i-th of n parts, e.g. 1/4.")] = "1/1"
    again: Annotated[bool, typer.Option("--again", help="Ask again what failed or was not answered.")] = False


@dataclass(frozen=True, slots=True)
class SystemChoice:
    """Which system is asked, and how it is run."""

    system: Annotated[str | None, typer.Option("--system", help="A declared system; `auricle systems list`.")] = None
    declaration: Annotated[Path | None, typer.Option("--declaration", help="A file that declares it.")] = None
    name: Annotated[str, typer.Option("--name", help="Store its answers under this name.")] = ""
    weights: Annotated[str, typer.Option("--weights", help="A folder or hub id in place of the declared one.")] = ""
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1 or mps.")] = "auto"
    dtype: Annotated[str, typer.Option("--dtype", help="auto, float32, float16 or bfloat16.")] = "auto"
    attention: Annotated[str, typer.Option("--attention", help="auto, eager, sdpa or flash_attention_2.")] = "auto"
    quantisation: Annotated[str, typer.Option("--quantisation", help="none, int8 or int4.")] = "none"
    batch_size: Annotated[int, typer.Option("--batch-size", help="Asked together where it can.", min=1)] = 1
    allow_download: AllowDownloadOption = False
    allow_pickle: AllowPickleOption = False
    allow_remote_code: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-remote-code", metavar="REPOSITORY@REVISION", help="repository@revision whose own code may run."
        ),
    ] = None
    set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="key=value of the system's settings; may be repeated."),
    ] = None
    workers: WorkersOption = 1
    worker_command: WorkerCommandOption = None
    on: OnOption = "local"
    ray_address: RayAddressOption = ""
    ray_resource: RayResourceOption = None
    time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds for one answer.", min=0.1)] = 300.0
    longest_answer: Annotated[float, typer.Option("--longest-answer", help="Seconds of speech.", min=0.1)] = 600.0

    def options(self) -> Options:
        """How the system is run, as the engine takes it; code that was consented to for good is allowed too."""
        from engine.models.consent import trusted_code
        from engine.systems.values import Options

        return Options(
            device=self.device,
            dtype=self.dtype,
            attention=self.attention,
            quantisation=self.quantisation,
            batch_size=self.batch_size,
            weights=self.weights,
            allow_download=self.allow_download,
            allow_pickle=self.allow_pickle,
            allow_remote_code=(*trusted_code(), *(self.allow_remote_code or ())),
            settings=dict(map(_setting, self.set or ())),
        )


@with_options
def run(
    asked: AskedChoice,
    chosen: SystemChoice,
    resume: Annotated[int | None, typer.Option("--resume", help="Ask for what this run was asked.")] = None,
    later: LaterOption = False,
    dry_run: DryRunOption = False,
    request: RequestOption = None,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Ask a system; stopped or killed, the same command goes on from there. Exit status 1 when items failed."""
    from engine.runs.respond import respond_workspace
    from engine.runs.respond_plan import plan_respond
    from engine.runs.respond_request import RespondRequest

    with refusal_told(request):
        opened = open_derived(workspace, exclusive=exclusive)
        if request is not None:
            wanted = RespondRequest.from_told(asked_by(request))
        elif resume is not None:
            wanted = _resumed(opened, resume, again=asked.again)
        else:
            wanted = _request(asked, chosen)
        if dry_run:
            _tell_plan(plan_respond(opened, wanted), wanted)
            return
        if later:
            put_in_queue(opened, wanted)
            return
        bring_for_system(wanted.system, wanted.options, is_elsewhere=bool(wanted.commands))
        follower = sys.stdout if events else None
        work = respond_workspace(opened, wanted, follower, on_plan=lambda plan: _tell_plan(plan, wanted))
        with _all_lacking_told(wanted):
            done = watch(work, "run", quiet=events)
    _tell_responded(done)
    if done.failed or done.empty:
        raise typer.Exit(FINDINGS)


@contextmanager
def _all_lacking_told(request: RespondRequest) -> Iterator[None]:
    """Where the first package that lacks ends the run, name all that lack and the one line for them."""
    try:
        yield
    except EngineError as error:
        from engine.machine.readiness import lacking_packages

        is_here = request.place == "local" and not request.commands
        if not is_here or not {"package", "packages"} & error.values.keys():
            raise
        raise lacking_packages(request.system) or error from error


def _resumed(opened: Workspace, run: int, *, again: bool) -> RespondRequest:
    from engine.runs.respond_request import respond_request_of
    from engine.store.runs import run_of

    with closing(opened.connect()) as db:
        found = run_of(db, run)
    if found.kind != "respond":
        raise EngineError("runs.not_of_a_system", run=run)
    return respond_request_of(found, again=again)


def _request(asked: AskedChoice, chosen: SystemChoice) -> RespondRequest:
    from engine.runs.respond_request import RespondRequest, named_system

    if chosen.system is None and chosen.declaration is None:
        raise EngineError("systems.none_named")
    return RespondRequest(
        named_system(chosen.system or "", chosen.declaration),
        chosen.options(),
        chosen.name,
        underscored(asked.benchmark),
        tuple(underscored(name) or name for name in asked.subset or ()),
        tuple(asked.category or ()),
        asked.where or "",
        asked.limit,
        asked.sample,
        asked.seed,
        asked.repeat,
        _shard(asked.shard),
        asked.again,
        chosen.workers,
        chosen.time_limit,
        chosen.longest_answer,
        commands=tuple(tuple(shlex.split(command)) for command in chosen.worker_command or ()),
        place=chosen.on,
        address=chosen.ray_address,
        resources=amounts(chosen.ray_resource),
    )


def _setting(written: str) -> tuple[str, Any]:
    """``key=value``; a value that JSON can read is that, else text."""
    key, equals, value = written.partition("=")
    if not equals or not key:
        raise typer.BadParameter("key=value", param_hint="--set")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def _shard(written: str) -> tuple[int, int]:
    part, _, parts = written.partition("/")
    if not (part.isdigit() and parts.isdigit()):
        raise typer.BadParameter("1/4", param_hint="--shard")
    return int(part), int(parts)


def _tell_plan(plan: RespondPlan, request: RespondRequest) -> None:
    """Say on stderr what there is to do, before anything is done."""
    told = said("respond_plan", system=request.stored_as, count=len(plan.items), chosen=plan.chosen)
    print(told, file=sys.stderr)
    languages = ",".join(request.system.abilities.languages)
    for name in ("answered", "failed", "missing", "replaced", "other_languages"):
        if count := getattr(plan, name):
            print(said(f"respond_{name}", count=count, languages=languages), file=sys.stderr)
    if len(plan.by_subset) > 1:
        print("  " + "  ".join(f"{name} {count}" for name, count in plan.by_subset.items()), file=sys.stderr)
    if plan.items:
        minutes = "—" if plan.seconds is None else f"{plan.seconds / 60:.1f}"
        free = f"{plan.free_bytes / 1e9:.1f}"
        print(said("respond_needs", minutes=minutes, disk=f"{plan.byte_count / 1e9:.2f}", free=free), file=sys.stderr)


def _tell_responded(done: Responded) -> None:
    counts = {"answered": done.answered, "empty": done.empty, "failed": done.failed}
    print(said("responded", **counts), file=sys.stderr)
    for count, sentence in done.troubles.values():
        print(said("judge_trouble", count=count, why=sentence), file=sys.stderr)
