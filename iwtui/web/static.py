"""Serving a folder of plain files on a port of the loopback interface."""

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from aiohttp import web

_TYPES = {
    ".avif": "image/avif",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".gif": "image/gif",
    ".htm": "text/html; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".ogg": "audio/ogg",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml; charset=utf-8",
}
"""Written out, since the tables of operating systems differ."""

_CLOSING = 2.0
"""Seconds that open connections get when the server stops."""


class StaticSite:
    """A server of the files under `root`, as long as the context lasts; port 0 takes a free one.

    Raises OSError when the port is taken.
    """

    def __init__(self, root: Path, port: int = 0) -> None:
        self._root = root.resolve()
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT/`."""
        return f"http://127.0.0.1:{self._port}/"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING)
        await self._runner.setup()
        try:
            site = web.TCPSite(self._runner, "127.0.0.1", self._port)
            await site.start()
        except OSError:
            await self._runner.cleanup()
            raise
        self._port = int(self._runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner:
            await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = unquote(request.rel_url.raw_path, errors="replace")
        found = await asyncio.to_thread(self._find, path)
        if found is None:
            raise web.HTTPNotFound(headers={"Cache-Control": "no-store"})
        if found.name == "index.html" and not path.endswith(("/", "/index.html")):
            raise web.HTTPFound(request.rel_url.with_path(request.rel_url.raw_path + "/", encoded=True, keep_query=True))
        content_type = _TYPES.get(found.suffix.lower(), "application/octet-stream")
        return web.FileResponse(found, headers={"Cache-Control": "no-store", "Content-Type": content_type})

    def _find(self, path: str) -> Path | None:
        """The file under the root that the decoded path of a request names."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if any(part == ".." or "\0" in part for part in parts):
            return None
        try:
            found = self._root.joinpath(*parts).resolve()
            found = found / "index.html" if found.is_dir() else found
            return found if found.is_file() and found.resolve().is_relative_to(self._root) else None
        except (OSError, RuntimeError):  # a name too long, a loop of links
            return None
