"""Two runs to be compared, in a store of their own."""

from pathlib import Path

import pytest

from iwtui.archive.store import Store
from tests.support.two_runs import two_runs


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's settings, nor the runs that are played on this machine."""
    for name in ("CONFIG", "CACHE", "RUNTIME"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME", str(folder))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return two_runs(tmp_path / "store")
