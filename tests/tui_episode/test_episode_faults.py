"""The screen of an episode on logs that are missing, torn, hostile or large."""

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import (
    ActionChosen,
    ClientReplied,
    EpisodeEnded,
    EpisodeStarted,
    Event,
    FileChange,
    FilesChanged,
    ModelCalled,
    SiteProbed,
    TurnStarted,
)
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import episode_name
from iwtui.tui.screens.episode import EpisodeScreen
from tests.support.stores import F, P, judge, make_case, make_run, play
from tests.tui_episode.small_app import SIZES, SmallApp, showing, until
from tests.tui_episode.test_episode_screen import judged, press

FOUL = "[/ [link=' [b] \x1b]52;c;eA==\x07\x1b[2J \x9b31m \u202e 地図 🗺️ " * 3


async def test_a_missing_log_is_said_and_nothing_breaks(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    app = SmallApp(store)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await app.push_screen(EpisodeScreen(episode_name("gone", case.id, "m", 1, 1)))
        await until(pilot, lambda: app.notes)
        assert "This episode cannot be read" in app.notes[0]
        await press(pilot, "right", "n", "space", "slash", "escape", "s", "z", "f", "y", "m", "t", "d", "full_stop", "plus")
        await press(pilot, "escape")
    async with showing(store, episode_name("run", case.id, "m", 1, 1)) as (app, pilot, screen):
        assert screen.view
        assert len(screen.view.rows) == 0
        await press(pilot, "right", "n", "space", "s", "enter", "tab", "end", "home")
        play(folder, case, builder="m", actions="C", end=None)
        await until(pilot, lambda: screen.view and len(screen.view.rows) > 4)


async def test_a_torn_tail_or_a_foreign_line_costs_that_line_only(store: Store) -> None:
    name = judged(store)
    log = store.run("run").episode_log(name)
    log.write_bytes(log.read_bytes() + b'not json\n{"v":1,"seq":99,"t":1,"turn":9,"kind":"New","x":1}\n{"v":1,"se')
    async with showing(store, name) as (_, pilot, screen):
        assert screen.view
        assert any(row.kind == "New" for row in screen.view.rows)
        await press(pilot, "end")


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
async def test_hostile_text_in_every_field_stays_text(store: Store, size: tuple[int, int]) -> None:
    case = make_case()
    slots = tuple(type(slot)(FOUL, FOUL, slot.assertion, slot.kind, slot.c_tech, facts=slot.facts) for slot in case.slots)
    case = make_case(slots=slots)
    folder = make_run(store, "run", [case])
    name = episode_name("run", case.id, "m", 1, 1)
    blobs = folder.blobs
    page = blobs.put((FOUL + "\n").encode() * 40)
    manifest = blobs.put(encode_manifest({FOUL: (page, 10)}))
    events: list[tuple[int, Event]] = [
        (0, EpisodeStarted(
            case_id=FOUL, persona=FOUL, builder=FOUL, repeat=1, attempt=1, difficulty=FOUL, turns=15, failed_verifies=6,
            verify_steps=8, models={FOUL: FOUL}, system=FOUL, scripted=True,
        )),
        (1, TurnStarted(message=FOUL)),
        (1, ModelCalled(role=FOUL, model=FOUL, ordinal=0, request=(), reply=FOUL, fault=FOUL)),
        (1, ActionChosen(action=FOUL, question=FOUL, prose=FOUL, reasoning=FOUL, files=(FOUL,))),
        (1, ClientReplied(question=FOUL, reply=FOUL, disclosed=(0,))),
        (1, FilesChanged(manifest=manifest, files=1, lines=1, changes=(FileChange(FOUL, "add", page, 10, 40),))),
        (1, SiteProbed(phase=FOUL, ok=False, reason=FOUL, title=FOUL, console=(FOUL,), picture=blobs.put(b"no picture"))),
        (1, EpisodeEnded(status="played", stop_reason=FOUL, text=FOUL)),
    ]  # fmt: skip
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        for turn, event in events:
            log.append(event, turn)
    judge(folder, name, (P, F))
    async with showing(store, name, size) as (app, pilot, screen):
        for _ in range(len(events)):
            await press(pilot, "right")
        for keys in (
            ("tab",),
            ("tab",),
            ("tab",),
            ("tab",),
            ("t",),
            ("d",),
            ("end",),
            ("s", "enter"),
            ("right",),
            ("escape",),
        ):
            await press(pilot, *keys)
            text = "\n".join(app.lines())
            assert not [char for char in text if ord(char) < 32 and char != "\n"]
            assert not [char for char in text if char in "\x7f\x9b\u202e"]
            assert all(len(line) <= size[0] for line in app.lines())
        await press(pilot, "slash", *"link=", "enter")
        await press(pilot, "O", "y", "f9")
        assert screen.view


async def test_a_thousand_files_are_listed_from_the_manifest(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="I", end=None)
    blob = folder.blobs.put(b"x")
    manifest = folder.blobs.put(encode_manifest({f"src/{number}.js": (blob, 1) for number in range(1000)}))
    changes = tuple(FileChange(f"src/{number}.js", "add", blob, 1, 1) for number in range(40))
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        log.append(TurnStarted(message="more"), 2)
        log.append(FilesChanged(manifest=manifest, files=1000, lines=1, changes=changes, more_changes=960), 2)
        log.append(EpisodeEnded(status="cancelled", stop_reason="person"), 2)
    async with showing(store, name) as (_, pilot, screen):
        await press(pilot, "end")
        await until(pilot, lambda: len(screen.panes.code.files) == 1001)
        deleted = [entry for entry in screen.panes.code.files if entry.op == "delete"]
        assert [entry.path for entry in deleted] == ["index.html"]
        assert sum(entry.op == "add" for entry in screen.panes.code.files) == 1000
