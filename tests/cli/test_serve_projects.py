"""`iwtui serve` of a site with a server of its own."""

from pathlib import Path

import click
import pytest

from iwtui.cli.serve import _serve
from iwtui.web.grounds import Grounds
from iwtui.web.node import find
from tests.web.projects import SERVER, project

pytestmark = pytest.mark.skipif(find() is None, reason="no Node on this machine")


async def test_a_project_is_served_until_it_dies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dying = SERVER + "setTimeout(() => { console.error('out of cheese'); process.exit(3); }, 500);"
    await _serve(project(tmp_path / "p", dying), 0, Grounds(tmp_path / "cache"))
    said = capsys.readouterr()
    assert said.out.startswith("http://127.0.0.1:")
    assert "site died" in said.err and "out of cheese" in said.err


async def test_a_project_that_does_not_start_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.UsageError, match="boom"):
        await _serve(project(tmp_path / "p", "throw new Error('boom')"), 0, Grounds(tmp_path / "cache"))
    assert "npm run dev" in capsys.readouterr().err
