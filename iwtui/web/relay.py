"""A port of ours that leads to a site's server, wherever that listens."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], Awaitable[Streams]]
"""Opens a connection to the server. Raises OSError."""

_CHUNK = 1 << 16
_MOST = 256
"""Connections at a time; a browser opens six to a site, and some more for sockets."""


class Relay:
    """Listens on a port of 127.0.0.1 (0: any that is free) and joins each connection to one that `dial` opens."""

    def __init__(self) -> None:
        self.dial: Dial | None = None
        self.port = 0
        self._server: asyncio.Server
        self._open: set[asyncio.Task[None]] = set()

    @classmethod
    async def start(cls, port: int = 0) -> "Relay":
        """Raises OSError when the port is taken."""
        relay = cls()
        relay._server = await asyncio.start_server(relay._accept, "127.0.0.1", port)
        relay.port = relay._server.sockets[0].getsockname()[1]
        return relay

    async def stop(self) -> None:
        """Close the port and all that goes through it."""
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            if self.dial is not None and len(self._open) <= _MOST:
                await join((reader, writer), await self.dial())
            writer.close()
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()  # the site's server is gone, or ours ends: the browser sees a broken connection
        finally:
            self._open.discard(task)


async def join(near: Streams, far: Streams) -> None:
    """Carry bytes both ways until both sides have ended."""
    carrying = [asyncio.ensure_future(_carry(near[0], far[1])), asyncio.ensure_future(_carry(far[0], near[1]))]
    try:
        await asyncio.gather(*carrying)
        far[1].close()
    finally:
        for task in carrying:
            task.cancel()
        far[1].transport.abort()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(_CHUNK):
        writer.write(chunk)
        await writer.drain()
    with contextlib.suppress(OSError):
        writer.write_eof()
