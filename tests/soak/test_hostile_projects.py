"""Projects that mean harm: each comes to its end within its limits, leaves nothing behind, and spares its neighbours."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from iwtui.web import sandbox
from iwtui.web.dev_server import ServerFailedError, start
from iwtui.web.grounds import Grounds
from iwtui.web.limits import Limits
from iwtui.web.node import find
from iwtui.web.package import read_package
from iwtui.web.processes import Ran, confined, run
from iwtui.web.sandbox import Sandbox, Task
from iwtui.web.sweep import MARK, our_mark, sweep
from tests.web.projects import project

pytestmark = [pytest.mark.soak, pytest.mark.skipif(find() is None, reason="no Node on this machine")]


@pytest.fixture(params=["bubblewrap", "reaper"])
def kept_in(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "bubblewrap" and (why := sandbox.why_no_bubblewrap()):
        pytest.skip(f"bubblewrap does not run here: {why}")
    return sandbox.choose(request.param)


async def ran(kept_in: Sandbox, root: Path, script: str, **limits: float) -> Ran:
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    task = Task(argv=("/bin/sh", "-c", script), folder=root, env=env, limits=Limits(**limits))  # type: ignore[arg-type]
    began = time.monotonic()
    done = await run(kept_in, task, "it")
    print(f"\n{kept_in.name}: {time.monotonic() - began:.2f} s, {done.code}, {done.why}")
    return done


def of_mark(mark: str) -> list[int]:
    """Processes whose mark begins like that, and those below them."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK, "").startswith(mark):
                found += [process.pid, *(child.pid for child in process.children(recursive=True))]
        except psutil.Error:
            continue
    return found


async def none_left() -> None:
    until = time.monotonic() + 5
    while left := of_mark(our_mark()):
        assert time.monotonic() < until, left
        await asyncio.sleep(0.05)


async def test_a_fork_bomb(kept_in: Sandbox, tmp_path: Path) -> None:
    done = await ran(kept_in, tmp_path, "bomb() { bomb | bomb & }; bomb; sleep 60", seconds=20, processes=300)
    assert "processes" in done.why or "not done" in done.why
    assert done.seconds < 30
    await none_left()


async def test_an_endless_log(kept_in: Sandbox, tmp_path: Path) -> None:
    before = psutil.Process().memory_info().rss
    used = time.process_time()
    done = await ran(kept_in, tmp_path, "yes 'a line of a log without end'", seconds=5)
    assert "not done within 5 s" in done.why
    assert len(done.output) < 30_000 and "left out" in done.output
    assert psutil.Process().memory_info().rss - before < 50_000_000
    assert time.process_time() - used < 2
    await none_left()


@pytest.mark.parametrize(
    "script",
    [
        "head -c 10000000000 /dev/zero > big; sleep 60",
        "i=0; while head -c 200000000 /dev/zero > big$i; do i=$((i+1)); done",
        "while :; do head -c 200000000 /dev/zero >> /tmp/x$$ || break; done; sleep 60",
    ],
)
async def test_ten_gigabytes(kept_in: Sandbox, tmp_path: Path, script: str) -> None:
    if "/tmp/" in script and not kept_in.private:
        pytest.skip("the reaper does not hide the machine's own folders")
    before = shutil.disk_usage(tmp_path).free
    root = tmp_path / "p"
    root.mkdir()
    await ran(kept_in, root, script, seconds=8, disk=1 << 30)
    left = sum(file.stat().st_blocks * 512 for file in root.rglob("*"))
    assert left < (300 << 20)
    assert before - shutil.disk_usage(tmp_path).free < (2 << 30)
    await none_left()


async def test_memory_without_end(kept_in: Sandbox, tmp_path: Path) -> None:
    hungry = "const kept = []; for (;;) kept.push(Buffer.alloc(50e6, 1))"
    done = await ran(kept_in, tmp_path, f'node -e "{hungry}"', seconds=30, memory=1 << 30)
    assert "memory" in done.why or done.code, done
    assert done.seconds < 15
    await none_left()


async def test_a_script_that_reads_home_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_in = sandbox.choose()
    if not kept_in.private:
        pytest.skip("only bubblewrap hides the user's files")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    (tmp_path / "p").mkdir()
    (tmp_path / "secret").write_text("sk-secret")
    (tmp_path / "p/link").symlink_to(tmp_path / "secret")
    spy = "env; cat /proc/*/environ; ls -la ~ /root /home /tmp /etc /var; cat ~/.npmrc /etc/shadow link; find / -name secret"
    reach = f"; node -e \"fetch('http://127.0.0.1:{9}').catch(e => console.log(e.cause.code))\"; touch /usr/x /x; id"
    done = await ran(kept_in, tmp_path / "p", spy + reach, seconds=20)
    assert "sk-secret" not in done.output and str(Path.home() / ".") not in done.output.replace("/root'", "")
    assert "uid=1000" in done.output
    assert not Path("/usr/x").exists() and not Path("/x").exists()


async def test_install_scripts_are_not_run(tmp_path: Path) -> None:
    grounds = Grounds(tmp_path / "cache")
    evil = project(tmp_path / "evil", scripts={"postinstall": "touch /home/project/ran ran", "dev": "node server.js"})
    root = project(tmp_path / "p", dependencies={"evil": "file:./evil"})
    shutil.copytree(evil, root / "evil")
    assert grounds.modules is not None
    await grounds.modules.place(root, read_package(root))
    assert not list(tmp_path.rglob("ran"))


RUNNER = """
import asyncio, sys
from pathlib import Path
from iwtui.web import sandbox, node
from iwtui.web.dev_server import start
from iwtui.web.package import read_package
async def main():
    root = Path(sys.argv[2])
    server = await start(sandbox.choose(sys.argv[1]), node.find(), root, read_package(root))
    print(server.url, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@contextmanager
def runner_of(kept_in: str, root: Path) -> Iterator[tuple["subprocess.Popen[str]", str, list[psutil.Process]]]:
    """A process that has brought the site up: itself, the site's address, and all processes below it."""
    command = [sys.executable, "-c", RUNNER, kept_in, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
        try:
            assert runner.stdout is not None
            url = runner.stdout.readline().strip()
            yield runner, url, psutil.Process(runner.pid).children(recursive=True)
        finally:
            runner.kill()


async def test_a_kill_of_the_runner_ends_all_within_five_seconds(kept_in: Sandbox, tmp_path: Path) -> None:
    daemons = "(PORT=0 setsid sh -c 'node server.js' &); (setsid env -i /bin/sleep 4000 &); node server.js"
    with runner_of(kept_in.name, project(tmp_path / "p", scripts={"dev": daemons})) as (runner, url, below):
        assert len(below) >= 4
        runner.kill()
        runner.wait()
    began = time.monotonic()
    gone, alive = psutil.wait_procs(below, timeout=5)
    print(f"\n{kept_in.name}: {len(gone)} processes gone after {time.monotonic() - began:.2f} s")
    assert not alive
    port = int(url.rstrip("/").rpartition(":")[2])
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", port)
    server.close()
    left = list(Path("/tmp").glob(f"iwtui-*m{runner.pid}t*"))
    assert left, "the folders of the dead are what is to be swept"
    sweep()
    assert not list(Path("/tmp").glob(f"iwtui-*m{runner.pid}t*"))


STARTER = """
import asyncio, sys
from pathlib import Path
from iwtui.web import sandbox
from iwtui.web.processes import Process
from iwtui.web.sandbox import Task
async def main():
    kept_in, folder = sandbox.choose(sys.argv[1]), Path(sys.argv[2])
    print("begins", flush=True)
    await asyncio.gather(*(Process.start(kept_in, Task(argv=("sleep", "4000"), folder=folder)) for _ in range(3)))
    await asyncio.Event().wait()
asyncio.run(main())
"""


def test_a_kill_while_sandboxes_are_being_set_up_leaves_nothing(kept_in: Sandbox, tmp_path: Path) -> None:
    """Bubblewrap alone misses the death of its parent in the first moments, and would live on for ever."""
    slowest = 0.0
    for number in range(24):
        command = [sys.executable, "-c", STARTER, kept_in.name, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as runner:
            assert runner.stdout is not None
            assert runner.stdout.readline() == "begins\n"
            time.sleep(0.004 * number)  # the moment of the kill
            runner.kill()
        began = time.monotonic()
        while left := of_mark(f"m{runner.pid}t"):
            assert time.monotonic() - began < 5, (number, left)
            time.sleep(0.02)
        slowest = max(slowest, time.monotonic() - began)
    print(f"\n{kept_in.name}: gone after {slowest:.2f} s at most")
    sweep()


async def test_what_a_killed_reaper_left_is_swept(tmp_path: Path) -> None:
    """The reaper itself killed with its runner: what bears the mark of the dead is found at the next start."""
    with runner_of("reaper", project(tmp_path / "p")) as (runner, _, below):
        for process in [p for p in below if "shim.py" in " ".join(p.cmdline())]:
            process.kill()
        runner.kill()
        runner.wait()
    left = [process for process in below if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    assert left
    assert sweep() >= len(left)
    assert not psutil.wait_procs(left, timeout=5)[1]


async def test_many_sites_at_once_and_one_of_them_a_bomb(kept_in: Sandbox, tmp_path: Path) -> None:
    node = find()
    assert node is not None

    async def good(number: int) -> float:
        root = project(tmp_path / f"good{number}")
        began = time.monotonic()
        server = await start(kept_in, node, root, read_package(root))
        await server.stop()
        return time.monotonic() - began

    async def bad() -> None:
        root = project(tmp_path / "bad", scripts={"dev": "bomb() { bomb | bomb & }; bomb; sleep 60"})
        with pytest.raises(ServerFailedError):
            await start(kept_in, node, root, read_package(root), ready=15, limits=Limits(processes=300))

    trouble = asyncio.create_task(bad())
    seconds = await asyncio.gather(*map(good, range(6)))
    await trouble
    print(f"\n{kept_in.name}: {max(seconds):.1f} s for the slowest of {len(seconds)} good sites")
    await none_left()
    assert not list(Path("/sys/fs/cgroup").rglob(f"iwtui-{os.getpid()}-*"))


async def test_an_ended_process_says_how(kept_in: Sandbox, tmp_path: Path) -> None:
    async with confined(kept_in, Task(argv=("/bin/sh", "-c", "echo said; exit 7"), folder=tmp_path)) as process:
        await process.ended.wait()
    assert (process.code, process.output, process.why) == (7, "said\n", "")
    assert json.dumps(process.output)
