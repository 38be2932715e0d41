"""An episode that is being played: the end of what a model writes, what it waits for, and how long nothing has come."""

import threading
import time
from pathlib import Path

import msgspec

from iwtui.archive.log import Live, LogWriter, live_path
from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeEnded, SiteProbed, TurnStarted
from iwtui.bench.names import EpisodeName
from iwtui.tui.widgets.writing import LINES
from tests.support.stores import make_case, make_run, play
from tests.tui_episode.small_app import showing, until
from tests.tui_pictures.samples import page

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07[/][link='x']"


def _says(log: Path, detail: str, text: str = "", ago: float = 0.0) -> None:
    live = Live(time.time() - ago, "builder", detail, text)
    live_path(log).write_bytes(msgspec.json.encode(live))


async def test_what_is_being_written_stands_at_the_foot_and_is_never_history(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name: EpisodeName = play(folder, case, actions="C", end=None, began=time.time() - 60)
    log = folder.episode_log(name)
    with Registration(store.root, "run"):
        async with showing(store, name, (160, 40)) as (app, pilot, screen):
            blocks = len(screen.panes.dialogue.blocks)
            _says(log, "is writing, 9 characters", f"first words {HOSTILE} last words")
            await until(pilot, lambda: any("last words" in line for line in app.lines()), 10)
            assert any("builder is writing …" in line for line in app.lines())
            assert "generating · builder" in app.lines()[1]
            assert screen.panes.writing.size.height == LINES
            _says(log, "is writing, 99 characters", "other words")
            await until(pilot, lambda: any("other words" in line for line in app.lines()), 10)
            assert not any("last words" in line for line in app.lines())
            _says(log, "is writing, waiting for the rate limit, 7 s")
            await until(pilot, lambda: "waiting for the rate limit, 7 s" in app.lines()[1], 10)
            assert not screen.panes.writing.display
            _says(log, "is writing, stalled 30 s", "other words")
            await until(pilot, lambda: "stalled 30 s" in app.lines()[1], 10)
            live_path(log).unlink()
            await until(pilot, lambda: "stalled" not in app.lines()[1] and not screen.panes.writing.display, 10)
            assert len(screen.panes.dialogue.blocks) == blocks


async def test_the_seconds_without_a_change_go_on(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None, began=time.time() - 600)
    _says(folder.episode_log(name), "is writing", ago=40)
    with Registration(store.root, "run"):
        async with showing(store, name, (160, 40)) as (app, pilot, _):
            await until(pilot, lambda: "idle 4" in app.lines()[1], 10)
            before = app.lines()[1]
            await until(pilot, lambda: "idle 4" in app.lines()[1] and app.lines()[1] != before, 5)


async def test_a_reader_who_steps_while_it_is_written_meets_a_missing_picture_and_goes_on(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    pictures = [folder.blobs.put(page(f"#{number}04080")) for number in range(9)]
    gone = folder.blobs.path(pictures[4])
    gone.unlink()
    written = threading.Event()

    def write() -> None:
        with LogWriter(folder.episode_log(name), folder.blobs) as log:
            for turn in range(2, 60):
                log.append(TurnStarted(message=f"turn {turn}"), turn)
                log.append(SiteProbed(phase="implement", ok=True, picture=pictures[turn % len(pictures)]), turn)
            log.append(EpisodeEnded(status="cancelled", stop_reason="person"), 59)
        written.set()

    async with showing(store, name, (160, 48)) as (app, pilot, screen):
        writer = threading.Thread(target=write)
        writer.start()
        steps = 0
        while not written.is_set() or steps < 40:
            await pilot.press(("right", "right", "left", "shift+right", "end", "home")[steps % 6])
            steps += 1
        writer.join()
        assert screen.view
        await until(pilot, lambda: screen.view and any(row.kind == "EpisodeEnded" for row in screen.view.rows))
        missing = next(index for index, row in enumerate(screen.view.rows) if row.kind == "SiteProbed" and row.turn == 4)
        await pilot.press("home")
        for _ in range(missing):
            await pilot.press("right")
        await until(pilot, lambda: gone.name[:12] in "".join("".join(app.lines()).split()))
        assert not app.notes
