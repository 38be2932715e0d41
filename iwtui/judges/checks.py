"""The judge that runs the executable checks of a case: free of charge, and the same each time."""

import time
from collections.abc import AsyncIterator

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.checks import (
    EXPECTATIONS,
    Choose,
    Fill,
    Matches,
    NothingUnrequested,
    Number,
    Open,
    Press,
    Read,
    Step,
    Target,
)
from iwtui.bench.events import BrowserStepped, SlotJudged
from iwtui.bench.judges import CHECKS
from iwtui.bench.protocols import Recorder
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line
from iwtui.judges.acting import Acting, Patience, StepFailedError
from iwtui.judges.base import Sitting
from iwtui.judges.expecting import Expecting
from iwtui.judges.extras import measured, sorted_extras
from iwtui.judges.locate import plain, words
from iwtui.judges.reading import Reading
from iwtui.web.faults import PageDeadError
from iwtui.web.page import SitePage
from iwtui.web.seen import Seen

_REASON = 600
"""Characters of a reason or result at most."""

_YOUNG = 2.0
"""Seconds after which even an untouched page is loaded anew: it may have changed in ways that do not show."""

PATIENCE = Patience()


class StepResult(msgspec.Struct, frozen=True):
    """What came of one step. `decides`: the check is over with it."""

    action: str
    target: str
    ok: bool
    result: str
    seconds: float
    seen: Seen
    decides: bool


class Outcome(msgspec.Struct, frozen=True):
    """What came of a whole check."""

    passed: bool
    reason: str
    steps: tuple[StepResult, ...]


class Load:
    """A page as it was loaded with empty storage. Checks that only look leave it so, and the next may look at it too."""

    def __init__(self, page: SitePage) -> None:
        self.page = page
        self._loaded: float | None = None
        self._picture: bytes | None = None

    async def opened(self) -> tuple[StepResult, Reading]:
        """The page, loaded anew unless it stands untouched; what was read on it before is forgotten."""
        begun = time.monotonic()
        reading = Reading(self.page)
        reading.heard()
        try:
            if await self._is_untouched():
                ok, result = True, "still as it was opened with empty storage"
            else:
                self.touched()
                probe = await self.page.fresh()
                ok, result = probe.ok, "opened with empty storage" if probe.ok else f"the page did not open: {probe.reason}"
                self._loaded = time.monotonic() if ok else None
        except PageDeadError as error:
            ok, result = False, f"site died: {error}"
        opened = _result(Open(), ok, result, begun, reading, decides=not ok)
        if opened.seen.dialogs:
            self.touched()  # what a dialog said belongs to the check that it came up in
        return opened, reading

    async def picture(self) -> bytes:
        """The view; of a page that stands untouched, one picture does for all. Raises PageDeadError, BrowserLostError."""
        if self._picture is None or not await self._is_untouched():
            taken = await self.page.picture()
            self._picture = taken if self._loaded is not None else None
            return taken
        return self._picture

    def touched(self) -> None:
        """Something was done to the page: nobody else may look at it."""
        self._loaded = self._picture = None

    async def _is_untouched(self) -> bool:
        young = self._loaded is not None and time.monotonic() - self._loaded < _YOUNG
        return young and await self.page.stands()


class ChecksJudge:
    """Runs the check of each slot on a page that starts with empty storage."""

    name = CHECKS
    model = None
    role = "judge"
    opens_site = True

    def __init__(self, patience: Patience = PATIENCE) -> None:
        self._patience = patience

    async def judge(self, sitting: Sitting) -> None:
        case, recorder, turn = sitting.case, sitting.recorder, sitting.turn
        load = Load(sitting.site)
        for number, slot in enumerate(case.slots):
            recorder.progress("judging", f"slot {number + 1} of {len(case.slots)}: {slot.component}")
            begun = time.monotonic()
            if not slot.check:
                reason = "this slot has no executable check; only a model can judge it"
                recorder.append(SlotJudged(slot=number, verdict=Verdict.UNJUDGED, reason=reason), turn)
                continue
            steps: list[StepResult] = []
            evidence = None
            async for step in _steps(case, slot.check, load, self._patience):
                steps.append(step)
                evidence = await self._record(step, len(steps), number, load, recorder, turn)
            passed, reason = _verdict(steps)
            asks_for_nothing = next((step for step in slot.check if isinstance(step, NothingUnrequested)), None)
            recorder.append(
                SlotJudged(
                    slot=number,
                    verdict=Verdict.PASSED if passed else Verdict.FAILED,
                    reason=reason,
                    evidence=evidence,
                    seconds=round(time.monotonic() - begun, 3),
                ),
                turn,
            )
            if asks_for_nothing and not passed and steps[-1].action == asks_for_nothing.__struct_config__.tag:
                load.touched()
                extras = await sorted_extras(load.page, case.golden, asks_for_nothing.allow)
                for measure in measured(extras, number):
                    recorder.append(measure, turn)

    @staticmethod
    async def _record(step: StepResult, place: int, slot: int, load: Load, recorder: Recorder, turn: int) -> int:
        """Write the step down, with a picture when it is the one that decides; its place in the log."""
        picture = None
        if step.decides:
            try:
                picture = recorder.blobs.put(await load.picture())
            except PageDeadError as error:
                step = msgspec.structs.replace(step, result=one_line(f"{step.result} (no picture: {error})", _REASON))
        event = BrowserStepped(
            phase="judging",
            step=place,
            action=step.action,
            target=step.target,
            result=step.result,
            url=one_line(load.page.raw.url, 300),
            slot=slot,
            picture=picture,
            dialogs=step.seen.dialogs,
            console=step.seen.console,
            blocked=step.seen.blocked,
            seconds=round(step.seconds, 3),
        )
        return recorder.append(event, turn).seq


async def run_check(case: Case, slot_index: int, load: Load, patience: Patience = PATIENCE) -> Outcome:
    """Run the check of one slot. Raises ValueError when it has none, BrowserLostError when the browser is gone."""
    check = case.slots[slot_index].check
    if not check:
        raise ValueError(f"slot {slot_index} of {case.id} has no check")
    steps = [step async for step in _steps(case, check, load, patience)]
    return Outcome(*_verdict(steps), tuple(steps))


async def _steps(case: Case, check: tuple[Step, ...], load: Load, patience: Patience) -> AsyncIterator[StepResult]:
    """The steps up to the one that decides: the first that fails, or the last."""
    opened, reading = await load.opened()
    yield opened
    if not opened.ok:
        return
    acting = Acting(load.page, reading, patience)
    expecting = Expecting(case, load.page, reading, patience)
    for place, step in enumerate(check, 1):
        begun = time.monotonic()
        try:
            if isinstance(step, EXPECTATIONS):
                result = await expecting.expect(step)
            else:
                load.touched()
                result = await acting.do(step)
            ok = True
        except StepFailedError as error:
            result, ok = str(error), False
        except PageDeadError as error:
            load.touched()
            result, ok = f"site died: {error}", False
        yield _result(step, ok, result, begun, reading, decides=not ok or place == len(check))
        if not ok:
            return


def _verdict(steps: list[StepResult]) -> tuple[bool, str]:
    last = steps[-1]
    if last.ok:
        return True, one_line("; ".join(dict.fromkeys(step.result for step in steps if step.action in _EXPECTED)), _REASON)
    said = f"{last.action} {last.target}".strip()
    return False, one_line(last.result if last.action in _EXPECTED else f"{said}: {last.result}", _REASON)


def _result(step: Step, ok: bool, result: str, begun: float, reading: Reading, decides: bool) -> StepResult:
    seconds = time.monotonic() - begun
    return StepResult(_action(step), _target(step), ok, one_line(result, _REASON), seconds, reading.heard(), decides)


def _action(step: Step) -> str:
    return str(step.__struct_config__.tag)


_EXPECTED = frozenset(str(kind.__struct_config__.tag) for kind in EXPECTATIONS)


def _target(step: Step) -> str:
    """What a step is about, in words: `searchbox "Search" ← "Foc"`."""
    match step:
        case Open(path=path):
            return path
        case Fill(value=value):
            return f'{words(step)} ← "{value}"'
        case Choose(option=option):
            return f'"{plain(option)}"'
        case Press(key=key):
            return key
        case Matches(pattern=pattern) | Read(number=pattern) | Number(number=pattern):
            return f'"{plain(pattern)}"'
        case Target():
            return words(step) if step.roles or step.name or step.label or step.text else "page background"
    return ""
