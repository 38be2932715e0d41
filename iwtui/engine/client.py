"""The simulated client: first the facts that a question asks for are picked, then only those are put into words.

The phrasing step never sees the other facts, so it cannot give them away; an audit looks for what it gave away all the same.
"""

from collections.abc import Sequence

from iwtui.bench.case import Case
from iwtui.bench.conflict import held_back, is_challenge
from iwtui.bench.disclosure import disclosed
from iwtui.bench.events import ClientReplied, Warned
from iwtui.bench.fold import Message
from iwtui.bench.terms import NO_TIME, Terms
from iwtui.engine.calls import Caller
from iwtui.engine.journal import Journal
from iwtui.engine.picks import Picks, read_picks
from iwtui.engine.prompts import filled, prompt
from iwtui.models.errors import ModelFaultError

TEMPERATURE = 0.4

HOLD = "hold"
"""The stance of a client that does not give up a wish yet."""


async def answer(
    case: Case,
    question: str,
    journal: Journal,
    caller: Caller,
    terms: Terms = Terms(),  # noqa: B008 - immutable
) -> str:
    """The client's reply to the builder's question, recorded with what it disclosed.

    Once the questions that the client has time for are used up, no model is asked. Raises ModelFaultError.
    """
    answered = sum(reply.answered for reply in journal.state.dialogue)
    if terms.questions is not None and answered >= terms.questions:
        journal.write(ClientReplied(question=journal.keep(question), reply=NO_TIME, answered=False))
        return NO_TIME
    picks = await _retrieve(case, question, journal, caller)
    challenged = is_challenge(question) if picks.challenge is None else picks.challenge
    held = held_back(case, picks.facts, challenged, journal.state.dialogue, terms.conflict_challenges)
    handed = tuple(fact for fact in picks.facts if fact not in held)
    reply = await _phrase(case, question, handed, bool(held), caller)
    given = disclosed(case.facts, reply)
    journal.write(
        ClientReplied(
            question=journal.keep(question),
            reply=journal.keep(reply),
            retrieved=picks.facts,
            disclosed=given,
            leaked=_leaked(case, given, handed, journal),
            challenged=challenged,
            held=held,
        )
    )
    return reply


async def _retrieve(case: Case, question: str, journal: Journal, caller: Caller) -> Picks:
    earlier = [f"Q: {journal.read(said.question)}\nA: {journal.read(said.reply)}" for said in journal.state.dialogue]
    request = (
        f"FACTS\n{_numbered(case.facts, range(len(case.facts)))}\n\n"
        f"EARLIER\n{chr(10).join(earlier) or 'none'}\n\nQUESTION\n{question}"
    )
    for _ in range(2):
        reply = await caller.call("client", prompt("client_retrieve"), [Message("user", request)], temperature=TEMPERATURE)
        picks = read_picks(reply.text, len(case.facts))
        if picks is not None:
            return picks
        journal.write(Warned(where="client", text="the picked facts could not be read from the model's answer"))
    raise ModelFaultError("unreadable", "the client's model twice gave no readable list of facts")


async def _phrase(case: Case, question: str, handed: Sequence[int], holds: bool, caller: Caller) -> str:
    stance = f"STANCE\n{HOLD}\n\n" if holds else ""
    request = (
        f"YOUR OWN WORDS AT THE START\n{case.instruction}\n\n{stance}QUESTION\n{question}\n\n"
        f"FACTS\n{_numbered(case.facts, handed) or 'none'}"
    )
    system = filled("client_phrase", rules=case.persona.rules.strip())
    reply = await caller.call("client", system, [Message("user", request)], temperature=TEMPERATURE)
    return reply.text.strip()


def _leaked(case: Case, given: Sequence[int], handed: Sequence[int], journal: Journal) -> tuple[int, ...]:
    """What the reply gave away though it was not handed over, and neither instruction nor earlier answers had told it."""
    told = {fact for reply in journal.state.dialogue for fact in reply.disclosed}
    new = [fact for fact in given if fact not in handed and fact not in told]
    return tuple(fact for fact in new if fact not in disclosed(case.facts, case.instruction)) if new else ()


def _numbered(facts: Sequence[str], picked: Sequence[int]) -> str:
    return "\n".join(f"{index + 1}. {facts[index]}" for index in picked)
