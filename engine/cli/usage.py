"""What is wrong with a command line, in Chinese: the parser's own words for it are English."""

from __future__ import annotations

import re
import sys
from typing import Any

import typer

from engine.strings import text

_ABORTED = 1
#: Errors without a class of their own, by the parser's words for them.
_WORDED = (
    ("no_such_command", re.compile(r"No such command '(?P<name>.*)'\.")),
    ("too_many", re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((?P<name>.*)\)")),
)
#: Why a value will not do, by the parser's words for it; what is not here is told as it is.
_WHY = (
    ("no_integer", re.compile(r".*valid integer.*")),
    ("no_number", re.compile(r".*valid number.*")),
    ("too_small", re.compile(r".*greater than or equal to (?P<limit>[\d.]+).*")),
    ("too_large", re.compile(r".*less than or equal to (?P<limit>[\d.]+).*")),
    ("out_of_range", re.compile(r".*not in the range (?P<limit>.*)\.")),
    ("not_one_of", re.compile(r".*(?:is not one of|Input should be) (?P<limit>'.*)\.?")),
)


def run_in_chinese(app: typer.Typer) -> int:
    """Run ``app``; a command line that cannot be read is answered in Chinese on stderr. Returns the exit status."""
    try:
        status = app(standalone_mode=False)
    except typer.Abort:
        print(_said("aborted"), file=sys.stderr)
        return _ABORTED
    except Exception as error:
        if not hasattr(error, "format_message"):  # none of the parser's
            raise
        return _tell(error)
    return status if isinstance(status, int) else 0


def _tell(error: Any) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return int(error.exit_code)
    context = getattr(error, "ctx", None)
    if context is not None:
        usage = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
        print(_said("usage", usage=usage, command=context.command_path), file=sys.stderr)
    print(_said("wrong", what=_sentence(error)), file=sys.stderr)
    return int(error.exit_code)


def _sentence(error: Any) -> str:
    kind, name = type(error).__name__, _name(error)
    if kind == "MissingParameter":
        return _said("missing", name=name)
    if kind == "NoSuchOption":
        near = list(error.possibilities or ())
        return _said("no_such_option_near" if near else "no_such_option", name=error.option_name, near=near)
    if kind == "BadOptionUsage":
        return _said("needs_value", name=error.option_name)
    if kind == "BadParameter":
        return _said("invalid" if name else "invalid_alone", name=name, why=_why(error.message))
    message = error.format_message()
    for key, pattern in _WORDED:
        if found := pattern.fullmatch(message):
            return _said(key, name=found["name"])
    return str(message)


def _why(message: str) -> str:
    for key, pattern in _WHY:
        if found := pattern.fullmatch(message):
            return _said(key, **found.groupdict())
    return message


def _name(error: Any) -> str:
    hint, parameter = getattr(error, "param_hint", None), getattr(error, "param", None)
    if hint:
        return hint if isinstance(hint, str) else " / ".join(hint)
    return "" if parameter is None else str(parameter.get_error_hint()).strip("'")


def _said(key: str, **values: Any) -> str:
    return text(f"usage.said.{key}", "zh", **values)
