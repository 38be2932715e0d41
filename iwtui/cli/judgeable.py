"""Whether the judge that a run names can judge its cases at all."""

from collections.abc import Sequence

import click

from iwtui.bench.case import Case

CHECKS = "checks"


def warn_without_checks(judge: str, cases: Sequence[Case]) -> None:
    """Say on stderr, before anything is played, that `checks` has no check to run for some slots or for all."""
    slots = [slot for case in cases for slot in case.slots]
    missing = sum(not slot.check for slot in slots)
    if judge != CHECKS or not missing:
        return
    if missing == len(slots):
        text = (
            "no slot of these cases has an executable check, so the judge `checks` cannot judge them: there will be no score"
        )
    else:
        text = f"{missing} of {len(slots)} slots have no executable check; the judge `checks` leaves them out of the score"
    click.echo(f"iwtui: {text}; name a judge that looks through a model with --judge", err=True)
