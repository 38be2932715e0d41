"""A store with two judged episodes, and nobody else's settings or runners."""

from pathlib import Path

import pytest
from PIL import Image

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import BrowserStepped, Event, JudgingEnded, JudgingStarted, SlotJudged
from tests.support.stores import BEGAN, F, P, judge, make_case, make_run, play, ticking


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONFIG", "CACHE", "RUNTIME", "STATE"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME", str(folder))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """`bakery`: slot 0 passed, slot 1 failed on the second of its two pictures, the others never looked at.

    A second judging of it differs on slot 1. `gallery`, by another builder: all passed.
    """
    store = Store(tmp_path / "store")
    cases = [make_case("bakery"), make_case("gallery", "P-RAM")]
    folder = make_run(store, "r", cases, builders=("scripted/blind", "scripted/other"))
    name = play(folder, cases[0])
    pictures = []
    for colour in ("red", "blue"):
        file = tmp_path / f"{colour}.png"
        Image.new("RGB", (64, 40), colour).save(file)
        pictures.append(folder.blobs.put(file.read_bytes()))
    events: list[Event] = [
        JudgingStarted(judge="checks", slots=4, manifest=folder.blobs.put(b"{}"), turn_judged=4),
        SlotJudged(slot=0, verdict="passed", reason="the name is there"),
        BrowserStepped(phase="judging", step=1, action="open", target="/", slot=1, picture=pictures[0]),
        BrowserStepped(phase="judging", step=2, action="see", target="a list", slot=1, picture=pictures[1]),
        SlotJudged(slot=1, verdict="failed", reason="no such list", evidence=3),
        JudgingEnded(status="scored"),
    ]
    with LogWriter(folder.judging_log(name, "checks"), folder.blobs, ticking(BEGAN + 900)) as log:
        for event in events:
            log.append(event, 4)
    judge(folder, name, (P, P, F, F), judging="voyager", judge="voyager", turn=4)
    judge(folder, play(folder, cases[1], builder="scripted/other"), (P, P, P, P))
    return store
