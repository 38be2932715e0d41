"""Every screen opens on hostile text, at every size and through resizes, with its borders where they belong."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.geometry import Region
from textual.pilot import Pilot

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.app import ConsoleApp
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.leave import LeaveScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.screens.slot import SlotScreen
from tests.support.hostile import HOSTILE, hostile_store
from tests.support.settling import painted, until

SIZES = [(160, 48), (80, 24), (60, 18)]
FRAMED = ".pane, #help, #question, CommandPalette CommandList"
Steps = Callable[[Pilot[None], EpisodeName], Awaitable[None]]


async def home(pilot: Pilot[None], _: EpisodeName) -> None:
    await until(pilot, lambda: "25.0" in painted(pilot.app) and "bakery_P-MIN" in painted(pilot.app))


async def metrics(pilot: Pilot[None], name: EpisodeName) -> None:
    await pilot.app.push_screen(MetricsScreen(name.run))
    await until(pilot, lambda: "bakery_P-MIN" in painted(pilot.app))


async def episode(pilot: Pilot[None], name: EpisodeName) -> None:
    screen = EpisodeScreen(name, event=16)
    await pilot.app.push_screen(screen)
    await until(pilot, lambda: screen.view)


async def helped(pilot: Pilot[None], name: EpisodeName) -> None:
    await episode(pilot, name)
    await pilot.press("question_mark")


async def slot(pilot: Pilot[None], name: EpisodeName) -> None:
    await episode(pilot, name)
    await pilot.press("s", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, SlotScreen))


async def tree(pilot: Pilot[None], name: EpisodeName) -> None:
    await episode(pilot, name)
    await pilot.press("tab", "tab", "e", "z")


async def found(pilot: Pilot[None], name: EpisodeName) -> None:
    await episode(pilot, name)
    await pilot.press("slash", *"[/", "enter", "slash")


async def new_run(pilot: Pilot[None], name: EpisodeName) -> None:
    await home(pilot, name)
    await pilot.press("r")
    await until(pilot, lambda: "50 episodes" in painted(pilot.app))


async def palette(pilot: Pilot[None], name: EpisodeName) -> None:
    await episode(pilot, name)
    await pilot.press("colon")
    await until(pilot, lambda: "Search for commands" in painted(pilot.app))


async def leaving(pilot: Pilot[None], name: EpisodeName) -> None:
    await home(pilot, name)
    await pilot.app.push_screen(LeaveScreen([HOSTILE]))


SCREENS: dict[str, Steps] = {
    "home": home,
    "metrics": metrics,
    "episode": episode,
    "slot": slot,
    "help": helped,
    "tree": tree,
    "found": found,
    "new run": new_run,
    "palette": palette,
    "leaving": leaving,
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EpisodeName]:
    root = tmp_path_factory.mktemp("hostile") / "store"
    return root, hostile_store(root)


@pytest.mark.parametrize("screen", SCREENS)
async def test_it_opens_and_keeps_its_borders(screen: str, stored: tuple[Path, EpisodeName]) -> None:
    root, name = stored
    app = ConsoleApp(Store(root), images="off")
    async with app.run_test(size=SIZES[1], notifications=True) as pilot:
        await SCREENS[screen](pilot, name)
        app.notify_text(HOSTILE, title=HOSTILE, severity="error")
        for size in (*SIZES, SIZES[1]):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            for key in ("tab", "right", "tab", "down"):
                await pilot.press(key)
            app.clear_notifications()
            await pilot.pause()
            assert app.return_code is None
            assert_borders_in_their_columns(app, size)


def assert_borders_in_their_columns(app: ConsoleApp, size: tuple[int, int]) -> None:
    """Each line is as wide as the screen, and left and right of each pane stands its border."""
    lines = painted(app).splitlines()
    assert [cell_len(line) for line in lines] == [size[0]] * size[1]
    panes = [pane for pane in app.screen.query(FRAMED) if pane.display and pane.region.width]
    assert panes
    for pane in panes:
        shown: Region = pane.region.intersection(app.screen.region)
        if pane.styles.border_left[0] == "" or shown != pane.region:
            continue
        for row in range(shown.y + 1, shown.bottom - 1):
            edges = cell_at(lines[row], shown.x) + cell_at(lines[row], shown.right - 1)
            assert edges == "││", f"{pane} in line {row}: {lines[row]}"


def cell_at(line: str, column: int) -> str:
    """What begins in that column; nothing when it is the second half of a wide character."""
    for end in range(len(line) + 1):
        if cell_len(line[:end]) > column:
            return line[end - 1] if cell_len(line[: end - 1]) == column else ""
    return ""
