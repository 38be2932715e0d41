"""The screen of one slot: what it says, which step it shows, and where it leads."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.case import Assertion, Visibility
from iwtui.bench.events import BrowserStepped, Event, JudgingEnded, JudgingStarted, SlotJudged
from iwtui.bench.names import EpisodeName
from iwtui.tui.screens.slot import SlotScreen, evidence, requirement, verdict_line
from iwtui.tui.state.shapes import SlotView, judging_seq
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.timeline import Timeline
from tests.support.stores import F, P, U, judge, make_case, make_run, play
from tests.tui_episode.small_app import SIZES, SmallApp, showing

VIEW = SlotView(
    slot=1,
    glyph="✗",
    tone="bad",
    verdict="failed",
    weight=1.5,
    component="Search",
    expected="narrows the list",
    assertion=Assertion.NEGATIVE,
    kind="interaction",
    visibility=Visibility.MISSING,
    reason="the list stayed as it was",
    told=4,
)


@pytest.fixture(autouse=True)
def _no_runners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


def played(store: Store) -> EpisodeName:
    """A failed slot that was looked at in three steps, of which the second took a picture and decided."""
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case)
    picture = folder.blobs.put(b"picture")
    events: list[Event] = [
        JudgingStarted(judge="checks", slots=4, manifest=picture, turn_judged=4),
        BrowserStepped(phase="judging", step=1, action="open", target="/", slot=1),
        BrowserStepped(phase="judging", step=2, action="see", target="a list", slot=1, picture=picture),
        BrowserStepped(phase="judging", step=3, action="read", target="it again", slot=1),
        SlotJudged(slot=1, verdict="failed", reason="no such list", evidence=2),
        SlotJudged(slot=0, verdict="unjudged", reason="the answer could not be read"),
        JudgingEnded(status="scored"),
    ]
    with LogWriter(folder.judging_log(name, "checks"), folder.blobs) as log:
        for event in events:
            log.append(event, 4)
    return name


async def opened(app: SmallApp, pilot: Pilot[None], slot: int) -> SlotScreen:
    await pilot.press("s", *["right"] * slot, "enter")
    await pilot.pause()
    assert isinstance(app.screen, SlotScreen)
    return app.screen


def test_the_requirement_tells_the_triple_and_where_it_was_said() -> None:
    text = requirement(VIEW, 80).plain
    assert [line.split()[0] for line in text.splitlines()] == [
        "expected", "because", "assertion", "kind", "instruction", "told",
    ]  # fmt: skip
    assert "NEGATIVE  must not be there" in text
    assert "missing in what the client asked for at first" in text
    assert "in turn 4" in text
    assert verdict_line(VIEW, 1, 7, "checks-1").plain == "Search  2/7 · ✗ failed · weight 1.50 · judging checks-1"


@given(st.text(max_size=300), st.integers(20, 120))
def test_long_requirements_are_wrapped_under_each_other(text: str, width: int) -> None:
    lines = requirement(SlotView(0, "·", "dim", "", 0.0, text, expected=text, reason=text), width).split("\n")
    assert all(line.cell_length <= max(width, 22) for line in lines)
    assert all(line.plain[:12].strip() in ("", "expected", "because") for line in lines)


def test_the_event_that_decided_is_the_judges_evidence_else_its_verdict() -> None:
    def view(seen: int | None, decided: int | None) -> SlotView:
        return SlotView(0, "✗", "bad", "failed", 1.0, "x", evidence=seen, decided=decided)

    assert evidence(view(judging_seq(3), judging_seq(4)), ()) == judging_seq(3)
    assert evidence(view(None, judging_seq(4)), ()) == judging_seq(4)
    assert evidence(view(None, None), ()) is None


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
async def test_it_opens_on_the_step_that_decided_with_its_picture(tmp_path: Path, size: tuple[int, int]) -> None:
    store = Store(tmp_path / "store")
    async with showing(store, played(store), size) as (app, pilot, _):
        screen = await opened(app, pilot, 0)
        assert screen.slot == 1, "the strip begins at the failed slot"
        steps = screen.query_one(Timeline)
        assert len([row for row in steps.rows if row.judging]) == 4
        assert steps.rows[steps.index].seq == judging_seq(2)
        picture = screen.query_one(PictureView)
        assert picture.blob == store.blobs.put(b"picture")
        text = "\n".join(app.lines())
        for said in ("Search", "2/4", "failed", "weight 1.50", "narrows the list", "no such list", "step 2: see a list"):
            assert said in text
        await pilot.press("O")
        assert app.copied == [str(picture.path)]
        await pilot.press("down")
        assert picture.blob, "a step without a picture shows the last one before it"
        await pilot.press("down", "enter")
        await pilot.pause()
        view = screen.view
        assert view.cursor == judging_seq(4), "enter leads to the chosen step"


async def test_left_and_right_go_round_the_slots(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    async with showing(store, played(store), (120, 40)) as (app, pilot, episode):
        screen = await opened(app, pilot, 0)
        seen = []
        for _ in range(4):
            await pilot.press("right")
            await pilot.pause()
            seen.append(app.lines()[1].split(" · ")[1].strip())
        assert seen == ["? unobserved", "? unobserved", "– unjudged", "✗ failed"]
        await pilot.press("left", "left")
        await pilot.pause()
        assert screen.slot == 3
        assert any("did not look at this slot" in line for line in app.lines())
        await pilot.press("e")
        assert app.notes == ["No event decided this slot: the judge never looked at it"]
        await pilot.press("m", "escape")
        await pilot.pause()
        assert app.screen is episode


async def test_a_slot_not_judged_yet_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="C", end=None)
    async with showing(store, name, (80, 24)) as (app, pilot, _):
        await opened(app, pilot, 0)
        assert "not judged yet" in app.lines()[1]


async def test_verdicts_that_come_in_meanwhile_do_not_break_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case)
    async with showing(store, name, (80, 24)) as (app, pilot, episode):
        await opened(app, pilot, 0)
        judge(folder, name, (P, F, F, U))
        view = episode.view
        assert view
        while not (view.judging and view.judging.ended):
            await pilot.pause(0.02)
        await pilot.press("right", "right")
        await pilot.pause()
        assert "failed" in app.lines()[1]
