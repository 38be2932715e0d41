"""A store with something of everything, for the SQL console; no test sees the user's own files."""

from pathlib import Path

import pytest

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from tests.support.stores import make_store


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONFIG", "CACHE", "STATE", "RUNTIME"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME", str(folder))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = make_store(tmp_path / "store")
    Index(made).catch_up()
    return made
