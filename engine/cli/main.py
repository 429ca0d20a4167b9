"""The ``auricle`` command: the table of verbs. Their files import little; each body imports what it needs."""

from __future__ import annotations

import sys

import typer

from engine.cli import (
    check,
    degrade,
    doctor,
    export,
    flips,
    import_,
    judge,
    judges,
    makers,
    measure,
    merge,
    models,
    open_,
    pack,
    published,
    queue,
    rate,
    report,
    run,
    sample,
    score,
    store,
    systems,
    work,
    worker,
)
from engine.cli.console import UNUSABLE_INPUT, language, said
from engine.errors import EngineError

#: Every verb: its name, and its command (a function) or its group of commands (a Typer).
VERBS = (
    ("sample", sample.sample),
    ("import", import_.app),
    ("check", check.check),
    ("run", run.run),
    ("measure", measure.measure),
    ("judge", judge.judge),
    ("score", score.score),
    ("flips", flips.flips),
    ("makers", makers.makers),
    ("work", work.work),
    ("queue", queue.app),
    ("report", report.report),
    ("pack", pack.pack),
    ("merge", merge.merge),
    ("degrade", degrade.degrade),
    ("export", export.export),
    ("rate", rate.app),
    ("published", published.app),
    ("judges", judges.app),
    ("doctor", doctor.doctor),
    ("models", models.app),
    ("systems", systems.app),
    ("store", store.app),
    ("worker", worker.worker),
    ("open", open_.open_window),
)

BUG = 70  # exit status, as sysexits.h has it for an internal error

app = typer.Typer(
    name="auricle",
    help="Evaluate speech-interaction systems: measure, judge, listen, and know how far to trust the score.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _verb in VERBS:
    if isinstance(_verb, typer.Typer):
        app.add_typer(_verb, name=_name)
    else:
        app.command(name=_name)(_verb)


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        from engine import __version__

        print(f"auricle {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; what stands in the user's way becomes one sentence on stderr and exit status 2."""
    try:
        if language() == "zh":
            from engine.cli.usage import run_in_chinese

            sys.exit(run_in_chinese(app))
        app()
    except EngineError as error:
        print(error.sentence(language()), file=sys.stderr)
        sys.exit(UNUSABLE_INPUT)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as bug:  # noqa: BLE001 - the one place where a bug meets the user: its traceback goes to a file
        print(said("bug", kind=type(bug).__name__, path=_kept_traceback(bug)), file=sys.stderr)
        sys.exit(BUG)


def _kept_traceback(bug: Exception) -> str:
    import traceback

    from platformdirs import user_log_path

    from engine.clock import utc_text

    folder = user_log_path("auricle", appauthor=False, ensure_exists=True)
    path = folder / f"bug-{utc_text()[:19].replace(':', '')}.txt"
    path.write_text("".join(traceback.format_exception(bug)), encoding="utf-8")
    return str(path)


if __name__ == "__main__":
    main()
