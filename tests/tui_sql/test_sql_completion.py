"""What is offered at a place in a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.archive.catalog import Catalog, ColumnInfo, FunctionInfo, TableInfo, read_catalog
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.tui.state.sql_completion import MOST, NONE, Offers, offers

CATALOG = Catalog(
    (
        TableInfo("episodes", "one each", tuple(ColumnInfo(name, "DOUBLE", "") for name in ("episode", "tcr", "tcr_clean"))),
        TableInfo("verdicts", "said", tuple(ColumnInfo(name, "VARCHAR", "") for name in ("episode", "verdict", "slot"))),
    ),
    (FunctionInfo("tcrx", "tcrx(x)", "", "scalar"), FunctionInfo("epics", "epics()", "", "table")),
    ("select", "from", "epoch"),
)


def at(text: str, asked: bool = False) -> Offers:
    place = text.index("|")
    return offers(CATALOG, text.replace("|", ""), place, asked)


def names(text: str, asked: bool = False) -> list[str]:
    return [offer.insert for offer in at(text, asked).offers]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("sel|", ["select"]),
        ("SEL|", ["SELECT"]),
        ("select tc| from episodes", ["tcr", "tcr_clean", "tcrx("]),
        ("select tc|", ["tcr", "tcr_clean", "tcrx("]),
        ("select clean| from episodes", ["tcr_clean"]),
        ("select e.| from episodes e", ["episode", "tcr", "tcr_clean"]),
        ("select E.t| from Episodes AS E", ["tcr", "tcr_clean"]),
        ("select episodes.t| from episodes where true", ["tcr", "tcr_clean"]),
        ("select v.| from episodes e join verdicts v using (episode)", ["episode", "verdict", "slot"]),
        ("select nobody.| from episodes", []),
        ("from ep|", ["episodes", "epics(", "epoch"]),
        ("select ep| from episodes", ["episode", "episodes", "epics(", "epoch"]),
        ("select verd| from verdicts; select 1 from episodes", ["verdict", "verdicts"]),
        ("select * from episodes where tcr = 'tc|", []),
        ("select 'tc|' from episodes", []),
        ("select 1 -- tc|", []),
        ("select /* tc|", []),
        ('select "tc| from episodes', []),
        ("select 12|", []),
        ("select t| from episodes", []),
        ("from episodes|", []),
        ("|", []),
    ],
)
def test_what_is_offered(text: str, wanted: list[str]) -> None:
    assert names(text) == wanted


def test_who_asks_for_it_is_offered_even_what_is_short_or_whole() -> None:
    assert names("select | from verdicts", asked=True)[:3] == ["episode", "verdict", "slot"]
    assert names("select tcr_clean| from episodes", asked=True) == ["tcr_clean"]


def test_columns_of_the_tables_that_are_named_come_first() -> None:
    assert names("select ep| from verdicts")[0] == "episode"


def test_only_the_word_is_replaced() -> None:
    assert at("select e.tc| from episodes e").start == len("select e.")


@given(st.text(alphabet=st.sampled_from("etcrv.,; '\"\n-/*()1é日\0\ud800"), max_size=30), st.integers(0, 30), st.booleans())
def test_nothing_that_is_typed_is_a_fault(text: str, place: int, asked: bool) -> None:
    found = offers(CATALOG, text, min(place, len(text)), asked)
    assert len(found.offers) <= MOST
    assert found is NONE or found.start <= min(place, len(text))


def test_the_catalog_of_an_index_has_comments_on_all(store: Store) -> None:
    catalog = read_catalog(Index(store))
    assert {"episodes", "verdicts", "events", "calls"} <= {table.name for table in catalog.tables}
    assert [table.name for table in catalog.tables if not table.comment] == []
    assert [(table.name, one.name) for table in catalog.tables for one in table.columns if not one.comment] == []
    assert {"avg", "list_position", "range"} <= {function.name for function in catalog.functions}
    assert "select" in catalog.keywords
    assert not any(table.name in ("about", "logs") for table in catalog.tables)
