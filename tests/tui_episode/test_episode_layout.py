"""How the panes share the screen, and the line over them."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from iwtui.bench.score import UNKNOWN, Score
from iwtui.bench.status import Status
from iwtui.tui.screens.episode_head import Watching, head_line
from iwtui.tui.state.arrangement import LEAST, PANES, Arrangement, PaneName, Shares, arrangement, tabs
from iwtui.tui.state.shapes import Header

HEADER = Header(
    case_id="bakery_P-MIN",
    persona="P-MIN",
    builder="openai/qwen3.6-plus",
    difficulty="middle",
    repeat=2,
    attempt=1,
    scripted=False,
    status=Status.SCORED,
    score=Score(0.4125, 0.5, False, False),
    turn=7,
    turns=9,
    limit=20,
    event=223,
    events=610,
    judging="checks-1",
    in_judging=False,
)


@pytest.mark.parametrize(
    ("width", "seen"),
    [(40, "one"), (79, "one"), (80, "two"), (139, "two"), (140, "four"), (300, "four")],
)
def test_the_width_says_how_many_panes_are_seen(width: int, seen: str) -> None:
    assert arrangement(width, zoomed=False) == seen
    assert arrangement(width, zoomed=True) is Arrangement.ONE


def test_every_pane_can_be_reached_by_a_tab_where_it_is_hidden() -> None:
    for seen in Arrangement:
        visible = {Arrangement.FOUR: PANES, Arrangement.TWO: (PANES[0], PANES[2]), Arrangement.ONE: (PANES[3],)}[seen]
        assert {name for pane in visible for name in tabs(pane, seen)} == set(PANES)


@given(st.lists(st.tuples(st.sampled_from(PANES), st.sampled_from(list(Arrangement)), st.integers(-30, 30))))
def test_no_pane_ever_gets_lost_by_growing_others(steps: list[tuple[PaneName, Arrangement, int]]) -> None:
    shares = Shares()
    for pane, seen, by in steps:
        shares = shares.wider(pane, seen, by)
    assert all(LEAST <= share <= 100 - LEAST for share in msgspec.structs.astuple(shares))


def test_a_pane_grows_at_the_cost_of_the_one_beside_it() -> None:
    four = Arrangement.FOUR
    assert Shares().wider(PaneName.TIMELINE, four, 5).timeline == Shares().timeline + 5
    assert Shares().wider(PaneName.DIALOGUE, four, 5).timeline == Shares().timeline - 5
    assert Shares().wider(PaneName.CODE, four, 5).left == Shares().left - 5
    assert Shares().wider(PaneName.DIALOGUE, Arrangement.TWO, 5).left == Shares().left + 5


def test_the_head_says_who_where_and_how_it_went() -> None:
    line = head_line(HEADER, Watching(), 140).plain
    assert line.startswith("bakery_P-MIN · openai/qwen3.6-plus · middle · repeat 2 · turn 7/20 · event 223/610")
    assert line.endswith("■ scored  TCR 41.2 %")


@given(
    st.integers(1, 200),
    st.text(max_size=80),
    st.builds(Watching, st.booleans(), st.integers(0, 9), st.floats(0, 16), st.text(max_size=30), st.booleans(), st.text()),
)
def test_the_head_is_as_wide_as_the_screen_whatever_the_names(width: int, name: str, watching: Watching) -> None:
    header = msgspec.structs.replace(HEADER, case_id=name, builder=name[::-1], status=Status.RUNNING, score=UNKNOWN)
    line = head_line(header, watching, width)
    assert isinstance(line, Content)
    assert line.cell_length == width or width < 30
    assert "\n" not in line.plain
    assert "\x1b" not in line.plain


def test_what_matters_least_goes_first() -> None:
    line = head_line(HEADER, Watching(new=3), 70).plain
    assert all(part in line for part in ("bakery_P-MIN", "turn 7/20", "3 new", "TCR 41.2 %"))
    assert "middle" not in line


@pytest.mark.parametrize(
    ("watching", "said"),
    [
        (Watching(following=True), "following"),
        (Watching(new=12), "12 new ↓"),
        (Watching(playing=0.5), "▶ 0.5/s"),
        (Watching(found="“x” 2/3", playing=2.0), "“x” 2/3"),
        (Watching(broken=True), "! broken off"),
        (Watching(doing="install \x1b[2J"), "▸ running  install ␛[2J"),
    ],
)
def test_what_goes_on_stands_in_the_head(watching: Watching, said: str) -> None:
    running = msgspec.structs.replace(HEADER, status=Status.RUNNING, score=UNKNOWN)
    assert said in head_line(running, watching, 160).plain


def test_an_unknown_score_is_a_dash_and_not_zero() -> None:
    infra = msgspec.structs.replace(HEADER, status=Status.INFRA, score=UNKNOWN)
    assert head_line(infra, Watching(), 120).plain.endswith("! infra  TCR —")
