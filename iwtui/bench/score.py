"""From verdicts and weights to the score of an episode. The only place where a score is computed."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from iwtui.bench.case import Assertion, Slot, SlotKind
from iwtui.bench.weights import weights


class Verdict(StrEnum):
    """`unobserved`: the judge never looked. `unjudged`: it did, but its answer could not be read, or we failed it."""

    PASSED = "passed"
    FAILED = "failed"
    UNOBSERVED = "unobserved"
    UNJUDGED = "unjudged"


class Score(msgspec.Struct, frozen=True):
    """What an episode is worth. None is "unknown", never zero.

    `tcr`: 0-1, the paper's formula over all slots. `tcr_clean`: the official table's, over POSITIVE slots only.
    `sr`: every slot passed. `hallucinated`: a slot of kind `unrequested` failed.
    """

    tcr: float | None
    tcr_clean: float | None
    sr: bool | None
    hallucinated: bool | None


CRASHED = Score(tcr=0.0, tcr_clean=0.0, sr=False, hallucinated=None)
"""A site that does not run, by its own fault, fulfils nothing; whether it holds anything unrequested was not seen."""

UNKNOWN = Score(tcr=None, tcr_clean=None, sr=None, hallucinated=None)


def score(slots: Sequence[Slot], verdicts: Sequence[Verdict]) -> Score:
    """TCR = sum(W of passed slots) / sum(W of slots), SR and the hallucination flag of one judging.

    An unobserved slot is not passed (the paper's rule). An unjudged slot is a fault of ours and leaves both sums; when
    nothing is left, the score is unknown. Where no slot is POSITIVE, the NEGATIVE ones make up `tcr_clean`. Source of the
    formula: InteractWeb-Bench (arXiv 2604.27419).
    """
    if len(slots) != len(verdicts):
        raise ValueError(f"{len(verdicts)} verdicts for {len(slots)} slots")
    rows = list(zip(slots, weights(slots), verdicts, strict=True))
    judged = [row for row in rows if row[2] is not Verdict.UNJUDGED]
    only_negative = all(slot.assertion is Assertion.NEGATIVE for slot in slots)
    positive = [row for row in judged if only_negative or row[0].assertion is Assertion.POSITIVE]
    return Score(
        tcr=_share(judged),
        tcr_clean=_share(positive),
        sr=_success(verdicts),
        hallucinated=_hallucinated(slots, verdicts),
    )


def _share(rows: list[tuple[Slot, float, Verdict]]) -> float | None:
    total = sum(weight for _, weight, _ in rows)
    if not total:
        return None
    return sum(weight for _, weight, verdict in rows if verdict is Verdict.PASSED) / total


def _success(verdicts: Sequence[Verdict]) -> bool | None:
    if any(verdict in (Verdict.FAILED, Verdict.UNOBSERVED) for verdict in verdicts):
        return False
    return None if Verdict.UNJUDGED in verdicts or not verdicts else True


def _hallucinated(slots: Sequence[Slot], verdicts: Sequence[Verdict]) -> bool | None:
    seen = [v for s, v in zip(slots, verdicts, strict=True) if s.kind is SlotKind.UNREQUESTED]
    if Verdict.FAILED in seen:
        return True
    return False if seen and all(verdict is Verdict.PASSED for verdict in seen) else None
