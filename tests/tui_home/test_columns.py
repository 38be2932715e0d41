"""Tables as lines: what there is room for, and how it is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from iwtui.tui.columns import Column, fit, heading, line
from iwtui.tui.written import bar, dollars, margin, percent, seconds

COLUMNS = (
    Column("run", 10, grow=1),
    Column("TCR %", 6, right=True),
    Column("more", 8, rank=2),
    Column("n", 4, right=True, rank=1),
)


def test_the_columns_of_the_highest_rank_go_first() -> None:
    kept = [[COLUMNS[index].title for index, _ in fit(COLUMNS, width)] for width in (40, 30, 20, 5)]

    assert kept == [["run", "TCR %", "more", "n"], ["run", "TCR %", "n"], ["run", "TCR %"], ["run"]]


def test_a_column_of_a_higher_rank_makes_room_for_a_wish() -> None:
    columns = (Column("case", 10), Column("actions", 10, grow=1, rank=1, wish=20), Column("s", 4, rank=2))

    assert fit(columns, 38) == ((0, 10), (1, 20), (2, 4))
    assert fit(columns, 37) == ((0, 10), (1, 25))
    assert fit(columns, 22) == ((0, 10), (1, 10))


def test_what_is_left_over_goes_to_the_columns_that_grow() -> None:
    assert fit(COLUMNS, 50) == ((0, 26), (1, 6), (2, 8), (3, 4))


def test_numbers_stand_at_the_right_under_their_titles() -> None:
    fitted = fit(COLUMNS[:2], 20)

    assert heading(COLUMNS, fitted, ["run", "TCR %"]).plain == "run            TCR %"
    assert line(COLUMNS, fitted, [Content("a"), Content("3.5")]).plain == "a                3.5"


@given(st.lists(st.text(max_size=40), min_size=4, max_size=4), st.integers(1, 80))
def test_no_row_is_wider_than_its_room(texts: list[str], width: int) -> None:
    fitted = fit(COLUMNS, width)
    row = line(COLUMNS, fitted, [Content(text.replace("\n", " ")) for text in texts])

    assert cell_len(row.plain) <= width


def test_the_unknown_is_a_dash_and_never_zero() -> None:
    assert (percent(None), percent(0.0), dollars(None), margin(None, 1.0), seconds(None)) == ("–", "0.0", "–", "", "–")
    assert (margin(0.5, 0.7), dollars(1.5, 2), seconds(61), seconds(600), seconds(7_300)) == (
        "±10.0",
        "1.50+",
        "61 s",
        "10 min",
        "2.0 h",
    )


@pytest.mark.parametrize(
    ("done", "running", "whole", "shown"),
    [
        (0, 0, 10, "──────────"),
        (5, 2, 10, "━━━━━╍╍───"),
        (10, 0, 10, "━━━━━━━━━━"),
        (9, 400, 10, "━━━━━━━━━╍"),
        (0, 0, 0, "──────────"),
    ],
)
def test_a_bar_shows_done_and_under_way(done: int, running: int, whole: int, shown: str) -> None:
    assert bar(done, running, whole, 10).plain == shown
