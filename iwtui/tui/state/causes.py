"""The causes of failed slots as a panel shows them: one bar a cause, in one group of episodes. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from iwtui.bench.blame import Cause

if TYPE_CHECKING:
    from iwtui.analysis.causes import Share

_TONES = {cause.value: "bad" if cause is Cause.NEVER_ASKED else "warn" for cause in Cause}


class CauseBar(msgspec.Struct, frozen=True):
    """`share`: of the lost weight of the group, 0 to 1. `note` says of how many slots, and how many are estimated."""

    cause: str
    share: float
    percent: str
    note: str
    tone: str


def cause_bars(shares: "Sequence[Share]", group: dict[str, object] | None = None) -> tuple[CauseBar, ...]:
    """The bars of one group (None: of all episodes), in the order of the causes; none where nothing was lost."""
    return tuple(
        CauseBar(
            cause=share.cause,
            share=share.share,
            percent=f"{100 * share.share:.0f} %",
            note=f"{share.slots} slot{'' if share.slots == 1 else 's'}"
            + (f", {share.estimated} estimated" if share.estimated else ""),
            tone=_TONES.get(share.cause, "dim"),
        )
        for share in shares
        if share.group == (group or {})
    )
