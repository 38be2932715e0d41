"""Published figures beside ours: the same reading, the same unit, and nothing where there is nothing."""

from typing import Any

import pytest

from iwtui.analysis.episodes import Asked
from iwtui.analysis.pages import count
from iwtui.analysis.published import Compared, compared
from iwtui.bench.filters import parse
from tests.analysis.made import EVERY, episodes, insert

KIMI = "moonshot/kimi-k2.5-preview"
ROWS: list[dict[str, Any]] = [
    {"episode": "r/a", "builder": KIMI, "tcr_clean": 0.5, "tcr": 0.9, "loc": 10},
    {"episode": "r/b", "builder": KIMI, "status": "infra", "difficulty": "hard"},
    {"builder": KIMI, "scripted": True, "tcr_clean": 1.0},
    {"builder": "openai/gpt-4.1", "tcr_clean": 0.1},
]


def found(**place: str | None) -> Compared:
    con = episodes(*ROWS)
    insert(con, "turns", {"episode": "r/a", "run": "r", "turn": 1, "official_kinds": ["clarify"], "official_questions": 1})
    wanted = {"model": None, "persona": None, "difficulty": None, "statistic": "value"} | place
    (one,) = [
        each
        for each in compared(con, EVERY)
        if all(getattr(each.published, name) == value for name, value in wanted.items())
    ]
    assert not one.filter or count(con, Asked(terms=parse(one.filter))) >= one.n
    return one


def test_ours_is_read_as_the_official_analyser_reads_it() -> None:
    """Over POSITIVE slots, what has no score as 0, scripts left out."""
    one = found(model="Kimi-K2.5", metric="tcr")
    assert one.ours == pytest.approx(25.0)
    assert (one.n, one.published.value) == (2, 38.26)
    assert one.difference == pytest.approx(25.0 - 38.26)


def test_a_part_is_compared_with_the_same_part() -> None:
    one = found(model="Kimi-K2.5", metric="tcr", difficulty="easy")
    assert one.ours == pytest.approx(50.0)
    assert one.n == 1


def test_units_are_the_published_ones() -> None:
    assert found(model="Kimi-K2.5", metric="loc").ours == 10.0


@pytest.mark.parametrize(
    "place",
    [
        {"model": "Qwen3.6-Plus", "metric": "tcr", "persona": "P-MIN"},
        {"model": "GPT-4.1-mini", "metric": "hr"},
        {"metric": "vci", "statistic": "max"},
    ],
)
def test_where_we_have_none_it_is_blank(place: dict[str, str]) -> None:
    one = found(**place)
    assert (one.ours, one.n, one.difference) == (None, 0, None)


def test_every_published_figure_has_its_line_and_its_source() -> None:
    con = episodes(*ROWS)
    lines = compared(con, EVERY)
    assert len(lines) == con.execute("SELECT count(*) FROM published").fetchone()[0]  # type: ignore[index]
    assert all(line.published.source for line in lines)
