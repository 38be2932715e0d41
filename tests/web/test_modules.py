"""A real project through the kept modules: filled once, copied afterwards, told apart by what it depends on."""

import socket
from pathlib import Path

import aiohttp
import pytest

from iwtui.web.grounds import Grounds
from iwtui.web.modules import InstallFailedError
from iwtui.web.node import find
from iwtui.web.package import read_package
from iwtui.web.processes import Ran
from iwtui.web.site import Site, SiteDownError
from tests.web.projects import project


def registry_answers() -> bool:
    try:
        socket.create_connection(("registry.npmjs.org", 443), 3).close()
    except OSError:
        return False
    return True


pytestmark = [
    pytest.mark.skipif(find() is None, reason="no Node on this machine"),
    pytest.mark.skipif(not registry_answers(), reason="the registry of npm cannot be reached"),
]


async def test_a_vite_project_is_installed_once(tmp_path: Path) -> None:
    grounds = Grounds(tmp_path / "cache")
    told: list[Ran] = []
    for number in (1, 2):
        root = project(
            tmp_path / f"p{number}", "", {"dev": "vite"}, devDependencies={"vite": "5.4.21"}, version=f"{number}.0.0"
        )
        (root / "index.html").write_text("<!doctype html><script type=module src=/main.js></script>")
        (root / "main.js").write_text("document.title = 'by vite'")
        async with (
            Site(root, grounds, told.append) as site,
            aiohttp.ClientSession() as session,
            session.get(await site.up()) as answer,
        ):
            assert "/@vite/client" in await answer.text()
    assert [(ran.command, ran.code) for ran in told] == [("npm install", 0), ("npm run dev", None)] * 2
    assert "added" in told[0].output and "installed before" in told[2].output
    assert told[2].seconds < told[0].seconds
    (tmp_path / "p1/node_modules/vite/package.json").write_text("spoilt")
    kept = next((tmp_path / "cache/node_modules").glob("*/node_modules/vite/package.json"))
    assert '"5.4.21"' in kept.read_text(), "what a site does to its copy stays there"


async def test_what_the_registry_does_not_have_is_the_sites_fault(tmp_path: Path) -> None:
    root = project(tmp_path / "p", devDependencies={"vite": "^99.0.0"})
    told: list[Ran] = []
    async with Site(root, Grounds(tmp_path / "cache"), told.append) as site:
        with pytest.raises(SiteDownError, match="ETARGET") as down:
            await site.up()
    assert down.value.fault == "site"
    assert told[0].code == 1 and "No matching version" in told[0].output
    assert not list((tmp_path / "cache/node_modules").glob("iwtui-filling-*"))


async def test_a_registry_out_of_reach_is_no_fault_of_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    grounds = Grounds(tmp_path / "cache")
    modules = grounds.modules
    assert modules is not None
    with pytest.raises(InstallFailedError, match="ECONNREFUSED") as failed:
        await modules.place(tmp_path, read_package(project(tmp_path / "p", dependencies={"a": "1"})))
    assert failed.value.fault == "infra"
