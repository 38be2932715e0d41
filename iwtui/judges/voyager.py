"""The paper's judge: a vision model walks through the site, with numbered marks on the pictures, and judges as it goes.

Source: WebVoyager with Set-of-Mark as InteractWeb-Bench (arXiv 2604.27419) uses it: 1280 × 800, 16 browser steps, the last
three pictures. It reads the golden instruction however the episode ended. A verdict belongs to the browser step on whose
picture it was given; a later one takes its place. What the model never looked at is `unobserved`; a slot that it gave no
readable word on, `unjudged`.
"""

from collections.abc import Sequence

from iwtui.bench.case import Slot, SlotKind
from iwtui.bench.events import SlotJudged, Warned
from iwtui.bench.fold import Message
from iwtui.bench.judges import VOYAGER
from iwtui.bench.longtext import keep
from iwtui.bench.score import Verdict
from iwtui.bench.text import one_line
from iwtui.bench.weights import LIMITS
from iwtui.judges.answers import ANSWER, Answer, Given, read_answer
from iwtui.judges.base import Sitting
from iwtui.judges.extras import measured, told_extras
from iwtui.web.faults import PageDeadError
from iwtui.web.marks import describe
from iwtui.web.seen import Seen
from iwtui.web.steps import Move, View, act, aim, happened, look, stepped

PROMPT = "voyager"
PICTURES = 3
"""The model sees the last so many; of the views before, only that they were there."""
MAX_UNREAD = 3
"""Answers in a row that cannot be read, after which the looking ends."""
_NOTES = 1_500
"""Characters of what happened around the page that the model is told of."""

EXTRAS = (
    " (if it fails, end the reason with what nobody asked for, by whether it does something or only stands there: "
    "functional: a, b; decorative: c)"
)

_UNREADABLE = "Your last answer could not be used, and nothing in it counts: it names no known action. Answer as agreed."


class VoyagerJudge:
    """Judges all slots in one walk through the site; with `second_sweep`, those never looked at in a walk of their own."""

    name = VOYAGER
    role = "judge"
    opens_site = True

    def __init__(self, model: str, second_sweep: bool = False) -> None:
        self.model = model
        self._second_sweep = second_sweep

    async def judge(self, sitting: Sitting) -> None:
        verdicts: dict[int, Verdict] = {}
        reasons: dict[int, str] = {}
        steps = LIMITS[sitting.case.difficulty].judge_steps
        sweep = _Sweep(sitting, range(len(sitting.case.slots)), 1, steps, verdicts, reasons)
        await sweep.run()
        missed = [slot for slot, verdict in verdicts.items() if verdict is Verdict.UNOBSERVED]
        if missed and self._second_sweep and (await sitting.site.fresh()).ok:
            await _Sweep(sitting, missed, sweep.step + 1, steps, verdicts, reasons).run()
        for slot in range(len(sitting.case.slots)):
            if slot not in verdicts:
                reason = "the judge's answers hold no readable verdict on this slot"
                sitting.recorder.append(SlotJudged(slot=slot, verdict=Verdict.UNJUDGED, reason=reason), sitting.turn)
        for slot, reason in reasons.items():
            for measure in measured(told_extras(reason), slot):
                sitting.recorder.append(measure, sitting.turn)


class _Sweep:
    """One walk, over some of the slots; `step` is the number of its last browser step.

    `reasons`: why slots of kind `unrequested` failed.
    """

    def __init__(
        self,
        sitting: Sitting,
        slots: Sequence[int],
        first: int,
        steps: int,
        verdicts: dict[int, Verdict],
        reasons: dict[int, str],
    ) -> None:
        self.step = first - 1
        self._sitting = sitting
        self._slots = slots
        self._last = first + steps - 1
        self._verdicts = verdicts
        self._messages: list[Message] = []
        self._told = ""
        self._reasons = reasons
        self._evidence: int | None = None

    async def run(self) -> None:
        unread = 0
        while self.step < self._last and unread < MAX_UNREAD:
            self.step += 1
            recorder, left = self._sitting.recorder, self._last - self.step
            recorder.progress("judging", f"browser step {self.step} of {self._last}")
            try:
                view = await look(self._sitting.site, recorder.blobs)
            except PageDeadError as error:
                if not await self._revived(error):
                    return
                continue
            answer = await self._ask(self._observation(view, left), view)
            if answer.move is None:
                unread += 1
                self._told = _UNREADABLE
                self._record(Move("unreadable"), "no action could be read from the answer", view, Seen())
                continue
            unread = 0
            if answer.move.action == ANSWER:
                self._record(answer.move, "", view, self._sitting.site.drain())
                self._take(answer)
                break
            if not await self._act(answer, view):
                return
        await self._report()

    async def _act(self, answer: Answer, view: View) -> bool:
        """Do it and write it down with its verdicts; False when the site is gone for good."""
        page, move = self._sitting.site, answer.move
        assert move is not None
        dead: PageDeadError | None = None
        try:
            result = await act(move, view, page)
        except PageDeadError as error:
            dead, result = error, f"site died: {error}"
        seen = page.drain()
        self._record(move, result, view, seen)
        problems = self._take(answer)
        done = f"{move.action} {aim(move, view)}".rstrip()
        self._told = "\n".join([f"{done}: {result}"[:600], *happened(seen), *problems])[:_NOTES]
        return dead is None or await self._revived(dead)

    async def _revived(self, error: PageDeadError) -> bool:
        """Load the site anew after its page died. If that cannot be, the slots still open fail, or we failed them."""
        try:
            found = await self._sitting.site.fresh()
            fault, why = found.fault, found.reason
        except PageDeadError as again:
            fault, why = "site", str(again)
        if fault is None:
            self._told = f"The page died ({one_line(str(error), 200)}) and was loaded anew."
            return True
        theirs = fault == "site"
        reason = f"site died: {error}; it did not open again: {why}"
        for slot in self._open():
            self._judge(Given(slot, Verdict.FAILED if theirs else Verdict.UNJUDGED, one_line(reason, 600)))
        return False

    def _open(self) -> list[int]:
        """Slots of this sweep that nothing but `unobserved` was said of."""
        return [slot for slot in self._slots if self._verdicts.get(slot, Verdict.UNOBSERVED) is Verdict.UNOBSERVED]

    async def _report(self) -> None:
        """Ask once for a word on each slot that has none yet, without another look at the site."""
        silent = [slot for slot in self._slots if slot not in self._verdicts]
        if not silent:
            return
        wanted = ", ".join(map(str, silent))
        text = (
            f"{self._told}\n\nThe looking is over. Give your verdict on each of these IDs now, from what you have seen: "
            f"{wanted}. Where you never looked at what an ID asks for, write [UNOBSERVED ID: X] Reason: why. No action is "
            "needed."
        )
        self._take(await self._ask(text.strip(), None))

    async def _ask(self, text: str, view: View | None) -> Answer:
        sitting = self._sitting
        kept = keep(sitting.recorder.blobs, text)
        self._messages = _with_pictures(self._messages, PICTURES - (view is not None))
        self._messages.append(Message("user", kept, view.picture, view.marks_blob) if view else Message("user", kept))
        reply = await sitting.ask(PROMPT, self._messages, steps=LIMITS[sitting.case.difficulty].judge_steps)
        self._messages.append(Message("assistant", keep(sitting.recorder.blobs, reply.text or "(nothing)")))
        return read_answer(reply.text)

    def _observation(self, view: View, left: int) -> str:
        parts = [self._task()] if not self._messages else []
        parts += [
            f"LAST ACTION\n{self._told or 'none'}",
            f"PAGE\n{one_line(self._sitting.site.raw.url, 300)}",
            f"MARKS\n{describe(view.marks) or 'none'}",
            f"OPEN\n{', '.join(map(str, self._open())) or 'none: every ID has a verdict'}",
            f"{left} actions are left after this one." if left else "This is your last action: answer with ANSWER.",
        ]
        return "\n\n".join(parts)

    def _task(self) -> str:
        case = self._sitting.case
        listed = "\n".join(_asked(slot, case.slots[slot]) for slot in self._slots)
        return f"THE CLIENT'S INSTRUCTION\n{case.golden}\n\nCHECKLIST\n{listed}"

    def _record(self, move: Move, result: str, view: View, seen: Seen) -> None:
        recorder, page = self._sitting.recorder, self._sitting.site
        thought = keep(recorder.blobs, move.thought)
        event = stepped("judging", self.step, move, thought, result, view, page, seen)
        self._evidence = recorder.append(event, self._sitting.turn).seq

    def _take(self, answer: Answer) -> list[str]:
        """Write the verdicts down; what of them cannot be used, in words for the model."""
        problems = [f"This gives no verdict: {tag}" for tag in answer.unread]
        for given in answer.verdicts:
            if given.slot in self._slots:
                if given.verdict is not Verdict.UNOBSERVED or given.slot in self._open():
                    self._judge(given)
            else:
                problems.append(f"There is no ID {given.slot} on the checklist.")
        for problem in problems:
            self._sitting.recorder.append(Warned(where="judge", text=one_line(problem, 300)), self._sitting.turn)
        return problems

    def _judge(self, given: Given) -> None:
        self._verdicts[given.slot] = given.verdict
        self._reasons.pop(given.slot, None)
        if given.verdict is Verdict.FAILED and self._sitting.case.slots[given.slot].kind is SlotKind.UNREQUESTED:
            self._reasons[given.slot] = given.reason
        reason = keep(self._sitting.recorder.blobs, given.reason)
        event = SlotJudged(slot=given.slot, verdict=given.verdict, reason=reason, evidence=self._evidence)
        self._sitting.recorder.append(event, self._sitting.turn)


def _asked(number: int, slot: Slot) -> str:
    task = f"task: {one_line(slot.task, 1_000)}; " if slot.task else ""
    listed = EXTRAS if slot.kind is SlotKind.UNREQUESTED else ""
    return f"ID {number}: {one_line(slot.component, 200)}; {task}expected: {one_line(slot.expected, 1_000)}{listed}"


def _with_pictures(messages: list[Message], most: int) -> list[Message]:
    """The messages with only the last pictures."""
    shown = [place for place, message in enumerate(messages) if message.picture is not None]
    kept = set(shown[-most:])
    return [
        message if message.picture is None or place in kept else Message(message.role, message.text)
        for place, message in enumerate(messages)
    ]
