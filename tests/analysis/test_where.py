"""Filters applied to a frame."""

import polars as pl
import pytest

from iwtui.analysis.where import where
from iwtui.bench.filters import parse

FRAME = pl.DataFrame(
    {
        "episode": ["one", "two", "three", "four"],
        "run": ["r1", "r2", "r2", "last"],
        "builder": ["openai/qwen3.6-plus", "scripted/blind", "a.b", "a+b (c)"],
        "status": ["scored", "infra", "scored", "running"],
        "tcr": [0.25, None, 0.75, None],
        "turns": [3, 4, 5, 6],
        "sr": [False, None, True, None],
    }
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", "one two three four"),
        ("status:scored", "one three"),
        ("-status:scored", "two four"),
        ("status:scored,infra", "one two three"),
        ("builder:*qwen*", "one"),
        ("builder:qwen*", ""),
        ("builder:a.b", "three"),
        ("builder:a?b", ""),
        ('builder:"a+b (c)"', "four"),
        ('builder:"*qwen*"', ""),
        ("tcr<0.5", "one"),
        ("tcr>=0.25 tcr<=0.75", "one three"),
        ("-tcr<0.5", "two three four"),
        ("tcr:none", "two four"),
        ("-tcr:none", "one three"),
        ("tcr:0.25,none", "one two four"),
        ("turns=5", "three"),
        ("sr:yes", "three"),
        ("sr:false", "one"),
        ("sr:none", "two four"),
        ("run:last", "two three"),
        ("-run:last", "one four"),
        ('run:"last"', "four"),
        ("run:r*", "one two three"),
    ],
)
def test_what_fits(text: str, kept: str) -> None:
    assert FRAME.filter(where(parse(text), "r2"))["episode"].to_list() == kept.split()


def test_there_is_no_last_run_in_an_empty_store() -> None:
    assert FRAME.filter(where(parse("run:last"), None)).is_empty()


def test_line_ends_and_pattern_signs_in_values_are_plain_text() -> None:
    frame = pl.DataFrame({"builder": ["a\nb", "a", "(?i)A", "x$"]})
    for value in frame["builder"]:
        assert frame.filter(where(parse(f'builder:"{value}"'), None))["builder"].to_list() == [value]
