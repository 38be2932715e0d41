"""Files far longer than anybody reads: a log of 50 MB, one line of 5 MB."""

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeEnded, EpisodeStarted, FileChange, FilesChanged, TurnStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.tui.opening import MOST_CODE
from tests.support.stores import make_case, make_run
from tests.tui_episode.small_app import SIZES, showing, until
from tests.tui_episode.test_episode_screen import press

LINE = "2026-05-01 12:00:00 GET /assets/index.js 200 in 3 ms\n"
LOG = LINE * (50_000_000 // len(LINE))


@pytest.fixture
def large(store: Store) -> EpisodeName:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = episode_name("run", case.id, "m", 1, 1)
    texts = {"service.log": LOG, "bundle.js": "x" * 5_000_000, "small.js": "let small;\n"}
    files = {path: (folder.blobs.put(text.encode()), len(text)) for path, text in texts.items()}
    changes = tuple(FileChange(path, "add", *files[path], texts[path].count("\n")) for path in files)
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        log.append(EpisodeStarted(
            case_id=case.id, persona=case.persona.id, builder="m", repeat=1, attempt=1, difficulty=case.difficulty, turns=15,
            failed_verifies=6, verify_steps=8, models={"builder": "m"}, system="s", scripted=True,
        ), 0)  # fmt: skip
        log.append(TurnStarted(message="Build it."), 1)
        log.append(FilesChanged(manifest=folder.blobs.put(encode_manifest(files)), files=3, lines=1, changes=changes), 1)
        log.append(EpisodeEnded(status="cancelled", stop_reason="person"), 1)
    return name


@pytest.mark.parametrize("size", SIZES)
async def test_their_beginning_is_shown_and_the_rest_is_counted(
    store: Store, large: EpisodeName, size: tuple[int, int]
) -> None:
    async with showing(store, large, size) as (app, pilot, screen):
        await press(pilot, "end")
        code = screen.panes.code
        await until(pilot, lambda: code.entry and code.entry.path == "service.log" and len(code.lines.whole) > len(LINE))
        assert len(code.lines.whole) <= MOST_CODE
        assert code.lines.whole.startswith(LINE)
        await press(pilot, "slash", *"index.js", "enter")
        await pilot.resize_terminal(size[0] - 20, size[1])
        await press(pilot, "n", "end")
        code.next_file()
        await until(pilot, lambda: code.entry and code.entry.path == "small.js" and "small" in code.lines.whole)
        code.next_file(-2)
        await until(pilot, lambda: code.entry and code.entry.path == "bundle.js" and code.lines.whole.startswith("xxx"))
        assert len(code.lines.whole) < 3_000
        assert all(len(line) <= app.size.width for line in app.lines())


async def test_it_says_how_much_is_left_and_where_the_whole_is(store: Store, large: EpisodeName) -> None:
    async with showing(store, large, (200, 60)) as (app, pilot, screen):
        await press(pilot, "end")
        await until(pilot, lambda: any(f"{len(LOG) - MOST_CODE:,} more bytes" in line for line in app.lines()))
        assert screen.view
