"""Log lines and back: every kind, other versions, damaged lines."""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.codec import UPCASTERS, BadLineError, Upcaster, decode, encode
from iwtui.bench.events import MAX_LINE, VERSION, ActionChosen, Known, Oddity, Record, TurnStarted, Unknown, Warned

GOLDEN = Path(__file__).parent / "golden"
KINDS = {kind.__name__ for kind in get_args(Known)}
LINE = b'{"v":1,"seq":3,"t":12.5,"turn":2,"kind":"Warned","where":"log","text":"x"}\n'


def golden(version: int) -> list[bytes]:
    return (GOLDEN / f"v{version}.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_the_golden_log_of_each_version_is_known(version: int) -> None:
    records = [decode(line) for line in golden(version)]
    assert not [record for record in records if isinstance(record.event, Unknown)]
    assert [record.seq for record in records] == list(range(len(records)))
    assert version < VERSION or {record.kind for record in records} == KINDS


def test_lines_of_this_version_are_written_as_they_are_read() -> None:
    for line in golden(VERSION):
        assert encode(decode(line)) == line


def test_fields_come_back_as_they_were() -> None:
    event = ActionChosen(
        action="clarify", stood=("clarify",), oddities=(Oddity("cut", "file a"),), question="é\u2028😀\x00", cut=True
    )
    record = Record(7, 1767225600.125, 3, event)
    line = encode(record)
    assert decode(line) == record
    assert line.endswith(b"\n") and line.count(b"\n") == 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), st.integers(0, 10**9), st.integers(0, 25))
def test_any_text_is_one_line(text: str, seq: int, turn: int) -> None:
    record = Record(seq, 1.5, turn, TurnStarted(message=text))
    line = encode(record)
    assert line.count(b"\n") == 1
    assert decode(line) == record


def test_a_line_that_would_be_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="over the limit"):
        encode(Record(0, 0.0, 1, TurnStarted(message="x" * MAX_LINE)))


def test_half_a_character_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        encode(Record(0, 0.0, 1, TurnStarted(message="\ud83d")))


@pytest.mark.parametrize("length", range(len(LINE) - 1))
def test_a_torn_line_is_no_event(length: int) -> None:
    with pytest.raises(BadLineError):
        decode(LINE[:length])


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"\x00" * 40,
        b"[]",
        b"null",
        b"{}",
        b'{"seq":0,"t":0,"turn":0,"kind":"Warned"}',
        b'{"v":1,"seq":"0","t":0,"turn":0,"kind":"Warned"}',
        LINE.strip() + LINE,
        LINE.replace(b'"x"', b'"\xff\xfe"'),
        LINE.replace(b'"x"', b'"\\ud83d"'),
    ],
)
def test_a_damaged_line_is_no_event(line: bytes) -> None:
    with pytest.raises(BadLineError):
        decode(line)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_event_or_a_bad_line(line: bytes) -> None:
    with pytest.raises(BadLineError):
        decode(line)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"v":1,"seq":3,"t":1,"turn":2,"kind":"Dreamt","of":["sheep"]}', "Dreamt"),
        (b'{"v":2,"seq":3,"t":1,"turn":2,"kind":"Warned","where":"log","text":"x"}', "Warned"),
        (b'{"v":1,"seq":3,"t":1,"turn":2,"kind":"Warned","where":"log"}', "Warned"),
        (b'{"v":1,"seq":3,"t":1,"turn":2,"kind":"Warned","where":"log","text":5}', "Warned"),
        (b'{"v":0,"seq":3,"t":1,"turn":2,"kind":"Warned","where":"log","text":"x"}', "Warned"),
        (b'{"v":1,"seq":3,"t":1,"turn":2,"kind":"EpisodeEnded","status":"bored","stop_reason":""}', "EpisodeEnded"),
    ],
)
def test_what_is_not_known_is_kept_as_it_is(line: bytes, kind: str) -> None:
    record = decode(line + b"\n")
    assert record == Record(3, 1.0, 2, Unknown(kind, line.decode()))
    assert record.kind == kind
    assert encode(record) == line + b"\n"


def test_further_fields_of_a_known_kind_do_no_harm() -> None:
    assert decode(LINE.replace(b'"text"', b'"mood":"blue","text"')).event == Warned(where="log", text="x")


def renamed(fields: dict[str, Any]) -> dict[str, Any]:
    return {("where" if name == "place" else name): value for name, value in fields.items()}


def split(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "text": " ".join(fields["words"])}


def test_older_versions_pass_the_upcasters_in_order() -> None:
    old = b'{"v":1,"seq":3,"t":1,"turn":2,"kind":"Warned","place":"log","words":["a","b"]}'
    upcasters: dict[int, Upcaster] = {1: renamed, 2: split}
    assert decode(old, upcasters, version=3) == Record(3, 1.0, 2, Warned(where="log", text="a b"))
    newer = b'{"v":2,"seq":3,"t":1,"turn":2,"kind":"Warned","where":"log","words":["a","b"]}'
    assert decode(newer, upcasters, version=3).event == Warned(where="log", text="a b")
    assert isinstance(decode(old, {1: renamed}, version=3).event, Unknown)


def test_every_older_version_has_its_upcaster() -> None:
    assert set(UPCASTERS) == set(range(1, VERSION))
