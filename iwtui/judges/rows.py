"""Proving a file of rows as far as it can be without a site: its lines, weights, difficulties, facts and tellings."""

from collections.abc import Iterator
from pathlib import Path

from iwtui.bench.case import Case
from iwtui.bench.rows import RowError, read_row
from iwtui.judges.tellings import telling_faults
from iwtui.judges.validate import Finding
from iwtui.packs import PackError, numbered_lines, shipped_personas


def validate_rows(path: Path) -> Iterator[Finding]:
    """Everything that is wrong with a file of rows. What a telling lacks is a warning: the official ones are what they are.

    Raises PackError when the file cannot be read.
    """
    personas = shipped_personas()
    seen: dict[str, int] = {}
    unchecked = slots = 0
    try:
        with path.open("rb") as file:
            for number, line in numbered_lines(file):
                try:
                    row = read_row(line, personas, path.stem)
                except RowError as error:
                    yield Finding("error", "", f"line {number}: {error}")
                    continue
                case = row.case
                if case.id in seen:
                    yield Finding(
                        "error", case.seed, f"line {number}: the id {case.id!r} stands in line {seen[case.id]} already"
                    )
                seen[case.id] = number
                yield from (Finding("error", case.seed, f"{case.id}: {note}") for note in row.notes)
                yield from (Finding("warning", case.seed, f"{case.id}: {fault}") for fault in _faults(case))
                slots += len(case.slots)
                unchecked += sum(slot.check is None for slot in case.slots)
    except OSError as error:
        raise PackError(f"{path}: {error.strerror}") from error
    if unchecked:
        yield Finding("warning", "", f"{unchecked} of {slots} slots have no executable check: only a model can judge them")


def _faults(case: Case) -> Iterator[str]:
    if "".join("".join(case.facts).split()) != "".join(case.golden.split()):
        yield "its facts are not the golden text, one after the other"
    for fault in telling_faults(case):
        if case.visibility or "visibility notes" not in fault:
            yield fault
