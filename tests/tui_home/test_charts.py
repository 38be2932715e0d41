"""What the plots draw, and where: pure."""

import pytest

from iwtui.analysis.plots import Bin, Plots, Point, Priced
from iwtui.analysis.spearman import Correlation
from iwtui.tui.charts import Chart, Kind, Mark, by_cost, by_lines, by_turn, nearest, place, slots
from iwtui.tui.drawn_bars import full_bar, with_interval


@pytest.mark.parametrize("room", [1, 2, 7, 20, 40, 200])
@pytest.mark.parametrize("count", [1, 2, 9, 25, 60])
def test_columns_fit_and_the_one_at_the_cursor_is_always_among_them(count: int, room: int) -> None:
    first = 0
    for at in [*range(count), *reversed(range(count))]:
        shown = slots(count, room, at, first)
        first = shown.first
        assert shown.first <= at < shown.first + shown.count <= count
        assert shown.left(shown.first + shown.count - 1) + shown.bar <= room


def test_a_value_has_its_cell() -> None:
    assert [place(value, 0.0, 1.0, 11) for value in (0, 0.5, 1.0, 2.0)] == [0, 5, 10, 10]
    assert [place(value, 1.0, 2.0, 11) for value in (0, 1.0, 1.5, 2.0)] == [0, 0, 5, 10]
    assert place(0.0, 0.0, 0.0, 11) == 0


@pytest.mark.parametrize(
    ("costs", "span"), [((), (0, 1)), ((0.0,), (0, 1)), ((2.0,), (0, 2)), ((1.0, 9.0), (0, 9)), ((6.0, 9.0), (6, 9))]
)
def test_the_axis_of_costs_begins_at_zero_unless_all_would_stand_at_its_end(
    costs: tuple[float, ...], span: tuple[float, float]
) -> None:
    marks = tuple(Mark(str(cost), cost, 0.5, "", "", "") for cost in costs)
    assert Chart("", Kind.POINTS, marks).span == span


def test_the_nearest_mark_counts_lines_as_twice_as_far() -> None:
    spots = [(0, 0), None, (10, 0), (0, 4)]
    assert nearest(spots, 3, 0) == 0
    assert nearest(spots, 7, 0) == 2
    assert nearest(spots, 5, 3) == 3
    assert nearest([None], 0, 0) is None


def test_what_is_unknown_is_no_mark_of_zero() -> None:
    plots = Plots(
        tcr_by_turn=(Point("4", 4, 0.5, 3, "turns:4"), Point("unknown", None, None, 1, "turns:none")),
        loc_hallucination=(Bin(10, 40, None, 0, "loc>=10"), Bin(41, 90, 1.0, 2, "loc>=41")),
        correlation=Correlation(),
        cost_tcr=(
            Priced("a", "P-MIN", 0.02, 0.5, 3, 1, "x"),
            Priced("b", None, None, None, 0, 4, "y"),
        ),
    )
    turns, lines, cost = by_turn(plots), by_lines(plots), by_cost(plots)
    assert [mark.y for mark in turns.marks] == [0.5, None]
    assert lines.marks[0].y is None and "–" in lines.title
    assert [mark.named for mark in cost.marks] == ["a × P-MIN"]
    assert "5 episodes unpriced" in cost.title and "1 unpriced" in cost.marks[0].told
    assert [mark.filter for mark in (*turns.marks, *cost.marks)] == ["turns:4", "turns:none", "x"]


def test_the_correlation_stands_in_the_title() -> None:
    title = by_lines(Plots(correlation=Correlation(rho=0.314, p=0.0001, n=120))).title
    assert "ρ 0.31" in title and "p <0.001" in title and "n 120" in title


@pytest.mark.parametrize("width", [0, 1, 2, 10, 41])
def test_the_mean_stays_where_it_is_when_its_interval_comes(width: int) -> None:
    for mean in (0.0, 0.004, 0.5, 1.0):
        bare = with_interval(mean, None, None, width).plain
        bounded = with_interval(mean, max(0, mean - 0.2), min(1, mean + 0.3), width).plain
        assert bare.find("●") == bounded.find("●")
        assert len(bare) <= width and len(bounded) <= width
    assert with_interval(None, None, None, width).plain == ""


def test_an_interval_is_drawn_as_wide_as_it_is() -> None:
    assert with_interval(0.5, 0.2, 0.8, 11).plain == "━━├──●──┤"


def test_a_share_is_as_long_as_it_is() -> None:
    assert full_bar(0.5, 10).plain == "█████"
    assert full_bar(0.55, 10).plain == "█████▌"
    assert full_bar(0.001, 10).plain == "▏" and full_bar(0.0, 10).plain == "" and full_bar(None, 10).plain == ""
