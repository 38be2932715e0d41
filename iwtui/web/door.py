"""The way to the ports on which a confined server listens."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path

import psutil

from iwtui.web.processes import Process
from iwtui.web.relay import Streams

FORWARD = Path(__file__).with_name("forward.cjs")
"""The script that is to run in a sandbox whose network is its own: `node forward.cjs SOCKET`."""

_MAX_LIST = 100_000

Address = tuple[str, int]


class Door:
    """To a server in the network that it shares with us."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def listening(self) -> list[Address]:
        """Where it listens; nowhere while that cannot be told."""
        found = []
        for pid in self._process.pids:
            with suppress(psutil.Error):
                for socket in psutil.Process(pid).net_connections("tcp"):
                    if socket.status == psutil.CONN_LISTEN:
                        found.append(("::1" if ":" in socket.laddr.ip else "127.0.0.1", socket.laddr.port))
        return found

    async def dial(self, address: Address) -> Streams:
        """Raises OSError."""
        return await asyncio.open_connection(*address)

    def close(self) -> None:
        """Give back what it holds."""


class PrivateDoor(Door):
    """Through a unix socket, behind which the forwarder runs in the sandbox."""

    def __init__(self, process: Process, socket: Path) -> None:
        super().__init__(process)
        self._socket = socket
        self._held: int | None = None

    async def listening(self) -> list[Address]:
        try:
            reader, writer = await self._open("?")
        except OSError:
            return []  # the forwarder is not there yet
        try:
            told = await reader.read(_MAX_LIST)
            return [(str(host), int(port)) for host, port in json.loads(told)]
        except (OSError, ValueError):
            return []
        finally:
            writer.close()

    async def dial(self, address: Address) -> Streams:
        return await self._open(f"{address[0]} {address[1]}")

    def close(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None

    async def _open(self, line: str) -> Streams:
        if self._held is None:
            # Site code can put a link in the socket's place: what is held is never a link, and never another file.
            self._held = os.open(self._socket, os.O_PATH | os.O_NOFOLLOW)
        reader, writer = await asyncio.open_unix_connection(f"/proc/self/fd/{self._held}")
        writer.write(f"{line}\n".encode())
        return reader, writer
