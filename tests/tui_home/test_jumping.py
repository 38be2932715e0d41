"""Jumping: each pane of a screen has a letter, the letter leads there, and anything else leaves all as it was."""

from functools import partial

import pytest
from textual.pilot import Pilot

from iwtui.bench.names import EpisodeName
from iwtui.tui.app import ConsoleApp
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.jump import JumpScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.state.arrangement import PaneName
from iwtui.tui.widgets.slot_strip import SlotStrip
from tests.cli.scribe import Scribe
from tests.tui_home.stage import until

SIZES = [(60, 20), (100, 30), (160, 48)]
EPISODE = EpisodeName("first", "bakery_P-MIN", "scripted-blind", 1, 1)


def letters(app: ConsoleApp) -> dict[str, int]:
    """The letters on the screen, and the rows that they stand in."""
    assert isinstance(app.screen, JumpScreen)
    rows = app.screen._compositor.render_strips()
    badge = app.screen.get_visual_style("jump--letter").rich_style.bgcolor
    found = {
        segment.text.strip(): number
        for number, row in enumerate(rows)
        for segment in row
        if segment.style and segment.style.bgcolor == badge
    }
    found.pop("", None)
    return found


def focused_table(app: ConsoleApp) -> str | None:
    focused = app.screen.focused
    return focused.parent.id if focused is not None and focused.parent is not None else None


def _is_active(screen: EpisodeScreen, pane: PaneName) -> bool:
    """The pane is the active one, and has the focus, itself or in it."""
    focused = screen.focused
    return (
        screen.is_current
        and screen.panes.active is pane
        and focused in screen.panes.pane(pane).walk_children(with_self=True)
    )


async def opened(app: ConsoleApp, pilot: Pilot[None]) -> None:
    await pilot.press("w")
    await until(pilot, lambda: isinstance(app.screen, JumpScreen))


@pytest.mark.parametrize("size", SIZES)
async def test_a_letter_leads_to_its_table(stored: Scribe, size: tuple[int, int]) -> None:
    app = ConsoleApp(stored.store, images="off")
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: app.screen.focused)
        await opened(app, pilot)
        assert list(letters(app)) == ["a", "s"]
        assert letters(app)["a"] == 1
        await pilot.press("s")
        await until(pilot, lambda: focused_table(app) == "episode-table")
        await opened(app, pilot)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await opened(app, pilot)
        await pilot.press("p", "escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert focused_table(app) == "episode-table"


@pytest.mark.parametrize("size", SIZES)
async def test_panes_that_are_hidden_have_letters_on_their_tabs(stored: Scribe, size: tuple[int, int]) -> None:
    app = ConsoleApp(stored.store, images="off")
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = EpisodeScreen(EPISODE)
        await app.push_screen(screen)
        await until(pilot, lambda: screen.view)
        for letter, pane in zip("asdf", PaneName, strict=True):
            await opened(app, pilot)
            assert set(letters(app)) == set("asdfg")
            await pilot.press(letter)
            await until(pilot, partial(_is_active, screen, pane))
        await opened(app, pilot)
        await pilot.press("g")
        await until(pilot, lambda: isinstance(screen.focused, SlotStrip))


async def test_a_letter_can_be_clicked_and_a_resize_leaves_all_as_it_was(stored: Scribe) -> None:
    app = ConsoleApp(stored.store, images="off")
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: app.screen.focused)
        screen = MetricsScreen("second")
        await app.push_screen(screen)
        await until(pilot, lambda: screen.query_one("#cell-table").rows)  # type: ignore[attr-defined]
        await opened(app, pilot)
        last = list(letters(app).items())[-1]
        await pilot.click(offset=(1, last[1]))
        await until(pilot, lambda: focused_table(app) == "cell-table")
        await opened(app, pilot)
        await pilot.resize_terminal(90, 30)
        await until(pilot, lambda: app.screen is screen)
