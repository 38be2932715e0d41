"""The client: what it is handed, what it holds on to, how much it is ready to be asked, and what it gives away."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from iwtui.archive.log import LogWriter
from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.conflict import contested, is_challenge
from iwtui.bench.events import ActionChosen, ClientReplied, TurnStarted
from iwtui.bench.fold import EpisodeState
from iwtui.bench.settings import Settings
from iwtui.bench.terms import NO_TIME, Terms
from iwtui.engine.calls import Caller
from iwtui.engine.client import answer
from iwtui.engine.journal import Journal
from iwtui.models.call import Call, Listener, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.models.scripted import client as script
from iwtui.packs import load_pack
from tests.support.replies import said

CASES = {case.id: case for case in load_pack("starter")}
CONFLICTING = CASES["bakery_P-CON"]
BACKGROUND, HEADER, HOURS = 1, 2, 6
PLAIN = "Which colour should the page background have?"
CHALLENGE = "You want an ivory background and a pitch black background, and these contradict each other. Which one holds?"

Said = Callable[[Call], str]


class Model:
    """Answers a client's calls with a function, and keeps what it was asked."""

    settings = Settings()

    def __init__(self, said_by: Said) -> None:
        self.calls: list[Call] = []
        self._said_by = said_by

    async def ask(self, call: Call, listener: Listener) -> Reply:
        self.calls.append(call)
        return said(self._said_by(call))

    @property
    def handed(self) -> str:
        """What the last phrasing step was given."""
        return str(self.calls[-1].messages[-1]["content"])


def picking(*facts: int, reply: str = "All right.", **more: Any) -> Said:
    """Picks the facts (0-based), and phrases every answer alike."""

    def model(call: Call) -> str:
        if "Pick the facts" in str(call.messages[0]["content"]):
            return json.dumps({"facts": [fact + 1 for fact in facts], **more})
        return reply

    return model


def scripted(call: Call) -> str:
    return script.reply(call.messages)


class Talk:
    """A builder that asks one question a turn."""

    def __init__(self, folder: Path, case: Case, terms: Terms) -> None:
        store = Store(folder)
        (folder / "blobs").mkdir(parents=True)
        self.case = case
        self.terms = terms
        self._writer = LogWriter(folder / "log.jsonl", store.blobs)
        self.journal = Journal(self._writer, EpisodeState(), lambda *_: None)

    async def ask(self, question: str, model: Model) -> ClientReplied:
        turn = self.journal.state.turn + 1
        self.journal.write(TurnStarted(message="..."), turn=turn)
        self.journal.write(ActionChosen(action="clarify", question=question))
        reply = await answer(self.case, question, self.journal, Caller(model, self.journal, {"client": "x"}), self.terms)
        written = self.journal.state.dialogue[-1]
        assert self.journal.read(written.reply) == reply
        return written


@pytest.fixture
def talk(tmp_path: Path) -> Callable[..., Talk]:
    def begun(case: Case = CONFLICTING, **terms: Any) -> Talk:
        return Talk(tmp_path / "store", case, Terms(**terms))

    return begun


async def test_only_what_was_picked_reaches_the_phrasing_step(talk: Callable[..., Talk]) -> None:
    model = Model(picking(BACKGROUND, reply="Ivory."))
    reply = await talk(CASES["bakery_P-MIN"]).ask(PLAIN, model)
    assert (reply.retrieved, reply.disclosed, reply.leaked) == ((BACKGROUND,), (BACKGROUND,), ())
    facts = CONFLICTING.facts
    assert facts[BACKGROUND] in model.handed
    assert not any(fact in model.handed for place, fact in enumerate(facts) if place != BACKGROUND)


async def test_what_was_not_handed_over_nor_told_before_is_a_leak_once(talk: Callable[..., Talk]) -> None:
    conversation = talk(CASES["bakery_P-MIN"])
    model = Model(picking(BACKGROUND, reply="Ivory, and a maroon header bar."))
    first = await conversation.ask(PLAIN, model)
    assert (first.disclosed, first.leaked) == ((BACKGROUND, HEADER), (HEADER,))
    again = await conversation.ask(PLAIN, model)
    assert (again.disclosed, again.leaked) == ((BACKGROUND, HEADER), ())


async def test_what_the_instruction_says_anyway_is_no_leak(talk: Callable[..., Talk]) -> None:
    reply = await talk(CASES["bakery_P-RAM"]).ask(
        "How are you?", Model(picking(reply="Ivory! And maroon for the header bar."))
    )
    assert (reply.disclosed, reply.leaked) == ((BACKGROUND, HEADER), ())


async def test_picks_that_twice_cannot_be_read_are_a_fault_of_ours(talk: Callable[..., Talk]) -> None:
    conversation = talk()
    with pytest.raises(ModelFaultError, match="twice gave no readable"):
        await conversation.ask(PLAIN, Model(lambda _: "I think the first one."))
    assert len(conversation.journal.state.turns[0].warnings) == 2
    assert not conversation.journal.state.dialogue


@pytest.mark.parametrize("said_by", [picking(BACKGROUND, challenge=True, reply="Fine, ivory."), scripted])
async def test_by_the_papers_rule_the_first_challenge_gets_the_truth(talk: Callable[..., Talk], said_by: Said) -> None:
    model = Model(said_by)
    reply = await talk().ask(CHALLENGE, model)
    assert (reply.challenged, reply.held) == (True, ())
    assert BACKGROUND in reply.retrieved and BACKGROUND in reply.disclosed
    assert "STANCE" not in model.handed


async def test_a_plain_question_gets_the_truth_by_the_papers_rule(talk: Callable[..., Talk]) -> None:
    reply = await talk().ask(PLAIN, Model(scripted))
    assert (reply.challenged, reply.held, reply.disclosed) == (False, (), (BACKGROUND,))


async def test_a_lasting_conflict_is_given_up_at_the_kth_challenge_and_stays_so(talk: Callable[..., Talk]) -> None:
    conversation = talk(conflict_challenges=3)
    model = Model(scripted)
    for number in (1, 2):
        held = await conversation.ask(f"{CHALLENGE} ({number})", model)
        assert (held.challenged, held.held, held.disclosed) == (True, (BACKGROUND,), ())
        assert "STANCE\nhold" in model.handed and CONFLICTING.facts[BACKGROUND] not in model.handed
    plain = await conversation.ask(PLAIN, model)
    assert (plain.challenged, plain.held, plain.disclosed) == (False, (BACKGROUND,), ()), "a plain question is no challenge"
    given_up = await conversation.ask(CHALLENGE, model)
    assert (given_up.held, given_up.disclosed) == ((), (BACKGROUND,))
    assert (await conversation.ask(PLAIN, model)).disclosed == (BACKGROUND,)


async def test_challenges_count_for_the_wish_that_they_are_about(talk: Callable[..., Talk]) -> None:
    conversation = talk(conflict_challenges=2)
    assert (await conversation.ask(CHALLENGE, Model(picking(BACKGROUND, challenge=True)))).held == (BACKGROUND,)
    assert (await conversation.ask(CHALLENGE, Model(picking(HEADER, challenge=True)))).held == (HEADER,)
    assert (await conversation.ask(CHALLENGE, Model(picking(BACKGROUND, HEADER, challenge=True)))).held == ()


async def test_what_nobody_contests_is_never_held_back(talk: Callable[..., Talk]) -> None:
    assert (await talk(conflict_challenges=5).ask("What is the name?", Model(picking(0)))).held == ()


@pytest.mark.parametrize("persona", ["P-MIN", "P-RAM", "P-INT", "P-BASE"])
async def test_clients_whose_wishes_do_not_clash_hold_nothing_back(talk: Callable[..., Talk], persona: str) -> None:
    case = CASES[f"bakery_{persona}"]
    everything = tuple(range(len(case.facts)))
    reply = await talk(case, conflict_challenges=5).ask(CHALLENGE, Model(picking(*everything, challenge=True)))
    assert (reply.retrieved, reply.held) == (everything, ())


async def test_the_models_own_word_on_a_challenge_goes_before_the_wording(talk: Callable[..., Talk]) -> None:
    assert not (await talk().ask(CHALLENGE, Model(picking(BACKGROUND, challenge=False)))).challenged


@pytest.mark.parametrize(
    ("question", "challenge"),
    [
        (CHALLENGE, True),
        ("The header can't both be maroon and turquoise, can it?", True),
        ("These two are mutually exclusive.", True),
        (PLAIN, False),
        ("Should both buttons be red?", False),
    ],
)
def test_a_challenge_is_known_by_its_words(question: str, challenge: bool) -> None:
    assert is_challenge(question) is challenge


def test_what_is_contested_is_noted_or_read() -> None:
    assert contested(CONFLICTING) == {1, 2, 3, 5, 6}
    unnoted = msgspec.structs.replace(CONFLICTING, visibility=())
    assert {BACKGROUND, HEADER, HOURS} <= contested(unnoted)
    assert contested(CASES["bakery_P-RAM"]) == frozenset()


async def test_a_client_without_time_asks_no_model_and_gives_nothing_away(talk: Callable[..., Talk]) -> None:
    conversation = talk(questions=2)
    model = Model(scripted)
    assert all([(await conversation.ask(PLAIN, model)).answered for _ in range(2)])
    asked = len(model.calls)
    for _ in range(2):
        refused = await conversation.ask(PLAIN, model)
        assert (refused.answered, refused.reply, refused.retrieved, refused.disclosed) == (False, NO_TIME, (), ())
    assert len(model.calls) == asked


async def test_a_client_with_no_time_at_all(talk: Callable[..., Talk]) -> None:
    assert not (await talk(questions=0).ask(PLAIN, Model(scripted))).answered


def test_the_builder_is_told_the_terms_it_is_measured_by() -> None:
    assert Terms().for_builder() == "" == Terms(conflict_challenges=3).for_builder()
    assert "time for 1 question in all" in Terms(questions=1).for_builder()
    assert "time for 4 questions in all" in Terms(questions=4).for_builder()
    assert "costs 2.5 points" in Terms(question_cost=0.025).for_builder()
