"""What all judgings of an episode say, side by side: of a slot, and the figures of the whole episode."""

from collections.abc import Mapping

import msgspec

from iwtui.bench.fold import JudgingState
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line
from iwtui.tui.state.texts import Texts

GENERAL = {"ias": "IAS", "chr": "CHR", "vbr": "VBR"}
"""How the figures are written that the field has a short name for."""


class Opinion(msgspec.Struct, frozen=True):
    """One judging on one slot. `verdict` is empty as long as it may still come to it; `model`: None for a judge without."""

    judging: str
    judge: str
    model: str | None
    verdict: str
    reason: str
    primary: bool


def opinions(judgings: Mapping[str, JudgingState], primary: str | None, slot: int, texts: Texts) -> tuple[Opinion, ...]:
    """What each judging of the site as it was last says of a slot: the primary one first, then the latest.

    Judgings that give no verdicts, and those of an earlier turn, are left out.
    """
    found = []
    last = max((state.started.turn_judged for state in judgings.values() if state.started), default=0)
    for name, state in sorted(judgings.items(), key=lambda item: (item[0] != primary, -item[1].began)):
        if state.started is None or not (state.verdicts or name == primary):
            continue
        if state.started.turn_judged < last and name != primary:
            continue
        said = next((judged for judged in reversed(state.verdicts) if judged.slot == slot), None)
        over = state.ended is not None and state.ended.status == "scored"
        found.append(
            Opinion(
                judging=one_line(name, 40),
                judge=one_line(state.started.judge, 40),
                model=None if state.started.model is None else one_line(state.started.model, 60),
                verdict=said.verdict if said else Verdict.UNOBSERVED.value if over else "",
                reason=one_line(texts.show(said.reason)[0], 300) if said else "the judge never looked" if over else "",
                primary=name == primary,
            )
        )
    return tuple(found)


def measures(judgings: Mapping[str, JudgingState]) -> tuple[tuple[str, float | None], ...]:
    """The figures of the whole episode as (name, value), the newest of each; None is "unknown"."""
    found: dict[str, float | None] = {}
    for state in sorted(judgings.values(), key=lambda state: state.began):
        found |= {measure.metric.lower(): measure.value for measure in state.measures if measure.slot is None}
    return tuple((GENERAL.get(name, one_line(name.replace("_", " "), 30)), value) for name, value in found.items())


def measures_line(figures: tuple[tuple[str, float | None], ...]) -> str:
    """`IAS 4 · CHR 25 · VBR unknown`."""
    return " · ".join(f"{name} {'unknown' if value is None else f'{value:g}'}" for name, value in figures)
