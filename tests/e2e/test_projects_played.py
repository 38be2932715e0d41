"""Episodes whose site is a project with a server of its own."""

import pytest

from iwtui.bench.status import Status
from iwtui.web.node import find
from tests.e2e.test_turn_loop import DONE, LOOK, Lines, play
from tests.web.projects import SERVER

pytestmark = pytest.mark.skipif(find() is None, reason="no Node on this machine")

FILE = '<boltAction type="file" filePath="{}">{}</boltAction>'
PACKAGE = '{"name": "p", "scripts": {"dev": "node server.js"}}'


def written(server: str, *commands: str) -> str:
    files = FILE.format("package.json", PACKAGE) + FILE.format("server.js", server)
    shell = "".join(f'<boltAction type="shell">{command}</boltAction>' for command in commands)
    return f'<boltArtifact id="s" title="s">{files}{shell}</boltArtifact>'


async def test_a_project_is_started_told_of_looked_at_and_judged(player: object) -> None:
    gateway = Lines(written("throw new Error('out of cheese')", "npm install && npm run dev"), written(SERVER), LOOK, DONE)
    outcome = await play(player, gateway)
    assert outcome.status is Status.SCORED
    first, second, third, _ = outcome.episode.turns
    assert [(c.command, c.exit_code, c.serving, bool(c.refused)) for c in first.commands] == [
        ("npm install", None, False, True),
        ("npm run dev", None, False, True),
        ("npm run dev", 1, False, False),
    ]
    assert (first.probes[0].ok, first.probes[0].fault) == (False, "site")
    told = str(gateway.asked[1][-1]["content"])
    assert "Not run: npm install" in told and "out of cheese" in told and "does not run" in told
    assert [(c.command, c.serving) for c in second.commands] == [("npm run dev", True)]
    assert second.probes[0].ok and "The site runs" in str(gateway.asked[2][-1]["content"])
    assert third.commands == (), "nothing changed: the server that ran is looked at"
    assert outcome.judging.ended.status == "scored"


async def test_a_site_that_its_own_code_brings_down_fails_its_slots(player: object) -> None:
    second = "if (q.url === '/' && q.headers['user-agent'] && globalThis.seen++) process.exit(3);"
    dying = "globalThis.seen = 0;" + SERVER.replace("a.end(", f"{second} a.end(")
    outcome = await play(player, Lines(written(dying) + DONE))
    assert outcome.status is Status.SCORED
    (verdict,) = outcome.judging.verdicts
    assert verdict.verdict == "failed"
    assert "site died" in str(verdict.reason) and "exit code 3" in str(verdict.reason)


async def test_a_server_that_refuses_our_host_is_a_fault_of_ours_and_fails_no_slot(player: object) -> None:
    refusing = SERVER.replace("a.end(", "a.statusCode = 403; a.end('Blocked request. This host is not allowed.' ||")
    outcome = await play(player, Lines(written(refusing), LOOK, DONE))
    assert outcome.status is Status.INFRA
    assert "host blocked" in outcome.episode.ended.text
    assert outcome.judging is None
