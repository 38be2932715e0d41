"""Which cases of a pack a run plays."""

import difflib
import random
from collections.abc import Collection, Sequence

import click

from iwtui.bench.case import Case

FEW = 12
"""Names that a message lists whole."""


def select(
    cases: Sequence[Case],
    ids: Sequence[str] = (),
    personas: Sequence[str] = (),
    difficulty: str | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> list[Case]:
    """The cases that fit all that is given, in the pack's order; a sample is drawn from them by `seed`.

    Raises click.BadParameter when a name fits no case.
    """
    for option, given, known in (
        ("--case", ids, {case.id for case in cases}),
        ("--persona", personas, {case.persona.id for case in cases}),
    ):
        for name in given:
            if name not in known:
                raise click.BadParameter(_unknown(name, known), param_hint=option)
    chosen = [
        case
        for case in cases
        if (not ids or case.id in ids)
        and (not personas or case.persona.id in personas)
        and difficulty in (None, case.difficulty)
    ]
    if not chosen:
        raise click.BadParameter("no case of the pack fits all of --case, --persona and --difficulty")
    if sample is not None and sample < len(chosen):
        drawn = set(random.Random(seed).sample(range(len(chosen)), sample))  # noqa: S311 - a sample, no secret
        chosen = [case for place, case in enumerate(chosen) if place in drawn]
    return chosen


def _unknown(name: str, known: Collection[str]) -> str:
    if len(known) <= FEW:
        return f"{name!r} is none of {', '.join(sorted(known))}"
    near = difflib.get_close_matches(name, known, 3, 0)
    return f"{name!r} is none of {len(known)}; the nearest are {', '.join(near)}"
