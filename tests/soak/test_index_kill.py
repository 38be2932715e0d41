"""The index under kill -9, many times."""

from pathlib import Path

import pytest

from tests.support.killing import kill_while_indexing
from tests.support.stores import make_store


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_killed_at_fifty_random_moments(tmp_path: Path, seed: int) -> None:
    make_store(tmp_path)
    kill_while_indexing(tmp_path, 10, seed)
