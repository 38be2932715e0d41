"""The score turn by turn, where it is seen: along the timeline, at the head, and with a slot."""

import pytest

from iwtui.archive.store import Store
from iwtui.tui.screens.slot import SlotScreen
from tests.support.stores import F, P, judge, make_case, make_run, play
from tests.tui_episode.small_app import SIZES, showing, until
from tests.tui_episode.test_episode_screen import press


@pytest.mark.parametrize("size", SIZES[1:])
async def test_marks_a_curve_and_when_a_slot_passed(store: Store, size: tuple[int, int]) -> None:
    case = make_case()
    folder = make_run(store, "run", [case])
    name = play(folder, case, actions="ICIS")
    judge(folder, name, (P, F, F, P), "checks-1", turn=4)
    async with showing(store, name, size) as (app, pilot, screen):
        await press(pilot, "home")
        assert not any("+s" in line for line in app.lines())
        judge(folder, name, (P, P, F, F), "checks-2", turn=1, began=1_800_009_000.0)
        await until(pilot, lambda: any("+s0,s1" in line for line in app.lines()))
        shown = "\n".join(app.lines())
        assert "+s3 −s1" in shown
        assert screen.view
        assert screen.view.header.curve in app.lines()[1]
        assert screen.view.judging_name == "checks-1"
        await press(pilot, "s", "enter")
        await until(pilot, lambda: isinstance(app.screen, SlotScreen))
        assert "passes from turn 1" in "\n".join(app.lines())
        assert "judgings" not in "\n".join(app.lines())
