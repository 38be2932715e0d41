"""The console as a newcomer meets it, in tmux: each stop of the tour is reached, and nothing is left on the terminal."""

import shutil
from pathlib import Path

import pytest

from tests.support.tour import LIVE, SIZES, walk


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_from_the_demo_to_the_event_that_failed_a_slot_and_back(tmp_path: Path, size: tuple[int, int]) -> None:
    assert shutil.which("tmux"), "no tmux: this trial needs it"
    pictures: dict[str, str] = {}
    walk(LIVE, size, tmp_path, pictures)
    assert {"episode-live", "episode-live-2", "metrics-cell", "slot", "deciding", "left"} <= pictures.keys()
    walk("later", size, tmp_path, pictures)
    assert {"figures-causes", "sql-slot", "cause", "compare-episodes", "adjudicate", "weights"} <= pictures.keys()
