"""Real installations that need no registry: what npm says on the way is no failure, what its exit code says is."""

from pathlib import Path

import pytest

from iwtui.web.grounds import Grounds
from iwtui.web.node import find
from iwtui.web.processes import Ran
from iwtui.web.site import Site, SiteDownError
from tests.web.projects import project

pytestmark = pytest.mark.skipif(find() is None, reason="no Node on this machine")

BANNER = "a banner:\nnpm ERR! code ERESOLVE\nnpm error code ETIMEDOUT"
NEVER = {"node": ">=99"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of two packages of its own: one whose banner reads like a failure, one that asks for another Node."""
    root = project(tmp_path / "p", engines=NEVER, dependencies={"banner": "file:./banner", "picky": "file:./picky"})
    project(root / "banner", name="banner", version="1.0.0", deprecated=BANNER)
    project(root / "picky", name="picky", version="1.0.0", engines=NEVER)
    return root


async def installed(root: Path, cache: Path) -> tuple[list[Ran], str]:
    """All that was run to bring the site up, and whose fault it is that it is down."""
    told: list[Ran] = []
    async with Site(root, Grounds(cache), told.append) as site:
        try:
            await site.up()
        except SiteDownError as down:
            return told, down.fault
    return told, ""


async def test_warnings_and_words_like_a_failure_are_none(root: Path, tmp_path: Path) -> None:
    (npm, server), fault = await installed(root, tmp_path / "cache")
    assert (npm.command, npm.code, server.serving, fault) == ("npm install", 0, True, "")
    assert "EBADENGINE" in npm.output and "npm ERR! code ERESOLVE" in npm.output
    assert {path.name for path in (root / "node_modules").iterdir()} >= {"banner", "picky"}


async def test_a_project_that_insists_on_another_node_fails_by_its_own_fault(root: Path, tmp_path: Path) -> None:
    (root / ".npmrc").write_text("engine-strict=true\n")
    (npm,), fault = await installed(root, tmp_path / "cache")
    assert (npm.code, fault) == (1, "site")
    assert "npm error code EBADENGINE" in npm.output
    assert not (root / "node_modules").exists()


async def test_settings_of_the_project_lead_npm_to_no_program(root: Path, tmp_path: Path) -> None:
    """npm runs the `git` that an .npmrc names, outside of the site's own sandbox."""
    (root / "evil").write_text("#!/bin/sh\ntouch /home/project/ran ran\nexit 1\n")
    (root / "evil").chmod(0o755)
    settings = f"git={root}/evil\ngit=/home/project/evil\n"
    (root / ".npmrc").write_text(settings)
    told: list[Ran] = []
    async with Site(root, Grounds(tmp_path / "cache"), told.append) as site:
        await site.run(["npm install git+file:///nowhere"], 10)
        package = (root / "package.json").read_text()
        (root / "package.json").write_text(package.replace('"banner":', '"far": "git+file:///nowhere", "banner":'))
        with pytest.raises(SiteDownError):
            await site.up()
    assert [ran.code != 0 for ran in told] == [True, True]
    assert not (root / "ran").exists()
    assert (root / ".npmrc").read_text() == settings
    assert not list(root.glob(".npmrc-*"))
