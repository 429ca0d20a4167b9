"""Random trees that the grammar can write."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.query.tree import AllOf, AnyOf, Bound, Condition, Given, Not, Pattern, Range, Words

NUMBERS = st.floats(-1000, 1000, allow_nan=False).map(lambda value: value + 0.0) | st.integers(-3, 50).map(float)
CHINESE = st.text("少林寺武术节气竹篮", min_size=1, max_size=4)
ENGLISH = st.sampled_from(["kung", "fu", "apple"])
WORDS = CHINESE | ENGLISH


def number_items():
    signs = st.sampled_from(["<", "<=", ">", ">="])
    alone = st.builds(Bound, signs, NUMBERS).map(lambda bound: (bound,))
    ends = st.tuples(NUMBERS, NUMBERS).map(sorted).map(tuple)
    ranges = (
        ends.map(lambda pair: Range(*pair))
        | NUMBERS.map(lambda n: Range(n, None))
        | NUMBERS.map(lambda n: Range(None, n))
    )
    listed = ranges | st.just(Given()) | NUMBERS.map(lambda number: Bound("=", number))
    return alone | st.lists(listed, min_size=1, max_size=3).map(tuple)


def names(values, quoted=True):
    bare = st.sampled_from(values).map(Pattern) | st.sampled_from([v[:3] + "*" for v in values]).map(Pattern)
    items = bare | st.just(Given())
    if quoted:
        items |= st.sampled_from([*values, 'a "b" \\', "", "c*d", "（x），"]).map(lambda v: Pattern(v, True))
    return st.lists(items, min_size=1, max_size=3).map(tuple)


TESTS = st.one_of(
    st.builds(Condition, st.sampled_from(["per", "error", "dnsmos", "length", "score", "human_score", "human_raters"]), number_items()),
    st.builds(Condition, st.sampled_from(["system"]), names(["one", "two", "one-b"])),
    st.builds(Condition, st.just("category"), names(["red", "blue"])),
    st.builds(Condition, st.just("state"), st.lists(st.sampled_from(["scored", "failed", "unscored"]).map(Pattern), min_size=1, max_size=2).map(tuple)),
    st.builds(Condition, st.sampled_from(["verdict", "speech"]), names(["right", "wrong"], quoted=False)),
    st.builds(Condition, st.just("mismatch"), names(["omission", "repetition", "none"], quoted=False).map(lambda items: tuple(i for i in items if i != Pattern("non*")) or (Given(),))),
    st.builds(Condition, st.just("faults"), names(["silent", "clipped"])),
    st.builds(Condition, st.just("human"), names(["pass", "fail"], quoted=False)),
    st.builds(Condition, st.just("rated_for"), names(["safety", "naturalness", "none"], quoted=False).map(lambda items: tuple(i for i in items if i != Pattern("non*")) or (Given(),))),
    st.builds(Condition, st.sampled_from(["flipped", "rated", "against_human"]), st.sampled_from(["yes", "no"]).map(lambda answer: (Pattern(answer),))),
    st.builds(Condition, st.just("tag"), names(["seen", "flat"])),
    st.builds(Condition, st.sampled_from(["question", "answer"]), st.lists(WORDS.map(Pattern), min_size=1, max_size=2).map(tuple)),
)  # fmt: skip
LEAVES = TESTS | WORDS.map(Words) | st.lists(WORDS, min_size=1, max_size=1).map(lambda w: Words(" ".join(w), True))


def _both(kind, other):
    def build(terms):
        flat = [inner for term in terms for inner in (term.terms if isinstance(term, kind) else (term,))]
        return kind(tuple(flat))

    return build


TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=2, max_size=3).map(_both(AllOf, AnyOf)),
        st.lists(inner, min_size=2, max_size=3).map(_both(AnyOf, AllOf)),
    ),
    max_leaves=8,
)
