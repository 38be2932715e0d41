"""Pausing and cancelling from Home: what is asked of the runner, what is told, and what is greyed."""

import time
from collections.abc import Callable

import msgspec
import pytest
from textual.pilot import Pilot

from iwtui.archive.control import Order, new_orders
from iwtui.archive.log import Live, live_path
from iwtui.archive.registry import Registration
from iwtui.bench.fold import Spent
from iwtui.tui.screens.home import HomeScreen
from iwtui.tui.screens.sure import SureScreen
from tests.cli.scribe import Scribe
from tests.tui_home.stage import until
from tests.tui_home.test_home_screen import GOING, Home


def _taking(scribe: Scribe, taken: list[Order]) -> Callable[[], bool]:
    """Acts as the runner whenever it is asked; true once an order was taken."""

    def took() -> bool:
        for given in new_orders(scribe.store.run("second")).given:
            taken.append(given.order)
            given.take()
        return bool(taken)

    return took


def _does(scribe: Scribe, **fields: object) -> None:
    live = Live(time.time(), **fields)  # type: ignore[arg-type]
    live_path(scribe.store.run("second").episode_log(GOING)).write_bytes(msgspec.json.encode(live))


def _home(app: Home) -> HomeScreen:
    screen = app.screen_stack[0]
    assert isinstance(screen, HomeScreen)
    return screen


async def _to_the_episode(app: Home, pilot: "Pilot[None]") -> None:
    await pilot.press("tab", "g")
    assert app.episodes.lines.has_focus and app.episodes.current
    assert str(getattr(app.episodes.current, "name", "")) == str(GOING)


async def test_one_key_pauses_a_run_and_lets_it_go_on(stored: Scribe) -> None:
    taken: list[Order] = []
    app = Home(stored.store.root, run="second")
    with Registration(stored.store.root, "second") as registration:
        async with app.run_test(size=(160, 40), notifications=True) as pilot:
            await until(pilot, lambda: "▸ playing" in app.shown)
            await pilot.press("p")
            await until(pilot, _taking(stored, taken))
            await until(pilot, lambda: app.notes)
            assert (taken[0].what, taken[0].episode) == ("pause", None)
            assert app.notes == [("second", "paused before its next model call; p lets it go on")]
            registration.say("five faults in a row: [/ no route")
            await until(pilot, lambda: "‖ paused" in app.shown and "paused: five faults in a row: [/ no route" in app.shown)
            taken.clear()
            await pilot.press("p")
            await until(pilot, _taking(stored, taken))
            assert taken[0].what == "go on"


async def test_an_episode_is_paused_and_cancelled_alone(stored: Scribe) -> None:
    taken: list[Order] = []
    app = Home(stored.store.root, run="second")
    with Registration(stored.store.root, "second"):
        _does(stored, phase="builder", detail="is writing, 5 characters", text="<bolt")
        async with app.run_test(size=(160, 40), notifications=True) as pilot:
            await until(pilot, lambda: "▸ generating" in app.shown)
            await _to_the_episode(app, pilot)
            await pilot.press("p")
            await until(pilot, _taking(stored, taken))
            assert (taken[0].what, taken[0].episode) == ("pause", str(GOING))
            _does(stored, phase="paused", detail="a person paused it", spent=Spent(1, 900, 20))
            await until(pilot, lambda: "‖ paused" in app.shown)
            taken.clear()
            await pilot.press("c")
            await until(pilot, lambda: isinstance(app.screen, SureScreen))
            assert GOING.stem in app.shown
            await pilot.press("enter")  # no
            assert not _taking(stored, taken)()
            await pilot.press("c")
            await until(pilot, lambda: isinstance(app.screen, SureScreen))
            await pilot.press("down", "enter")
            await until(pilot, _taking(stored, taken))
            assert (taken[0].what, taken[0].episode) == ("cancel", str(GOING))


async def test_all_are_cancelled_when_the_reader_is_sure(stored: Scribe) -> None:
    taken: list[Order] = []
    app = Home(stored.store.root, run="second")
    with Registration(stored.store.root, "second"):
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "▸ playing" in app.shown)
            await pilot.press("C")
            await until(pilot, lambda: isinstance(app.screen, SureScreen))
            await pilot.press("down", "enter")
            await until(pilot, _taking(stored, taken))
            await until(pilot, lambda: app.notes)
            assert (taken[0].what, taken[0].episode) == ("cancel", None)
            assert app.notes[0][1] == "all its episodes are cancelled, and no other begins"


async def test_an_order_that_nobody_takes_is_withdrawn_and_told(stored: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.archive.asking.PATIENCE", 0.1)
    app = Home(stored.store.root, run="second")
    with Registration(stored.store.root, "second"):
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, lambda: "▸ playing" in app.shown)
            await pilot.press("p")
            await until(pilot, lambda: app.notes)
            assert app.notes[0][0] == "Nothing was changed: second"
            assert new_orders(stored.store.run("second")).given == ()


async def test_what_is_not_possible_tells_why_and_is_greyed(stored: Scribe) -> None:
    app = Home(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "! broken off" in app.shown)
        home = _home(app)
        assert home.why_not("home.pause") == home.why_not("home.stop") == "nobody plays it"
        assert home.why_not("home.resume") == "" == home.why_not("home.find")
        await pilot.press("p", "x", "C")
        await until(pilot, lambda: len(app.notes) == 3)
        assert app.notes[0] == ("second: no pause", "nobody plays it")
        assert not any(new_orders(stored.store.run("second")).given)
        await pilot.press("up" if app.runs.lines.index else "down")
        await until(pilot, lambda: home.why_not("home.resume") == "nothing is left to play")
