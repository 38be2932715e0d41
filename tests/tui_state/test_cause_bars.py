"""The causes as a panel shows them."""

from iwtui.analysis.causes import NOT_OBSERVED, Share
from iwtui.tui.state.causes import cause_bars

SHARES = [
    Share({}, "never asked", 0.625, 5.0, 3, 2, 1),
    Share({}, NOT_OBSERVED, 0.375, 3.0, 1, 1, 0),
    Share({"persona": "P-MIN"}, "never asked", 1.0, 5.0, 3, 2, 1),
]


def test_each_group_has_bars_of_its_own() -> None:
    whole = [(bar.cause, bar.percent, bar.note, bar.tone) for bar in cause_bars(SHARES)]
    assert whole == [
        ("never asked", "62 %", "3 slots, 1 estimated", "bad"),
        (NOT_OBSERVED, "38 %", "1 slot", "dim"),
    ]
    assert [bar.share for bar in cause_bars(SHARES, {"persona": "P-MIN"})] == [1.0]
    assert cause_bars(SHARES, {"persona": "P-CON"}) == ()
