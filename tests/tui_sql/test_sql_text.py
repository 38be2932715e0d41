"""Texts of SQL: their pieces, their statements, and where a fault stands."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.tui.state.sql_text import COMMENT, LONGEST, STRING, fault_place, fault_words, statement_at, statements, tokens


def shown(sql: str) -> list[str]:
    return [sql[span.start : span.end] for span in statements(sql)]


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("", []),
        ("  \n", []),
        (";;;", []),
        ("-- nothing", []),
        ("select 1", ["select 1"]),
        ("select 1; select 2;\n", ["select 1", "select 2"]),
        ("select 'a;b' /* ; */ ; select \";\"", ["select 'a;b' /* ; */", 'select ";"']),
        ("select $$;$$; -- two;\nselect 2", ["select $$;$$", "-- two;\nselect 2"]),
        ("-- ünï;\nselect 'é;日🦆'; select 2", ["-- ünï;\nselect 'é;日🦆'", "select 2"]),
        ("select 'open; select 2", ["select 'open; select 2"]),
    ],
)
def test_statements_are_divided_as_the_database_reads_them(sql: str, wanted: list[str]) -> None:
    assert shown(sql) == wanted


def test_the_statement_at_the_cursor() -> None:
    sql = "select 1;\n\nselect 2;\n-- three\nselect 3"
    found = [statement_at(sql, at) for at in range(len(sql) + 1)]
    asked = [sql[span.start : span.end] for span in found if span]
    assert len(asked) == len(sql) + 1
    assert list(dict.fromkeys(asked)) == ["select 1", "select 2", "-- three\nselect 3"]
    assert statement_at("-- no query", 3) is None


@given(st.text(alphabet=st.sampled_from("ab1 '\"-/*;$\n\té日\U0001f986\ud800\0().,"), max_size=40))
def test_any_text_is_read_in_order_within_its_bounds(sql: str) -> None:
    at = 0
    for token in tokens(sql):
        assert at <= token.start <= token.end <= len(sql)
        at = token.end
    at = 0
    for span in statements(sql):
        assert at <= span.start < span.end <= len(sql)
        at = span.end


def test_a_text_that_is_too_long_is_plain_and_one_statement() -> None:
    sql = "select 1;" * (LONGEST // 9 + 1)
    assert tokens(sql) == ()
    assert shown(sql) == [sql]


def test_kinds() -> None:
    kinds = {token.kind for token in tokens("select 'a' -- b")}
    assert {STRING, COMMENT} < kinds


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("selec 1", "selec"),
        ("select 1,\n  'é', foo x y from range(2)", "y"),
        ("select '日本語日本語日本語' bad bad", "bad"),
        ("select '" + "x" * 200 + "' aaaaaa bbb, '" + "y" * 200 + "'", "bbb"),
        ("select 1, nope from range(1)", "nope"),
        ('select 1, "NoPe" from range(1)', '"NoPe"'),
        ("from\n\nnope", "nope"),
        ("select nofunc(1)", "nofunc"),
        ("select cast('a' as int)", "cast('a' as int)"),
        ("select nope -- nope", "nope"),
    ],
)
def test_a_fault_has_its_place(sql: str, wanted: str) -> None:
    with pytest.raises(duckdb.Error) as caught:
        duckdb.connect().sql(sql).fetchall()
    place = fault_place(str(caught.value), sql)
    assert place is not None
    assert sql[place.start : place.end] == wanted
    words = fault_words(str(caught.value))
    assert "\n" not in words and "LINE" not in words and words.startswith(str(caught.value).partition("\n")[0])


@pytest.mark.parametrize(
    "message", ["", "no [/ place", "x\n\nLINE 999: abc\n         ^", "x\n\nLINE 1: ...zzz\n              ^^^^"]
)
def test_a_place_that_is_not_there_does_no_harm(message: str) -> None:
    place = fault_place(message, "select 1")
    assert place is None or 0 <= place.start <= place.end <= len("select 1")
