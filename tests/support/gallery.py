"""Makes the pictures of the README from a real run: `python -m tests.support.gallery [STORE]`.

Each is an SVG of the console itself and a PNG of it. Without a store the demo is played first.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from iwtui.archive.store import Store
from iwtui.tui.app import ConsoleApp
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.themes import load_themes
from tests.support.runner import run

FOLDER = Path(__file__).parents[2] / "themes" / "gallery"
BLIND, ASKING = "P-MIN.scripted-blind", "P-INT.scripted-clarifier"
REST = 2.5
"""Seconds until a picture on the screen has been drawn for sure."""

Steps = Callable[[Pilot[None], Store], Awaitable[None]]


async def keys(pilot: Pilot[None], *pressed: str) -> None:
    for key in pressed:
        await pilot.press(key)
    await pilot.pause(REST)


async def home(pilot: Pilot[None], _: Store) -> None:
    await pilot.pause(REST)


async def metrics(pilot: Pilot[None], store: Store) -> None:
    await pilot.app.push_screen(MetricsScreen(store.runs()[-1]))
    await pilot.pause(REST)


async def blind(pilot: Pilot[None], store: Store) -> None:
    await pilot.app.push_screen(EpisodeScreen(store.resolve_episode(BLIND)))
    await pilot.pause(REST)
    await keys(pilot, "end")


async def asking(pilot: Pilot[None], store: Store) -> None:
    name = store.resolve_episode(ASKING)
    view = EpisodeScreen(name, event=first_step(store, name))
    await pilot.app.push_screen(view)
    await pilot.pause(REST)
    await keys(pilot, "m")


async def failed_slot(pilot: Pilot[None], store: Store) -> None:
    await blind(pilot, store)
    await keys(pilot, "s", "right", "right", "enter")


async def helped(pilot: Pilot[None], store: Store) -> None:
    await blind(pilot, store)
    await keys(pilot, "question_mark")


def first_step(store: Store, name: Any) -> int:
    """The first browser step of an episode."""
    from iwtui.archive.log import read_log

    log = store.run(name.run).episode_log(name)
    return next(record.seq for _, record in read_log(log) if record.kind == "BrowserStepped")


PICTURES: dict[str, tuple[tuple[int, int], str, Steps]] = {
    "home": ((160, 48), "dark", home),
    "metrics": ((160, 48), "dark", metrics),
    "episode-blind": ((160, 48), "dark", blind),
    "episode-asking": ((160, 48), "dark", asking),
    "slot": ((160, 48), "dark", failed_slot),
    "help": ((160, 48), "dark", helped),
    "episode-light": ((160, 48), "light", asking),
    "episode-contrast": ((160, 48), "contrast", asking),
    "home-100": ((100, 30), "dark", home),
    "metrics-100": ((100, 30), "dark", metrics),
    "episode-100": ((100, 30), "dark", asking),
    "metrics-80": ((80, 24), "dark", metrics),
    "episode-80": ((80, 24), "dark", asking),
    "slot-80": ((80, 24), "dark", failed_slot),
}


async def take(store: Store, wanted: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    themes = load_themes()
    for name, (size, theme, steps) in PICTURES.items():
        if wanted and name not in wanted:
            continue
        app = ConsoleApp(store, themes[theme])
        async with app.run_test(size=size, notifications=True) as pilot:
            await steps(pilot, store)
            (FOLDER / f"{name}.svg").write_text(app.export_screenshot(title="iwtui"), encoding="utf-8")
        print(name)


async def to_png(wanted: list[str]) -> None:
    from playwright.async_api import async_playwright

    from iwtui.web.chromium import find, launch_args

    chromium = find()
    assert chromium is not None, "no browser: run `iwtui setup`"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.executable, args=launch_args())
        page = await browser.new_page(viewport={"width": 1600, "height": 900})
        for svg in sorted(FOLDER.glob("*.svg")):
            if wanted and svg.stem not in wanted:
                continue
            await page.goto(svg.as_uri())
            await page.locator("svg").screenshot(path=svg.with_suffix(".png"))
        await browser.close()


def main() -> None:
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(given[0]) if given else Path(folder) / "store"
        if not given:
            done = run(["demo", "--headless", "--json", "--store", str(root)], Path(folder))
            assert done.returncode == 0, done.stderr
        asyncio.run(take(Store(root), given[1:]))
    asyncio.run(to_png(given[1:]))


if __name__ == "__main__":
    main()
