"""Where a text that is still being written is cut, and what of it is read aloud."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.systems.cascade.sentences import Sentences, sayable
from engine.systems.cascade.spent import Spent


def cut(text: str, step: int = 1) -> list[str]:
    sentences = Sentences()
    found = [each for start in range(0, len(text), step) for each in sentences.add(text[start : start + step])]
    return [*found, *filter(None, [sentences.rest()])]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three", ["One. ", "Two! ", "Three"]),
        ("你好。今天好吗？好", ["你好。", "今天好吗？", "好"]),
        ("他说：“走。”然后走了。", ["他说：“走。”", "然后走了。"]),
        ("Pi is 3.14 or so. Yes.", ["Pi is 3.14 or so. ", "Yes."]),
        ("Dr. Li and Mr. Wu came. Good.", ["Dr. Li and Mr. Wu came. ", "Good."]),
        ("1. First thing. 2. Second", ["1. First thing. ", "2. Second"]),
        ("A line\n\nanother", ["A line\n\n", "another"]),
        ("What?! No...", ["What?! ", "No..."]),
        ("…… \n", ["…… \n"]),
        ("", []),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences
    assert cut(text, 3) == sentences
    assert cut(text, 1000) == sentences


@given(st.text(alphabet="ab. 。！\n,，1”", max_size=400), st.integers(1, 50))
def test_nothing_is_lost_and_the_pieces_it_came_in_do_not_matter(text: str, step: int) -> None:
    assert "".join(cut(text, step)) == text
    assert cut(text, step) == cut(text, 1000)


def test_a_text_without_an_end_is_cut_at_a_comma_or_blank() -> None:
    pieces = cut("word " * 200)
    assert len(pieces) > 3
    assert all(len(piece) <= 240 for piece in pieces)
    assert all(piece.endswith(" ") for piece in pieces)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**Bold** and `code`.", "Bold and code."),
        ("## A title", "A title"),
        ("- first\n- second", "first second"),
        ("See [the page](https://example.org).", "See the page."),
        ("2 * 3 is *six*", "2 3 is six"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("***", ""),
    ],
)
def test_signs_of_markdown_are_not_read_aloud(written: str, said: str) -> None:
    assert sayable(written) == said


def test_time_that_the_reader_takes_is_no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("engine.systems.cascade.spent.time.perf_counter", lambda: now[0])
    spent = Spent()

    def work():
        for _ in range(3):
            now[0] += 2.0
            yield None

    for _ in spent.each("part", work()):
        now[0] += 5.0
    assert spent.seconds == {"part": 6.0}
