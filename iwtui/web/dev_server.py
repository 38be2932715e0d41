"""A project's own server, in its sandbox: ready when HTTP answers, dead when its process is."""

import asyncio
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from iwtui.web.door import FORWARD, Door, PrivateDoor
from iwtui.web.limits import Limits
from iwtui.web.node import Node, path_of
from iwtui.web.output import last_lines
from iwtui.web.package import Package
from iwtui.web.processes import Process, Ran
from iwtui.web.readiness import NotReadyError, answering, how_it_ended
from iwtui.web.relay import Relay
from iwtui.web.sandbox import Sandbox, Task
from iwtui.web.sweep import our_mark

READY = 60.0
"""Seconds until a server must have answered."""

SERVING = Limits()
_FORWARDING = '"$1" "$2" "$3" & shift 3; exec "$@"'
_LAST = 3
_DYING = 2.0
"""Seconds from a connection that breaks to the end of the process that held it."""


class ServerFailedError(Exception):
    """`fault` is `site` or `infra`; `ran` is the command that failed."""

    def __init__(self, reason: str, fault: str, ran: Ran) -> None:
        super().__init__(reason)
        self.fault = fault
        self.ran = ran


class DevServer:
    """A server that answered once. `url` is where a browser finds it; `ran` tells how it started."""

    def __init__(self, relay: Relay, process: Process, door: Door, ran: Ran) -> None:
        self.url = f"http://127.0.0.1:{relay.port}/"
        self.ran = ran
        self._relay = relay
        self._process = process
        self._door = door

    @property
    def died(self) -> str:
        """Why it is dead, with its last words; empty while it lives."""
        if not self._process.ended.is_set():
            return ""
        tail = last_lines(self._process.output, _LAST)
        return f"the site died: {how_it_ended(self._process)}" + (f": {tail}" if tail else "")

    async def ended(self) -> None:
        """Return when it has ended, however it did."""
        await self._process.ended.wait()

    async def death(self) -> str:
        """As `died`, but an end that is under way is waited for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_DYING):
                await self._process.ended.wait()
        return self.died

    async def stop(self) -> None:
        """End it and all that it started."""
        await _stop(self._relay, self._process, self._door)


async def start(
    sandbox: Sandbox,
    node: Node,
    root: Path,
    package: Package,
    ready: float = READY,
    port: int = 0,
    limits: Limits = SERVING,
) -> DevServer:
    """Start the project's script and wait until it answers. Raises ServerFailedError; OSError when `port` is taken."""
    relay = await Relay.start(port)
    shown = f"npm run {package.script}"
    with tempfile.TemporaryDirectory(prefix=f"iwtui-door-{our_mark()}-") as doorstep:
        socket = Path(doorstep, "in")
        inside = relay.port if sandbox.private else await _free_port()
        try:
            process = await Process.start(sandbox, _task(sandbox, node, root, socket, package, inside, limits))
        except BaseException:
            await relay.stop()
            raise
        door = PrivateDoor(process, socket) if sandbox.private else Door(process)
        try:
            address = await answering(process, door, inside, ready)
            relay.dial = lambda: door.dial(address)
            seconds = time.monotonic() - process.began
            return DevServer(relay, process, door, Ran(command=shown, seconds=seconds, output=process.output, serving=True))
        except NotReadyError as error:
            seconds = time.monotonic() - process.began
            await _stop(relay, process, door)
            # Without a network of its own, a site that insists on a port may meet another's.
            fault = "infra" if not sandbox.private and "EADDRINUSE" in process.output else error.fault
            ran = Ran(command=shown, code=process.code, seconds=seconds, output=process.output, why=error.short)
            raise ServerFailedError(str(error), fault, ran) from None
        except BaseException:
            await _stop(relay, process, door)
            raise


def _task(sandbox: Sandbox, node: Node, root: Path, socket: Path, package: Package, port: int, limits: Limits) -> Task:
    env = {"PATH": path_of(node), "PORT": str(port), "HOST": "127.0.0.1", "BROWSER": "none", "CI": "1", "NO_COLOR": "1"}
    argv: tuple[str, ...] = ("/bin/sh", "-c", package.command(port))
    if sandbox.private:
        argv = ("/bin/sh", "-c", _FORWARDING, "sh", str(node.executable), str(FORWARD), str(socket), *argv)
    return Task(
        argv=argv,
        folder=root,
        env={**env, **package.environment(node)},
        readable=(*node.places, FORWARD),
        writable=(socket.parent,),
        limits=limits,
    )


async def _stop(relay: Relay, process: Process, door: Door) -> None:
    await relay.stop()
    await process.end("no longer needed")
    door.close()


async def _free_port() -> int:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = int(server.sockets[0].getsockname()[1])
    server.close()
    await server.wait_closed()
    return port
