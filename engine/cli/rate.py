"""``auricle rate``: sessions of blind ratings: planned, sent out as bundles, merged, read; and a bundle to be rated."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from engine.cli import rate_results, ratings
from engine.cli.console import (
    FINDINGS,
    ExclusiveOption,
    JsonOption,
    ReplaceOption,
    WorkspaceOption,
    language,
    open_or_stop,
    print_json,
    watch,
)
from engine.cli.rate_new import new
from engine.cli.rate_results import StudyArgument
from engine.cli.rating_words import (
    OWNERS_NAMES,
    headings,
    listed_name,
    print_sessions,
    print_studies,
    print_taken,
    said,
    session_said,
    shown_name,
)
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.store.raters import Rater
    from engine.store.studies import StudyRow

OutOption = Annotated[Path | None, typer.Option("--out", "-o", help="Where to write.")]


class _Group(TyperGroup):
    """Takes the name of a bundle in place of a command."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        first = args[0] if args else ""
        is_file = first.lower().endswith(".zip") or (not first.startswith("-") and Path(first).exists())
        if is_file and self.get_command(ctx, first) is None:
            args = ["open", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Group,
    help="Blind ratings by people: plan a session, send it out, merge what comes back, read the results."
    " `auricle rate BUNDLE.zip` opens a bundle to be rated.",
    no_args_is_help=True,
)
app.command("new")(new)
app.add_typer(ratings.app, name="ratings")
app.command("results")(rate_results.results)
app.command("quality")(rate_results.quality)
app.command("methods")(rate_results.methods)


@app.command("list")
def list_(as_json: JsonOption = False, workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """The rating sessions of the workspace, the newest first."""
    from engine.store.studies import studies_of

    with closing(open_or_stop(workspace, exclusive=exclusive).connect()) as db:
        studies = studies_of(db)
    if as_json:
        print_json([rate_results.study_told(study) for study in studies])
    else:
        print_studies(studies)


@app.command()
def show(
    study: StudyArgument,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """One session: who rates what under which protocol, and how far each is."""
    from dataclasses import asdict

    from engine.rating.leaks import LeakReport
    from engine.store.studies import sessions_of

    with closing(open_or_stop(workspace, exclusive=exclusive).connect()) as db:
        found = rate_results.study_named(db, study)
        sessions = sessions_of(db, study_id=found.id)
    if as_json:
        print_json(rate_results.study_told(found) | {"sessions": [asdict(session) for session in sessions]})
        return
    print_studies([found])
    print_sessions(sessions)
    if found.leaks and "cues" in found.leaks:
        from engine.cli.rating_words import print_leaks

        print_leaks([LeakReport.of(found.leaks)])


@app.command()
def raters(
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="NAME", help="Add a rater of this name; may be repeated.")
    ] = None,
    rater_language: Annotated[str, typer.Option("--language", help="That the rating screen speaks: zh or en.")] = "",
    again: Annotated[bool, typer.Option("--again", help="Add another person of a name that is there.")] = False,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """The people who rate here; add more."""
    from dataclasses import asdict

    from engine.cli.console import print_table
    from engine.store.raters import add_rater, owner_of, raters_of

    if again and not add:
        raise typer.BadParameter("--add", param_hint="--again")
    if rater_language not in ("", "zh", "en"):
        raise typer.BadParameter("zh, en", param_hint="--language")
    with closing(open_or_stop(workspace, exclusive=exclusive).connect(durable=True)) as db:
        owner_of(db)
        _check_names(add or (), [rater.name for rater in raters_of(db)], again)
        for name in add or ():
            made = add_rater(db, name, rater_language)
            told = "rater_added" if made.name == name.strip() else "rater_added_beside"
            print(said(told, name=made.name, wanted=name.strip()), file=sys.stderr)
        known = raters_of(db)
    if as_json:
        print_json([asdict(rater) for rater in known])
        return
    rows = [[listed_name(rater), rater.language or "—", rater.uid[:8]] for rater in known]
    print_table("", headings("rater", "language", "uid"), rows, words=3)


def _check_names(wanted: Sequence[str], known: Sequence[str], again: bool) -> None:
    """Refuse, before anybody is added, a word for the owner and, without ``again``, a name that is there."""
    taken = set(known)
    for name in map(str.strip, wanted):
        if name.lower() in OWNERS_NAMES:
            raise EngineError("rate_verb.owners_name", name=name)
        if name in taken and not again:
            raise EngineError("rate_verb.rater_there", name=name)
        taken.add(name)


@app.command()
def export(
    study: StudyArgument,
    rater: Annotated[
        list[str] | None,
        typer.Option("--rater", metavar="NAME", help="For this rater; may be repeated. Without it for each."),
    ] = None,
    out: OutOption = None,
    replace: ReplaceOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Write the bundle of a rater: one signed file with the sounds and questions, and nothing that tells a system."""
    from engine.rating.bundle.keys import fingerprint, own_key
    from engine.rating.bundle.make import make_bundle

    opened = open_or_stop(workspace, exclusive=exclusive)
    with closing(opened.connect()) as db:
        found = rate_results.study_named(db, study)
        chosen = rate_results.raters_in(db, found, rater)
    if out is not None and len(chosen) > 1 and out.suffix:
        raise typer.BadParameter(said("several_raters"), param_hint="--out")
    key = own_key()
    for who in chosen:
        name = rate_results.file_name(f"rating {found.id}", who.name, ".zip")  # a title may name systems
        target = Path(name) if out is None else out if out.suffix else out / name
        watch(make_bundle(opened, found.id, who.id, target, replace=replace, key=key), "bundle")
        size = target.stat().st_size / 1e6
        print(said("exported", study=found.id, rater=shown_name(who), megabytes=size, path=target))
    print(said("signed", fingerprint=fingerprint(key.public)))
    sayers = {entry["response_id"] for entry in (found.leaks or {}).get("name_sayers", ())}
    if sayers:
        print(said("names_said", count=len(sayers), study=found.id))


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What raters sent back.")],
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Take in what raters sent back: in any order, and twice does no more than once."""
    from engine.rating.bundle.results import merging

    opened = open_or_stop(workspace, exclusive=exclusive)
    is_clean, told = True, []
    for path in files:
        try:
            merged = watch(merging(opened, path), "merge", quiet=True)
        except EngineError as error:
            if len(files) == 1:
                raise
            print(error.sentence(language()), file=sys.stderr)
            is_clean = False
            continue
        taken = merged.taken
        is_clean = is_clean and not taken.refused and not taken.conflicts
        with closing(opened.connect()) as db:
            study = rate_results.study_named(db, merged.study)
        if as_json:
            told.append({"file": str(path), "number": study.id, **merged.declaration()})
            continue
        print(said("merged", path=path.name, study=session_said(study), signer=merged.signer))
        print_taken(taken)
    if as_json:
        print_json(told)
    if not is_clean:
        raise typer.Exit(FINDINGS)


@app.command()
def send(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="The bundle that was rated, or its folder.")],
    out: OutOption = None,
    replace: ReplaceOption = False,
) -> None:
    """Write what was rated in a bundle as one file to send back; the rating window has a button for it."""
    from engine.rating.bundle.open import opening
    from engine.rating.bundle.results import results_file
    from engine.store.workspace import open_workspace

    opened = open_workspace(bundle) if bundle.is_dir() else watch(opening(bundle), "bundle", quiet=True)
    target = out or bundle.with_name(f"{bundle.stem}-results.zip")
    print(said("sent", path=results_file(opened, target, replace=replace)))


@app.command()
def reveal(
    study: StudyArgument,
    reason: Annotated[str, typer.Option("--reason", help="Why; it is kept with the results.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; it cannot be taken back.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Let the letters of a session be resolved from now on; that is written down with the reason."""
    from engine.store.studies import disclose

    with closing(open_or_stop(workspace, exclusive=exclusive).connect(durable=True)) as db:
        found = rate_results.study_named(db, study)
        if not yes and reason.strip():
            _ask_to_reveal(found)
        disclose(db, found.id, reason)
    print(said("now_revealed", study=session_said(found)))


def _is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask_to_reveal(study: StudyRow) -> None:
    """Say how much is still to be rated, and ask; where nobody can be asked, refuse."""
    told = {"study": session_said(study), "left": study.planned - study.rated - study.skipped, "planned": study.planned}
    if not _is_somebody_there():
        raise EngineError("rate_verb.reveal_needs_yes", **told)
    typer.confirm(said("ask_reveal", **told), abort=True, err=True)


@app.command()
def adjudicate(
    study: StudyArgument,
    rater: Annotated[str, typer.Option("--rater", help="Who decides.")],
    gap: Annotated[int, typer.Option("--gap", help="Steps that two raters lie apart, at least.", min=1)] = 2,
    seed: Annotated[int, typer.Option("--seed", help="Of the order.")] = 0,
    again: Annotated[bool, typer.Option("--again", help="Though the same is open already.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Open a new blind session of what the raters disagree about; what was given stays as it is."""
    from engine.rating.exchange.adjudicate import adjudicate as opened_anew
    from engine.store.studies import sessions_of

    opened = open_or_stop(workspace, exclusive=exclusive)
    with closing(opened.connect(durable=True)) as db:
        found = rate_results.study_named(db, study)
        who: Rater = rate_results.rater_named(db, rater)
    title = said("disagreements", title=found.title)
    made = opened_anew(opened, found.id, who.id, min_gap=gap, seed=seed, title=title, again=again)
    with closing(opened.connect()) as db:
        count = sum(session.planned for session in sessions_of(db, study_id=made))
        told = session_said(rate_results.study_named(db, str(made)))
    print(said("adjudication", count=count, study=told, of=found.id, rater=shown_name(who)))


@app.command("open", hidden=True)
def open_(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="The .zip file that was sent, or its folder.")],
    signer: Annotated[
        str, typer.Option("--signer", help="The fingerprint that the sender told; another is refused.")
    ] = "",
) -> None:
    """Open a bundle in the rating window; what was rated before is found again."""
    from engine.rating.bundle.open import bundle_of, check_signer, opening

    folder = bundle if bundle.is_dir() else watch(opening(bundle, signer=signer), "bundle", quiet=True).folder
    known = bundle_of(folder)
    if known is None:
        raise EngineError("bundle.not_a_bundle", path=str(bundle))
    check_signer(bundle, known.signer, signer)
    print(said("opened", folder=folder, fingerprint=known.signer))
    _become([sys.executable, "-P", "-m", "gui", "--rate", str(folder)])


def _become(command: list[str]) -> None:
    """Let the window take this process's place, its signals and exit status; where that cannot be, wait for it."""
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    raise typer.Exit(subprocess.run(command, check=False).returncode)
