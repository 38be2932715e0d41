"""Builders whose replies are given, for the causes that the scripted ones do not bring about; all else is as in any run.

`python -m tests.support.rare_causes STORE` makes a store to be labelled: the starter pack by both scripted builders, these
episodes, and the logs of the official harness, as far as they are at hand. `iwtui show EPISODE --plain` tells each without
its causes; `iwtui blame EPISODE` tells those.
"""

import asyncio
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from iwtui.archive.index import Index
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.blame import Cause
from iwtui.bench.case import Case
from iwtui.bench.plan import Roles
from iwtui.cli.assignments import unfinished
from iwtui.cli.planning import new_plan
from iwtui.engine.episode import Stage, Stopping
from iwtui.engine.pool import Outcome, Pool
from iwtui.judges.acting import Patience
from iwtui.judges.checks import ChecksJudge
from iwtui.models.call import Reply
from iwtui.models.gateway import Gateway
from iwtui.models.scripted.blind import FINISH, implementation
from iwtui.models.scripted.reading import read
from iwtui.packs import load_pack
from iwtui.web.browser import Browser
from iwtui.web.chromium import Chromium, find
from tests.support.official import OFFICIAL
from tests.support.replies import said

CASES = {case.id: case for case in load_pack("starter")}
WHOLE = implementation(read(CASES["bakery_P-BASE"].golden).fragments)
"""The bakery as it should be."""

BACKGROUND, BREADS, SEARCH, BASKET, HOURS, EXTRA = 1, 3, 4, 5, 6, 7

NO_HOURS = WHOLE.replace("<p><strong>Opening hours:</strong> Tuesday to Saturday, 7:00 to 13:00</p>\n", "")
WHITE = WHOLE.replace("--page: ivory", "--page: white")
DEAD_SEARCH = WHOLE.replace('item.classList.toggle("unsearched"', 'item.classList.toggle("searched"')
DEAD_BASKET = WHOLE.replace("Number(count.textContent) + 1", "Number(count.textContent)")
BOTH_DEAD = DEAD_SEARCH.replace("Number(count.textContent) + 1", "Number(count.textContent)")
WHITE_NO_HOURS = NO_HOURS.replace("--page: ivory", "--page: white")
STORY = WHOLE.replace("</main>", "<h2>Our family story</h2><p>It began with a handful of flour.</p></main>")


def look(criteria: str) -> str:
    return f'<TestCriteria>{criteria}</TestCriteria>\n<boltAction type="screenshot_validated">/</boltAction>'


def ask(question: str) -> str:
    return f'<boltAction type="ask_user">{question}</boltAction>'


class Rare(msgspec.Struct, frozen=True):
    """What a builder says, what its copilot says of each Verify, and the causes (by slot) that come of it."""

    case: str
    replies: tuple[str, ...]
    causes: dict[int, Cause]
    audit: str = '{"thought": "it is all there", "action": "finish", "text": "all that was asked for is there"}'


RARE = {
    "missed": Rare("bakery_P-RAM", (NO_HOURS, FINISH), {HOURS: Cause.MISSED}),
    "missed-two": Rare("bakery_P-RAM", (WHITE_NO_HOURS, FINISH), {BACKGROUND: Cause.MISSED, HOURS: Cause.MISSED}),
    "missed-in-a-row": Rare("bakery_P-BASE", (NO_HOURS, look("Opening hours."), FINISH), {HOURS: Cause.MISSED}),
    "ignored": Rare(
        "bakery_P-INT",
        (ask("Which colour should the page background have?"), WHITE, FINISH),
        {BACKGROUND: Cause.ANSWER_IGNORED},
    ),
    "ignored-two": Rare(
        "bakery_P-MIN",
        (
            ask("Which colour should the page background have?"),
            ask("Which texts should stand on the page word for word, such as opening hours?"),
            WHITE_NO_HOURS,
            FINISH,
        ),
        {BACKGROUND: Cause.ANSWER_IGNORED, HOURS: Cause.ANSWER_IGNORED},
    ),
    "not-verified": Rare("bakery_P-RAM", (DEAD_SEARCH, FINISH), {SEARCH: Cause.NOT_VERIFIED}),
    "looked-elsewhere": Rare(
        "bakery_P-BASE", (DEAD_BASKET, look("The page shows the opening hours."), FINISH), {BASKET: Cause.NOT_VERIFIED}
    ),
    "mended-blindly": Rare(
        "bakery_P-BASE",
        (DEAD_SEARCH, look("Typing in the search box narrows the list of breads."), DEAD_SEARCH + "\n", FINISH),
        {SEARCH: Cause.NOT_VERIFIED},
        '{"thought": "nothing happens", "action": "fail", "text": "the search box does not narrow the list of breads"}',
    ),
    "verified-wrong": Rare(
        "bakery_P-BASE",
        (DEAD_BASKET, look('Each "Add to basket" button raises the number of items in the basket.'), FINISH),
        {BASKET: Cause.VERIFIED_WRONG},
    ),
    "verified-wrong-two": Rare(
        "bakery_P-RAM",
        (
            BOTH_DEAD,
            look("1. The search box finds breads by name.\n2. Add to basket counts the items in the basket."),
            FINISH,
        ),
        {SEARCH: Cause.VERIFIED_WRONG, BASKET: Cause.VERIFIED_WRONG},
    ),
    "decorated-more": Rare(
        "bakery_P-RAM",
        (STORY.replace("Our family story", "Why people love us").replace("It began with", "They smell"), FINISH),
        {EXTRA: Cause.HALLUCINATED_DECORATIVE},
    ),
    "decorated": Rare("bakery_P-BASE", (STORY, FINISH), {EXTRA: Cause.HALLUCINATED_DECORATIVE}),
}


class Given(Gateway):
    """Answers the builder of each episode by its name, and its copilot; the client is the scripted one."""

    async def call(self, model: str, messages: Sequence[Mapping[str, Any]], **parameters: Any) -> Reply:
        role, _, name = model.removeprefix("scripted/").partition("-")
        if role == "builder":
            rare = RARE[name]
            turn = sum(message["role"] == "assistant" for message in messages)
            return said(rare.replies[min(turn, len(rare.replies) - 1)])
        if model == "scripted/copilot":
            return said(self._audit(str(messages)))
        return await super().call(model, messages, **parameters)

    @staticmethod
    def _audit(asked: str) -> str:
        failing = "Typing in the search box narrows" in asked
        return RARE["mended-blindly" if failing else "verified-wrong"].audit


def run_of(store: Store, name: str, chromium: Chromium, slots: Sequence[int] = ()) -> RunFolder:
    """A run with the one episode, nothing of it played yet; with only these slots, when they are given."""
    case: Case = CASES[RARE[name].case]
    if slots:
        shown = tuple(case.visibility[slot] for slot in slots)
        case = msgspec.structs.replace(case, slots=tuple(case.slots[slot] for slot in slots), visibility=shown)
    roles = Roles(copilot="scripted/copilot", client="scripted/client")
    plan = new_plan(f"rare-{name}", [case], [f"scripted/builder-{name}"], roles, 1, chromium)
    return store.create_run(plan, [case])


async def _play(store: Store, chromium: Chromium, scratch: Path) -> None:
    async with Browser.launch(chromium) as browser:
        for name in RARE:
            folder = run_of(store, name, chromium)
            stage = Stage(Given(), browser, folder.plan.roles, ChecksJudge(Patience()), scratch, Stopping())
            outcomes: list[Outcome] = []
            await Pool(stage, 1, lambda text: print(text, file=sys.stderr)).play(unfinished(folder), outcomes.append)
            print(folder.name, *(outcome.status for outcome in outcomes))


def _main(root: Path) -> None:
    store, chromium = Store(root), find()
    assert chromium is not None, "no browser"
    iwtui = [sys.executable, "-m", "iwtui", "--store", str(root)]
    subprocess.run([*iwtui, "run", "starter", "--headless"], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(_play(store, chromium, Path(scratch)))
        logs = OFFICIAL.with_name("official-logs.tar.gz")
        if logs.is_file():
            with tarfile.open(logs) as archive:
                archive.extractall(scratch, filter="data")
            for folder in sorted(Path(scratch, "official-logs").iterdir()):
                subprocess.run([*iwtui, "import", str(folder), "--tasks", str(OFFICIAL)], check=False)
    Index(store).catch_up()


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
