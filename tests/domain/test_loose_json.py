"""JSON as models write it."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.loose_json import objects


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [{"a": 1}]),
        ('```json\n{"a": [1, 2,],}\n```', [{"a": [1, 2]}]),
        ('Here: {"a": {"b": 1}} and {"c": "}"}', [{"a": {"b": 1}}, {"c": "}"}]),
        ("{'a': 'it\\'s', 'b': \"q\", 'c': True, 'd': None}", [{"a": "it's", "b": "q", "c": True, "d": None}]),
        ("{'a': 'say \"hi\"'}", [{"a": 'say "hi"'}]),
        ('it\'s {"a": "True, ]"} isn\'t', [{"a": "True, ]"}]),
        ('{"a": "line\nbreak"}', [{"a": "line\nbreak"}]),
        ('{ not this {"a": 2}', [{"a": 2}]),
        ('{"a": 1', []),
        ('{"a": tru}', []),
        ("{'a': 'it's'}", []),
        ("[1, 2]", []),
        ("", []),
    ],
)
def test_objects(text: str, found: list[object]) -> None:
    assert list(objects(text)) == found


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)))
def test_all_json_is_read_as_it_is(value: dict[str, object]) -> None:
    assert list(objects(f"so: {json.dumps(value, ensure_ascii=False)}.")) == [value]


@pytest.mark.parametrize("text", ["{" * 300_000, '{"a":' * 60_000, "{'" * 150_000, '"{' * 150_000, '{"' + "\\" * 300_000])
def test_hostile_text_takes_no_more_than_moments(text: str) -> None:
    begun = time.process_time()
    assert list(objects(text)) == []
    assert time.process_time() - begun < 5
