"""One site, brought up when it is to be looked at: plain files by our own server, a project by its own."""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from iwtui.web import dev_server
from iwtui.web.commands import steps
from iwtui.web.dev_server import DevServer, ServerFailedError
from iwtui.web.grounds import Grounds
from iwtui.web.limits import Limits
from iwtui.web.modules import InstallFailedError
from iwtui.web.node import MISSING, REMEDY, SYSTEM_PATH, path_of
from iwtui.web.package import Package, PackageFaultError, read_package
from iwtui.web.processes import Ran, run
from iwtui.web.sandbox import Task
from iwtui.web.static import StaticSite

COMMAND = Limits(seconds=60)
NO_COMMANDS = "a static site needs no commands; none was run"
_SKIPPED = "the command before it failed"
_PLAIN = "package.json has neither a dev nor a start script; index.html is served as it is"


class SiteDownError(Exception):
    """The site is not served. `fault` is `site` or `infra`."""

    def __init__(self, reason: str, fault: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fault = fault


class Site:
    """The site in the folder `root`. Its server runs on while no file is changed. `told` hears of every command.

    Used as a context: nothing of it runs on afterwards.
    """

    def __init__(self, root: Path, grounds: Grounds, told: Callable[[Ran], None]) -> None:
        self.root = root
        self._grounds = grounds
        self._told = told
        self._static: StaticSite | None = None
        self._server: DevServer | None = None
        self._placed = ""
        self._stale = False
        self._port = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    def changed(self) -> None:
        """Files were written: a server that runs is started anew before it is looked at again."""
        self._stale = True

    async def up(self, port: int = 0) -> str:
        """Where the site is served from now on. Raises SiteDownError; OSError for a port that is taken."""
        if self._server and self._server.died:
            self._told(Ran(command=self._server.ran.command, output=self._server.died, why="it died after it was looked at"))
        elif self._server and not self._stale:
            return self._server.url
        await self._stop()
        self._stale = False
        package = self._package()
        if package is None or (package.script is None and self._has_index):
            if package is not None:
                self._told(Ran(command="npm run dev", refused=_PLAIN))
            return await self._at(port, self._serve_files)
        if package.script is None:
            raise SiteDownError("package.json has neither a dev nor a start script, and there is no index.html", "site")
        await self._install(package)
        return await self._at(port, lambda port: self._serve_project(package, port))

    async def died(self) -> str:
        """Why the site's own server is dead, if that is so."""
        return await self._server.death() if self._server else ""

    async def ended(self) -> None:
        """Return when the site's own server has ended; never for a site of plain files."""
        await (self._server.ended() if self._server else asyncio.Event().wait())

    async def run(self, lines: Sequence[str], limit: int) -> None:
        """Run the builder's shell lines in their order, `limit` commands at most."""
        if self._has_index and not self._has_package:
            for line in lines[:limit]:
                self._told(Ran(command=line, refused=NO_COMMANDS))
            return
        await self._stop()
        failed = False
        for step in [step for line in lines for step in steps(line)][:limit]:
            refused = _SKIPPED if failed and step.needs_last else step.refused
            done = Ran(command=step.line, refused=refused) if refused else await self._run(step.line, step.npm)
            failed = refused == _SKIPPED or (not refused and done.code != 0)
            self._told(done)
        self._stale = True

    @property
    def _has_index(self) -> bool:
        return (self.root / "index.html").is_file()

    @property
    def _has_package(self) -> bool:
        return (self.root / "package.json").exists()

    def _package(self) -> Package | None:
        if not self._has_package:
            if not self._has_index:
                raise SiteDownError("there is no index.html", "site")
            return None
        try:
            return read_package(self.root)
        except PackageFaultError as error:
            raise SiteDownError(str(error), "site") from error

    async def _run(self, line: str, npm: Sequence[str]) -> Ran:
        if npm:
            if self._grounds.modules is None:
                return Ran(command=line, refused=f"{MISSING}. {REMEDY}")
            return await self._grounds.modules.resolve(self.root, list(npm), line)
        if self._has_package:
            try:
                await self._install(read_package(self.root))
            except (SiteDownError, PackageFaultError) as error:
                return Ran(command=line, refused=f"what it may need could not be installed: {error}")
        node = self._grounds.node
        path = path_of(node) if node else SYSTEM_PATH
        # Without a network, npx would try for minutes to reach the registry.
        env = {"PATH": path, "CI": "1", "NO_COLOR": "1", "npm_config_yes": "true", "npm_config_offline": "true"}
        task = Task(
            argv=("/bin/sh", "-c", line),
            folder=self.root,
            env=env,
            readable=node.places if node else (),
            limits=COMMAND,
        )
        return await run(self._grounds.sandbox, task, line)

    async def _install(self, package: Package) -> None:
        modules, node = self._grounds.modules, self._grounds.node
        if modules is None or node is None:
            raise SiteDownError(f"{MISSING}. {REMEDY}", "infra")
        key = package.key(node)
        placed = self._placed == key and (self.root / "node_modules").is_dir()
        if not package.has_dependencies or (placed and not package.local):
            return
        self._placed = ""
        try:
            self._told(await modules.place(self.root, package))
        except InstallFailedError as error:
            self._told(error.ran)
            raise SiteDownError(str(error), error.fault) from error
        self._placed = key

    async def _at(self, port: int, serve: Callable[[int], Awaitable[str]]) -> str:
        """Serve at the port given, else at the one it had before, so that a browser knows it again."""
        try:
            url = await serve(port or self._port)
        except OSError as error:
            if port or not self._port or error.errno != errno.EADDRINUSE:
                raise
            url = await serve(0)  # another has taken it meanwhile
        self._port = urlsplit(url).port or 0
        return url

    async def _serve_files(self, port: int) -> str:
        static = StaticSite(self.root, port)
        await static.__aenter__()
        self._static = static
        return static.url

    async def _serve_project(self, package: Package, port: int) -> str:
        grounds = self._grounds
        assert grounds.node is not None
        try:
            self._server = await dev_server.start(grounds.sandbox, grounds.node, self.root, package, grounds.ready, port)
        except ServerFailedError as error:
            self._told(error.ran)
            raise SiteDownError(str(error), error.fault) from error
        self._told(self._server.ran)
        return self._server.url

    async def _stop(self) -> None:
        static, server = self._static, self._server
        self._static = self._server = None
        if static:
            await static.__aexit__(None, None, None)
        if server:
            await server.stop()
