"""Reads the tables that spreadsheets and scripts save (CSV, TSV), and writes CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.encodings import BROKEN_BYTE, read_text
from engine.benchmarks.values import Problem

Cell = str | int | float | bool | None
_SEPARATORS = ",;\t|"
_FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")  # what Excel, LibreOffice or Sheets may take for a formula
_GUARD = "'"
csv.field_size_limit(2**31 - 1)  # the default of 128 KiB refuses a long answer


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line of the file where it ends, from 1, and its cells by column name."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """The heading and the rows that hold anything; rows that cannot be read are problems."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    encoding: str
    separator: str


def read_table(path: Path, encoding: str | None = None, guarded: bool = False) -> Table:
    """Read a table with a heading: comma, semicolon, tab or bar; a ``sep=`` line; any encoding of ``read_text``.

    Blanks around column names go, cells stay as they are. Rows without any content are passed over; a row that is
    too short has empty cells at its end, as spreadsheets leave them out. An empty or undecodable file gives no columns
    and a problem, and so does a quotation mark that takes in the rows after it: none of them is read as text.

    Args:
        guarded: the file was written by ``write_table``, so a guarding apostrophe is taken off. Never set it for
            files from elsewhere: their apostrophes are text.
    """
    decoded = read_text(path, encoding)
    if decoded.text is None:
        return Table((), (), decoded.problems, decoded.encoding, ",")
    reader = _TableReader(path, decoded.text, guarded)
    rows = tuple(reader.rows())
    problems = (*decoded.problems, *reader.problems)
    if not reader.columns:
        problems = (*problems, Problem(path, "", "benchmarks.no_records"))
    return Table(reader.columns, rows, problems, decoded.encoding, reader.separator)


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write a CSV that spreadsheets open rightly (UTF-8 with its mark, CRLF) and do not run.

    Text that could be taken for a formula, or that begins with an apostrophe, gets an apostrophe before it, which
    ``read_table(..., guarded=True)`` takes off again. Numbers stay numbers; None and NaN are empty cells.
    """
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(written_row(columns))
        writer.writerows(written_row(row) for row in rows)


def written_row(cells: Iterable[Cell]) -> list[str]:
    """``cells`` as ``write_table`` writes them."""
    return [_written(cell) for cell in cells]


def guarded_text(text: str) -> str:
    """``text`` as a cell that no spreadsheet takes for a formula."""
    return _GUARD + text if text.startswith((_GUARD, *_FORMULA_STARTS)) else text


def unguarded_text(text: str) -> str:
    """What ``guarded_text`` was given."""
    is_guarded = text.startswith(_GUARD) and text[1:].startswith((_GUARD, *_FORMULA_STARTS))
    return text[1:] if is_guarded else text


def _written(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return guarded_text(cell) if isinstance(cell, str) else repr(cell)


class _TableReader:
    def __init__(self, path: Path, text: str, guarded: bool) -> None:
        self.problems: list[Problem] = []
        self.columns: tuple[str, ...] = ()
        self.separator, text, self._lines_before = _separator(text)
        self._lines = list(io.StringIO(text, newline=""))
        self._path, self._guarded = path, guarded

    def rows(self) -> Iterator[Row]:
        for first, line, cells in self._cells():
            if not any(cell.strip(" \t\r\n") for cell in cells):
                continue
            if not self.columns:
                self._take_heading(line, cells)
            elif self._holds_rows(cells):
                self._say_open_quote(first, line)
            elif (row := self._row(line, cells)) is not None:
                yield row

    def _cells(self) -> Iterator[tuple[int, int, list[str]]]:
        """The cells of each row, with the lines where it begins and ends."""
        reader = csv.reader(self._lines, delimiter=self.separator, strict=True)
        while True:
            first = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if reader.line_num > first:
                    self._say_open_quote(self._lines_before + first, self._lines_before + reader.line_num)
                else:
                    self._say(self._lines_before + reader.line_num, "broken_row", reason=str(error))
                continue
            yield self._lines_before + first, self._lines_before + reader.line_num, cells

    def _holds_rows(self, cells: list[str]) -> bool:
        """Whether a cell of several lines took in rows like its own: its quotation mark was closed by a later one."""
        own = _shape(cells[0])
        later = (line for cell in cells if "\n" in cell for line in cell.splitlines()[1:])
        return any(self._is_row(line) and _shape(line.split(self.separator)[0]) == own for line in later)

    def _is_row(self, line: str) -> bool:
        cells = line.split(self.separator)
        return len(cells) == len(self.columns) > 1 and not any(cell[:1].isspace() for cell in cells)

    def _say_open_quote(self, first: int, last: int) -> None:
        begins = first - 1 - self._lines_before
        opened = first + (_opened_at(self._lines[begins : last - self._lines_before], self.separator) or 0)
        self._say(opened, "open_quote", lines=last - opened)

    def _take_heading(self, line: int, cells: list[str]) -> None:
        names = [unguarded_text(cell.strip()) if self._guarded else cell.strip() for cell in cells]
        while names and not names[-1]:
            names.pop()
        self.columns = tuple(names)
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            self._say(line, "repeated_column", kept=True, column=name)

    def _row(self, line: int, cells: list[str]) -> Row | None:
        if any(cells[len(self.columns) :]):
            self._say(line, "extra_cells", cells=len(cells), columns=len(self.columns))
            return None
        if any(BROKEN_BYTE.search(cell) for cell in cells):
            self._say(line, "broken_cell")
            return None
        found: dict[str, str] = {}
        for number, name in enumerate(self.columns):
            cell = cells[number] if number < len(cells) else ""
            found.setdefault(name, unguarded_text(cell) if self._guarded else cell)
        return Row(line, found)

    def _say(self, line: int, code: str, *, kept: bool = False, **values: object) -> None:
        self.problems.append(Problem(self._path, f"line {line}", f"benchmarks.{code}", values, kept))


def _opened_at(lines: Sequence[str], separator: str) -> int | None:
    """The line, from 0, where a quotation mark opens that no separator or line's end follows when it is closed."""
    quoted = re.compile(rf'"(?:[^"]|"")*+"(?=[{re.escape(separator)}\r\n]|\Z)')
    plain = re.compile(rf"[^{re.escape(separator)}\r\n]*")
    text, place = "".join(lines), 0
    while place < len(text):
        found = (quoted if text[place] == '"' else plain).match(text, place)
        if found is None:
            return len(io.StringIO(text[: place + 1], newline="").readlines()) - 1
        place = found.end() + 1
    return None


def _shape(cell: str) -> str:
    """What cells of one column have in common: ``knowledge-0007`` and ``knowledge-12`` are alike."""
    return re.sub(r"\d+", "0", cell)


def _separator(text: str) -> tuple[str, str, int]:
    """The separator, the text without a ``sep=`` line, and how many lines that took away."""
    first, _, rest = text.partition("\n")
    mark = first.rstrip("\r").strip('"')
    if mark.lower().startswith("sep=") and len(mark) == len("sep=;"):
        return mark[-1], rest, 1
    heading = next((line for line in text.splitlines() if line.strip()), "")
    outside_quotes = "".join(heading.split('"')[::2])
    return max(_SEPARATORS, key=outside_quotes.count), text, 0
