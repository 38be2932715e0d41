"""The site of an episode as it was after a turn: served until the episode is left, and photographed."""

import asyncio
import urllib.error
import urllib.request

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import ActionChosen, EpisodeEnded, FileChange, FilesChanged, TurnStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.tui.screens.serving import FreshPicture, Serving
from tests.support.stores import make_case, make_run, play
from tests.tui_episode.small_app import showing, until
from tests.tui_episode.test_episode_screen import press

PAGES = ("<title>One</title><h1>The first</h1>", "<title>Two</title><h1>The second</h1>")


def _read(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        return str(answer.read().decode())


@pytest.fixture
def wrote(store: Store) -> EpisodeName:
    """Two turns, each with a page of its own."""
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="", end=None)
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        for turn, page in enumerate(PAGES, 1):
            blob = folder.blobs.put(page.encode())
            change = FileChange("index.html", "change", blob, len(page), 1)
            manifest = folder.blobs.put(encode_manifest({"index.html": (blob, len(page))}))
            log.append(TurnStarted(message="go on"), turn)
            log.append(ActionChosen(action="implement"), turn)
            log.append(FilesChanged(manifest=manifest, files=1, lines=1, changes=(change,)), turn)
        log.append(EpisodeEnded(status="played", stop_reason="submitted"), 2)
    return name


async def test_it_is_served_as_it_was_until_one_leaves(
    store: Store, wrote: EpisodeName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "1.2.3.4 5 6.7.8.9 22")
    async with showing(store, wrote, (120, 40)) as (app, pilot, screen):
        await press(pilot, "home", "shift+right")
        await press(pilot, "o")
        await until(pilot, lambda: any("http://127.0.0.1:" in note for note in app.notes), 60)
        note = next(note for note in app.notes if "http://" in note)
        url = next(word for word in note.split() if word.startswith("http://"))
        assert "ssh -N -L" in note
        assert PAGES[0] in await asyncio.to_thread(_read, url)
        served = screen.query_one(Serving)._served
        assert served
        await press(pilot, "escape")
        await until(pilot, lambda: served._process.poll() is not None)
        with pytest.raises(urllib.error.URLError):
            await asyncio.to_thread(_read, url)


async def test_a_site_without_files_says_so(store: Store) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    async with showing(store, name, (120, 40)) as (app, pilot, _):
        await press(pilot, "o")
        await until(pilot, lambda: any("had written no file" in note for note in app.notes), 60)
        await press(pilot, "p")
        await until(pilot, lambda: sum("had written no file" in note for note in app.notes) == 2, 60)


@pytest.mark.browser
async def test_a_fresh_picture(store: Store, wrote: EpisodeName) -> None:
    async with showing(store, wrote, (120, 40)) as (app, pilot, _):
        await press(pilot, "end", "p")
        await until(pilot, lambda: isinstance(app.screen, FreshPicture) or "No picture was taken" in str(app.notes), 60)
        assert isinstance(app.screen, FreshPicture), app.notes
        await until(pilot, lambda: any("the site after turn 2, taken now" in line for line in app.lines()))
        await press(pilot, "escape")
