"""A model call as it was made: every message, what came back, what it took; and the way there and back."""

from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from iwtui.archive.blobs import BlobStore
from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeEnded, Event, ModelCalled, TurnStarted
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep
from iwtui.bench.names import EpisodeName, episode_name
from iwtui.tui.screens.call import CallScreen
from iwtui.tui.state.call import facts, read_call
from iwtui.tui.widgets.dialogue import Dialogue
from tests.support.stores import _started, make_case, make_run
from tests.tui_episode.small_app import SmallApp, showing, until

HOSTILE = "\x1b[2J\x1b]52;c;eA==\x07[/][link='x']\u202e"


def _call(blobs: BlobStore, **fields: object) -> ModelCalled:
    picture, marks = blobs.put(b"a picture"), blobs.put(b"[]")
    sent = (
        Message("system", keep(blobs, "You build sites. " * 500)),
        Message("user", f"Make a bakery. {HOSTILE}", picture, marks),
    )
    request = tuple(blobs.put(msgspec.json.encode(message)) for message in sent)
    given: dict[str, object] = {"role": "builder", "model": "openai/m", "ordinal": 0, "request": request, **fields}
    return ModelCalled(**given)  # type: ignore[arg-type]


def test_each_message_is_there_as_it_was_filled_in_and_what_is_lost_is_said(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    call = _call(blobs, reply=keep(blobs, "answer " * 600), reasoning="It is a bakery.")

    system, user, answer = read_call(blobs, call, 3)
    assert (system.who, len(system.text), system.notes) == ("system", len("You build sites. " * 500), ())
    assert user.text.startswith("Make a bakery.") and "\x1b" not in user.text
    assert user.notes[0][1].startswith("with the picture") and user.notes[0][1].endswith("marks drawn on it")
    assert (len(answer.text), answer.reasoning) == (len("answer " * 600), "It is a bakery.")

    blobs.path(call.request[1]).unlink()
    lost = read_call(blobs, call, 3)[1]
    assert lost.text == "" and "cannot be read" in lost.notes[0][1]


def test_a_call_that_failed_and_what_is_unknown_are_said(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    call = _call(blobs, fault="no answer", fault_kind="stalled", attempt=2, retried=True)

    answer = read_call(blobs, call, 1)[-1]
    assert answer.notes == (("warn", "failed (stalled): no answer"), ("dim", "it was asked again"))
    told = dict(facts(call))
    assert (told["tokens"], told["cost"], told["finish"]) == ("unknown in, unknown out", "unknown", "unknown")
    assert told["attempt"] == "2, another followed"


@pytest.fixture
def called(store: Store) -> EpisodeName:
    """Two turns with a call each."""
    case = make_case()
    folder = make_run(store, "run", [case])
    name = episode_name("run", case.id, "scripted/blind", 1, 1)
    first = _call(folder.blobs, reply="first answer", reasoning="hm " * 50, tokens_in=1_234, tokens_out=56, cost=0.01)
    events: list[tuple[int, Event]] = [
        (0, _started(case, "scripted/blind", 1, 1)),
        (1, TurnStarted(message=case.instruction)),
        (1, first),
        (2, TurnStarted(message="Go on.")),
        (2, _call(folder.blobs, reply="second answer", role="judge")),
        (2, EpisodeEnded(status="infra", stop_reason="model")),
    ]
    with LogWriter(folder.episode_log(name), folder.blobs) as log:
        for turn, event in events:
            log.append(event, turn)
    return name


async def _shown(pilot: Pilot[None], app: SmallApp, text: str) -> str:
    await until(pilot, lambda: any(text in line for line in app.lines()), 10)
    return "\n".join(app.lines())


async def test_enter_on_a_call_shows_it_and_another_one_leads_there(store: Store, called: EpisodeName) -> None:
    async with showing(store, called, (120, 40)) as (app, pilot, screen):
        assert screen.view
        await pilot.press("right", "right")
        await pilot.press("enter")
        shown = await _shown(pilot, app, "message 1 of 2")
        assert isinstance(app.screen, CallScreen)
        assert "1,234 in, 56 out" in shown and "$0.010000" in shown and "call 1/2" in shown
        assert "[link='x']" not in app.screen.query_one(Dialogue).copied()
        await pilot.press("a")
        await _shown(pilot, app, "first answer")
        await pilot.press("left")
        assert app.notes == ["There is no call before this one"]
        await pilot.press("right")
        await _shown(pilot, app, "call 2/2")
        await until(pilot, lambda: len(app.screen.query_one(Dialogue).blocks) == 3)
        await pilot.press("a")
        await _shown(pilot, app, "second answer")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen and screen.view and screen.view.cursor == 4)


async def test_the_call_before_the_cursor_is_shown_and_the_cursor_stays(store: Store, called: EpisodeName) -> None:
    async with showing(store, called, (80, 24)) as (app, pilot, screen):
        assert screen.view
        await pilot.press("i")
        assert app.notes == ["No model was called up to this event"]
        await pilot.press("end", "i")
        await _shown(pilot, app, "call 2/2")
        await pilot.press("escape")
        assert app.screen is screen and screen.view.cursor == 5
