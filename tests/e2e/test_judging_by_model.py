"""Judges through models, from the command line to the index: a real Chromium, and models over HTTP."""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.judges.choosing import make_judge
from iwtui.models.scripted.messages import text_of
from iwtui.packs import load_pack
from tests.support import openai_server, runner
from tests.support.openai_server import Asked, OpenAIServer, failing

SLOTS = 8


def picture(asked: Asked) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(asked.pictures[-1].partition(",")[2]))).convert("RGB")


def eyes(asked: Asked) -> str:
    """Looks twice: clicks the first button, then passes all IDs but the first."""
    text = text_of(asked.messages[-1])
    if asked.number == 0:
        number = next(line.split("]")[0].lstrip("[") for line in text.splitlines() if '] button "' in line)
        return f"Thought: a button.\n[PASSED ID: 0] Reason: so it seems\nAction: Click [{number}]"
    rest = ", ".join(map(str, range(1, SLOTS)))
    return f"Thought: [FAILED ID: 0] Reason: not so.\n[PASSED IDs: {rest}] Reason: seen\nAction: ANSWER; Click [1] worked"


def reader(_: Asked) -> str:
    hits = [{"id": slot, "hit": slot < 2, "question": 1, "reason": "r"} for slot in range(SLOTS)]
    return json.dumps({"alignment": 4, "reason": "close", "hits": hits})


def taste(_: Asked) -> str:
    return '```json\n{"bug": true, "layout": 4, "creative_alignment": 3, "aesthetics": 5, "reason": "neat",}\n```'


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    openai_server.MAKERS.update(voyager=eyes, intent=reader, visual=taste)
    with OpenAIServer() as server:
        yield server
    for role in ("voyager", "intent", "visual"):
        del openai_server.MAKERS[role]


@pytest.fixture
def as_served(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> OpenAIServer:
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key-at-all")
    return server


def judge(home: Path, *arguments: str) -> "dict[str, Any]":
    done = runner.run(["judge", "last", "--store", str(home / "store"), "--json", *arguments], home, 120)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["judgings"][0]
    return found


async def test_several_judgings_stand_side_by_side_and_the_first_stays_primary(
    player: Any, as_served: OpenAIServer, tmp_path: Path
) -> None:
    case = next(case for case in load_pack("starter") if case.id == "bakery_P-MIN")
    outcome = (await player.play([case], ["clarifier"]))[case.id, "clarifier"]
    assert outcome.judging is not None

    walked = judge(tmp_path, "--judge", "voyager", "--model", "openai/eyes")
    assert (walked["status"], walked["passed"], walked["failed"]) == ("scored", SLOTS - 1, 1)
    assert walked["model"] == "openai/eyes" and walked["tokens_in"] > 0
    store = Store(tmp_path / "store")
    folder = store.resolve_run("last")
    for measuring in (make_judge("intent", "openai/reader"), make_judge("visual", "openai/taste")):
        measured = (await player.judge(folder, measuring)).ended
        assert measured is not None and measured.status == "scored"
    as_served.misbehave("broken", failing(401))
    broken = (await player.judge(folder, make_judge("voyager", "openai/broken"))).ended
    assert broken is not None and broken.status == "infra" and "authentication" in broken.text

    name = folder.episodes()[0]
    assert folder.judgings(name) == ["checks-1", "intent-3", "visual-4", "voyager-2", "voyager-5"]
    primary = folder.primary_judging(name)
    assert primary is not None and primary[0] == "checks-1"
    index = Index(store)
    index.catch_up()

    def rows(query: str) -> list[tuple[object, ...]]:
        return index.read(lambda con: con.execute(query).fetchall())

    assert rows("SELECT judge, ias, chr, vbr, aesthetics FROM episodes") == [("checks", 4, 2 / SLOTS, 1, 5)]
    assert rows("SELECT role, count(*) FROM calls WHERE judging LIKE 'voyager-2' GROUP BY ALL") == [("judge", 2)]
    assert rows("SELECT error_kind FROM calls WHERE judging = 'voyager-5'") == [("authentication",)]
    assert rows("SELECT count(*) FROM verdicts WHERE judging = 'voyager-5'") == [(0,)]
    assert rows("SELECT count(*), sum(value) FROM measures WHERE metric = 'chr_hit'") == [(SLOTS, 2)]

    assert rows("SELECT judge, unobserved, tcr, sr FROM judgings WHERE judge IN ('intent', 'visual') ORDER BY ALL") == [
        ("intent", 0, None, None),
        ("visual", 0, None, None),
    ], "judges that measure say nothing of slots"
    assert rows("SELECT DISTINCT judge FROM verdicts ORDER BY ALL") == [("checks",), ("voyager",)]

    first = as_served.asked("eyes")[0]
    state = folder.fold_judging(name, "voyager-2")
    raw = Image.open(io.BytesIO(store.blobs.get(state.steps[0][1].picture or ""))).convert("RGB")
    assert raw.size == (1280, 800)
    assert ImageChops.difference(raw, picture(first)).getbbox() is not None, "the numbers are drawn on what the model sees"
    assert case.golden in text_of(first.messages[1])
    assert [judged.evidence for judged in state.verdicts][:2] == [state.steps[0][0], state.steps[1][0]]
