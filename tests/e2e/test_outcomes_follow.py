"""What a run scores follows from what was said and built; nothing in a pack or a provider writes it down."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from iwtui.bench.case import Case, Persona, Visibility, slots_needing
from iwtui.bench.fold import JudgingState
from iwtui.bench.score import Verdict, score
from iwtui.engine.pool import Outcome
from iwtui.models.call import Reply
from iwtui.models.gateway import Gateway
from iwtui.packs import load_pack
from tests.support.replies import said


def cases_of(seed: str) -> list[Case]:
    return [case for case in load_pack("starter") if case.seed == seed]


def golden(seed: str) -> Case:
    return next(case for case in cases_of(seed) if case.instruction == case.golden)


def verdicts(outcome: Outcome) -> tuple[Verdict, ...]:
    assert isinstance(outcome.judging, JudgingState), outcome.episode.ended
    return outcome.judging.slot_verdicts(len(outcome.assignment.case.slots))


def tcr(outcome: Outcome) -> float:
    found = score(outcome.assignment.case.slots, verdicts(outcome)).tcr
    assert found is not None
    return found


def scrambled(cases: Sequence[Case]) -> list[Case]:
    """The same cases under ids that say nothing, with visibility notes that are wrong."""
    return [
        msgspec.structs.replace(
            case,
            id=f"case{number}_q",
            seed="zz",
            pack="zz",
            title="zz",
            persona=Persona(id="q", name="q", rules=case.persona.rules),
            visibility=tuple(Visibility.STATED if v is Visibility.MISSING else Visibility.MISSING for v in case.visibility),
        )
        for number, case in enumerate(cases)
    ]


async def test_ids_and_notes_do_not_matter(player: Any) -> None:
    cases = [case for case in cases_of("bakery") if case.persona.id in ("P-MIN", "P-RAM")]
    hidden = scrambled(cases)
    plain = await player.play(cases, ["blind", "clarifier"])
    blinded = await player.play(hidden, ["blind", "clarifier"])
    for case, other in zip(cases, hidden, strict=True):
        for builder in ("blind", "clarifier"):
            assert verdicts(blinded[other.id, builder]) == verdicts(plain[case.id, builder]), (case.id, builder)
    assert tcr(plain["bakery_P-MIN", "clarifier"]) >= tcr(plain["bakery_P-MIN", "blind"]) + 0.2
    assert tcr(plain["bakery_P-RAM", "blind"]) > tcr(plain["bakery_P-MIN", "blind"])


@pytest.mark.parametrize("seed", ["bakery", "lending"])
async def test_one_fact_flips_exactly_the_slots_that_need_it(player: Any, seed: str) -> None:
    whole = golden(seed)
    without = [
        msgspec.structs.replace(
            whole,
            id=f"{seed}-{number}_x",
            instruction=" ".join(fact for place, fact in enumerate(whole.facts) if place != number),
        )
        for number in range(len(whole.facts))
    ]
    outcomes = await player.play([whole, *without], ["blind"])
    told_all = verdicts(outcomes[whole.id, "blind"])
    for number, case in enumerate(without):
        told_less = verdicts(outcomes[case.id, "blind"])
        flipped = tuple(i for i, (a, b) in enumerate(zip(told_all, told_less, strict=True)) if a is not b)
        assert flipped == slots_needing(whole.slots, number), whole.facts[number]
        assert all(told_all[i] is Verdict.PASSED for i in flipped)


class RefusingClient(Gateway):
    """Every model but the client answers as it is; the client gives nothing away."""

    async def call(self, model: str, messages: Sequence[Mapping[str, Any]], **parameters: Any) -> Reply:
        if model != "scripted/client":
            return await super().call(model, messages, **parameters)
        retrieving = '{"facts": [numbers]}' in str(messages[0]["content"])
        return said('{"facts": []}' if retrieving else "I would rather not say.")


async def test_a_client_that_refuses_makes_asking_worthless(player: Any) -> None:
    cases = [case for case in cases_of("bakery") if case.persona.id in ("P-MIN", "P-INT")]
    outcomes = await player.play(cases, ["blind", "clarifier"], gateway=RefusingClient())
    for case in cases:
        assert outcomes[case.id, "clarifier"].episode.dialogue
        assert verdicts(outcomes[case.id, "clarifier"]) == verdicts(outcomes[case.id, "blind"])
