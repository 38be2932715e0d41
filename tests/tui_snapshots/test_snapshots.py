"""The screens as they are painted, compared with stored SVGs; `SNAPSHOTS=write pytest tests/tui_snapshots` writes them."""

import difflib
import html
import os
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.app import ConsoleApp
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.themes import load_themes
from iwtui.tui.widgets.heat import HeatMap
from tests.support.settling import painted, settled, until
from tests.support.stores import make_store

STORED = Path(__file__).parent / "stored"
LARGE, MIDDLE, SMALL = (160, 48), (100, 30), (80, 24)

Steps = Callable[[Pilot[None]], Awaitable[None]]


async def home(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "68.9" in painted(pilot.app))
    await pilot.press("end")
    await until(pilot, lambda: "bakery0_P-MIN" in painted(pilot.app))


async def no_runs(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "No run is here yet" in painted(pilot.app))


async def metrics(pilot: Pilot[None]) -> None:
    await pilot.app.push_screen(MetricsScreen("policies"))
    await until(pilot, lambda: "bakery1_P-MIN" in painted(pilot.app) and "±" in painted(pilot.app))


async def metrics_bars(pilot: Pilot[None]) -> None:
    await metrics(pilot)
    await pilot.press("2", "b", "down")
    await until(pilot, lambda: "difficulty easy" in painted(pilot.app))


async def metrics_plots(pilot: Pilot[None]) -> None:
    await metrics(pilot)
    await pilot.press("3", "right")
    await until(pilot, lambda: re.search(r"─ \d+ turns?: \d+ episode", painted(pilot.app)))


async def metrics_of_a_cell(pilot: Pilot[None]) -> None:
    await metrics(pilot)
    pilot.app.screen.query_one("#by-difficulty", HeatMap).focus()
    await pilot.press("down", "right", "p")
    await until(pilot, lambda: "policy strict" in painted(pilot.app))


def episode(number: int, *keys: str, event: int | None = None) -> Steps:
    """The episode of the case `bakery<number>`, then some keys."""

    async def steps(pilot: Pilot[None]) -> None:
        screen = EpisodeScreen(EpisodeName("policies", f"bakery{number}_P-MIN", "scripted-blind", 1, 1), event)
        await pilot.app.push_screen(screen)
        await until(pilot, lambda: screen.view)
        await pilot.press(*keys)

    return steps


async def slot(pilot: Pilot[None]) -> None:
    await episode(2, "s", "right", "enter")(pilot)
    await until(pilot, lambda: isinstance(pilot.app.screen, SlotScreen))


async def broken_off(pilot: Pilot[None]) -> None:
    await episode(9)(pilot)
    await until(pilot, lambda: "broken off" in painted(pilot.app))


SCREENS: dict[str, tuple[tuple[int, int], str, Steps]] = {
    "home": (LARGE, "dark", home),
    "home-small": (SMALL, "dark", home),
    "home-light": (MIDDLE, "light", home),
    "no-runs": (SMALL, "dark", no_runs),
    "metrics": (LARGE, "dark", metrics),
    "metrics-small": (SMALL, "contrast", metrics),
    "metrics-bars": (MIDDLE, "light", metrics_bars),
    "metrics-plots": (LARGE, "dark", metrics_plots),
    "metrics-of-a-cell": (MIDDLE, "dark", metrics_of_a_cell),
    "episode": (LARGE, "dark", episode(0, event=13)),
    "episode-middle": (MIDDLE, "light", episode(2, "n")),
    "episode-small": (SMALL, "dark", episode(0)),
    "episode-crashed": (MIDDLE, "dark", episode(3)),
    "episode-infra": (MIDDLE, "dark", episode(4)),
    "episode-broken-off": (SMALL, "dark", broken_off),
    "slot": (MIDDLE, "dark", slot),
    "slot-small": (SMALL, "contrast", slot),
    "help": (MIDDLE, "dark", episode(0, "question_mark")),
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Store]]:
    """One with something of everything, indexed already, and one with nothing; under names that are always the same."""
    root = tmp_path_factory.mktemp("snapshots")
    made = make_store(root / "store")
    Index(made).catch_up()
    before = Path.cwd()
    os.chdir(root)
    yield {"full": Store(Path("store")), "empty": Store(Path("empty"))}
    os.chdir(before)


@pytest.mark.parametrize("name", SCREENS)
async def test_it_looks_as_it_did(name: str, stores: dict[str, Store]) -> None:
    size, theme, steps = SCREENS[name]
    app = ConsoleApp(stores["empty" if name == "no-runs" else "full"], load_themes()[theme], images="halfcell")
    async with app.run_test(size=size, notifications=True) as pilot:
        await steps(pilot)
        await settled(pilot)
        svg = app.export_screenshot(title=name)
    stored = STORED / f"{name}.svg"
    if os.environ.get("SNAPSHOTS") == "write":
        STORED.mkdir(exist_ok=True)
        stored.write_text(svg, encoding="utf-8")
    expected = stored.read_text("utf-8")
    changes = "\n".join(difflib.unified_diff(texts(expected), texts(svg), "stored", "now", lineterm="", n=1))
    assert svg == expected, f"{changes or 'the colours differ'}\n(what it looks like now: SNAPSHOTS=write)"


def texts(svg: str) -> list[str]:
    """What stands in a picture, piece by piece."""
    return [html.unescape(piece).replace("\xa0", " ") for piece in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def test_no_picture_is_left_of_a_screen_that_is_not_compared() -> None:
    assert {file.stem for file in STORED.glob("*")} == SCREENS.keys()
    assert sum(file.stat().st_size for file in STORED.glob("*")) < 3_000_000
