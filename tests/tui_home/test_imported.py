"""An imported run on the screens: what its logs do not hold is shown as unknown, and all of it can be opened."""

from pathlib import Path

from textual.screen import Screen

from iwtui.archive.importers.official import import_logs
from iwtui.archive.store import Store
from iwtui.packs import shipped_personas
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.metrics import MetricsScreen
from iwtui.tui.widgets.table import Table
from tests.support.harness import trajectory, write_task
from tests.tui_episode.small_app import showing
from tests.tui_episode.small_app import until as until_shown
from tests.tui_home.stage import Stage, until


class Home(Stage):
    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()


class Measured(Stage):
    def get_default_screen(self) -> Screen[None]:
        return MetricsScreen(self.run_opened_for)


def imported(root: Path) -> Store:
    """A scored episode, and one whose log breaks off and names no slot."""
    logs = root / "maker-7b" / "logs"
    write_task(logs, "000001_P-MIN")
    write_task(logs, "000002", trajectory()[:-3])
    store = Store(root / "store")
    import_logs(logs, None, store, shipped_personas(), lambda _: None)
    return store


async def test_home_and_metrics_show_an_imported_run(tmp_path: Path) -> None:
    store = imported(tmp_path)
    home = Home(store.root)
    async with home.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: len(home.screen.query_one("#episode-table", Table).rows) == 2)
        assert "000001_P-MIN" in home.shown and "maker-7b" in home.shown
    metrics = Measured(store.root, run=store.runs()[0])
    async with metrics.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: "33.3" in metrics.shown)
        assert "1 scored" in metrics.shown


async def test_an_imported_episode_can_be_stepped_through(tmp_path: Path) -> None:
    store = imported(tmp_path)
    for name in store.run(store.runs()[0]).episodes():
        async with showing(store, name) as (app, pilot, _):
            for key in ("home", "shift+right", "shift+right", "right", "end"):
                await pilot.press(key)
            await until_shown(pilot, lambda: "index.html" in "\n".join(app.lines()))
            shown = "\n".join(app.lines())
            assert "clarify" in shown and "Make a clock." in shown
