"""`iwtui judge --every-turn`: the sites as they were, judged by the checks in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import ActionChosen, EpisodeEnded, EpisodeStarted, FileChange, FilesChanged, TurnStarted
from iwtui.bench.manifest import encode_manifest
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.packs import load_pack
from iwtui.resources import shipped
from tests.support import runner
from tests.support.stores import make_run

REFERENCE = shipped("tasks") / "starter" / "sites" / "bakery" / "reference.html"


@pytest.fixture
def played(tmp_path: Path) -> EpisodeName:
    """The reference under another name, as it should be, a question, and under a third name."""
    store = Store(tmp_path / "store")
    case = next(case for case in load_pack("starter") if case.id == "bakery_P-MIN")
    folder = make_run(store, "run", [case])
    name = episode_name("run", case.id, "scripted/blind", 1, 1)
    whole = REFERENCE.read_text()
    pages = {1: whole.replace("Crumb &amp; Kettle", "Bakery"), 2: whole, 4: whole.replace("Crumb &amp; Kettle", "Cars")}
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        log.append(EpisodeStarted(
            case_id=case.id, persona=case.persona.id, builder="scripted/blind", repeat=1, attempt=1, difficulty="easy",
            turns=15, failed_verifies=6, verify_steps=8, models={}, system="s", scripted=True,
        ), 0)  # fmt: skip
        for turn in range(1, 6):
            log.append(TurnStarted(message="go on"), turn)
            page = pages.get(turn)
            log.append(ActionChosen(action="implement" if page else "clarify"), turn)
            if page:
                blob = folder.blobs.put(page.encode())
                manifest = folder.blobs.put(encode_manifest({"index.html": (blob, len(page))}))
                change = FileChange("index.html", "add" if turn == 1 else "change", blob, len(page), 1)
                log.append(FilesChanged(manifest=manifest, files=1, lines=1, changes=(change,)), turn)
        log.append(EpisodeEnded(status="played", stop_reason="submitted"), 5)
    return name


def _judge(home: Path, *more: str) -> list[dict[str, Any]]:
    arguments = ["judge", "run", "--judge", "checks", "--json", "--store", str(home / "store"), *more]
    done = runner.run(arguments, home, 120)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["judgings"]
    return found


@pytest.mark.browser
def test_the_site_after_each_turn_that_changed_it(played: EpisodeName, tmp_path: Path) -> None:
    last = _judge(tmp_path)
    assert [row["turn_judged"] for row in last] == [5]
    earlier = _judge(tmp_path, "--every-turn")
    assert [(row["turn_judged"], row["judging"]) for row in earlier] == [(1, "checks-2"), (2, "checks-3")]
    assert _judge(tmp_path, "--every-turn") == []
    asked = runner.run(["sql", "@by-turn", "--format", "json", "--store", str(tmp_path / "store")], tmp_path)
    rows = json.loads(asked.stdout)
    assert [row["turn"] for row in rows] == [1, 2, 4]
    assert rows[1]["tcr"] == 1.0
    assert rows[1]["gained"] == rows[2]["lost"] != []
    assert rows[2]["tcr"] == last[0]["tcr"] < 1.0
    done = runner.run(["report", "--format", "json", "--store", str(tmp_path / "store")], tmp_path)
    assert json.loads(done.stdout)["rows"][0]["tcr"] == pytest.approx(last[0]["tcr"])
