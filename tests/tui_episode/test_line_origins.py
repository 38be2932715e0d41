"""From a line of code to the turn that wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import ActionChosen, EpisodeEnded, FileChange, FilesChanged, TurnStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.tui.line_origins import states_of, written_by
from tests.support.stores import make_case, make_run, play
from tests.tui_episode.small_app import showing, until
from tests.tui_episode.test_episode_screen import press

STATES = ("one\ntwo\n", "zero\none\ntwo\n", "zero\none\n2\nthree\n")


@pytest.fixture
def wrote(store: Store) -> EpisodeName:
    """Turn 1, 3 and 4 write a file; turn 2 writes another, which turn 3 deletes."""
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="", end=None)
    manifest = folder.blobs.put(encode_manifest({}))
    texts = {1: ("a.js", STATES[0]), 2: ("b.js", "b\n"), 3: ("a.js", STATES[1]), 4: ("a.js", STATES[2])}
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        for turn, (path, text) in texts.items():
            change = FileChange(path, "change", folder.blobs.put(text.encode()), len(text), 1)
            gone = (FileChange("b.js", "delete", None, 0),) if turn == 3 else ()
            log.append(TurnStarted(message="go on"), turn)
            log.append(ActionChosen(action="implement"), turn)
            log.append(FilesChanged(manifest=manifest, files=1, lines=1, changes=(change, *gone)), turn)
        log.append(EpisodeEnded(status="played", stop_reason="submitted"), 4)
    return name


def test_the_states_of_a_file_begin_where_it_was_created_last(store: Store, wrote: EpisodeName) -> None:
    state = store.run("run").fold_episode(wrote)
    assert [turn for turn, _ in states_of(state, "a.js")] == [1, 3, 4]
    assert states_of(state, "b.js") == []
    assert states_of(state, "c.js") == []


def test_each_line_has_its_turn() -> None:
    states = [(turn, text.splitlines()) for turn, text in zip((1, 3, 4), STATES, strict=True)]
    assert [written_by(states, line) for line in range(-1, 5)] == [None, 3, 1, 4, 4, None]
    assert written_by([], 0) is None


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=5))
def test_a_line_is_from_a_state_that_holds_it(texts: list[list[str]]) -> None:
    states = list(enumerate(texts, 1))
    for line, text in enumerate(texts[-1]):
        turn = written_by(states, line)
        assert turn is not None
        assert text in texts[turn - 1]


async def test_the_key_leads_there(store: Store, wrote: EpisodeName) -> None:
    async with showing(store, wrote, (160, 48)) as (app, pilot, screen):
        await press(pilot, "end", "tab", "tab")
        await until(pilot, lambda: screen.panes.code.lines.whole.startswith("zero"))
        await press(pilot, "d", "home")
        screen.panes.code.lines.focus()
        screen.panes.code.lines.move_to(0)
        await press(pilot, "a")
        await until(pilot, lambda: any("line 1 was written in turn 3" in note for note in app.notes))
        assert screen.view
        assert screen.view.row is not None
        assert (screen.view.row.turn, screen.view.row.kind) == (3, "FilesChanged")


async def test_a_file_is_held_against_any_earlier_state_of_it(store: Store, wrote: EpisodeName) -> None:
    async with showing(store, wrote, (160, 48)) as (app, pilot, screen):
        await press(pilot, "end")
        code = screen.panes.code
        await until(pilot, lambda: code.lines.whole.startswith("zero"))
        code.lines.focus()
        await press(pilot, "v")
        await until(pilot, lambda: any("turn 3" in line for line in app.lines()))
        await press(pilot, "j", "enter")
        await until(pilot, lambda: any("against turn 1" in line for line in app.lines()))
        shown = "\n".join(app.lines())
        assert all(f"+ {line}" in shown for line in ("zero", "2", "three"))
        assert "- two" in shown
