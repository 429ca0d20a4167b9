"""Options that several verbs have: each list is declared once, as a value that the verb takes whole."""

from __future__ import annotations

import functools
import inspect
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from engine.cli.console import SubsetOption, underscored
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.runs.judge_plan import JudgeOptions
    from engine.runs.measure import MeasureOptions
    from engine.store.plans import Chosen, Scope
    from engine.store.workspace import Workspace


WorkerCommandOption = Annotated[
    list[str] | None,
    typer.Option(
        "--worker-command", metavar="COMMAND", help="Start workers by this, e.g. 'ssh gpu1 auricle worker'; repeatable."
    ),
]
OnOption = Annotated[str, typer.Option("--on", help="Where the workers are: local, or ray.")]
RayAddressOption = Annotated[str, typer.Option("--ray-address", help="Of the Ray cluster; else the one there is.")]
RayResourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ray-resource",
        metavar="NAME=AMOUNT",
        help="NAME=AMOUNT that each worker needs there, e.g. GPU=1; may be repeated.",
    ),
]
WorkersOption = Annotated[int, typer.Option("--workers", help="So many at once.", min=1)]
AllowDownloadOption = Annotated[bool, typer.Option("--allow-download", help="Fetch a hub id's weights.")]
AllowPickleOption = Annotated[
    bool, typer.Option("--allow-pickle", help="Load weights in Python's pickle format: they can run any code.")
]
OnlyBenchmarkOption = Annotated[
    str | None, typer.Option("--benchmark", help="Only this benchmark, e.g. vocalbench-zh.")
]


def amounts(written: Sequence[str] | None) -> tuple[tuple[str, float], ...]:
    """``NAME=AMOUNT`` each as a pair."""
    found = []
    for entry in written or ():
        name, _, amount = entry.partition("=")
        if not name or not re.fullmatch(r"\d+(\.\d+)?", amount):
            raise typer.BadParameter("GPU=1", param_hint="--ray-resource")
        found.append((name, float(amount)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """Which answers a verb works on."""

    system: Annotated[
        list[str] | None, typer.Option("--system", metavar="NAME", help="Only this system; may be repeated.")
    ] = None
    benchmark: OnlyBenchmarkOption = None
    subset: SubsetOption = None
    where: Annotated[
        str | None, typer.Option("--where", help="Only answers that pass this filter, e.g. 'per>0.05 -tag:seen'.")
    ] = None
    ids: Annotated[
        str | None,
        typer.Option("--ids", help="Only these answers, by number: 12,15,18, or a file of them, or - for stdin."),
    ] = None
    by: Annotated[str, typer.Option("--by", help="Whose figures --where looks at: corrected or published.")] = (
        "corrected"
    )

    def scope(self, opened: Workspace, limit: int | None = None) -> Scope:
        """The scope; raises EngineError where the workspace has nothing of a name, or a filter cannot be read."""
        from engine.runs.scope import chosen_scope

        subsets = tuple(underscored(name) or name for name in self.subset or ())
        systems, benchmark = tuple(self.system or ()), underscored(self.benchmark)
        return chosen_scope(opened, systems, benchmark, subsets, limit, self._chosen())

    def _chosen(self) -> Chosen | None:
        from engine.store.plans import Chosen

        if self.by not in ("corrected", "published"):
            raise typer.BadParameter("corrected, published", param_hint="--by")
        if self.where is None and self.ids is None:
            return None
        method: Literal["published", "corrected"] = "published" if self.by == "published" else "corrected"
        return Chosen(self.where or "", method, None if self.ids is None else _numbers(self.ids))


@dataclass(frozen=True, slots=True)
class MeasureChoice:
    """What is measured, and with which recogniser."""

    recogniser: Annotated[str, typer.Option("--recogniser", help="faster-whisper, openai-whisper or transformers.")] = (
        "faster-whisper"
    )
    weights: Annotated[
        str, typer.Option("--weights", help="packaged, a folder or file of Whisper weights, or a hub id.")
    ] = "packaged"
    revision: Annotated[str | None, typer.Option("--revision", help="Commit or tag of a hub id.")] = None
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto"
    compute_type: Annotated[str, typer.Option("--compute-type", help="default, int8, float16, float32 …")] = "default"
    beam_size: Annotated[int, typer.Option("--beam-size", help="Hypotheses kept; 1 is greedy.", min=1)] = 5
    batch_size: Annotated[int, typer.Option("--batch-size", help="Windows decoded together.", min=1)] = 8
    word_times: Annotated[bool, typer.Option("--word-times/--no-word-times", help="When each word is said.")] = True
    allow_download: AllowDownloadOption = False
    allow_pickle: AllowPickleOption = False
    recognise: Annotated[bool, typer.Option("--recognise/--no-recognise", help="Recognise the speech.")] = True
    quality: Annotated[bool, typer.Option("--quality/--no-quality", help="Measure DNSMOS.")] = True
    limit: Annotated[int | None, typer.Option("--limit", help="At most so many clips of each kind.", min=1)] = None
    workers: WorkersOption = 1
    worker_command: WorkerCommandOption = None
    on: OnOption = "local"
    ray_address: RayAddressOption = ""
    ray_resource: RayResourceOption = None

    def options(self) -> MeasureOptions:
        """The same as the engine takes it."""
        from engine.runs.measure import MeasureOptions
        from engine.speech.values import RecogniserSpec

        spec = RecogniserSpec(
            backend=self.recogniser,
            weights=self.weights,
            revision=self.revision,
            compute_type=self.compute_type,
            device=self.device,
            batch_size=self.batch_size,
            beam_size=self.beam_size,
            word_times=self.word_times,
            allow_download=self.allow_download,
            allow_pickle=self.allow_pickle,
        )
        commands = self.worker_command or ()
        if len(commands) > 1:
            raise typer.BadParameter("ssh gpu1 auricle worker", param_hint="--worker-command")
        return MeasureOptions(
            spec,
            recognise=self.recognise,
            quality=self.quality,
            command=tuple(shlex.split(commands[0])) if commands else (),
            workers=self.workers,
            place=self.on,
            address=self.ray_address,
            resources=amounts(self.ray_resource),
        )


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """Who is asked, how, and for how much."""

    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible endpoint; else $AURICLE_JUDGE_BASE_URL.")
    ] = None
    model: Annotated[str | None, typer.Option("--model", help="Its model; else $AURICLE_JUDGE_MODEL.")] = None
    key_env: Annotated[str, typer.Option("--key-env", help="Environment variable that holds the key.")] = ""
    concurrency: Annotated[int, typer.Option("--concurrency", help="Calls at once, to start with.", min=1)] = 32
    time_limit: Annotated[float, typer.Option("--time-limit", help="Seconds for one call.", min=1)] = 120
    rubric_language: Annotated[
        str | None, typer.Option("--rubric-language", help="zh or en; else the instance's own.")
    ] = None
    judge: Annotated[
        list[str] | None, typer.Option("--judge", metavar="NAME", help="Only this judge; may be repeated.")
    ] = None
    repeats: Annotated[int, typer.Option("--repeats", help="Ask about each answer so many times.", min=1)] = 1
    budget: Annotated[float | None, typer.Option("--budget", help="The most to spend; needs both prices.")] = None
    max_calls: Annotated[int | None, typer.Option("--max-calls", help="The most calls to make.")] = None
    price_in: Annotated[float | None, typer.Option("--price-in", help="Price of a million tokens in.")] = None
    price_out: Annotated[float | None, typer.Option("--price-out", help="Price of a million tokens out.")] = None
    again: Annotated[bool, typer.Option("--again", help="Ask again where the reply could not be read.")] = False

    def options(self) -> JudgeOptions:
        """The same as the engine takes it; raises EngineError where a name means nothing."""
        from engine.judges.budget import Budget, Price
        from engine.judges.declaration import load_judges
        from engine.judges.endpoint import Endpoint
        from engine.runs.judge_plan import JudgeOptions
        from engine.strings import LANGUAGES

        if self.rubric_language not in (None, *LANGUAGES):
            raise typer.BadParameter("zh, en", param_hint="--rubric-language")
        for name in self.judge or ():
            if name not in load_judges():
                raise EngineError("runs.no_such_judge", judge=name, known=list(load_judges()))
        base_url = self.base_url or os.environ.get("AURICLE_JUDGE_BASE_URL")
        model = self.model or os.environ.get("AURICLE_JUDGE_MODEL")
        if (base_url is None) != (model is None):
            raise typer.BadParameter("--base-url and --model go together")
        endpoint = None
        if base_url is not None and model is not None:
            endpoint = Endpoint(
                base_url, model, self.key_env, concurrency=self.concurrency, time_limit_s=self.time_limit
            )
        has_price = self.price_in is not None and self.price_out is not None
        return JudgeOptions(
            endpoint,
            again=self.again,
            language=self.rubric_language,
            repeats=tuple(range(self.repeats)),
            budget=Budget(money=self.budget, calls=self.max_calls),
            price=Price(self.price_in or 0.0, self.price_out or 0.0) if has_price else None,
            judges=tuple(self.judge or ()),
        )


def _numbers(written: str) -> tuple[int, ...]:
    """Numbers with commas or blanks between them; ``written`` itself, a file's text, or stdin's."""
    text = written
    if written == "-":
        text = sys.stdin.read()
    elif not re.fullmatch(r"[\d\s,]*", written):
        try:
            text = Path(written).read_text(encoding="utf-8")
        except OSError as error:
            raise EngineError("runs.cannot_read", path=written, why=error.strerror or str(error)) from error
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not all(word.isdigit() for word in words):
        raise typer.BadParameter("12,15,18", param_hint="--ids")
    return tuple(int(word) for word in words)


def with_options(verb: Callable[..., None]) -> Callable[..., None]:
    """``verb`` as the command line calls it: a parameter that is a list of options becomes these options."""
    hints = get_type_hints(verb, include_extras=True)
    lists = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @functools.wraps(verb)
    def called(**given: Any) -> None:
        made = {name: _taken_out(kind, given) for name, kind in lists.items()}
        verb(**made, **given)

    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(verb).parameters.items():
        if name in lists:
            parameters += [_parameter(field, kind) for kind in (lists[name],) for field in fields(kind)]
        else:
            parameters.append(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints.get(name, parameter.annotation))
            )
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def _taken_out(kind: Any, given: dict[str, Any]) -> Any:
    return kind(**{field.name: given.pop(field.name) for field in fields(kind)})


def _parameter(option: Field[Any], kind: Any) -> inspect.Parameter:
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    default = inspect.Parameter.empty if option.default is MISSING else option.default
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[option.name]
    )
