"""A confined process: started, listened to, watched, and ended with all that it started."""

import asyncio
import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from iwtui.web.cgroup import ControlGroup
from iwtui.web.output import Output, last_lines
from iwtui.web.sandbox import Sandbox, Task
from iwtui.web.sweep import our_mark
from iwtui.web.tree import descendants, resident
from iwtui.web.workspace import HOME, MAX_SCANNED_FILE

WATCHED = 0.25
"""Seconds between two looks at what a process uses."""

_FREELY = 1 << 20
"""Bytes of output that are taken as fast as they come; then the process has to wait for us."""
_CHUNK = 1 << 16
_SLOWLY = 0.1
_ENDING = 8.0
_DIES = 0.02
_DYING = 50
_SUSPICIOUS = 64 << 20
"""Bytes by which the disk must have filled before the folder is measured."""

_PROMPT = re.compile(r"(?:[?:›»>]|\(y/n\)|\[y/n\])\s*$", re.IGNORECASE)


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A command and what came of it. `code` is None when it did not end by itself; `why` then says what ended it.

    `serving`: it is a server, and goes on. `refused`: why it was not run at all.
    """

    command: str
    code: int | None = None
    seconds: float = 0.0
    output: str = ""
    why: str = ""
    serving: bool = False
    refused: str | None = None


class Process:
    """A command in its sandbox. `code` is its exit code, once it ended by itself; `why` says what we ended it for."""

    def __init__(self, sandbox: Sandbox, task: Task) -> None:
        self.code: int | None = None
        self.why = ""
        self.ended = asyncio.Event()
        self.began = time.monotonic()
        self._sandbox = sandbox
        self._task = task
        self._output = Output()
        self._tasks: list[asyncio.Task[None]] = []
        self._process: asyncio.subprocess.Process
        self._life: int | None = None
        self._filled = False
        self._home: Path
        self._group = ControlGroup(task.limits)

    @classmethod
    async def start(cls, sandbox: Sandbox, task: Task) -> "Process":
        process = cls(sandbox, task)
        await process._start()
        return process

    @property
    def pids(self) -> list[int]:
        """The process and all below it."""
        return descendants(self._process.pid)

    @property
    def output(self) -> str:
        """What it printed, beginning and end, with its folder under the name that the builder knows."""
        text = self._output.text()
        folder = self._sandbox.folder(self._task)
        return text if folder == HOME else text.replace(folder, HOME)

    @property
    def asked(self) -> bool:
        """Whether its last words look like a question to somebody at a keyboard."""
        return bool(_PROMPT.search(last_lines(self.output, 1)))

    async def end(self, why: str = "") -> None:
        """End it and all that it started, and wait until it is gone."""
        if not self.ended.is_set():
            self.why = self.why or why
            self._let_go()
        try:
            async with asyncio.timeout(_ENDING):
                await self.ended.wait()
        except TimeoutError:
            raise OSError(f"process {self._process.pid} does not end") from None

    async def _start(self) -> None:
        self._home = Path(tempfile.mkdtemp(prefix=f"iwtui-home-{our_mark()}-"))
        held, self._life = os.pipe()
        try:
            launch = self._sandbox.launch(self._task, self._home, held)
            groups = " ".join(f'"{folder}"' for folder in self._group.folders)
            begin = _BEGIN.format(file=self._task.limits.file // 512, groups=groups)
            self._process = await asyncio.create_subprocess_exec(
                *("/bin/sh", "-c", begin, "sh", *launch.argv),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=launch.env,
                cwd=launch.folder,
                pass_fds=[held],
                start_new_session=True,
            )
        except BaseException:
            self._let_go()
            self._group.remove()
            shutil.rmtree(self._home, ignore_errors=True)
            raise
        finally:
            os.close(held)
        reading = asyncio.create_task(self._read())
        watching = asyncio.create_task(self._watch())
        self._tasks = [asyncio.create_task(self._await_end(reading, watching))]

    async def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while chunk := await stream.read(_CHUNK):
            self._output.add(chunk)
            if self._output.total > _FREELY:
                await asyncio.sleep(_SLOWLY)  # whoever prints without end is made to wait

    async def _watch(self) -> None:
        limits = self._task.limits
        free = shutil.disk_usage(self._task.folder).free
        while True:
            await asyncio.sleep(WATCHED)
            if limits.seconds is not None and time.monotonic() - self.began > limits.seconds:
                waited = "; it seems to have waited for input, of which there is none" if self.asked else ""
                self.why = f"not done within {limits.seconds:g} s{waited}"
            pids = self.pids
            if len(pids) > limits.processes:
                self.why = f"it started more than {limits.processes} processes"
            elif resident(pids) > limits.memory:
                self.why = f"it used more than {limits.memory >> 20:,} MB of memory"
            elif free - shutil.disk_usage(self._task.folder).free > _SUSPICIOUS:
                free = shutil.disk_usage(self._task.folder).free
                if await asyncio.to_thread(_used, self._task.folder) > limits.disk:
                    self._filled = True
                    self.why = f"it wrote more than {limits.disk >> 20:,} MB"
            if self.why:
                self._let_go()
                return

    async def _await_end(self, reading: asyncio.Task[None], watching: asyncio.Task[None]) -> None:
        code = await self._process.wait()
        self._let_go()
        watching.cancel()
        _, late = await asyncio.wait([reading], timeout=1.0)  # the last words; a process that got away may hold the pipe
        for task in late:
            task.cancel()
        await asyncio.gather(reading, watching, return_exceptions=True)
        if self._filled:
            await asyncio.to_thread(_drop_large, self._task.folder, time.time() - (time.monotonic() - self.began))
        if not self.why:
            self.code = code
        for _ in range(_DYING):
            if self._group.remove():
                break
            await asyncio.sleep(_DIES)  # a group tells nobody that its last process is gone
        await asyncio.to_thread(shutil.rmtree, self._home, True)
        self.ended.set()

    def _let_go(self) -> None:
        """The reaper ends all when it is let go."""
        if self._life is not None:
            os.close(self._life)
            self._life = None


_BEGIN = (
    "ulimit -c 0; ulimit -f {file}; ulimit -n 8192 2>/dev/null; "
    'for group in {groups}; do echo $$ > "$group/cgroup.procs" || exit 126; done; exec "$@"'
)


@asynccontextmanager
async def confined(sandbox: Sandbox, task: Task) -> AsyncIterator[Process]:
    """A process as long as the context lasts."""
    process = await Process.start(sandbox, task)
    try:
        yield process
    finally:
        await process.end("no longer needed")


async def run(sandbox: Sandbox, task: Task, shown: str) -> Ran:
    """Run a command to its end or to its limits. `shown` is what it is called in the log."""
    async with confined(sandbox, task) as process:
        await process.ended.wait()
        seconds = time.monotonic() - process.began
        why = process.why
        if not why and process.code and process.asked:
            why = "it seems to have asked for input, of which there is none"
    return Ran(command=shown, code=process.code, seconds=seconds, output=process.output, why=why)


def _used(folder: Path) -> int:
    """Bytes that the folder's files take up on the disk."""
    total = 0
    for _, _, names, descriptor in os.fwalk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_blocks * 512
    return total


def _drop_large(folder: Path, since: float) -> None:
    """Give back the room of files that are too large to be kept anyway."""
    for _, _, names, descriptor in os.fwalk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                if found.st_size > MAX_SCANNED_FILE and found.st_mtime >= since:
                    os.unlink(name, dir_fd=descriptor)
