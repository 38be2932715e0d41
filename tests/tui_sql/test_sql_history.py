"""The history: kept, bounded, shared by consoles, whole after a torn line."""

import threading
from pathlib import Path

from iwtui.tui import sql_history
from iwtui.tui.sql_history import LONGEST, MOST, Asked, History


def texts(history: History) -> list[str]:
    return [asked.sql for asked in history.read()]


def test_nothing_has_been_asked_yet(tmp_path: Path) -> None:
    assert History(tmp_path / "none" / "queries.jsonl").read() == ()


def test_what_is_asked_again_comes_last_and_once(tmp_path: Path) -> None:
    history = History(tmp_path / "queries.jsonl")
    for number, sql in enumerate(["select 1", "select 'é\n[/]'", "select 1"]):
        history.add(Asked(sql, float(number), 1, 0.5))
    assert texts(history) == ["select 'é\n[/]'", "select 1"]
    assert history.read()[-1] == Asked("select 1", 2.0, 1, 0.5)
    assert (tmp_path / "queries.jsonl").stat().st_mode & 0o077 == 0


def test_it_is_bounded(tmp_path: Path) -> None:
    history = History(tmp_path / "queries.jsonl")
    for number in range(MOST + 20):
        history.add(Asked(f"select {number}", 0.0))
    assert len(history.read()) == MOST
    before = texts(history)
    history.add(Asked("x" * (LONGEST + 1), 0.0))
    assert texts(history) == before


def test_a_large_file_is_made_shorter(tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    history = History(file)
    for _ in range(sql_history.LARGEST // LONGEST + 10):
        history.add(Asked("y" * LONGEST, 0.0))
    assert file.stat().st_size < sql_history.LARGEST // 2
    assert texts(history) == ["y" * LONGEST]


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_bytes(b'{"sql": "select 1", "at": 1}\n\xff\xfe\n[]\n{"sql": 5}\n{"sql": "select 2", "at"')
    history = History(file)
    assert texts(history) == ["select 1"]


def test_consoles_do_not_lose_each_others_queries(tmp_path: Path) -> None:
    histories = [History(tmp_path / "queries.jsonl") for _ in range(4)]

    def ask(number: int) -> None:
        for count in range(25):
            histories[number].add(Asked(f"select {number}, {count}", 0.0))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(histories[0].read()) == 100
