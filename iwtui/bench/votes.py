"""What people say of slots beside a judge, and what comes of it when several do. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec

from iwtui.bench.score import Verdict


class Word(StrEnum):
    """A person's verdict on a slot. `unsure` counts for nobody."""

    PASS = "pass"  # noqa: S105 - a verdict, no secret
    FAIL = "fail"
    UNSURE = "unsure"


class Ruling(msgspec.Struct, frozen=True):
    """What people say of a slot together: so many words of each kind, one an author."""

    passes: int = 0
    fails: int = 0
    unsures: int = 0

    @property
    def verdict(self) -> Verdict | None:
        """The majority's verdict; None when nobody decided, or as many say one thing as the other."""
        if self.passes == self.fails:
            return None
        return Verdict.PASSED if self.passes > self.fails else Verdict.FAILED

    @property
    def disputed(self) -> bool:
        """As many authors say pass as fail."""
        return self.passes == self.fails > 0


def rule(words: Iterable[Word]) -> Ruling:
    """The words of all authors on one slot, one an author, taken together."""
    said = Counter(words)
    return Ruling(said[Word.PASS], said[Word.FAIL], said[Word.UNSURE])


def overruled(verdicts: Sequence[Verdict], rulings: Mapping[int, Ruling]) -> tuple[Verdict, ...]:
    """A judging's verdicts with people's in their place where there is a majority; a disputed slot keeps the judge's."""
    return tuple(rulings[slot].verdict or verdict if slot in rulings else verdict for slot, verdict in enumerate(verdicts))
