"""Differences of texts, in rows."""

from hypothesis import given
from hypothesis import strategies as st

from iwtui.tui.widgets.diffing import COMPARED, CONTEXT, Row, diff, folded, paired

texts = st.lists(st.sampled_from("abcd"), max_size=30)


@given(texts, texts)
def test_each_line_stands_in_the_rows_once_and_in_order(before: list[str], after: list[str]) -> None:
    for rows in (diff(before, after), paired(diff(before, after))):
        assert [row.old for row in rows if row.old is not None] == list(range(len(before)))
        assert [row.new for row in rows if row.new is not None] == list(range(len(after)))


@given(texts, texts)
def test_what_is_called_unchanged_is_equal(before: list[str], after: list[str]) -> None:
    for row in diff(before, after):
        if row.sign == " ":
            assert row.old is not None
            assert row.new is not None
            assert before[row.old] == after[row.new]


@given(texts, texts)
def test_folding_leaves_out_only_unchanged_rows_and_unfolding_brings_them_back(before: list[str], after: list[str]) -> None:
    rows = diff(before, after)
    short = folded(rows)
    assert [row for row in short if row.sign in "+-"] == [row for row in rows if row.sign in "+-"]
    assert sum(row.folded or 1 for row in short) == len(rows)
    assert folded(rows, frozenset(row.new for row in short if row.folded and row.new is not None)) == rows


def test_a_change_is_shown_with_its_surroundings() -> None:
    before = [f"line {number}" for number in range(100)]
    after = [*before[:50], "new", *before[51:]]
    assert folded(diff(before, after)) == [
        Row(0, 0, folded=50 - CONTEXT),
        *[Row(number, number) for number in range(50 - CONTEXT, 50)],
        Row(old=50),
        Row(new=50),
        *[Row(number, number) for number in range(51, 51 + CONTEXT)],
        Row(51 + CONTEXT, 51 + CONTEXT, folded=49 - CONTEXT),
    ]


def test_a_file_rewritten_beyond_all_comparing_is_old_then_new() -> None:
    before = [f"old {number}" for number in range(COMPARED)]
    after = ["same", *[f"new {number}" for number in range(COMPARED)]]
    rows = diff(["same", *before], after)
    assert [row.sign for row in rows] == [" ", *"-" * COMPARED, *"+" * COMPARED]
