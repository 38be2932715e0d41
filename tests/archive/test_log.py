import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iwtui.archive.blobs import BlobStore
from iwtui.archive.errors import LogBusyError
from iwtui.archive.log import Live, LogFollower, LogWriter, read_live, read_log
from iwtui.bench.codec import decode
from iwtui.bench.events import (
    MAX_LINE,
    ActionChosen,
    Blob,
    Controlled,
    FilesChanged,
    LongText,
    ModelCalled,
    SlotJudged,
    TurnStarted,
    Warned,
)
from iwtui.bench.longtext import HEAD, keep, read


@pytest.fixture
def blobs(tmp_path: Path) -> BlobStore:
    return BlobStore(tmp_path / "blobs")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "episodes" / "a.jsonl"


def texts(path: Path) -> list[str]:
    return [record.event.text for _, record in read_log(path) if isinstance(record.event, Warned)]


def note(text: str) -> Warned:
    return Warned(where="test", text=text)


def test_what_is_written_is_read(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs, clock=lambda: 12.34567) as log:
        written = [log.append(note("a"), 0), log.append(TurnStarted(message="é ☃"), 1)]
    assert [record for _, record in read_log(path)] == written
    assert [record.seq for record in written] == [0, 1]
    assert [end for end, _ in read_log(path)][-1] == path.stat().st_size


def test_reading_on_from_an_offset(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs) as log:
        for text in "abc":
            log.append(note(text), 0)
    (first, _), *rest = read_log(path)
    assert list(read_log(path, first)) == rest


def test_a_writer_goes_on_where_the_last_one_ended(path: Path, blobs: BlobStore) -> None:
    for text in "ab":
        with LogWriter(path, blobs) as log:
            log.append(note(text), 3)
    assert [record.seq for _, record in read_log(path)] == [0, 1]


@pytest.mark.parametrize("torn", [b'{"v":1,"seq":2', b"\x00" * 300, b"\xff"])
def test_a_torn_line_is_set_aside(path: Path, blobs: BlobStore, torn: bytes) -> None:
    with LogWriter(path, blobs) as log:
        log.append(note("a"), 7)
    with path.open("ab") as file:
        file.write(torn)
    assert texts(path) == ["a"]
    with LogWriter(path, blobs) as log:
        log.append(note("b"), 7)
    assert path.with_name("a.jsonl.torn-1").read_bytes() == torn
    assert texts(path) == ["a", "a torn last line was set aside to a.jsonl.torn-1", "b"]
    assert [(record.seq, record.turn) for _, record in read_log(path)] == [(0, 7), (1, 7), (2, 7)]


def test_each_torn_line_has_a_file_of_its_own(path: Path, blobs: BlobStore) -> None:
    for _ in range(2):
        LogWriter(path, blobs).close()
        with path.open("ab") as file:
            file.write(b"torn")
    LogWriter(path, blobs).close()
    assert sorted(file.name for file in path.parent.glob("*torn*")) == ["a.jsonl.torn-1", "a.jsonl.torn-2"]


def test_one_writer_at_a_time(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs), pytest.raises(LogBusyError, match=r"a\.jsonl"):
        LogWriter(path, blobs)
    LogWriter(path, blobs).close()


def test_lone_surrogates_are_replaced_and_said(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs) as log:
        log.append(FilesChanged(manifest="a" * 64, files=0, lines=0, refused=()), 1)
        written = log.append(ActionChosen(action="clarify", question="x\ud800", files=("\udfff",)), 1)
    assert isinstance(written.event, ActionChosen)
    assert (written.event.question, written.event.files) == ("x\ufffd", ("\ufffd",))
    assert [record.kind for _, record in read_log(path)] == ["FilesChanged", "ActionChosen", "Warned"]


def test_texts_that_are_too_much_together_go_to_blobs(path: Path, blobs: BlobStore) -> None:
    long = "\u0001" * 1900  # six bytes each in JSON
    with LogWriter(path, blobs) as log:
        written = log.append(ActionChosen(action="verify", question=long, criteria=long, reasoning=long, prose="short"), 1)
    assert max(map(len, path.read_bytes().splitlines())) < MAX_LINE
    assert isinstance(written.event, ActionChosen)
    assert isinstance(written.event.criteria, LongText)
    assert [read(blobs, text) for text in (written.event.question, written.event.criteria)] == [long, long]
    assert written.event.prose == "short"


def test_an_event_that_no_reader_could_take_is_refused(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs) as log:
        with pytest.raises(ValueError, match="SlotJudged"):
            log.append(SlotJudged(slot=0, verdict="splendid", reason=""), 1)
        with pytest.raises(ValueError, match="limit"):
            log.append(ActionChosen(action="implement", files=("x" * 300,) * 100), 1)
        log.append(note("a"), 1)
    assert [record.seq for _, record in read_log(path)] == [0]


def test_a_full_disk_leaves_the_log_whole(path: Path, blobs: BlobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.write
    with LogWriter(path, blobs) as log:
        log.append(note("a"), 0)
        monkeypatch.setattr(os, "write", lambda fd, data: really(fd, data[:5]))
        with pytest.raises(OSError, match="No space") as caught:
            log.append(note("b"), 0)
        assert caught.value.errno == errno.ENOSPC
        monkeypatch.undo()
        log.append(note("c"), 0)
    assert texts(path) == ["a", "c"]
    assert [record.seq for _, record in read_log(path)] == [0, 1]


def test_bad_lines_are_passed_over_and_told(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs) as log:
        log.append(note("a"), 0)
    with path.open("ab") as file:
        file.write(b"no event\n\n" + b"x" * 3_000_000 + b"\r\n")
    with LogWriter(path, blobs) as log:
        log.append(note("b"), 0)
    told: list[str] = []
    assert [record.kind for _, record in read_log(path, on_bad=lambda end, why: told.append(why))] == ["Warned", "Warned"]
    assert len(told) >= 3
    ends = [end for end, _ in read_log(path, on_bad=lambda *_: None)]
    assert ends[-1] == path.stat().st_size


CALL = ModelCalled(role="builder", model="m", ordinal=0, request=(), tokens_in=5, tokens_out=7)


def test_progress_is_there_while_the_log_is_open(path: Path, blobs: BlobStore) -> None:
    with LogWriter(path, blobs, clock=lambda: 5.0) as log:
        log.progress("building", "turn 1\ud800")
        log.append(CALL, 3)
        log.progress("verifying", "x" * 10_000, "y" * 10_000)
        live = phase(path, "verifying")
        assert (live.t, live.detail, live.text) == (5.0, "x" * 500, "y" * 2_000)
        assert (live.turn, live.spent.tokens_out, live.spent.unpriced) == (3, 7, 1)
    with LogWriter(path, blobs) as log:
        log.progress("judging")
        assert phase(path, "judging").spent.calls == 1, "what was spent before a resume counts"
    assert read_live(path) is None
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def phase(path: Path, wanted: str) -> Live:
    """The progress, once it is this one; it is written behind."""
    ends = time.monotonic() + 20
    while (live := read_live(path)) is None or live.phase != wanted:
        assert time.monotonic() < ends, live
        time.sleep(0.005)
    return live


def test_what_a_disk_does_not_take_is_told_before_an_event_names_it(path: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    with LogWriter(path, BlobStore(taken)) as log:
        picture = log.blobs.put(b"picture")
        assert log.blobs.get(picture) == b"picture", "it can be read while it is being written"
        with pytest.raises(OSError, match="taken"):
            log.append(TurnStarted(message="go", picture=picture), 1)
        taken.unlink()
        assert log.blobs.put(b"picture") == picture
        log.append(TurnStarted(message="go", picture=picture), 1)
        assert BlobStore(taken).get(picture) == b"picture"
    assert len(list(read_log(path))) == 1


def test_the_follower_sees_whole_lines_only(path: Path, blobs: BlobStore) -> None:
    follower = LogFollower(path)
    assert follower.poll() == []
    with LogWriter(path, blobs) as log:
        first = log.append(note("a"), 0)
        assert follower.poll() == [first]
        second = log.append(note("b"), 0)
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    assert follower.poll() == []
    with path.open("ab") as file:
        file.write(whole[-3:])
    assert follower.poll() == [second]
    assert not follower.restarted


def test_the_follower_notices_another_file(path: Path, blobs: BlobStore) -> None:
    follower = LogFollower(path)
    with LogWriter(path, blobs) as log:
        for text in "ab":
            log.append(note(text), 0)
    assert len(follower.poll()) == 2
    line = path.read_bytes().splitlines(keepends=True)[0].replace(b'"a"', b'"z"')

    def replace() -> None:
        path.with_name("b").write_bytes(line * 2)
        path.with_name("b").replace(path)

    changes: dict[str, Callable[[], object]] = {
        "truncated": lambda: path.write_bytes(line),
        "replaced": replace,
        "grown again past the offset": lambda: path.write_bytes(line.replace(b'"z"', b'"yy"') * 5),
    }
    for how, change in changes.items():
        change()
        again = follower.poll()
        assert follower.restarted, how
        assert len(again) == path.read_bytes().count(b"\n"), how
        assert follower.poll() == []
        assert not follower.restarted
    path.unlink()
    assert follower.poll() == []


@settings(deadline=None)
@given(st.lists(st.integers(0, 400), max_size=40))
def test_the_follower_misses_nothing_however_the_bytes_come(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    path = tmp_path_factory.mktemp("log") / "a.jsonl"
    lines = [b'{"v":1,"seq":%d,"t":1,"turn":0,"kind":"Controlled","what":"%s"}\n' % (i, b"x" * i) for i in range(8)]
    whole = b"".join(lines)
    follower = LogFollower(path)
    seen = []
    places = sorted({min(cut, len(whole)) for cut in cuts} | {len(whole)})
    for before, after in zip([0, *places], places, strict=False):
        with path.open("ab") as file:
            file.write(whole[before:after])
        seen += follower.poll()
    assert seen == [decode(line) for line in lines]
    assert isinstance(seen[-1].event, Controlled)


class Memory:
    def __init__(self) -> None:
        self.held: dict[Blob, bytes] = {}

    def put(self, content: bytes) -> Blob:
        self.held["f" * 64] = content
        return "f" * 64

    def get(self, blob: Blob) -> bytes:
        return self.held[blob]


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=10), st.sampled_from([1, 400]))
def test_any_text_can_be_kept_and_read(text: str, times: int) -> None:
    memory = Memory()
    kept = keep(memory, text * times)
    whole = read(memory, kept)
    assert len(whole) <= len(text * times)  # surrogate pairs become one character
    assert read(memory, keep(memory, whole)) == whole
    if isinstance(kept, LongText):
        assert kept.head == whole[:HEAD]
        assert kept.chars == len(whole)
