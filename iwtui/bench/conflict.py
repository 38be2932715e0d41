"""A client whose wishes clash: which facts its words contradict, and whether a question challenges it on that.

A *challenge* is a question that says that wishes of the client clash. The client's model says whether a question is one;
where it does not say, the question's own words decide. A contested fact is given up, and told as it truly is, in answer to
the k-th challenge that it is picked for; until then the client holds on, and a plain question does not move it either.
With k = 1, the paper's rule, nothing is ever held back: the first challenge gets the truth, and so does a plain question.
"""

import re
from collections.abc import Sequence

from iwtui.bench.case import Case, Visibility
from iwtui.bench.contradiction import contradicted
from iwtui.bench.events import ClientReplied

CONFLICTING = "P-CON"

_CHALLENGE = re.compile(
    r"\bcontradict|\bclash|\bat odds\b|\bconflict|\binconsisten|\bcannot both\b|\bcan['’]t both\b|\bincompatib|"
    r"\bmutually exclusive\b|\bimpossible (?:together|at once)\b",
    re.IGNORECASE,
)


def is_challenge(question: str) -> bool:
    """Whether a question says that wishes clash, by its wording."""
    return _CHALLENGE.search(question) is not None


def contested(case: Case) -> frozenset[int]:
    """The facts (0-based) that the case's own instruction contradicts: as noted with its slots, else by its wording."""
    clashing = [slot for slot, shown in zip(case.slots, case.visibility, strict=False) if shown is Visibility.CONTRADICTED]
    if not clashing and case.persona.id != CONFLICTING:
        return frozenset()
    worded = frozenset(contradicted(case.facts, case.instruction))
    noted = [worded.intersection(slot.facts) or frozenset(slot.facts) for slot in clashing]
    return frozenset().union(*noted) if noted else worded


def held_back(
    case: Case, picked: Sequence[int], challenged: bool, earlier: Sequence[ClientReplied], challenges: int
) -> tuple[int, ...]:
    """The picked facts that the client does not give up yet. `earlier` are its answers so far.

    Where the wording does not show what clashes, a challenge is taken to be about what it asks for.
    """
    if challenges <= 1:
        return ()
    disputed = contested(case)
    if not disputed and challenged and case.persona.id == CONFLICTING:
        disputed = frozenset(picked)

    def met(fact: int) -> int:
        return challenged + sum(reply.challenged and fact in reply.retrieved for reply in earlier)

    return tuple(fact for fact in picked if fact in disputed and met(fact) < challenges)
