"""Cells of any type and size, short and whole."""

import math
import time
from typing import Any

import duckdb
import pytest

from iwtui.tui.state.sql_cells import READ, cell_text, is_number, whole_cell
from tests.tui_home.stage import HOSTILE

CONTROLS = [chr(code) for code in (*range(0x20), 0x7F, *range(0x80, 0xA0), 0x202E, 0x2066)]


def scalar(sql: str, *values: object) -> Any:
    return duckdb.connect().sql(f"SELECT {sql} AS x", params=list(values)).to_arrow_table().column(0)[0]


@pytest.mark.parametrize(
    ("sql", "short", "whole"),
    [
        ("NULL", None, "NULL"),
        ("''", "", ""),
        ("'[/]'", "[/]", "[/]"),
        ("'NULL'", "NULL", "NULL"),
        ("chr(27) || '[2J'", "␛[2J", "␛[2J"),
        ("'{\"a\":[true]}'::JSON", '{"a":[true]}', '{\n  "a": [\n    true\n  ]\n}'),
        ("'[not json'", "[not json", "[not json"),
        ("'\\xAA\\x00'::BLOB", "aa 00 (2 bytes)", "2 bytes\n00000000  aa 00"),
        ("'nan'::DOUBLE", "nan", "nan"),
        ("'-inf'::DOUBLE", "-inf", "-inf"),
        ("0.5::DOUBLE", "0.5", "0.5"),
        ("true", "true", "true"),
        ("[1, NULL]", "[1, null]", "[\n  1,\n  null\n]"),
        ("{'a': {'b': NULL}}", '{"a": {"b": null}}', '{\n  "a": {\n    "b": null\n  }\n}'),
        ("TIMESTAMP '2026-01-01'", "2026-01-01T00:00:00", "2026-01-01T00:00:00"),
        ("'a'::ENUM('a', 'b')", "a", "a"),
        ("union_value(k := 3)", "3", "3"),
        ("123456789012345678901234567890::HUGEINT",) + ("123456789012345678901234567890",) * 2,
    ],
)
def test_any_type(sql: str, short: str | None, whole: str) -> None:
    value = scalar(sql)
    assert cell_text(value) == short
    assert whole_cell(value).text == whole


@pytest.mark.parametrize("sql", ["?::VARCHAR", "[?]", "{'k': ?}", "MAP {'k': ?}", "[[?]]"])
def test_hostile_text_is_made_visible_wherever_it_stands(sql: str) -> None:
    value = scalar(sql, HOSTILE + "".join(CONTROLS))
    for text in (cell_text(value), whole_cell(value).text):
        assert text
        assert not [char for char in CONTROLS if char in text and char not in "\n\t"]


HUGE = [
    "repeat('x', 10000000)",
    "repeat('日', 5000000)",
    "repeat('ab', 5000000)::BLOB",
    "range(1000000)",
    "[repeat('y', 5000000), repeat('y', 5000000)]",
    "{'a': repeat('y', 5000000), 'b': range(1000000)}",
    "('[' || repeat('1,', 2000000) || '1]')::JSON",
]


@pytest.mark.parametrize("sql", HUGE)
def test_what_is_huge_is_cut_before_it_is_decoded(sql: str) -> None:
    value = scalar(sql)
    began = time.perf_counter()
    for _ in range(100):
        text = cell_text(value)
    assert (time.perf_counter() - began) / 100 < 0.02
    assert text and len(text) < READ
    whole = whole_cell(value, most=100_000)
    assert len(whole.text) < 1_000_000
    assert whole.left_out or len(whole.text) < 500_000


def test_a_deep_value_ends() -> None:
    deep = "1"
    for _ in range(60):
        deep = f"[{deep}]"
    assert "…" in str(cell_text(scalar(deep)))
    assert whole_cell(scalar("?", "[" * 100_000)).text == "[" * 100_000


@pytest.mark.parametrize(
    ("sql", "number"), [("1", True), ("1.5", True), ("'1'", False), ("true", False), ("DATE '2026-01-01'", False)]
)
def test_numbers_stand_to_the_right(sql: str, number: bool) -> None:
    assert is_number(scalar(sql).type) == number


def test_a_float_is_as_the_command_line_has_it() -> None:
    assert cell_text(scalar("?::DOUBLE", math.pi)) == "3.142"
