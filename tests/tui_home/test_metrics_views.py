"""The views of Metrics: bars, plots and published figures, each with the way down to its episodes."""

import msgspec
import pytest
from textual.content import Content
from textual.pilot import Pilot

from iwtui.bench.plan import Plan, Roles
from iwtui.tui.choosable import Choosable, Chosen
from iwtui.tui.columns import Column
from iwtui.tui.episode_columns import EPISODE_CHOICES, USUAL_EPISODE
from iwtui.tui.part_rows import PART_CHOICES, USUAL_PART
from iwtui.tui.screens.metrics_views import GROUPS
from tests.cli.scribe import BEGAN, Scribe, add_whole, make_case, started, whole_episode, whole_judging
from tests.tui_home.conftest import stem
from tests.tui_home.stage import HOSTILE, SIZES, until
from tests.tui_home.test_metrics_screen import Measured

MODEL = "openrouter/qwen/qwen3.6-plus"


async def shows(pilot: Pilot[None], app: Measured, text: str) -> None:
    """Waits for a text to stand on the screen."""
    await until(pilot, lambda: text in app.shown)


@pytest.mark.parametrize("size", SIZES)
async def test_each_view_is_there_at_any_size(stored: Scribe, size: tuple[int, int]) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        for other in (size, SIZES[SIZES.index(size) - 1]):
            await pilot.resize_terminal(*other)
            for key, text in (
                ("2", "TCR from 0"),
                ("3", "TCR % by turns"),
                ("4", "Published figures"),
                ("1", "× difficulty"),
            ):
                await pilot.press(key)
                await shows(pilot, app, text)
                assert "the lowest TCR first" in app.shown, "the episodes are always there"
                assert "policy default" in app.shown and "scripted" in app.shown


async def test_bars_by_each_group_lead_to_their_episodes(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await pilot.press("2")
        await until(pilot, lambda: "P-RAM" in app.shown)
        await pilot.press("down", "down")
        await until(pilot, lambda: "persona P-RAM: 4 episodes" in app.shown)
        for group in (*GROUPS[1:], GROUPS[0]):
            await pilot.press("b")
            await shows(pilot, app, f"TCR % by {group.replace('_', ' ')} ·")
            await until(pilot, lambda: "all episodes: 8 episodes" in app.shown)
        await pilot.press("B", "B")
        await until(pilot, lambda: "TCR % by judge" in app.shown)


async def test_intervals_follow_the_means(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: "├" in app.shown or "n 7" in app.shown)
        await until(pilot, lambda: app.screen._metrics and app.screen._metrics.bounded)  # type: ignore[attr-defined]


async def test_a_mark_leads_to_its_episodes_by_key_and_by_mouse(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        await pilot.press("3")
        await until(pilot, lambda: "turns:" in app.shown)
        turns = next(line for line in app.shown.split("\n") if "turns: TCR" in line)
        assert "n 7" in turns
        await pilot.press("enter")
        await until(pilot, lambda: app.table.lines.has_focus and len(app.table.rows) == 7)
        await pilot.press("3", "B", "B")
        await until(pilot, lambda: "what the turns did" in app.shown and "episodes with a turn of" in app.shown)
        await pilot.press("down")
        await until(pilot, lambda: "episodes with a turn of implement" in app.shown)
        await pilot.press("b")
        await until(pilot, lambda: "ended by" in app.shown and "why the episodes ended" in app.shown)


async def test_the_rank_correlation_is_told(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: "HR % by LOC · ρ" in app.shown and ", n 7" in app.shown)


async def test_published_figures_stand_beside_ours_and_lead_to_our_episodes(scribe: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    roles = Roles(copilot="maker/looks", client="maker/talks")
    plan = Plan(run="real", pack="test", builders=(MODEL,), roles=roles, case_ids=(case.id,), created=BEGAN)
    scribe.store.create_run(plan, [case])
    turn, begun = started(case, MODEL)
    own = msgspec.structs.replace(begun, scripted=False)
    scribe.episode("real", stem(case, MODEL), [(turn, own), *whole_episode(scribe, case)[1:]])
    scribe.judging("real", stem(case, MODEL), whole_judging())
    app = Measured(scribe.store.root)
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 1)
        await pilot.press("4")
        await until(pilot, lambda: "Qwen3.6-Plus tcr: 1 episode" in app.shown)
        first = next(line for line in app.shown.split("\n") if "38.78" in line)
        ours = next(metrics.ours for metrics in app.screen._views["published"].table.rows if metrics.ours is not None)  # type: ignore[attr-defined]
        assert f"{ours:.2f}" in first and f"{ours - 38.78:+.2f}" in first
        kimi = next(line for line in app.shown.split("\n") if "38.26" in line)
        assert "+" not in kimi and kimi.count("38.26") == 1, "blank where we have none"
        await pilot.press("end")
        await until(pilot, lambda: "A range over all models has no episodes here." in app.shown)


@pytest.mark.parametrize("size", SIZES)
async def test_causes_of_what_was_lost_lead_to_the_episodes_of_the_persona(scribe: Scribe, size: tuple[int, int]) -> None:
    add_whole(scribe, "first")
    app = Measured(scribe.store.root, run="first")
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 1)
        await pilot.press("5")
        view = app.screen._views["causes"]  # type: ignore[attr-defined]
        await until(pilot, lambda: view.table.rows)
        shares = view.table.rows
        assert {bool(share.group) for share in shares} == {True, False}
        assert sum(share.share for share in shares if not share.group) == pytest.approx(1.0)
        assert shares[0].cause in app.shown
        await pilot.press("end")
        await until(pilot, lambda: "P-MIN with slots lost" in app.shown)
        await pilot.press("enter")
        await until(pilot, lambda: app.table.lines.has_focus)


async def test_hostile_text_is_shown_in_each_view(scribe: Scribe) -> None:
    add_whole(scribe, "first", HOSTILE)
    app = Measured(scribe.store.root, run="first")
    async with app.run_test(size=(160, 48), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 1)
        for keys in (["2", *"bbbbbbbb"], ["3", *"bbbb"], ["4"], ["5"], ["1"]):
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
                assert not any(char in app.shown for char in "\x1b\x9b\u202e"), key


async def test_a_click_on_a_view_and_on_the_policy(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        line = next(number for number, text in enumerate(app.shown.split("\n")) if "2 bars" in text)
        await pilot.click(offset=(app.shown.split("\n")[line].index("plots") + 1, line))
        await until(pilot, lambda: "TCR % by turns" in app.shown)
        await pilot.click(offset=(app.shown.split("\n")[line].index("policy") + 1, line))
        await until(pilot, lambda: "policy strict: all count, infra 0" in app.shown)


async def test_another_order_asks_the_index(stored: Scribe) -> None:
    app = Measured(stored.store.root, run="second")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(app.table.rows) == 8)
        line = next(number for number, text in enumerate(app.shown.split("\n")) if "actions" in text and "case" in text)
        await pilot.click(offset=(app.shown.split("\n")[line].index("turn") + 1, line))
        await until(pilot, lambda: "8 episodes, by turn▾" in app.shown)
        turns = [row.turns for row in app.table.rows]  # type: ignore[attr-defined]
        assert turns == sorted(turns, reverse=True) and len(set(turns)) > 1
        await pilot.click(offset=(app.shown.split("\n")[line].index("turn") + 1, line))
        await until(pilot, lambda: "8 episodes, by turn▴" in app.shown)
        assert [row.turns for row in app.table.rows] == turns[::-1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("choices", "usual"), [(EPISODE_CHOICES, USUAL_EPISODE), (PART_CHOICES, USUAL_PART)])
def test_columns_have_titles_of_their_own_and_say_what_they_mean(
    choices: tuple[Choosable[object]], usual: tuple[str]
) -> None:
    titles = [one.title for one in choices]
    assert len(set(titles)) == len(titles) and set(usual) <= set(titles)
    assert all(one.help for one in choices)


def test_the_index_can_order_by_each_column_of_the_episodes() -> None:
    from iwtui.analysis.pages import ORDERS

    assert {one.asks for one in EPISODE_CHOICES} <= ORDERS


def _column(title: str) -> Choosable[str]:
    return Choosable(Column(title, 5), Content, "")


def test_chosen_columns_keep_their_order_and_the_first_is_always_there() -> None:
    known = [_column(title) for title in "abcd"]
    chosen = Chosen(known, ["a", "b"], ["d", "b", "nothing such"])
    taken = chosen.titles
    assert taken == ("a", "b", "d")
    chosen.choose(["x"])
    usual = chosen.titles
    assert usual == ("a", "b"), "the usual ones when none is known"
