"""Runs and episodes as rows: what the index knows, and what their own logs say meanwhile."""

from dataclasses import replace
from types import SimpleNamespace

import msgspec

from iwtui.archive.registry import Runner
from iwtui.bench.fold import Spent
from iwtui.bench.names import EpisodeName
from iwtui.bench.status import Status
from iwtui.tui.answers import EpisodeLine, RunLine
from iwtui.tui.board import Going, Playing, Progress
from iwtui.tui.rows import EPISODE_COLUMNS, RUN_COLUMNS, episode_cells, episode_rows, run_cells, run_rows
from iwtui.tui.state.doing import Doing
from tests.tui_home.stage import HOSTILE

SPENT = Spent(calls=2, tokens_in=12_000, tokens_out=345, cost=0.25, unpriced=1)
LIVE = {"run": Going(Playing.LIVE)}


def name(case: str, attempt: int = 1) -> EpisodeName:
    return EpisodeName("run", case, "b", 1, attempt)


def progress(case: str, status: Status = Status.RUNNING, attempt: int = 1) -> Progress:
    does = Doing("judging", "slot 1")
    return Progress(name(case, attempt), case, "P-MIN", "easy", "b", status, "C I", 3, 15, does, 1, 2, SPENT, 1_000.0)


def indexed(case: str, status: str = "scored", attempt: int = 1) -> EpisodeLine:
    return EpisodeLine(
        name(case, attempt), case, "P-MIN", "easy", "b", status, "submitted", "C I S", 3, 0.5, 9.0, None, 1, 2
    )


def test_what_ended_since_the_index_was_read_counts_once() -> None:
    line = RunLine("run", planned=4)
    ended = {name(case): progress(case, Status.SCORED) for case in ("a", "b")} | {name("c"): progress("c")}

    row = run_rows([line], frozenset({name("a")}), LIVE, ended)[0]

    assert (row.over, row.running, row.broken_off) == (1, 1, False)


def test_a_run_that_nobody_plays_is_broken_off_unless_it_is_done_or_just_starting() -> None:
    lines = [RunLine("run", planned=4), RunLine("done", planned=0), RunLine("bad", trouble="no run.json")]

    rows = run_rows(lines, frozenset(), {}, {})

    assert [row.broken_off for row in rows] == [True, False, False]
    assert not run_rows(lines, frozenset(), {}, {}, {"run"})[0].broken_off
    assert "starting" in run_cells(run_rows(lines, frozenset(), {}, {}, {"run"})[0])[1].plain


def test_each_row_has_a_cell_for_each_column() -> None:
    lines = [RunLine("run", planned=4), RunLine("bad", trouble="no run.json")]

    assert {len(run_cells(row)) for row in run_rows(lines, frozenset(), LIVE, {})} == {len(RUN_COLUMNS)}
    assert len(episode_cells(indexed("a"))) == len(EPISODE_COLUMNS)


def test_the_index_knows_best_what_is_over_and_the_logs_what_goes_on() -> None:
    rows = episode_rows(
        [indexed("a"), indexed("b", "running"), indexed("c", "infra")],
        [progress("a"), progress("b"), progress("c", attempt=2), progress("d")],
    )

    assert [(row.case_id, row.status, row.name.attempt) for row in rows] == [
        ("b", "running", 1),
        ("c", "running", 2),
        ("d", "running", 1),
        ("a", "scored", 1),
    ]
    assert rows[0].doing == "judging slot 1"


def test_an_episode_that_goes_on_tells_what_it_took_and_a_held_one_that_it_is_held() -> None:
    going, held = episode_rows([], [progress("a"), replace(progress("b"), doing=Doing("paused"))])

    cells = [cell.plain for cell in episode_cells(going)]
    assert "12.3k" in cells and "0.25+" in cells
    assert (episode_cells(going)[2].plain, episode_cells(held)[2].plain) == ("▸ running", "‖ paused")
    assert episode_rows([], [replace(progress("a"), spent=Spent(1, unpriced=1))])[0].cost is None, "unknown, not 0"


def test_a_run_that_is_not_read_yet_claims_nothing() -> None:
    row = run_rows([RunLine("run", planned=4)], frozenset(), {}, {}, reading=True)[0]

    assert not row.broken_off and not row.faulty
    assert [cell.plain.split()[-1] for cell in run_cells(row)[1:3]] == ["…", "…/4"]


def test_what_is_left_of_a_run_is_guessed_from_its_episodes_and_not_while_it_is_paused() -> None:
    figures = SimpleNamespace(seconds=60.0, scored=1, crashed=0, infra=0, cancelled=0)
    line = RunLine("run", planned=4, figures=figures)  # type: ignore[arg-type]
    runner = Runner("store", "run", 1, 0.0, "boot", "host", 0.0)
    paused = Going(Playing.LIVE, msgspec.structs.replace(runner, paused="a person paused it"))
    progresses = {name("b"): progress("b")}

    going = run_rows([line], frozenset({name("a")}), {"run": Going(Playing.LIVE, runner)}, progresses, now=1_020.0)[0]
    held = run_rows([line], frozenset({name("a")}), {"run": paused}, progresses, now=1_020.0)[0]

    assert going.to_go == 2 * 60 + 40
    assert (held.to_go, held.paused) == (None, "a person paused it")


def test_nothing_goes_on_in_a_run_that_nobody_plays() -> None:
    row = episode_rows([], [progress("a")], idle=True)[0]

    assert "broken off" in episode_cells(row)[2].plain
    assert "judging" not in episode_cells(row)[-1].plain


def test_texts_of_others_are_shown_and_never_carried_out() -> None:
    does = Doing(HOSTILE, HOSTILE)
    one = Progress(name("a"), HOSTILE, HOSTILE, HOSTILE, HOSTILE, Status.RUNNING, "C", 1, 15, does, 0, 0, SPENT, 0.0)
    line = RunLine("run", HOSTILE, (HOSTILE,), planned=1)

    cells = [*episode_cells(episode_rows([], [one])[0]), *run_cells(run_rows([line], frozenset(), {}, {})[0])]

    shown = "".join(cell.plain for cell in cells)
    assert "[link='" in shown
    assert not [char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char == "\u202e"]
