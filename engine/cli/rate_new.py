"""``auricle rate new``: plans a rating session, shows its size and whether it is blind, and makes it."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from engine.cli.console import (
    FINDINGS,
    ExclusiveOption,
    JsonOption,
    WorkspaceOption,
    language,
    open_or_stop,
    print_json,
)
from engine.cli.console import watch as watched
from engine.cli.options import with_options
from engine.cli.rate_systems import LeftOut, lacking, sharing
from engine.cli.rating_words import print_leaks, print_plan, said
from engine.errors import EngineError
from engine.progress import Progress
from engine.strings import LANGUAGES

if TYPE_CHECKING:
    from engine.rating.design import Design, Known, StudyPlan
    from engine.rating.leaks import LeakReport
    from engine.store.raters import Rater
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ItemChoice:
    """Which items are rated, of which systems, and how they are drawn."""

    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system", metavar="NAME", help="Whose answers; may be repeated. Without it of all that share questions."
        ),
    ] = None
    where: Annotated[str, typer.Option("--where", help="Only answers that pass this filter, as in Audit.")] = ""
    playlist: Annotated[
        str | None, typer.Option("--playlist", help="A playlist by its name, or a file with one uid a line.")
    ] = None
    items: Annotated[int | None, typer.Option("--items", help="How many are drawn; else all there are.", min=1)] = None
    selection: Annotated[
        str, typer.Option("--selection", help="random, stratified or manual (everything that was chosen).")
    ] = "random"
    stratum: Annotated[
        list[str] | None,
        typer.Option("--stratum", metavar="NAME", help="verdict, subset or category; may be repeated."),
    ] = None
    add_random: Annotated[
        int, typer.Option("--add-random", help="Beside items picked by hand, so many drawn at random.", min=0)
    ] = 0
    frame: Annotated[str, typer.Option("--frame", help="The filter of what those are drawn from.")] = ""
    by: Annotated[str, typer.Option("--by", help="Whose verdicts: corrected or published.")] = "corrected"


@dataclass(frozen=True, slots=True)
class HoldChoice:
    """Who rates, under which protocols, and how it is held."""

    protocol: Annotated[
        list[str] | None,
        typer.Option("--protocol", metavar="NAME", help="A pass of its own each, in this order; may be repeated."),
    ] = None
    rater: Annotated[
        list[str] | None,
        typer.Option("--rater", metavar="NAME", help="By name; may be repeated. Without it you alone."),
    ] = None
    ratings_per_item: Annotated[int, typer.Option("--ratings-per-item", help="Raters of an item.", min=1)] = 1
    overlap: Annotated[int, typer.Option("--overlap", help="Items that every rater rates.", min=0)] = 0
    repeats_share: Annotated[
        float | None, typer.Option("--repeats", help="Hidden repeats as a share of 1.", min=0.0, max=0.5)
    ] = None
    against: Annotated[str, typer.Option("--against", help="Of comparisons: with whom each other is compared.")] = ""
    pairs_per_item: Annotated[
        int | None, typer.Option("--pairs-per-item", help="Of comparisons: pairs on one item; else all.", min=1)
    ] = None
    spoken_traps: Annotated[
        bool, typer.Option("--spoken-traps", help="Make trap clips in which the packaged voice asks for a key.")
    ] = False
    known: Annotated[
        Path | None, typer.Option("--known", help="CSV of answers with a known rating: use, protocol, uid, expected.")
    ] = None
    trim: Annotated[bool, typer.Option("--trim", help="Leave out silence before and after, on playback.")] = False
    gain: Annotated[
        str | None, typer.Option("--gain", help="per_system, per_clip or none; else as the protocol says.")
    ] = None
    protocol_language: Annotated[str | None, typer.Option("--language", help="Of the protocols: zh or en.")] = None
    title: Annotated[str, typer.Option("--title", help="Shown to raters here; bundles leave it out.")] = ""
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same plan.")] = 0


@with_options
def new(
    choice: ItemChoice,
    hold: HoldChoice,
    yes: Annotated[bool, typer.Option("--yes", help="Make it; without this it is only shown.")] = False,
    leaks: Annotated[bool, typer.Option("--leaks/--no-leaks", help="Check what else tells the systems.")] = True,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Plan a session: its size, time and precision, and whether it is blind; with --yes make it."""
    opened = open_or_stop(workspace, exclusive=exclusive)
    design, raters = _design(opened, choice, hold)
    left_out: tuple[LeftOut, ...] = ()
    if not design.systems:
        design, left_out = sharing(opened, design)
        for one in left_out:
            print(one.sentence(language()), file=sys.stderr)
    try:
        plan, report = watched(_checked(opened, design, leaks), "design")
    except EngineError as error:
        if error.code != "rating.none_rateable":
            raise
        raise lacking(opened, design) from error
    if not as_json:
        print_plan(plan, raters)
        print_leaks([] if report is None else [report])
    made = None
    if yes:
        from engine.rating.create import creating_study

        made = watched(creating_study(opened, plan, None if report is None else report.declaration()), "design")
    if as_json:
        told = {"study": made, "systems_left_out": [asdict(one) for one in left_out]}
        print_json(_told(plan, report) | told)
    else:
        print(said("not_made") if made is None else said("made", study=made, title=design.title))
    if report is not None and report.is_leaking:
        raise typer.Exit(FINDINGS)


def _check_words(choice: ItemChoice, hold: HoldChoice) -> None:
    """An option that takes one of a few words is held to them."""
    for option, given, allowed in (
        ("--selection", [choice.selection], ("random", "stratified", "manual")),
        ("--stratum", choice.stratum or [], ("verdict", "subset", "category")),
        ("--by", [choice.by], ("corrected", "published")),
        ("--gain", [] if hold.gain is None else [hold.gain], ("per_system", "per_clip", "none")),
        ("--language", [] if hold.protocol_language is None else [hold.protocol_language], LANGUAGES),
    ):
        if not set(given) <= set(allowed):
            raise typer.BadParameter(", ".join(allowed), param_hint=option)


def _design(opened: Workspace, choice: ItemChoice, hold: HoldChoice) -> tuple[Design, tuple[Rater, ...]]:
    from engine.cli.rate_results import rater_named
    from engine.rating.design import Design
    from engine.rating.protocols import load_protocol
    from engine.store.raters import owner_of

    _check_words(choice, hold)
    spoken = hold.protocol_language or language()
    protocols = tuple(name.replace("-", "_") for name in hold.protocol or ())
    titles = [load_protocol(name, spoken).title for name in protocols]
    with closing(opened.connect(durable=True)) as db:
        owner = owner_of(db)
        raters = tuple(rater_named(db, name) for name in hold.rater or ()) or (owner,)
    known = _known(opened, hold.known)
    design = Design(
        title=hold.title or " · ".join(titles) or "-",
        protocols=protocols,
        language=spoken,
        raters=tuple(rater.id for rater in raters),
        chosen=_chosen(opened, choice),
        systems=tuple(choice.system or ()),
        items=choice.items,
        selection=cast(Any, choice.selection),
        strata=cast(Any, tuple(choice.stratum or ("verdict",))),
        added_random=choice.add_random,
        frame=choice.frame,
        ratings_per_item=hold.ratings_per_item,
        overlap=hold.overlap,
        repeats_share=hold.repeats_share,
        against=hold.against,
        pairs_per_item=hold.pairs_per_item,
        spoken_traps=hold.spoken_traps,
        trim=hold.trim,
        gain=cast(Any, hold.gain),
        method="published" if choice.by == "published" else "corrected",
        seed=hold.seed,
        gold=known.get("gold", ()),
        traps=known.get("traps", ()),
        training=known.get("training", ()),
    )
    return design, raters


def _chosen(opened: Workspace, choice: ItemChoice) -> Any:
    from engine.export.choice import chosen_from
    from engine.query.selection import Selection

    if choice.playlist is None:
        return Selection(choice.where)
    with closing(opened.connect()) as db:
        return Selection(choice.where, chosen_from(db, choice.playlist).ids)


def _known(opened: Workspace, path: Path | None) -> dict[str, tuple[Known, ...]]:
    if path is None:
        return {}
    from engine.rating.exchange.known_answers import read_known

    with closing(opened.connect()) as db:
        return read_known(db, path)


def _checked(
    opened: Workspace, design: Design, leaks: bool
) -> Generator[Progress, None, tuple[StudyPlan, LeakReport | None]]:
    """The plan, and the leak check of what would be rated: of passes that perceive differently, the worst."""
    from engine.rating.create import plan_study
    from engine.rating.leaks import check_leaks

    plan = yield from plan_study(opened, design)
    found: list[LeakReport] = []
    if leaks and len(plan.counts.systems) > 1:
        for protocol in {protocol.perceived: protocol for protocol in plan.protocols}.values():
            answers = plan.response_ids
            found.append((yield from check_leaks(opened, answers, protocol, fixes=plan.fixes, seed=design.seed)))
    return plan, max(found, key=_how_bad) if found else None


def _how_bad(report: LeakReport) -> tuple[bool, float]:
    return report.is_leaking, (report.guess_rate or 0.0) - (report.chance or 0.0)


def _told(plan: StudyPlan, report: LeakReport | None) -> dict[str, Any]:
    return {
        "title": plan.design.title,
        "counts": asdict(plan.counts),
        "loads": [asdict(load) for load in plan.loads],
        "precision": [asdict(entry) for entry in plan.precision],
        "strata": {name: list(counts) for name, counts in plan.strata.items()},
        "warnings": [
            {"name": one.name, "values": dict(one.values), "sentence": one.sentence(language())}
            for one in plan.warnings
        ],
        "leaks": None if report is None else report.declaration() | {"is_leaking": report.is_leaking},
        "protocols": _protocols(plan.protocols),
    }


def _protocols(protocols: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"id": one.id, "version": one.version, "language": one.language, "sha256": one.sha256} for one in protocols]
