"""The simulated client: first the facts that a question asks for are picked, then only those are put into words.

The phrasing step never sees the other facts, so it cannot give them away; an audit looks for what it gave away all the same.
"""

import json
import re
from collections.abc import Sequence

from iwtui.bench.case import Case
from iwtui.bench.disclosure import disclosed
from iwtui.bench.events import ClientReplied, Warned
from iwtui.bench.fold import Message
from iwtui.engine.calls import Caller
from iwtui.engine.journal import Journal
from iwtui.engine.prompts import filled, prompt
from iwtui.models.errors import ModelFaultError

TEMPERATURE = 0.4
_JSON = re.compile(r"\{[^{}]*\}")


async def answer(case: Case, question: str, journal: Journal, caller: Caller) -> str:
    """The client's reply to the builder's question, recorded with what it disclosed."""
    picked = await _retrieve(case, question, journal, caller)
    reply = await _phrase(case, question, picked, caller)
    given = disclosed(case.facts, reply)
    journal.write(
        ClientReplied(
            question=journal.keep(question),
            reply=journal.keep(reply),
            retrieved=picked,
            disclosed=given,
            leaked=tuple(fact for fact in given if fact not in picked),
        )
    )
    return reply


async def _retrieve(case: Case, question: str, journal: Journal, caller: Caller) -> tuple[int, ...]:
    earlier = [f"Q: {journal.read(said.question)}\nA: {journal.read(said.reply)}" for said in journal.state.dialogue]
    request = (
        f"FACTS\n{_numbered(case.facts, range(len(case.facts)))}\n\n"
        f"EARLIER\n{chr(10).join(earlier) or 'none'}\n\nQUESTION\n{question}"
    )
    for _ in range(2):
        reply = await caller.call("client", prompt("client_retrieve"), [Message("user", request)], temperature=TEMPERATURE)
        picked = read_picks(reply.text, len(case.facts))
        if picked is not None:
            return picked
        journal.write(Warned(where="client", text="the picked facts could not be read from the model's answer"))
    raise ModelFaultError("unreadable", "the client's model twice gave no readable list of facts")


async def _phrase(case: Case, question: str, picked: Sequence[int], caller: Caller) -> str:
    request = (
        f"YOUR OWN WORDS AT THE START\n{case.instruction}\n\nQUESTION\n{question}\n\n"
        f"FACTS\n{_numbered(case.facts, picked) or 'none'}"
    )
    system = filled("client_phrase", rules=case.persona.rules.strip())
    reply = await caller.call("client", system, [Message("user", request)], temperature=TEMPERATURE)
    return reply.text.strip()


def read_picks(text: str, facts: int) -> tuple[int, ...] | None:
    """0-based indexes from `{"facts": [1-based numbers]}` anywhere in the text; None when there is no such object."""
    for found in _JSON.finditer(text):
        try:
            numbers = json.loads(found[0]).get("facts")
        except ValueError:
            continue
        if isinstance(numbers, list) and all(type(number) is int for number in numbers):
            return tuple(sorted({number - 1 for number in numbers if 1 <= number <= facts}))
    return None


def _numbered(facts: Sequence[str], picked: Sequence[int]) -> str:
    return "\n".join(f"{index + 1}. {facts[index]}" for index in picked)
