"""What the console remembers: round trips, bounds, two consoles at a time, and files that are damaged."""

from pathlib import Path

import pytest

from iwtui.archive.store import Store
from iwtui.tui.remembered import LARGEST, MOST_EPISODES, Remembered
from iwtui.tui.state.arrangement import LEAST, Shares
from tests.support.stores import F, P, judge, make_case, make_run, play
from tests.tui_episode.small_app import showing

ROOT = Path("/store")


def test_what_was_remembered_is_there_the_next_time(tmp_path: Path) -> None:
    file = tmp_path / "state" / "console.json"
    first = Remembered.read(file)
    first.leave(ROOT, "run/a", 223)
    first.leave(ROOT, "run/b", 7)
    first.leave(ROOT, "run/b", None)
    first.theme, first.order, first.shares = "light", "tcr", Shares(left=60)
    first.select(ROOT, "run")
    first.choose_columns("bars", ("group", "VCI"))
    first.write()
    again = Remembered.read(file)
    assert [again.event(ROOT, f"run/{name}") for name in "ab"] == [223, None]
    assert again.event(Path("/another"), "run/a") is None
    assert (again.theme, again.order, again.shares, again.selected(ROOT)) == ("light", "tcr", Shares(left=60), "run")
    assert (again.columns("bars"), again.columns("episodes")) == (("group", "VCI"), ())
    assert not again.notice


def test_the_episodes_that_were_left_last_are_kept(tmp_path: Path) -> None:
    remembered = Remembered.read(tmp_path / "console.json")
    for number in range(MOST_EPISODES + 5):
        remembered.leave(ROOT, f"run/{number}", number)
        remembered.leave(ROOT, "run/0", 1)
    remembered.write()
    again = Remembered.read(tmp_path / "console.json")
    assert [again.event(ROOT, f"run/{number}") for number in (0, 1, 5, 6, MOST_EPISODES + 4)] == [
        1, None, None, 6, MOST_EPISODES + 4,
    ]  # fmt: skip


def test_two_consoles_keep_what_the_other_wrote(tmp_path: Path) -> None:
    file = tmp_path / "console.json"
    one, other = Remembered.read(file), Remembered.read(file)
    one.leave(ROOT, "run/a", 1)
    one.theme = "light"
    one.write()
    other.leave(ROOT, "run/b", 2)
    other.write()
    again = Remembered.read(file)
    assert (again.event(ROOT, "run/a"), again.event(ROOT, "run/b"), again.theme) == (1, 2, "light")


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b"\xff", b'{"shares": {"left": %d}}' % (LEAST - 1), b'{"events": {"x": -1}}', b" " * (LARGEST + 1)],
)
def test_a_damaged_file_is_told_of_and_put_aside(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "console.json"
    file.write_bytes(content)
    remembered = Remembered.read(file)
    assert str(file) in remembered.notice
    assert remembered.shares == Shares()
    remembered.theme = "dark"
    remembered.write()
    assert Remembered.read(file).theme == "dark"
    assert file.with_suffix(".damaged").read_bytes() == content


def test_what_could_not_be_written_is_written_the_next_time(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    remembered = Remembered.read(tmp_path / "state" / "console.json")
    assert remembered.notice
    remembered.theme = "light"
    with pytest.raises(OSError):
        remembered.write()
    (tmp_path / "state").unlink()
    remembered.write()
    assert Remembered.read(tmp_path / "state" / "console.json").theme == "light"


def test_without_a_file_it_remembers_until_it_ends() -> None:
    remembered = Remembered()
    remembered.leave(ROOT, "run/a", 3)
    remembered.write()
    assert remembered.event(ROOT, "run/a") == 3


async def test_an_episode_opens_where_it_was_left(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="CIVS")
    judge(folder, name, (P, F, F, P))
    remembered = Remembered()
    async with showing(store, name, (100, 30), remembered=remembered) as (_, pilot, screen):
        await pilot.press("right", "right", "right", "plus")
        await pilot.pause()
    assert remembered.event(store.root, str(name)) == 3
    async with showing(store, name, (100, 30), remembered=remembered) as (app, pilot, screen):
        assert screen.view
        assert (screen.view.cursor, screen.panes.shares) == (3, Shares().wider(screen.panes.active, screen.panes.seen, 5))
        assert "where you left it; End for the end" in app.lines()[1]
        await pilot.press("end")
        await pilot.pause()
        assert "where you left it" not in app.lines()[1]
    assert remembered.event(store.root, str(name)) is None, "at its end there is nothing to remember"


async def test_a_live_episode_is_followed_wherever_it_was_left(store: Store) -> None:
    case = make_case()
    name = play(make_run(store, "run", [case]), case, actions="CI", end=None)
    remembered = Remembered()
    remembered.leave(store.root, str(name), 2)
    async with showing(store, name, remembered=remembered) as (_, _pilot, screen):
        assert screen.view
        assert screen.view.following
        assert screen.view.index == len(screen.view.rows) - 1
