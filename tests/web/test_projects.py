"""Projects in both sandboxes: started, found whatever they print, watched, and ended with all that they left behind."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import aiohttp
import psutil
import pytest

from iwtui.web.grounds import Grounds
from iwtui.web.limits import Limits
from iwtui.web.node import find
from iwtui.web.processes import Ran
from iwtui.web.sandbox import why_no_bubblewrap
from iwtui.web.site import NO_COMMANDS, Site, SiteDownError
from tests.web.projects import ANSWER, HTTP, PAGE, SERVER, project

pytestmark = pytest.mark.skipif(find() is None, reason="no Node on this machine")

REFUSE = "; function refuse(q, a) { a.statusCode = 403; a.end('Blocked request. This host is not allowed.'); }"
Brought = Callable[..., AbstractAsyncContextManager[tuple[Site, list[Ran]]]]


@pytest.fixture(params=["bubblewrap", "reaper"])
def sandbox(request: pytest.FixtureRequest) -> str:
    if request.param == "bubblewrap" and (why := why_no_bubblewrap()):
        pytest.skip(f"bubblewrap does not run here: {why}")
    return str(request.param)


@pytest.fixture
def brought(tmp_path: Path, sandbox: str) -> Brought:
    @asynccontextmanager
    async def brought(root: Path, ready: float = 30.0) -> AsyncIterator[tuple[Site, list[Ran]]]:
        told: list[Ran] = []
        async with Site(root, Grounds(tmp_path / "cache", sandbox, ready), told.append) as site:
            yield site, told

    return brought


async def text_of(url: str) -> str:
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(10)) as session, session.get(url) as answer:
        return await answer.text()


def marked(root: Path) -> list[int]:
    """Processes that work in the folder or name it."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and (process.cwd() == str(root) or str(root) in " ".join(process.cmdline())):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


async def gone(root: Path) -> float:
    began = time.monotonic()
    while marked(root):
        assert time.monotonic() - began < 5, "processes of the site live on"
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def test_a_server_that_prints_nothing_is_found_and_runs_on_until_files_change(
    tmp_path: Path, brought: Brought
) -> None:
    root = project(tmp_path / "p")
    async with brought(root) as (site, told):
        url = await site.up()
        assert await text_of(url) == PAGE
        assert await site.up() == url
        (root / "server.js").write_text(SERVER.replace("It runs", "Anew"))
        site.changed()
        assert "Anew" in await text_of(await site.up())
    assert [(ran.command, ran.serving, ran.code) for ran in told] == [("npm run dev", True, None)] * 2
    await gone(root)
    with pytest.raises(aiohttp.ClientConnectionError):
        await text_of(url)


async def test_another_port_than_ours_and_a_coloured_banner(tmp_path: Path, brought: Brought, unused_tcp_port: int) -> None:
    server = f"{HTTP}http.createServer({ANSWER}).listen({unused_tcp_port}, 'localhost', () => console.log('\\x1b[32mhttp://localhost:\\x1b[1m{unused_tcp_port}\\x1b[22m/'));"
    async with brought(project(tmp_path / "p", server, {"start": "node server.js"})) as (site, told):
        assert await text_of(await site.up()) == PAGE
    assert told[0].command == "npm run start"
    assert "\x1b" not in told[0].output


async def test_of_two_servers_the_one_with_the_page_is_looked_at(
    tmp_path: Path, brought: Brought, unused_tcp_port: int
) -> None:
    api = "http.createServer((q, a) => { a.statusCode = 404; a.end('{}'); }).listen(process.env.PORT);\n"
    page = f"setTimeout(() => http.createServer({ANSWER}).listen({unused_tcp_port}), 300);"
    async with brought(project(tmp_path / "p", HTTP + api + page)) as (site, _):
        assert await text_of(await site.up()) == PAGE


LAST_WORDS = "still compiling"
SILENT = [
    ("console.log('Local: http://localhost:5173/'); setInterval(() => 0, 1000)", "site", "speaks of http://localhost:5173"),
    (
        f"console.log('{LAST_WORDS}'); require('net').createServer(() => 0).listen(process.env.PORT)",
        "site",
        "does not answer there",
    ),
    ("throw new Error('boom')", "site", "boom"),
    ("process.stdout.write('TypeScript? (y/n) '); setInterval(() => 0, 1000)", "site", "wait for input"),
    (HTTP + "http.createServer(refuse).listen(process.env.PORT)" + REFUSE, "infra", "host blocked"),
]
"""Servers that do not come up, whose fault that is, and what is said."""


async def test_servers_that_do_not_come_up(tmp_path: Path, brought: Brought) -> None:
    async def fails(number: int) -> None:
        server, fault, says = SILENT[number]
        root = project(tmp_path / f"p{number}", server)
        async with brought(root, ready=5) as (site, told):
            with pytest.raises(SiteDownError) as down:
                await site.up()
        assert (down.value.fault, says in down.value.reason) == (fault, True), down.value.reason
        assert not told[0].serving
        assert (LAST_WORDS in told[0].output) == (LAST_WORDS in server)
        await gone(root)

    await asyncio.gather(*map(fails, range(len(SILENT))))


async def test_a_wrapper_that_ends_at_once_leaves_nothing_running(tmp_path: Path, brought: Brought) -> None:
    root = project(tmp_path / "p", scripts={"dev": "setsid node server.js & exit 0"})
    async with brought(root) as (site, told):
        with pytest.raises(SiteDownError, match="ended with exit code 0"):
            await site.up()
    assert told[0].code == 0
    await gone(root)


async def test_daemons_end_with_the_site(tmp_path: Path, brought: Brought) -> None:
    root = project(tmp_path / "p", scripts={"dev": "(setsid env -i /bin/sleep 1000 &) ; node server.js"})
    async with brought(root) as (site, _):
        await site.up()
    await gone(root)


async def test_a_server_that_dies_later_is_known_to_be_dead(tmp_path: Path, brought: Brought) -> None:
    dying = SERVER + "setTimeout(() => { console.error('out of cheese'); process.exit(3); }, 700);"
    async with brought(project(tmp_path / "p", dying)) as (site, told):
        await site.up()
        await asyncio.wait_for(site.ended(), 10)
        death = await site.died()
        assert "site died" in death and "exit code 3" in death and "out of cheese" in death
        await site.up()
        assert told[1].why == "it died after it was looked at"


async def test_nothing_of_ours_is_told_to_a_site(tmp_path: Path, brought: Brought, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    tell = "(q, a) => { a.setHeader('content-type', 'text/html'); a.end(JSON.stringify([process.env, HOME()])); }"
    async with brought(
        project(
            tmp_path / "p", f"{HTTP}const HOME = require('os').homedir; http.createServer({tell}).listen(process.env.PORT)"
        )
    ) as (site, _):
        said = await text_of(await site.up())
    assert "sk-secret" not in said and str(Path.home()) + '"' not in said and "PORT" in said


async def test_commands_run_in_order_without_input(tmp_path: Path, brought: Brought) -> None:
    root = project(tmp_path / "p")
    lines = ["mkdir -p src && echo one > src/a", "read answer && echo never", "npm run dev", "printf 'Proceed? '; false"]
    async with brought(root) as (site, told):
        await site.run(lines, 10)
    assert (root / "src/a").read_text() == "one\n"
    assert [(ran.command, ran.code, bool(ran.refused)) for ran in told] == [
        ("mkdir -p src", 0, False),
        ("echo one > src/a", 0, False),
        ("read answer", 1, False),
        ("echo never", None, True),
        ("npm run dev", None, True),
        ("printf 'Proceed? '", 0, False),
        ("false", 1, False),
    ]


async def test_a_command_that_waits_for_an_answer_is_ended_and_it_is_said(
    tmp_path: Path, brought: Brought, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iwtui.web.site.COMMAND", Limits(seconds=1))
    root = project(tmp_path / "p")
    (root / "scaffold.sh").write_text('echo "CI=$CI yes=$npm_config_yes"; printf "Project name: "; exec sleep 60')
    async with brought(root) as (site, told):
        await site.run(["sh scaffold.sh && echo never"], 10)
    asked, skipped = told
    assert (asked.code, asked.why) == (
        None,
        "not done within 1 s; it seems to have waited for input, of which there is none",
    )
    assert asked.output == "CI=1 yes=true\nProject name: "
    assert skipped.refused and asked.seconds < 5
    await gone(root)


async def test_a_folder_with_a_package_and_no_script_is_served_as_it_is(tmp_path: Path, brought: Brought) -> None:
    root = project(tmp_path / "p", scripts={"build": "x"})
    async with brought(root) as (site, told):
        with pytest.raises(SiteDownError, match="neither a dev nor a start script") as down:
            await site.up()
        assert down.value.fault == "site"
        (root / "index.html").write_text(PAGE)
        assert await text_of(await site.up()) == PAGE
        assert told[0].refused is not None
        (root / "package.json").write_text("{ nonsense")
        site.changed()
        with pytest.raises(SiteDownError, match=r"package\.json cannot be read"):
            await site.up()
        (root / "package.json").unlink()
        await site.run(["npm install"], 10)
        assert told[-1].refused == NO_COMMANDS


async def test_no_node_is_no_fault_of_the_site(tmp_path: Path, brought: Brought, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.web.node.shutil.which", lambda _: None)
    async with brought(project(tmp_path / "p")) as (site, _):
        with pytest.raises(SiteDownError, match="apt install nodejs npm") as down:
            await site.up()
    assert down.value.fault == "infra"
