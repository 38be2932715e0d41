"""Several judgings of one episode: what each says of a slot, the figures of the whole, and going from one to the other."""

import pytest

from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import Event, JudgingEnded, JudgingStarted, LongText, Record, SlotJudged
from iwtui.bench.fold import JudgingState, fold_judging
from iwtui.tui.screens.slot import SlotScreen
from iwtui.tui.state.beside import measures, measures_line, opinions
from iwtui.tui.state.texts import Texts
from tests.support.stores import BEGAN, F, P, judge, make_case, make_run, play
from tests.tui_episode.small_app import SmallApp, showing, until


def _judging(judge: str, began: float, *verdicts: str, model: str | None = None) -> JudgingState:
    reason = LongText("1" * 64, 900, "\x1b[2J")
    events: list[Event] = [JudgingStarted(judge=judge, slots=2, manifest="0" * 64, turn_judged=1, model=model)]
    events += [SlotJudged(slot=slot, verdict=verdict, reason=reason) for slot, verdict in enumerate(verdicts)]
    events.append(JudgingEnded(status="scored"))
    return fold_judging(Record(seq, began + seq, 1, event) for seq, event in enumerate(events))  # type: ignore[arg-type]


def test_the_primary_judging_comes_first_then_the_latest_and_only_those_that_judge_slots() -> None:
    judgings = {
        "checks": _judging("checks", 1, "passed"),
        "voyager": _judging("voyager", 2, "failed", "passed", model="openai/[/]"),
        "voyager-2": _judging("voyager", 3, "passed", "failed", model="openai/b"),
        "intent": _judging("intent", 4),
    }

    found = opinions(judgings, "voyager", 1, Texts())

    assert [(one.judging, one.model, one.verdict, one.primary) for one in found] == [
        ("voyager", "openai/[/]", "passed", True),
        ("voyager-2", "openai/b", "failed", False),
        ("checks", None, "unobserved", False),
    ]
    assert "\x1b" not in found[0].reason


@pytest.fixture
def folder(store: Store) -> RunFolder:
    return make_run(store, "run", [make_case()])


async def test_the_slot_tells_what_each_judge_said_and_shows_another_one(store: Store, folder: RunFolder) -> None:
    name = play(folder, make_case())
    judge(folder, name, (P, F, P, P))
    judge(folder, name, (P, P, P, P), judging="voyager", judge="voyager", began=BEGAN + 5_000)
    judge(folder, name, judging="intent", judge="intent", measures={"IAS": 4.0, "CHR": 25.0}, began=BEGAN + 6_000)
    async with showing(store, name, (160, 48)) as (app, pilot, screen):
        assert _stands(app, "IAS 4 · CHR 25"), "at the strip of slots"
        await pilot.press("s", "enter")
        await until(pilot, lambda: isinstance(app.screen, SlotScreen), 10)
        await until(pilot, lambda: _stands(app, "✗ failed  checks primary, shown"), 10)
        assert _stands(app, "✓ passed  voyager")
        assert _stands(app, "IAS 4 · CHR 25")
        await pilot.press("v")
        await until(pilot, lambda: _stands(app, "✓ passed  voyager shown"), 10)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen, 10)
        assert screen.view and screen.view.judging_name == "voyager"
        await until(pilot, lambda: _stands(app, "Slots 4/4"), 10)


def test_what_is_unknown_is_no_nought() -> None:
    assert measures_line((("IAS", None), ("VBR", 0.0))) == "IAS unknown · VBR 0"
    assert measures({"checks": _judging("checks", 1, "passed")}) == ()


def _stands(app: SmallApp, text: str) -> bool:
    return any(text in line for line in app.lines())
