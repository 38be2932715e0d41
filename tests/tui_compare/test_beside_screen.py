"""Two episodes side by side: where they part, dialogues, files and pictures, at any size."""

import pytest

from iwtui.archive.store import Store
from iwtui.tui.screens.compare_episodes import BesideScreen
from iwtui.tui.widgets.code import CodePane
from iwtui.tui.widgets.dialogue import Dialogue
from iwtui.tui.widgets.picture import PictureView
from tests.support.stores import P, judge, make_case, make_run, play
from tests.tui_home.stage import Stage, Stand, until

SIZES = [(80, 24), (120, 40), (160, 48)]


def beside(store: Store, case: str = "bakery_P-MIN", a: str = "before", b: str = "after") -> BesideScreen:
    one, two = (next(name for name in store.run(run).episodes() if name.case == case) for run in (a, b))
    return BesideScreen(one, two)


@pytest.mark.parametrize("size", SIZES)
async def test_all_parts_are_shown_at_any_size(store: Store, size: tuple[int, int]) -> None:
    app = Stage(store.root)
    async with app.run_test(size=size, notifications=True) as pilot:
        app.push_screen(beside(store))
        await until(pilot, lambda: "They part after 0 steps in common" in app.shown)
        assert "turn 1, event 3: clarify: Which name?" in app.shown and "turn 1, event 3: implement" in app.shown
        assert "Which name?" in [block.text for block in app.screen.query_one("#said-a", Dialogue).blocks]
        a, b = (app.screen.query_one(f"#dialogue-{side}").region for side in ("a", "b"))
        assert (a.y == b.y) == (size[0] >= 100) and a.height >= 3 and b.height >= 3
        await pilot.press("right")
        await until(pilot, lambda: "1 file differs at the end, from A to B" in app.shown)
        await until(pilot, lambda: "<h1>Turn 2</h1>" in app.shown and "<h1>Turn 1</h1>" in app.shown)
        entry = app.screen.query_one(CodePane).entry
        assert entry is not None and (entry.op, entry.added, entry.removed) == ("change", 1, 1)
        await pilot.press("right")
        await until(pilot, lambda: "verify 1: turn 3" in app.shown and "verify 1: turn 2" in app.shown)
        assert app.screen.query_one("#seen-a", PictureView).blob is not None
        await pilot.press("n", "N", "left", "left")
        assert "They part after" in app.shown


async def test_files_where_the_two_part(store: Store) -> None:
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(beside(store))
        await until(pilot, lambda: "They part" in app.shown)
        await pilot.press("right", "t")
        await until(pilot, lambda: "1 file differs after the turn in which they part" in app.shown)
        entry = app.screen.query_one(CodePane).entry
        assert entry is not None and entry.op == "add"


async def test_the_same_from_beginning_to_end(store: Store) -> None:
    folder = make_run(store, "again", [make_case()])
    for repeat in (1, 2):
        judge(folder, play(folder, make_case(), repeat=repeat, actions="CIVS"), (P, P, P, P))
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        one, two = folder.episodes()
        app.push_screen(BesideScreen(one, two))
        await until(pilot, lambda: "The two did the same from beginning to end." in app.shown)
        await pilot.press("right")
        await until(pilot, lambda: "The files are the same." in app.shown)


async def test_one_of_them_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Stand)
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(beside(store))
        await until(pilot, lambda: "They part" in app.shown)
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, Stand))
        assert isinstance(app.screen, Stand) and app.screen.episode.run == "after"


async def test_episodes_of_two_cases_are_refused(store: Store) -> None:
    one = beside(store)._names[0]
    other = beside(store, "lending_P-MIN")._names[1]
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(BesideScreen(one, other))
        await until(pilot, lambda: app.notes)
        assert "two cases, bakery_P-MIN and lending_P-MIN" in app.notes[0][1]


async def test_an_episode_whose_log_is_gone_is_told(store: Store) -> None:
    screen = beside(store)
    store.run("after").episode_log(screen._names[1]).unlink()
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(screen)
        await until(pilot, lambda: app.notes)
        assert app.notes[0][0] == "These episodes cannot be compared"


async def test_what_the_store_lacks_is_told(store: Store) -> None:
    screen = beside(store)
    folder = store.run("after")
    manifest = folder.fold_episode(screen._names[1]).manifest
    assert manifest is not None
    folder.blobs.path(manifest).unlink()
    app = Stage(store.root)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(screen)
        await until(pilot, lambda: "blob missing" in app.shown)
