"""No screen that is compared depends on this machine: its clock, its time zone, its settings, its runs."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No settings of the user, no runs that are played here, and times in UTC."""
    for name in ("CONFIG", "CACHE", "RUNTIME"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME", str(folder))
    monkeypatch.delenv("NO_COLOR", raising=False)
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()
