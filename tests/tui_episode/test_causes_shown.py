"""Why a slot failed, on the screens: told in the strip and with the slot, and the way to the events that show it."""

from pathlib import Path

import msgspec
import pytest

from iwtui.archive.store import Store
from iwtui.bench.case import Visibility
from iwtui.bench.events import EpisodeEnded
from iwtui.cli.forking import Wanted, fork_of
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.widgets.timeline import Timeline
from tests.support.stores import F, P, judge, make_case, make_run, play
from tests.tui_episode.small_app import SIZES, showing, until


@pytest.fixture(autouse=True)
def _no_runners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


BLIND = "IVS"
"""Nothing is asked: the search was missing in the instruction."""


@pytest.mark.parametrize("size", SIZES[1:])
async def test_strip_and_slot_tell_the_cause_and_enter_leads_to_what_shows_it(tmp_path: Path, size: tuple[int, int]) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions=BLIND)
    judge(folder, name, (P, F, P, P))
    async with showing(store, name, size) as (app, pilot, episode):
        view = episode.view
        assert view
        await until(pilot, lambda: view.causes)
        await pilot.pause()
        if size[1] >= 30:
            assert any("✗ failed Search · never asked" in line for line in app.lines())
        await pilot.press("s", "enter")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, SlotScreen)
        assert any("cause" in line and "never asked, turn 1" in line for line in app.lines())
        steps = screen.query_one(Timeline)
        clues = [row for row in steps.rows if not row.judging]
        assert [row.text for row in clues] == [
            "turn 1: the instruction leaves it out",
            "turn 1: code was written without knowing it",
        ]
        assert steps.rows[steps.index].judging, "the cursor stands on what decided it"
        await pilot.press("home", "down", "enter")
        await pilot.pause()
        assert app.screen is episode
        assert (view.row.kind if view.row else "") == "FilesChanged"
        await pilot.press("s", "enter")
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()
        assert app.screen is episode
        assert view.cursor == clues[-1].seq


async def test_b_leads_to_the_blind_turn_and_says_so_where_there_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    blind, asked = make_case(), make_case(persona="P-BASE")
    asked = msgspec.structs.replace(asked, visibility=(Visibility.STATED,) * 4)
    folder = make_run(store, "run", [blind, asked])
    unjudged = play(folder, blind, attempt=2, actions=BLIND)
    names = [play(folder, case, actions=BLIND) for case in (blind, asked)]
    for name in names:
        judge(folder, name, (P, F, F, F))
    async with showing(store, names[0]) as (_, pilot, episode):
        view = episode.view
        assert view
        await until(pilot, lambda: not view.unblamed())
        await pilot.press("b")
        await pilot.pause()
        row = view.row
        assert row and (row.kind, row.turn) == ("FilesChanged", 1)
    for name, why in [(names[1], "None of the failed slots was built blind"), (unjudged, "It is not judged yet")]:
        async with showing(store, name) as (app, pilot, episode):
            feed = episode.feed
            await until(pilot, lambda: feed.view and not feed.view.unblamed())  # noqa: B023 - awaited here
            await pilot.press("b")
            await pilot.pause()
            assert app.notes[-1].startswith(why)


async def test_a_slot_that_is_looked_at_when_its_cause_comes_tells_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions=BLIND)
    async with showing(store, name, (120, 40)) as (app, pilot, episode):
        await pilot.press("s", "right", "enter")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, SlotScreen) and screen.slot == 1
        await pilot.press("c")
        assert app.notes == ["Only a failed slot of a scored episode has a cause"]
        judge(folder, name, (P, F, P, P))
        view = episode.view
        assert view
        await until(pilot, lambda: view.causes)
        await pilot.pause()
        assert any("never asked" in line for line in app.lines())
        assert [row.text for row in screen.query_one(Timeline).rows if not row.judging]
        view.clear_judging("checks")
        assert not view.causes, "another log stands there now: its causes are not these"


async def test_a_fork_tells_what_became_of_its_parents_slots(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    folder = make_run(store, "run", [case])
    parent = play(folder, case, actions=BLIND)
    judge(folder, parent, (P, F, P, P))
    fork = fork_of(store, parent, Wanted(3), folder.plan.roles, folder.plan)
    (name,) = fork.episodes()
    with fork.record_episode(name) as log:
        log.append(EpisodeEnded(status="played", stop_reason="submitted"), 3)
    judge(fork, name, (F, P, P, P))
    for gone in (False, True):
        async with showing(store, name, (120, 40)) as (app, pilot, episode):
            view = episode.view
            assert view
            await until(pilot, lambda: not view.unblamed())  # noqa: B023 - awaited here
            await pilot.pause()
            assert [slot.before for slot in view.slots] == ([""] * 4 if gone else ["passed", "failed", "passed", "passed"])
            assert view.rows[0].text == f"a fork of {parent} at turn 3, by again; 2 turns kept"
            assert any("· passed in its parent" in line for line in app.lines()) is not gone
            await pilot.press("s", "enter")
            await pilot.pause()
            assert any("✓ passed  before the fork" in line for line in app.lines()) is not gone
        if not gone:
            store.remove_run("run")
