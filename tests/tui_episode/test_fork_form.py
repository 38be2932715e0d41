"""The form of a fork: what it offers at a turn, what it starts, and where that leads."""

from pathlib import Path

import pytest
from textual.widgets import Button, Input, Select

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.tui.launch import ForkOrder, Launched, LaunchError
from iwtui.tui.screens.episode import EpisodeScreen
from iwtui.tui.screens.fork import ForkScreen
from tests.support.stores import make_case, make_run, play
from tests.tui_episode.small_app import SIZES, SmallApp, showing, until


@pytest.fixture(autouse=True)
def _no_runners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


def played(store: Store, run: str = "run", kind: str = "run") -> EpisodeName:
    case = make_case()
    return play(make_run(store, run, [case], kind=kind), case, actions="CIVS")


def said(app: SmallApp) -> str:
    """All that the screen shows, without its frames."""
    return " ".join(" ".join(app.lines()).translate(FRAMES).split())


FRAMES = dict.fromkeys(map(ord, "│┃║▏▕▎▐▌█╭╮╰╯─━"), " ")


@pytest.mark.parametrize("size", SIZES)
async def test_it_opens_at_the_turn_of_the_cursor_and_says_what_is_kept(tmp_path: Path, size: tuple[int, int]) -> None:
    store = Store(tmp_path / "store")
    async with showing(store, played(store), size) as (app, pilot, episode):
        assert episode.view
        episode.view.go(episode.view.latest.turns[1].seq)
        await pilot.press("F")
        await pilot.pause()
        form = app.screen
        assert isinstance(form, ForkScreen)
        assert "Text: the question." in said(app)
        await pilot.press(*"Which?")
        await pilot.pause()
        assert "turn 1 is kept; in turn 2 your question is asked" in said(app)
        for way, told in [
            ("answer", "Turn 2 asks no question"),
            ("builder", "the other model plays from turn 2 on"),
            ("prompt", "turn 2 is played anew with the other rules"),
            ("edit", "turns 1 to 2 are kept; in turn 3 the file is put in"),
            ("", "turn 2 is played anew. It counts in no mean"),
        ]:
            form.query_one("#way", Select).value = way
            await until(pilot, lambda told=told: told in said(app))  # type: ignore[misc]
        for turn, told in [("9", "a number from 1 to 4"), ("", "a number from 1 to 4"), ("1", "nothing is kept")]:
            form.query_one("#turn", Input).value = turn
            await until(pilot, lambda told=told: told in said(app))  # type: ignore[misc]


async def test_it_starts_the_fork_and_follows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store")
    parent, fork = played(store), played(store, "forked", "fork")
    orders: list[ForkOrder] = []
    pids: list[int] = []

    def begin(_: Store, order: ForkOrder) -> Launched:
        orders.append(order)
        if len(orders) == 1:
            raise LaunchError("no browser [/ was\x1b[2J found")
        return Launched("forked", 17, "log")

    monkeypatch.setattr("iwtui.tui.screens.fork.start", begin)
    monkeypatch.setattr(SmallApp, "started", lambda _, pid: pids.append(pid))
    async with showing(store, parent, (120, 40)) as (app, pilot, _):
        await pilot.press("F")
        await pilot.pause()
        form = app.screen
        form.query_one("#turn", Input).value = "1"
        form.query_one("#way", Select).value = "answer"
        await pilot.press("ctrl+s")
        assert not orders, "an answer has a text"
        form.query_one("#text", Input).value = "--Ivory [/b]"
        await pilot.pause()
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "no browser [/ was␛[2J found" in said(app))
        assert not form.query_one("#start", Button).disabled
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, EpisodeScreen) and app.screen.episode == fork)
        assert pids == [17]
        assert orders[-1] == ForkOrder(str(parent), 1, "answer", "--Ivory [/b]")
        assert orders[-1].arguments[-4:] == ["--turn=1", "--answer=--Ivory [/b]", "--", str(parent)]
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, EpisodeScreen) and app.screen.episode == parent


async def test_before_the_first_turn_there_is_nothing_to_fork(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    name = play(make_run(store, "run", [case]), case, actions="", end=None)
    async with showing(store, name) as (app, pilot, episode):
        await pilot.press("F")
        await pilot.pause()
        assert app.screen is episode
        assert app.notes == ["There is no turn yet to go on from"]
