"""A builder and the scripted client talking, without engine and gateway."""

import json
import re
from dataclasses import dataclass, field

from iwtui.bench.case import Case
from iwtui.models.scripted import blind, clarifier, client

RETRIEVE = 'Pick the facts that the question asks for. Answer with JSON {"facts": [numbers]} and nothing else.'
PHRASE = "You are a client and answer in your own voice:\n\n{rules}\n\nTell only what stands under FACTS. Invent nothing."
BUILDER = "You build websites. You have a limited number of turns ({turns})."

_ASK = re.compile(r'<boltAction type="ask_user">(.*?)</boltAction>', re.DOTALL)
_FILE = re.compile(r'<boltAction type="file" filePath="index.html">\n(.*)</boltAction>', re.DOTALL)


@dataclass
class Played:
    """What came of it: the site, the number of turns, what was said, whether it was handed in, the looks' criteria."""

    site: str = ""
    turns: int = 0
    implements: int = 0
    submitted: bool = False
    said: list[tuple[str, str]] = field(default_factory=list)
    picked: list[list[int]] = field(default_factory=list)
    criteria: list[str] = field(default_factory=list)


def numbered(facts: tuple[str, ...], picked: list[int] | range) -> str:
    return "\n".join(f"{number}. {facts[number - 1]}" for number in picked) or "none"


def retrieve(facts: tuple[str, ...], question: str, said: list[tuple[str, str]]) -> list[int]:
    """The facts (1-based) that the client picks for a question."""
    earlier = "\n".join(f"Q: {q}\nA: {a}" for q, a in said) or "none"
    request = f"FACTS\n{numbered(facts, range(1, len(facts) + 1))}\n\nEARLIER\n{earlier}\n\nQUESTION\n{question}"
    reply = client.reply([{"role": "system", "content": RETRIEVE}, {"role": "user", "content": request}])
    picked: list[int] = json.loads(reply)["facts"]
    return picked


def phrase(case: Case, question: str, picked: list[int], rules: str | None = None) -> str:
    """What the client says when it is handed these facts."""
    request = (
        f"YOUR OWN WORDS AT THE START\n{case.instruction}\n\nQUESTION\n{question}\n\nFACTS\n{numbered(case.facts, picked)}"
    )
    system = PHRASE.format(rules=case.persona.rules if rules is None else rules)
    return client.reply([{"role": "system", "content": system}, {"role": "user", "content": request}])


def play(
    case: Case, turns: int, *, rules: str | None = None, refusal: str | None = None, audits: tuple[str, ...] = ()
) -> Played:
    """The clarifier plays a case. `audits` are what looks at the site tell, one after the other; then they succeed."""
    messages = [
        {"role": "system", "content": BUILDER.format(turns=turns)},
        {"role": "user", "content": case.instruction},
    ]
    played = Played()
    told = iter(audits)
    while played.turns < turns and not played.submitted:
        message = clarifier.reply(messages)
        assert clarifier.reply(messages) == message
        played.turns += 1
        came = ""
        if asked := _ASK.search(message):
            picked = [] if refusal is not None else retrieve(case.facts, asked[1], played.said)
            came = refusal if refusal is not None else phrase(case, asked[1], picked, rules)
            played.said.append((asked[1], came))
            played.picked.append(picked)
        elif written := _FILE.search(message):
            played.site = written[1]
            played.implements += 1
            came = "Execution feedback:\nThe site runs."
        elif "screenshot_validated" in message:
            played.criteria.append(message)
            came = f"Visual audit: {next(told, 'success')}"
        else:
            played.submitted = message == blind.FINISH
        messages += [{"role": "assistant", "content": message}, {"role": "user", "content": came}]
    return played


def blind_site(instruction: str) -> str:
    """What the blind builder writes."""
    written = _FILE.search(blind.reply([{"role": "user", "content": instruction}]))
    assert written is not None
    return written[1]
