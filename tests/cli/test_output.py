"""Rows as text, to the byte."""

import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iwtui.cli.output import WRITERS, Written, distinct, to_json

COLUMNS = ["name", "n", "share", "when", "raw", "list"]
ROWS: list[list[object]] = [
    ["plain", 1, 0.5, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), b"\x00\xff", [1, None, "x"]],
    ['a "quote", | pipe [/] *\n', -20, float("nan"), None, b"", {"k": Decimal("1.5")}],
]

GOLDEN = {
    "json": r"""[
  {"name": "plain", "n": 1, "share": 0.5, "when": "2026-01-02T03:04:05+00:00", "raw": "00ff", "list": [1, null, "x"]},
  {"name": "a \"quote\", | pipe [/] *\n", "n": -20, "share": "nan", "when": null, "raw": "", "list": {"k": 1.5}}
]
""",
    "csv": '''name,n,share,when,raw,list
plain,1,0.5,2026-01-02T03:04:05+00:00,00ff,"[1, null, ""x""]"
"a ""quote"", | pipe [/] *
",-20,nan,,,"{""k"": 1.5}"
''',
    "markdown": r"""| name | n | share | when | raw | list |
| --- | ---: | ---: | --- | --- | --- |
| plain | 1 | 0.5 | 2026-01-02T03:04:05+00:00 | 00 ff (2 bytes) | \[1, null, "x"\] |
| a "quote", \| pipe \[/\] \* | -20 | nan | — | (0 bytes) | {"k": 1.5} |
""",
    "table": r"""name                        n   share   when                        raw               list
────────────────────────────────────────────────────────────────────────────────────────────────────
plain                       1     0.5   2026-01-02T03:04:05+00:00   00 ff (2 bytes)   [1, null, "x"]
a "quote", | pipe [/] *   -20     nan   —                           (0 bytes)         {"k": 1.5}
""",
}  # fmt: skip


def written(form: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    WRITERS[form](columns, rows, out)
    return out.getvalue()


@pytest.mark.parametrize("form", list(WRITERS))
def test_golden_bytes(form: str) -> None:
    assert written(form, COLUMNS, ROWS) == GOLDEN[form]


@pytest.mark.parametrize("form", list(WRITERS))
def test_no_rows(form: str) -> None:
    text = written(form, ["a"], [])
    assert text == "[]\n" if form == "json" else text.startswith(("a", "| a"))


def test_columns_of_one_name_are_told_apart() -> None:
    assert distinct(["a", "a", "a_2", "a"]) == ["a", "a_2", "a_2_2", "a_3"]
    assert json.loads(written("json", ["a", "a"], [[1, 2]])) == [{"a": 1, "a_2": 2}]


def test_a_long_cell_is_cut_with_a_mark_in_a_table_only() -> None:
    rows = [["x" * 5_000_000]]
    assert "xx…" in written("table", ["a"], rows)
    assert len(written("table", ["a"], rows)) < 500
    assert len(written("csv", ["a"], rows)) > 5_000_000


def test_written_numbers_stand_to_the_right() -> None:
    assert written("table", ["share"], [[Written("7.0")], [Written("100.0")]]).splitlines()[2:] == ["  7.0", "100.0"]


def test_intervals_of_time_are_seconds() -> None:
    assert to_json(timedelta(minutes=2)) == "120.0"


ACTING = {*range(0x20), 0x7F, *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def acts(text: str) -> set[str]:
    """The characters of a text that could act on a terminal."""
    return {char for char in text if ord(char) in ACTING} - {"\n", "\t"}


@pytest.mark.parametrize("form", list(WRITERS))
@settings(deadline=None)
@given(text=st.text(st.characters() | st.sampled_from(sorted(map(chr, ACTING)))))
def test_no_cell_and_no_name_acts_on_a_terminal(form: str, text: str) -> None:
    out = written(form, [f"c{text}"], [[text], [[text]], [{text: text}], [text.encode("utf-8", "surrogatepass")]])
    assert acts(out) == set()
    out.encode()


@settings(deadline=None)
@given(st.text())
def test_json_is_exact(text: str) -> None:
    clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json.loads(to_json({"k": [text]})) == {"k": [clean]}
