"""``auricle rate ratings``: ratings to and from tables, JSON lines and Label Studio."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli import rate_results
from engine.cli.console import (
    FINDINGS,
    ExclusiveOption,
    ForBenchmarkOption,
    ReplaceOption,
    WorkspaceOption,
    language,
    open_or_stop,
    underscored,
    watch,
)
from engine.cli.rating_words import print_some, print_taken, said, session_said, shown_name
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.store.studies import StudyRow
    from engine.store.workspace import Workspace

app = typer.Typer(help="Ratings to and from other programs.", no_args_is_help=True)
FORMS = ("csv", "jsonl", "label-studio")
StudyArgument = Annotated[str | None, typer.Argument(metavar="[STUDY]", help="Its number, title or uid; else all.")]


@app.command()
def export(
    study: StudyArgument = None,
    form: Annotated[str, typer.Option("--format", "-f", help="csv, jsonl or label-studio.")] = "csv",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file; of label-studio a new folder.")] = None,
    rater: Annotated[
        list[str] | None, typer.Option("--rater", metavar="NAME", help="Of label-studio: whose tasks.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Ratings that were rated over or taken back too.")] = False,
    with_ratings: Annotated[
        bool, typer.Option("--with-ratings", help="Of label-studio: what was rated here goes along as annotations.")
    ] = False,
    address: Annotated[
        str | None, typer.Option("--address", help="Of label-studio: what stands before a clip's file name.")
    ] = None,
    replace: ReplaceOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Write ratings; systems stay sealed in the file while the letters are."""
    from engine.rating.exchange.export import export_ratings

    if form not in FORMS:
        raise typer.BadParameter(", ".join(FORMS), param_hint="--format")
    opened = open_or_stop(workspace, exclusive=exclusive)
    with closing(opened.connect()) as db:
        found = None if study is None else rate_results.study_named(db, study)
    if form == "label-studio":
        if found is None:
            raise typer.BadParameter("STUDY", param_hint="STUDY")
        _export_tasks(opened, found, rater, out, address=address, with_ratings=with_ratings)
        return
    path = out or Path(f"ratings.{form}")
    study_id = None if found is None else found.id
    done = export_ratings(
        opened, path, "csv" if form == "csv" else "jsonl", study_id=study_id, with_history=history, replace=replace
    )
    whole = {"count": done.ratings, "path": done.path}
    print(said("ratings_written", **whole) if found is None else said("ratings_of", study=session_said(found), **whole))
    if done.sealed:
        print(said("ratings_sealed", count=done.sealed))


def _export_tasks(
    opened: Workspace,
    study: StudyRow,
    raters: list[str] | None,
    out: Path | None,
    *,
    address: str | None,
    with_ratings: bool,
) -> None:
    """A folder of Label Studio's tasks for each rater."""
    from engine.rating.exchange.label_studio import export_label_studio

    with closing(opened.connect()) as db:
        chosen = rate_results.raters_in(db, study, raters)
    for who in chosen:
        name = rate_results.file_name(f"rating {study.id}", who.name, "")
        folder = (out or Path()) / name if out is None or len(chosen) > 1 else out
        work = export_label_studio(opened, study.id, who.id, folder, address=address, with_ratings=with_ratings)
        watch(work, "bundle")
        print(said("label_studio", study=study.id, rater=shown_name(who), path=folder))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="CSV or JSONL: rater, Qid, scale, value, …; or Label Studio's JSON.")],
    system: Annotated[str | None, typer.Option("--system", help="Whose answers, where the file does not say.")] = None,
    benchmark: ForBenchmarkOption = "vocalbench_zh",
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="A rating protocol whose scales and steps the values are.")
    ] = None,
    scale: Annotated[str | None, typer.Option("--scale", help="Of a file without such a column.")] = None,
    title: Annotated[str, typer.Option("--title", help="Of the session they are kept in; else the file's name.")] = "",
    annotator: Annotated[
        str | None, typer.Option("--annotator", help="Of Label Studio: whose annotations, by e-mail or number.")
    ] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Of the file, where it does not tell it.")] = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Take in ratings that were given elsewhere; the same file again does nothing."""
    from engine.rating.exchange.reading import read_ratings
    from engine.rating.exchange.take import take_ratings

    if not file.is_file():
        raise EngineError("exchange.no_such_file", path=str(file))
    opened = open_or_stop(workspace, exclusive=exclusive)
    data = _label_studio_data(file)
    if data is not None and "assignment" in data:
        _take_annotations(opened, file, annotator)
        return
    if data is not None:
        from engine.rating.exchange.foreign_annotations import read_foreign_annotations

        read = read_foreign_annotations(file)
    else:
        read = watch(read_ratings(file, encoding, scale), "read", quiet=True)
    taken = watch(
        take_ratings(
            opened,
            file,
            read.ratings,
            system=system,
            benchmark=underscored(benchmark) or benchmark,
            protocol=underscored(protocol),
            language=language(),
            title=title,
            skips=read.skips,
        ),
        "import",
        quiet=True,
    )
    print(said("ratings_taken", added=taken.added, same=taken.same, raters=len(taken.raters)))
    if taken.skips:
        print(said("skips_taken", count=taken.skips))
    with closing(opened.connect()) as db:
        for number in taken.studies:
            print(said("ratings_stand_in", study=session_said(rate_results.study_named(db, str(number)))))
    problems = (*read.problems, *taken.problems)
    print_some([problem.sentence(language()) for problem in problems])
    if any(not problem.kept for problem in problems):
        raise typer.Exit(FINDINGS)


def _take_annotations(opened: Workspace, file: Path, annotator: str | None) -> None:
    from engine.rating.exchange.annotations import take_annotations

    taken = take_annotations(opened, file, annotator=annotator)
    print(said("annotations_taken", count=taken.annotations))
    has_trouble = print_taken(taken.taken)
    print_some([problem.sentence(language()) for problem in taken.problems])
    if has_trouble or taken.problems:
        raise typer.Exit(FINDINGS)


def _label_studio_data(file: Path) -> dict[str, Any] | None:
    """The data of the first task of a Label Studio export; None for any other file."""
    if file.suffix.lower() != ".json":
        return None
    try:
        tasks = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    data = first.get("data") if isinstance(first, dict) else None
    return data if isinstance(data, dict) else None
