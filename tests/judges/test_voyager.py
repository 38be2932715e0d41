"""The walk of the voyager: what it is shown, what its verdicts hang on, and what becomes of answers that cannot be read."""

import io
from collections.abc import Callable, Sequence

import pytest
from PIL import Image

from iwtui.bench.case import Case
from iwtui.bench.events import BrowserStepped, SlotJudged, Warned
from iwtui.bench.fold import Message, fold_judging
from iwtui.bench.score import Verdict, score
from iwtui.judges.voyager import MAX_UNREAD, PICTURES, VoyagerJudge
from iwtui.models.errors import ModelFaultError
from iwtui.web.faults import PageDeadError
from iwtui.web.marks import Mark, MarkList
from iwtui.web.page import Probe
from iwtui.web.seen import Seen
from tests.support.sittings import Line, Lines, MemoryLog, sitting

P, F, U, J = Verdict.PASSED, Verdict.FAILED, Verdict.UNOBSERVED, Verdict.UNJUDGED
GOLDEN = "A shop with a search."
STEPS = 16


class Page:
    """Stands for a page: one button, and a picture of its own at each look. `dies`: which looks find the page dead."""

    def __init__(self, dies: Sequence[int] = (), opens_again: bool = True) -> None:
        self.clicked = 0
        self.fresh_loads = 0
        self._looks = 0
        self._dies = dies
        self._opens_again = opens_again

    @property
    def raw(self) -> "Page":
        return self

    url = "http://127.0.0.1/shop"

    async def marks(self) -> MarkList:
        self._looks += 1
        if self._looks in self._dies:
            raise PageDeadError("the page crashed")
        return MarkList((Mark(1, "button", "Finish order", "button", 10, 10, 80, 30, 50, 25),), False, 0.0, 200, 100)

    async def picture(self) -> bytes:
        file = io.BytesIO()
        Image.new("RGB", (200, 100), (self._looks, 0, 0)).save(file, "WEBP", lossless=True)
        return file.getvalue()

    async def click(self, mark: Mark) -> str:
        self.clicked += 1
        return "clicked"

    async def wait(self) -> str:
        return "waited"

    async def fresh(self) -> Probe:
        self.fresh_loads += 1
        return Probe(
            self._opens_again, "", self.url, "" if self._opens_again else "gone", None if self._opens_again else "site", 0.0
        )

    def drain(self) -> Seen:
        return Seen()


def ids(word: str, *slots: int) -> str:
    return f"[{word} IDs: {', '.join(map(str, slots))}] Reason: seen so."


@pytest.fixture
def case(make_case: Callable[..., Case]) -> Case:
    return make_case(*[None] * 5, golden=GOLDEN)


async def judged(
    case: Case, lines: Sequence[Line] | Callable[[Sequence[Message]], Line], page: Page | None = None, sweeps: bool = False
) -> tuple[MemoryLog, Lines]:
    log, ask = MemoryLog(), Lines(lines)
    await VoyagerJudge("m", second_sweep=sweeps).judge(sitting(case, log, page or Page(), ask))
    return log, ask


def final(log: MemoryLog) -> tuple[Verdict, ...]:
    return fold_judging(log.records).slot_verdicts(5)


def told(log: MemoryLog, message: Message) -> str:
    assert isinstance(message.text, str)
    return message.text


async def test_each_verdict_hangs_on_the_step_it_was_given_on_and_the_last_one_counts(case: Case) -> None:
    page = Page()
    log, ask = await judged(
        case,
        [
            f"Thought: {ids('PASSED', 0, 1)}\n{ids('FAILED', 2)}\nAction: Click [1]",
            f"Thought: {ids('PASSED', 2)} {ids('FAILED', 0)}\nAction: Wait",
            f"Thought: {ids('PASSED', 3, 4)}\nAction: ANSWER; Click [1] worked",
        ],
        page,
    )
    assert final(log) == (F, P, P, P, P)
    steps = {record.seq: record.event.step for record in log.records if isinstance(record.event, BrowserStepped)}
    given = [(j.slot, j.verdict, steps[j.evidence]) for j in log.judged() if j.evidence is not None]
    assert given == [
        (0, "passed", 1), (1, "passed", 1), (2, "failed", 1),
        (2, "passed", 2), (0, "failed", 2),
        (3, "passed", 3), (4, "passed", 3),
    ]  # fmt: skip
    assert page.clicked == 1, "an answer that speaks of a click is no click"
    assert [step.action for record in log.records if isinstance(step := record.event, BrowserStepped)] == [
        "click",
        "wait",
        "answer",
    ]
    assert len(ask.asked) == 3


async def test_the_golden_instruction_all_slots_and_the_last_pictures_are_shown(case: Case) -> None:
    log, ask = await judged(
        case, lambda shown: "Thought: hm\nAction: Wait" if shown[-1].picture else ids("FAILED", *range(5))
    )
    assert len(ask.asked) == STEPS + 1, "sixteen looks, then one word on what is left"
    first = told(log, ask.asked[0][0])
    assert GOLDEN in first and all(f"ID {slot}: Part {slot}" in first for slot in range(5))
    assert '[1] button "Finish order"' in first
    for shown in ask.asked:
        pictures = [message for message in shown if message.picture]
        assert 1 <= len(pictures) <= PICTURES
        assert all(message.marks for message in pictures), "the numbers are drawn on each"
        assert told(log, shown[0]).startswith("THE CLIENT'S INSTRUCTION")
    assert "wait: waited" in told(log, ask.asked[1][-1])
    last_look = [message for message in ask.asked[STEPS - 1] if message.picture][-1]
    assert "last action" in told(log, last_look)
    assert final(log) == (F, F, F, F, F)
    evidence = {judged.evidence for judged in log.judged()}
    assert evidence == {max(r.seq for r in log.records if isinstance(r.event, BrowserStepped))}


REFUSAL = "I'm sorry, but I can't help with that."


@pytest.mark.parametrize(
    ("lines", "verdicts"),
    [
        (['```json\n{"verdicts": [%s], "action": "answer"}\n```'], (P, P, P, P, P)),
        (['All done. {"verdicts": [%s], "action": "answer"} Bye.'], (P, P, P, P, P)),
        (['{"verdicts": [%s,], "action": "answer",}'], (P, P, P, P, P)),
        ([""] * (MAX_UNREAD + 1), (J, J, J, J, J)),
        ([REFUSAL] * (MAX_UNREAD + 1), (J, J, J, J, J)),
        ([f"Thought: {ids('PASSED', 0, 1, 2)}\nAction: ANSWER; done", REFUSAL], (P, P, P, J, J)),
        ([f"Thought: {ids('PASSED', 0, 1, 2)}\nAction: ANSWER; done", ids("UNOBSERVED", 3, 4)], (P, P, P, U, U)),
    ],
    ids=["fenced", "prose", "comma", "empty", "refusal", "three of five", "never looked at"],
)
async def test_an_answer_that_cannot_be_read_is_no_failure(
    case: Case, lines: list[str], verdicts: tuple[Verdict, ...]
) -> None:
    five = ", ".join(f'{{"id": {slot}, "verdict": "passed", "reason": "seen"}}' for slot in range(5))
    log, ask = await judged(case, [line.replace("%s", five) for line in lines])
    assert final(log) == verdicts
    assert len(ask.asked) == len(lines)
    expected = None if verdicts == (J,) * 5 else 1.0 if U not in verdicts else 3 / 5
    assert score(case.slots, final(log)).tcr == expected


async def test_nothing_in_an_answer_without_an_action_counts_and_the_model_is_told(case: Case) -> None:
    log, ask = await judged(
        case,
        [
            f"Thought: {ids('PASSED', *range(5))}\nAction: fly away",
            f"Thought: {ids('FAILED', *range(5))} I cannot yet say [PASSED ID: 1].\n[PASSED ID: 9] Reason: x\nAction: Wait",
            "Thought: done\nAction: ANSWER; done",
        ],
    )
    assert final(log) == (F, F, F, F, F)
    assert "could not be used" in told(log, ask.asked[1][-1])
    last = told(log, ask.asked[2][-1])
    assert "no ID 9" in last and "gives no verdict: [PASSED ID: 1]" in last
    assert len([record for record in log.records if isinstance(record.event, Warned)]) == 2


async def test_a_fault_of_the_model_is_passed_on(case: Case) -> None:
    with pytest.raises(ModelFaultError):
        await judged(case, [f"Thought: {ids('PASSED', 0)}\nAction: Wait", ModelFaultError("stalled", "no token")])


async def test_a_page_that_dies_is_loaded_anew_and_the_judge_told(case: Case) -> None:
    page = Page(dies=(2,))
    log, ask = await judged(
        case, ["Thought: a\nAction: Click [1]", f"Thought: {ids('PASSED', *range(5))}\nAction: ANSWER; done"], page
    )
    assert page.fresh_loads == 1
    assert "died" in told(log, ask.asked[1][-1])
    assert final(log) == (P, P, P, P, P)


async def test_a_site_that_does_not_come_back_fails_what_is_open(case: Case) -> None:
    log, ask = await judged(case, [f"Thought: {ids('PASSED', 0)}\nAction: Click [1]"], Page(dies=(2,), opens_again=False))
    assert final(log) == (P, F, F, F, F)
    assert len(ask.asked) == 1
    assert all("site died" in str(judged.reason) for judged in log.judged()[1:])


async def test_a_second_sweep_looks_at_what_was_never_looked_at(case: Case) -> None:
    page = Page()
    lines = [
        f"Thought: {ids('PASSED', 0, 1, 2)}\nAction: ANSWER; done",
        ids("UNOBSERVED", 3, 4),
        f"Thought: {ids('FAILED', 3)} {ids('FAILED', 0)}\nAction: Wait",
        f"Thought: {ids('PASSED', 4)}\nAction: ANSWER; done",
    ]
    log, ask = await judged(case, lines, page, sweeps=True)
    assert final(log) == (P, P, P, F, P), "only what it was sent to look at"
    assert page.fresh_loads == 1
    second = told(log, ask.asked[2][0])
    assert "ID 3:" in second and "ID 0:" not in second
    steps = [record.event.step for record in log.records if isinstance(record.event, BrowserStepped)]
    assert steps == [1, 2, 3]
    without, _ = await judged(case, lines[:2])
    assert final(without) == (P, P, P, U, U)


async def test_the_log_keeps_each_word_on_a_slot(case: Case) -> None:
    log, _ = await judged(
        case, [f"Thought: {ids('FAILED', 0)}\nAction: Wait", f"Thought: {ids('PASSED', *range(5))}\nAction: ANSWER; done"]
    )
    words = [record.event for record in log.records if isinstance(record.event, SlotJudged) and record.event.slot == 0]
    assert [word.verdict for word in words] == ["failed", "passed"]
