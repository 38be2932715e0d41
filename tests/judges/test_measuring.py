"""The judges of the whole episode: what they are shown, and that nothing is made up where an answer cannot be read."""

import json
from collections.abc import Callable, Sequence

import pytest

from iwtui.bench.case import Case
from iwtui.bench.events import ActionChosen, BrowserStepped, ClientReplied
from iwtui.bench.fold import EpisodeState, Turn
from iwtui.bench.plan import Roles
from iwtui.judges.base import Judge
from iwtui.judges.choosing import beside, make_judge, primary
from iwtui.judges.intent import IntentJudge
from iwtui.judges.visual import VisualJudge
from iwtui.models.errors import ModelFaultError
from tests.support.sittings import Lines, MemoryLog, sitting

Measured = dict[tuple[str, int | None], float | None]


@pytest.fixture
def case(make_case: Callable[..., Case]) -> Case:
    return make_case(None, None, None, None, golden="A blue shop with a search.")


def episode(*turns: tuple[str, str, str]) -> EpisodeState:
    """Turns of (reasoning, prose, question)."""
    made = []
    for number, (reasoning, prose, question) in enumerate(turns, 1):
        action = ActionChosen(action="clarify" if question else "implement", reasoning=reasoning, prose=prose)
        reply = ClientReplied(question=question, reply="Blue.") if question else None
        made.append(Turn(number, number, 0.0, action=action, reply=reply))
    return EpisodeState(turns=tuple(made))


ASKED = episode(("A shop; which colour?", "", "Which colour?"), ("", "I build it now.", ""))
SILENT = episode(("A shop, surely red.", "", ""))


def hits(*hit: bool) -> list[dict[str, object]]:
    return [{"id": slot, "hit": yes, "question": 1 if yes else None, "reason": "r"} for slot, yes in enumerate(hit)]


def answer(alignment: object = 4, found: object = ()) -> str:
    return json.dumps({"alignment": alignment, "reason": "close", "hits": found})


async def measured(
    judge: Judge, case: Case, lines: Sequence[str], episode: EpisodeState | None = None, page: object = None
) -> tuple[Measured, MemoryLog, Lines]:
    log, ask = MemoryLog(), Lines(lines)
    await judge.judge(sitting(case, log, page, ask, episode))
    return {(one.metric, one.slot): one.value for one in log.measured()}, log, ask


async def test_intent_and_hits_by_slot(case: Case) -> None:
    found, log, ask = await measured(IntentJudge("m"), case, [answer(4, hits(True, False, False, False))], ASKED)
    assert found == {
        ("ias", None): 4, ("chr", None): 0.25,
        ("chr_hit", 0): 1, ("chr_hit", 1): 0, ("chr_hit", 2): 0, ("chr_hit", 3): 0,
    }  # fmt: skip
    assert {str(one.reason) for one in log.measured() if one.slot == 0} == {"question 1: r"}
    shown = str(ask.asked[0][0].text)
    for part in ("A blue shop", "Turn 1: A shop; which colour?", "Turn 2: I build it now.", "1. Which colour?", "3. Part 3"):
        assert part in shown
    assert "Blue." not in shown, "what the client answered is none of the agent's doing"


async def test_an_agent_that_asks_nothing_has_no_hit_rate(case: Case) -> None:
    found, log, ask = await measured(IntentJudge("m"), case, [answer(2)], SILENT)
    assert found == {("ias", None): 2, ("chr", None): None}
    assert "asked nothing" in str(log.measured()[1].reason)
    nothing, _, ask = await measured(IntentJudge("m"), case, [], episode(("", "", "")))
    assert nothing == {("ias", None): None, ("chr", None): None}
    assert not ask.asked


@pytest.mark.parametrize("bad", ["", "I cannot judge that.", answer(7), answer("4"), answer(True), answer(None), "{}"])
async def test_what_cannot_be_read_is_asked_once_more_and_then_unknown(case: Case, bad: str) -> None:
    found, _, ask = await measured(IntentJudge("m"), case, [bad, bad], ASKED)
    assert found == {("ias", None): None, ("chr", None): None}
    assert len(ask.asked) == 2
    mended, _, _ = await measured(IntentJudge("m"), case, [bad, answer(3, hits(*[True] * 4))], ASKED)
    assert (mended["ias", None], mended["chr", None]) == (3, 1)


async def test_a_slot_that_is_left_out_leaves_the_rate_unknown_and_its_neighbours_kept(case: Case) -> None:
    some = [*hits(True, False), {"id": 9, "hit": True}, {"id": 2, "hit": "yes"}]
    found, log, _ = await measured(IntentJudge("m"), case, [answer(4, some), answer(4, some)], ASKED)
    assert found == {("ias", None): 4, ("chr", None): None, ("chr_hit", 0): 1, ("chr_hit", 1): 0}
    assert "of 4 slots" in str(log.measured()[-1].reason)
    both, _, _ = await measured(IntentJudge("m"), case, [answer(4, some), answer(1, hits(False, False, True, False))], ASKED)
    assert both["ias", None] == 4 and both["chr", None] == 0.5, "the first word on each counts"


class Picture:
    url = "http://127.0.0.1/"

    @property
    def raw(self) -> "Picture":
        return self

    async def picture(self) -> bytes:
        return b"a picture"


def looks(**changed: object) -> str:
    good = {"bug": False, "layout": 4, "creative_alignment": 3, "aesthetics": 5, "reason": "neat"}
    return f"```json\n{json.dumps(good | changed)}\n```"


async def test_looks_are_judged_by_one_picture(case: Case) -> None:
    found, log, ask = await measured(VisualJudge("m"), case, [looks(bug=True)], None, Picture())
    assert {metric: value for (metric, _), value in found.items()} == {
        "vbr": 1, "layout": 4, "creative_alignment": 3, "aesthetics": 5,
    }  # fmt: skip
    steps = [record.event for record in log.records if isinstance(record.event, BrowserStepped)]
    assert [log.get(step.picture or "") for step in steps] == [b"a picture"]
    shown = ask.asked[0][0]
    assert shown.picture == steps[0].picture and shown.marks is None and "A blue shop" in str(shown.text)


async def test_looks_that_cannot_be_read_are_unknown_one_by_one(case: Case) -> None:
    bad = looks(bug="no", layout=0)
    found, _, _ = await measured(VisualJudge("m"), case, [bad, bad], None, Picture())
    assert found == {("vbr", None): None, ("layout", None): None, ("creative_alignment", None): 3, ("aesthetics", None): 5}
    none, _, ask = await measured(VisualJudge("m"), case, ["I see nothing.", ""], None, Picture())
    assert set(none.values()) == {None} and len(ask.asked) == 2


async def test_a_fault_of_the_model_measures_nothing(case: Case) -> None:
    for judge in (IntentJudge("m"), VisualJudge("m")):
        log = MemoryLog()
        ask = Lines([ModelFaultError("server", "no")])
        with pytest.raises(ModelFaultError):
            await judge.judge(sitting(case, log, Picture(), ask, ASKED))
        assert not log.measured()


def test_judges_are_made_by_name_and_model() -> None:
    roles = Roles(copilot="c", client="c", judge="openai/eyes", intent="openai/reader")
    assert (primary(roles).name, primary(roles).model) == ("voyager", "openai/eyes")
    assert [(judge.name, judge.model) for judge in beside(roles)] == [("intent", "openai/reader")]
    assert (primary(Roles("c", "c")).name, beside(Roles("c", "c"))) == ("checks", ())
    for name, model in (("voyager", None), ("checks", "m"), ("oracle", "m"), ("visual", "")):
        with pytest.raises(ValueError, match=name):
            make_judge(name, model)
    for name in ("intent", "visual", "voyager"):
        with pytest.raises(ValueError, match=name):
            primary(Roles("c", "c", judge=name))
