"""Commands run on a store that was written out by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from iwtui.cli.main import cli
from tests.cli.scribe import Command, Scribe, add_whole


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    return Scribe(tmp_path / "store")


@pytest.fixture
def iwtui(scribe: Scribe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Command]:
    """Runs a command on the store, as if on a terminal that takes colours: click then removes nothing from the output."""
    monkeypatch.setenv("IWTUI_STORE", str(scribe.store.root))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, **how: object) -> Result:
        return CliRunner().invoke(cli, arguments, **{"color": True, "prog_name": "iwtui", **how})  # type: ignore[arg-type]

    yield run


@pytest.fixture
def told(scribe: Scribe) -> str:
    """The name of a scored episode in which everything happens."""
    return add_whole(scribe, "first")
