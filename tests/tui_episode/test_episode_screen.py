"""The screen of an episode, driven by keys: stepping, panes, finding, playing, following, and what goes wrong."""

import os
import subprocess
import sys
from functools import partial

import pytest
from textual import events
from textual.pilot import Pilot

from iwtui.archive.log import LogWriter
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import (
    ActionChosen,
    EpisodeEnded,
    TurnStarted,
)
from iwtui.bench.longtext import keep
from iwtui.bench.names import EpisodeName
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.state.arrangement import PaneName
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.slot_strip import SlotStrip
from tests.support.stores import F, P, U, judge, make_case, make_run, play
from tests.tui_episode.small_app import SIZES, SmallApp, showing, until


def judged(store: Store, actions: str = "CIVS") -> EpisodeName:
    """A whole episode with slots passed, failed, failed and never looked at."""
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions=actions)
    judge(folder, name, (P, F, F, U))
    return name


def head(app: SmallApp) -> str:
    return app.lines()[1]


def top(app: SmallApp) -> object:
    return app.screen


def active(screen: EpisodeScreen) -> PaneName:
    return screen.panes.active


def _holds(code: CodePane, text: str) -> bool:
    return text in code.copied()


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES)
async def test_it_opens_at_any_size_and_keeps_its_frame(store: Store, size: tuple[int, int]) -> None:
    async with showing(store, judged(store), size) as (app, _, screen):
        lines = app.lines()
        assert "bakery_P-MIN" in lines[1]
        assert lines[1].rstrip().endswith("TCR 17.4 %")
        assert "Timeline" in lines[2]
        visible = [pane for pane in screen.query(".pane") if pane.region.area]
        assert len(visible) == (4 if size[0] >= 140 else 2 if size[0] >= 80 else 1)
        assert any("Slots 1/4" in line for line in lines)
        assert "← → event" in lines[-1]


async def test_the_layout_follows_the_width_and_nothing_else_changes(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        await press(pilot, "right", "right", "tab", "tab")
        assert screen.view
        cursor = screen.view.cursor
        for width, panes in ((100, 2), (60, 1), (40, 1), (100, 2), (160, 4)):
            await pilot.resize_terminal(width, 30)
            await pilot.pause()
            assert len([pane for pane in screen.query(".pane") if pane.region.area]) == panes
            assert (screen.view.cursor, screen.panes.active) == (cursor, PaneName.CODE)
            assert app.focused is not None
            assert app.focused.region.area


async def test_arrows_step_through_events_and_turns(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        assert screen.view
        assert "event 1/" in head(app)
        await press(pilot, "right", "l")
        assert screen.view.cursor == 2
        await press(pilot, "left", "h", "h")
        assert screen.view.cursor == 0
        await press(pilot, "shift+right", "L")
        assert "turn 2/15" in head(app)
        await press(pilot, "H")
        assert "turn 1/15" in head(app)
        await press(pilot, "down", "j")
        assert screen.view.index == screen.panes.timeline.index == 3
        await press(pilot, "end")
        assert screen.view.index == len(screen.view.rows) - 1
        assert "judging" in head(app)


async def test_the_code_is_that_of_the_cursor(store: Store) -> None:
    async with showing(store, judged(store, "CIIS")) as (_, pilot, screen):
        code = screen.query_one(CodePane)
        assert not code.files
        for turn, text in ((2, "<h1>Turn 2</h1>"), (3, "<h1>Turn 3</h1>"), (2, "<h1>Turn 2</h1>")):
            view = screen.view
            assert view
            view.go(next(row.seq for row in view.rows if row.kind == "FilesChanged" and row.turn == turn))
            screen.moved()
            await until(pilot, partial(_holds, code, text))


async def test_next_failure_goes_through_them_all_and_the_strip_tells_of_the_slot(store: Store) -> None:
    async with showing(store, judged(store, "CIVS")) as (app, pilot, screen):
        assert screen.view
        seen = []
        for _ in range(3):
            await press(pilot, "n")
            row = screen.view.row
            assert row
            seen.append((row.kind, row.slot))
        assert seen == [("Verified", None), ("SlotJudged", 1), ("SlotJudged", 2)]
        assert screen.query_one(SlotStrip).index == 2
        await press(pilot, "n")
        assert app.notes == ["No failure after this event"]
        await press(pilot, "N")
        assert screen.view.row
        assert screen.view.row.slot == 1


async def test_from_a_slot_to_the_event_that_decided_it(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        await press(pilot, "s", "enter")
        slot = top(app)
        assert isinstance(slot, SlotScreen)
        assert slot.slot == 1, "the strip begins at the first failed one"
        await press(pilot, "e")
        assert top(app) is screen
        assert screen.view
        assert screen.view.row
        assert (screen.view.row.kind, screen.view.row.slot) == ("BrowserStepped", 1)
        await press(pilot, "enter")
        assert isinstance(top(app), SlotScreen), "an event of the judging leads to its slot"
        await press(pilot, "escape")
        assert top(app) is screen


async def test_enter_leads_to_the_pane_that_tells_more_and_escape_back(store: Store) -> None:
    async with showing(store, judged(store), (70, 24)) as (app, pilot, screen):
        assert screen.view
        screen.view.go(next(row.seq for row in screen.view.rows if row.kind == "FilesChanged"))
        screen.moved()
        await press(pilot, "enter")
        await pilot.pause()
        assert active(screen) is PaneName.CODE
        assert screen.panes.code.region.area
        assert app.focused in screen.panes.code.walk_children()
        await press(pilot, "escape")
        assert active(screen) is PaneName.TIMELINE
        assert top(app) is screen
        await press(pilot, "escape")
        assert top(app) is not screen


async def test_tab_goes_round_all_panes_and_the_slots_even_those_behind(store: Store) -> None:
    async with showing(store, judged(store), (70, 24)) as (app, pilot, screen):
        order = []
        for _ in range(6):
            order.append(screen.panes.active.value if not isinstance(app.focused, SlotStrip) else "slots")
            await press(pilot, "tab")
            await pilot.pause()
        assert order == ["timeline", "dialogue", "code", "screen", "slots", "timeline"]
        await press(pilot, "shift+tab")
        await pilot.pause()
        assert active(screen) is PaneName.TIMELINE


async def test_a_tab_or_a_pane_can_be_clicked(store: Store) -> None:
    async with showing(store, judged(store), (100, 30)) as (_, pilot, screen):
        x = screen.panes.pane(PaneName.TIMELINE).region.x + 3 + len("Timeline · ")
        await pilot.click(offset=(x + 1, 2))
        await pilot.pause()
        assert active(screen) is PaneName.DIALOGUE
        assert screen.panes.dialogue.region.area
        await pilot.click("#pane-screen", offset=(5, 5))
        await pilot.pause()
        assert active(screen) is PaneName.SCREEN


async def test_zoom_shows_one_pane_and_escape_all_again(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        await press(pilot, "tab", "z")
        assert [pane.id for pane in screen.query(".pane") if pane.region.area] == ["pane-dialogue"]
        assert screen.panes.dialogue.size.width > 140
        await press(pilot, "escape")
        assert len([pane for pane in screen.query(".pane") if pane.region.area]) == 4
        assert top(app) is screen


async def test_panes_grow_by_keys(store: Store) -> None:
    async with showing(store, judged(store)) as (_, pilot, screen):
        before = screen.panes.timeline.size.width
        await press(pilot, "plus", "plus")
        grown = screen.panes.timeline.size.width
        assert grown > before
        await press(pilot, "minus")
        assert before < screen.panes.timeline.size.width < grown


async def test_marks_are_switched_and_said(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        assert screen.view
        screen.view.go(next(row.seq for row in screen.view.rows if row.kind == "BrowserStepped"))
        screen.moved()
        await pilot.pause()
        assert any("Screen  1/1, 3 marks" in line for line in app.lines())
        assert any("marks on" in line for line in app.lines())
        await press(pilot, "m")
        assert any("marks off" in line for line in app.lines())


async def test_find_looks_into_whole_texts_and_steps_through_the_matches(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        log.append(TurnStarted(message=keep(folder.blobs, "hm " * 2_000 + "the needle")), 2)
        log.append(EpisodeEnded(status="cancelled", stop_reason="person", text="a Needle too"), 2)
    async with showing(store, name) as (app, pilot, screen):
        await press(pilot, "slash", *"needle", "enter")
        view = screen.view
        assert view
        await until(pilot, lambda: "“needle” 1/2" in head(app))
        assert view.row
        assert (view.row.kind, view.row.turn) == ("TurnStarted", 2)
        await press(pilot, "n")
        assert view.cursor == view.rows[-1].seq
        assert "2/2" in head(app)
        await press(pilot, "n")
        assert "No match" in app.notes[-1]
        await press(pilot, "escape")
        assert "needle" not in head(app)
        assert top(app) is screen


async def test_what_stands_nowhere_is_said(store: Store) -> None:
    async with showing(store, judged(store)) as (app, pilot, screen):
        await until(pilot, lambda: not screen.feed.reading)
        await press(pilot, "slash", *"xyzzy", "enter")
        assert app.notes == ["“xyzzy” stands nowhere in this episode"]
        await press(pilot, "slash", "escape")
        assert app.focused is screen.panes.timeline


async def test_play_goes_on_by_itself_until_the_end(store: Store) -> None:
    async with showing(store, judged(store, "C")) as (app, pilot, screen):
        await press(pilot, "greater_than_sign", "greater_than_sign", "greater_than_sign", "space")
        assert "▶ 16/s" in head(app)
        view = screen.view
        assert view
        await until(pilot, lambda: view.index >= 2)
        await press(pilot, "space")
        stopped = view.index
        await press(pilot, "less_than_sign")
        assert view.index == stopped
        assert "▶" not in head(app)
        await press(pilot, "space")
        await until(pilot, lambda: view.index == len(view.rows) - 1)
        await until(pilot, lambda: "▶" not in head(app))


async def test_a_live_episode_is_followed_until_the_reader_looks_back(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    async with showing(store, name) as (app, pilot, screen):
        view = screen.view
        assert view
        assert view.following
        with LogWriter(folder.episode_log(name), folder.blobs) as log:
            log.progress("implement", "npm install")
            log.append(TurnStarted(message="Go on."), 2)
            await until(pilot, lambda: "Go on." in "\n".join(app.lines()))
            await until(pilot, lambda: "npm install" in head(app))
            assert "following" in head(app)
            await press(pilot, "left")
            cursor = view.cursor
            log.append(ActionChosen(action="submit"), 2)
            await until(pilot, lambda: "1 new ↓" in head(app))
            assert view.cursor == cursor
            await press(pilot, "f")
            assert view.following
            assert view.index == len(view.rows) - 1
            log.append(EpisodeEnded(status="played", stop_reason="submitted"), 2)
        judge(folder, name, (P, F, F, U))
        await until(pilot, lambda: "scored" in head(app))
        await until(pilot, lambda: "Slots 1/4" in "\n".join(app.lines()))
        assert view.index == len(view.rows) - 1


async def test_a_reader_who_scrolled_away_stays_there_while_it_grows(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="CCCCCCCCCC", end=None)
    async with showing(store, name, (100, 24)) as (_, pilot, screen):
        timeline = screen.panes.timeline
        for _ in range(3):
            timeline.post_message(_wheel_up())
        await until(pilot, lambda: not timeline.following)
        await pilot.pause()
        top = timeline.scroll_offset.y
        with LogWriter(folder.episode_log(name), folder.blobs) as log:
            log.append(TurnStarted(message="Go on."), 11)
        view = screen.view
        assert view
        await until(pilot, lambda: view.new == 1)
        await pilot.pause()
        assert timeline.scroll_offset.y == top


def _wheel_up() -> events.MouseScrollUp:
    return events.MouseScrollUp(None, 1, 1, 0, -1, 0, False, False, False, 1, 1, None)


async def test_an_episode_whose_runner_is_gone_is_broken_off(store: Store) -> None:
    case = make_case()
    name = play(make_run(store, "run", [case]), case, actions="C", end=None)
    async with showing(store, name) as (app, pilot, screen):
        with Registration(store.root, "run"):
            for _ in range(3):
                await _look(pilot, screen)
            assert "running" in head(app)
        await until(pilot, lambda: _missed(screen) >= 2)
        await pilot.pause()
        assert "broken off" in head(app)
        assert len([note for note in app.notes if "iwtui resume run" in note]) == 1
        with Registration(store.root, "run"):
            await until(pilot, lambda: _missed(screen) == 0)
            await pilot.pause()
            assert "running" in head(app)


async def _look(pilot: Pilot[None], screen: EpisodeScreen) -> None:
    screen.feed.look_for_runner()
    await pilot.pause()


def _missed(screen: EpisodeScreen) -> int:
    screen.feed.look_for_runner()
    return screen.feed._missed


async def test_copying_takes_what_the_focused_pane_shows(store: Store) -> None:
    async with showing(store, judged(store, "CIVS")) as (app, pilot, screen):
        await press(pilot, "O")
        assert app.notes == ["There is no picture up to this event"]
        await press(pilot, "tab")
        assert screen.copied() == "Make a site for my bakery."
        await press(pilot, "end")
        await press(pilot, "O")
        assert screen.view
        assert screen.view.picture
        assert app.copied[-1] == str(store.blobs.path(screen.view.picture.blob))


async def test_it_can_be_opened_at_an_event(store: Store) -> None:
    async with showing(store, judged(store), event=5) as (_, _pilot, screen):
        assert screen.view
        assert screen.view.cursor == 5


def test_nothing_of_this_needs_the_engine() -> None:
    code = "import sys, iwtui.tui.screens.episode\n"
    code += (
        "unwanted = ('litellm', 'playwright', 'iwtui.engine', 'iwtui.models', 'iwtui.web', 'iwtui.judges', 'iwtui.cli')\n"
    )
    code += "print([name for name in sys.modules if name.startswith(unwanted)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
