"""Patterns as a person would say them."""

import pytest

from iwtui.judges.locate import plain


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"Rye\b[^0-9]{0,120}4[.,]20", "Rye … 4.20"),
        (r"\b(?!0[.,]00)\d{1,2}[.,]\d\d\b", "#.##"),
        (r"^(?!.*\b(owner|search)).*\btool", "… tool"),
        (r"Tuesday\s+to\s+Saturday\W+0?7:00", "Tuesday to Saturday 7:00"),
    ],
)
def test_a_pattern_is_told_in_plain_words(pattern: str, said: str) -> None:
    assert plain(pattern) == said
