"""Following logs in a thread: what is posted, when it ends; and the board of a store."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.message import Message
from textual.message_pump import MessagePump

from iwtui.archive.following import Growth, Logs, merged
from iwtui.archive.registry import Registration
from iwtui.bench.codec import encode
from iwtui.bench.events import ActionChosen, EpisodeEnded, JudgingStarted, Record, TurnStarted
from iwtui.bench.names import EpisodeName
from iwtui.bench.status import Status
from iwtui.tui.board import Board, BoardChanged, Playing, ask_to_stop, watch
from iwtui.tui.live import FollowingFailed, LogsGrew, follow
from tests.cli.scribe import Scribe, make_case, started

STEM = "bakery_P-MIN.scripted-blind.r1.a1"
NAME = EpisodeName("run", "bakery_P-MIN", "scripted-blind", 1, 1)


class Post(MessagePump):
    """Takes messages."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Message] = []

    def post_message(self, message: Message) -> bool:
        self.messages.append(message)
        return True


class Rounds:
    """A wait that does something each time instead of waiting, and is over when nothing is left to do."""

    def __init__(self, *rounds: object) -> None:
        self._left: Iterator[object] = iter(rounds)

    def __call__(self, seconds: float) -> bool:
        if seconds == 0:
            return False
        doing = next(self._left, None)
        if callable(doing):
            doing()
        return doing is None


@pytest.fixture
def begun(scribe: Scribe) -> Scribe:
    case = make_case("bakery", "P-MIN")
    scribe.run("run", [case])
    scribe.episode("run", STEM, [started(case), (1, TurnStarted(message="Make a site."))])
    return scribe


def _append(scribe: Scribe, *records: Record) -> None:
    with scribe.store.run("run").episode_log(NAME).open("ab") as log:
        log.write(b"".join(encode(record) for record in records))


def _growths(post: Post) -> list[Growth]:
    return [growth for message in post.messages if isinstance(message, LogsGrew) for growth in message.growths]


def test_what_is_there_comes_first_then_what_is_added(begun: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.live.POST", 0.0)
    post = Post()

    def play_on() -> None:
        _append(begun, Record(2, 0.0, 1, ActionChosen(action="clarify")))

    follow(Logs.of(begun.store.run("run"), NAME), post, Rounds(play_on, "look"))

    assert [[record.seq for record in growth.records] for growth in _growths(post)] == [[0, 1], [2]]
    assert [message.whole for message in post.messages if isinstance(message, LogsGrew)] == [True, True]


def test_an_episode_without_a_log_is_whole_and_empty(begun: Scribe) -> None:
    post = Post()
    other = EpisodeName("run", "gallery_P-MIN", "scripted-blind", 1, 1)

    follow(Logs.of(begun.store.run("run"), other), post, Rounds("look"))

    first = post.messages[0]
    assert isinstance(first, LogsGrew) and first.whole and first.growths == ()


def test_many_events_come_in_several_messages(begun: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.live.AT_ONCE", 100)
    monkeypatch.setattr("iwtui.archive.lines.CHUNK", 20_000)
    _append(begun, *(Record(2 + n, 0.0, 1, TurnStarted(message="x" * 100)) for n in range(1_000)))
    post = Post()

    follow(Logs.of(begun.store.run("run"), NAME), post, Rounds())

    seqs = [record.seq for growth in _growths(post) for record in growth.records]
    assert seqs == list(range(1_002))
    assert len(post.messages) > 5
    assert [message.whole for message in post.messages if isinstance(message, LogsGrew)].count(True) == 1


def test_a_file_that_was_replaced_begins_anew(begun: Scribe) -> None:
    logs = Logs.of(begun.store.run("run"), NAME)
    logs.look()
    assert not logs.poll().growths[0].restarted
    log = begun.store.run("run").episode_log(NAME)
    log.write_bytes(encode(Record(0, 1.0, 0, EpisodeEnded(status="infra", stop_reason="model"))))

    growth = logs.poll().growths[0]

    assert growth.restarted
    assert [record.seq for record in growth.records] == [0]


def test_growths_of_a_log_are_joined_and_a_restart_voids_those_before() -> None:
    def grown(seq: int, restarted: bool = False, judging: str = "") -> Growth:
        return Growth(NAME, judging, (Record(seq, 0.0, 1, TurnStarted(message="")),), restarted)

    joined = merged([grown(0), grown(7, judging="checks"), grown(1), grown(5, restarted=True), grown(6)])

    assert [(each.judging, [record.seq for record in each.records], each.restarted) for each in joined] == [
        ("", [5, 6], True),
        ("checks", [7], False),
    ]


def test_judgings_are_found_while_they_come_and_odd_names_are_passed_over(begun: Scribe) -> None:
    logs = Logs.of(begun.store.run("run"), NAME)
    logs.look()
    logs.poll()
    begun.judging("run", STEM, [(1, JudgingStarted(judge="checks", slots=3, manifest="0" * 64, turn_judged=1))])
    (begun.store.run("run").path / "judgings" / f"{STEM}.od d.jsonl").write_text("{}")
    logs.look()

    assert [(growth.judging, len(growth.records)) for growth in logs.poll().growths] == [("checks", 1)]


def test_a_folder_that_cannot_be_read_ends_the_following(begun: Scribe) -> None:
    log = begun.store.run("run").episode_log(NAME)
    log.unlink()
    log.mkdir()
    post = Post()

    follow(Logs.of(begun.store.run("run"), NAME), post, Rounds("look", "look"))

    assert isinstance(post.messages[-1], FollowingFailed)


def test_a_board_folds_the_episodes_of_live_runs(begun: Scribe, tmp_path: Path) -> None:
    registry = tmp_path / "live"
    board = Board(begun.store, registry)
    with Registration(begun.store.root, "run", registry):
        assert board.look()
        assert board.poll()
        shown = board.changed()

    progress = shown.episodes[NAME]
    assert shown.runs["run"].playing is Playing.LIVE
    assert (progress.status, progress.turns, progress.limit, progress.actions) == (Status.RUNNING, 1, 15, "")


def test_an_episode_is_let_go_of_when_it_is_over(begun: Scribe, tmp_path: Path) -> None:
    registry = tmp_path / "live"
    board = Board(begun.store, registry)
    with Registration(begun.store.root, "run", registry):
        board.look()
        board.poll()
        _append(
            begun,
            Record(2, 0.0, 1, ActionChosen(action="malformed")),
            Record(3, 0.0, 1, EpisodeEnded(status="crashed", stop_reason="site")),
        )
        board.poll()
        progress = board.changed().episodes[NAME]
        assert (progress.status, progress.actions) == (Status.CRASHED, "M")
        board.over = frozenset({NAME})
        board.poll()
        assert board.changed().episodes == {}
        board.look()
        assert not board.poll()


def test_a_run_that_is_played_again_is_folded_once(begun: Scribe, tmp_path: Path) -> None:
    registry = tmp_path / "live"
    board = Board(begun.store, registry)
    for _ in range(2):
        with Registration(begun.store.root, "run", registry):
            board.look()
            board.poll()
            assert board.changed().episodes[NAME].turns == 1
        assert board.look()
        assert board.changed().runs == {}


def test_a_process_that_is_gone_plays_nothing_and_other_stores_are_counted(begun: Scribe, tmp_path: Path) -> None:
    registry = tmp_path / "live"
    board = Board(begun.store, registry)
    with Registration(begun.store.root, "run", registry), Registration(tmp_path / "other", "run", registry):
        first = next(registry.glob("*.json"))
        for file in registry.glob("*.json"):
            file.write_bytes(file.read_bytes().replace(f'"pid":{os.getpid()}'.encode(), b'"pid":999999999'))
            if str(tmp_path / "other") in file.read_text():
                file.write_bytes(file.read_bytes().replace(b'"pid":999999999', f'"pid":{os.getpid()}'.encode()))
        assert first.exists()
        board.look()

    shown = board.changed()
    assert shown.runs == {}
    assert shown.elsewhere == 1


def test_a_run_that_another_machine_holds_is_known_by_its_note(begun: Scribe, tmp_path: Path) -> None:
    (begun.store.run("run").path / ".holder.json").write_text('{"pid": 1, "host": "far-away", "since": 0}')
    board = Board(begun.store, tmp_path / "live")
    board.look()

    going = board.changed().runs["run"]
    assert (going.playing, going.host) == (Playing.ELSEWHERE, "far-away")


def test_watching_posts_what_changed_and_no_more(begun: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.board.POST", 0.0)
    post = Post()
    over = threading.Event()

    watch(Board(begun.store, tmp_path / "live"), post, Rounds("look", "look", over.set))

    assert [type(message) for message in post.messages] == [BoardChanged]


def test_only_the_very_process_is_asked_to_stop(begun: Scribe, tmp_path: Path) -> None:
    import msgspec

    runner = Registration(begun.store.root, "run", tmp_path / "live").runner

    assert not ask_to_stop(msgspec.structs.replace(runner, born=runner.born - 100))
    assert not ask_to_stop(msgspec.structs.replace(runner, pid=999_999_999))
