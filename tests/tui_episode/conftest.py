"""A store of its own for each test, and nobody else's runners."""

from pathlib import Path

import pytest

from iwtui.archive.store import Store


@pytest.fixture(autouse=True)
def _no_runners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")
