"""The node_modules of all sites, kept by what they were installed from, and copied into a workspace.

They are filled in a sandbox that runs no script of any package: what is kept was written by npm alone. A workspace gets a
copy, never a link: site code may write into it.
"""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from iwtui.web import npm_faults
from iwtui.web.limits import Limits
from iwtui.web.node import Node, certificates, network_settings, path_of
from iwtui.web.output import last_lines
from iwtui.web.package import LOCKS, Package, read_settings
from iwtui.web.processes import Ran, run
from iwtui.web.sandbox import Sandbox, Task
from iwtui.web.sweep import our_mark

INSTALL = Limits(seconds=300, memory=4 << 30, disk=4 << 30, file=1 << 30)
KEPT = 8 << 30
"""Bytes of kept modules beyond which those that were not used for longest are removed."""
_UNUSED = 86_400.0
_FLAGS = "--ignore-scripts --prefer-offline --no-audit --no-fund --no-progress --no-update-notifier --loglevel=warn".split()


class InstallFailedError(Exception):
    """`fault` is `site` or `infra`; `ran` is the command that failed."""

    def __init__(self, reason: str, fault: str, ran: Ran) -> None:
        super().__init__(reason)
        self.fault = fault
        self.ran = ran


class _Filled(msgspec.Struct):
    """What stands beside the modules of one key. `scripts`: packages whose install scripts were not run."""

    seconds: float
    output: str
    scripts: tuple[str, ...]


class Modules:
    """The kept modules below `folder`."""

    def __init__(self, folder: Path, sandbox: Sandbox, node: Node) -> None:
        self._folder = folder
        self._sandbox = sandbox
        self._node = node
        self._filling: dict[str, asyncio.Lock] = {}
        (folder / "npm").mkdir(parents=True, exist_ok=True)

    async def place(self, root: Path, package: Package) -> Ran:
        """Give the workspace the node_modules of its package.json, in place of any it has. Raises InstallFailedError."""
        began = time.monotonic()
        if package.local:
            return await self._install(root)
        entry = self._folder / package.key(self._node)
        async with self._filling.setdefault(entry.name, asyncio.Lock()):
            known = (entry / "filled.json").exists()
            filled = self._read(entry) if known else await self._fill(entry, package)
        os.utime(entry)
        await asyncio.to_thread(_remove, root / "node_modules")
        await _copy(entry / "node_modules", root / "node_modules")
        note = f"The same dependencies were installed before, in {filled.seconds:.1f} s.\n" if known else ""
        if filled.scripts:
            note += f"Install scripts of packages are not run: {', '.join(filled.scripts)}\n"
        return Ran(command="npm install", code=0, seconds=time.monotonic() - began, output=note + filled.output)

    async def resolve(self, root: Path, arguments: list[str], shown: str) -> Ran:
        """Let npm change package.json and the lock file, and nothing else, as by `npm install NAME`."""
        verb, *rest = arguments
        command = [verb, "--package-lock-only", *_FLAGS, *rest]
        with _harmless_settings(root):
            return await run(self._sandbox, self._task(root, command), shown)

    def prune(self) -> None:
        """Remove what was not used for longest, down to what may be kept; nothing that was used today."""
        entries = sorted((entry for entry in self._folder.iterdir() if (entry / "filled.json").exists()), key=_age)
        room = KEPT
        for entry in reversed(entries):
            room -= sum(file.lstat().st_blocks * 512 for file in entry.rglob("*"))
            if room < 0 and time.time() - _age(entry) > _UNUSED:
                shutil.rmtree(entry, ignore_errors=True)

    async def _fill(self, entry: Path, package: Package) -> _Filled:
        made = self._folder / f"iwtui-filling-{our_mark()}-{entry.name[:16]}"
        _remove(made)
        made.mkdir()
        try:
            (made / "package.json").write_bytes(package.install_file)
            for name, content in ((package.lock_name, package.lock), (".npmrc", package.settings.encode())):
                if content:
                    (made / name).write_bytes(content)
            ran = await self._install(made)
            (made / "node_modules").mkdir(exist_ok=True)
            filled = _Filled(ran.seconds, ran.output, _with_scripts(made / "node_modules"))
            for name in ("package.json", ".npmrc", *LOCKS):
                (made / name).unlink(missing_ok=True)
            (made / "filled.json").write_bytes(msgspec.json.encode(filled))
            with suppress(OSError):  # another run was quicker
                made.rename(entry)
            await asyncio.to_thread(self.prune)
            return filled
        finally:
            await asyncio.to_thread(_remove, made)

    async def _install(self, folder: Path) -> Ran:
        with _harmless_settings(folder):
            ran = await run(self._sandbox, self._task(folder, ["install", *_FLAGS]), "npm install")
        if ran.code == 0:
            return ran
        if ran.why:
            # Too long is a matter of the network; too much, of what was to be installed.
            fault = "infra" if ran.why.startswith("not done") else "site"
            raise InstallFailedError(f"npm install was ended: {ran.why}", fault, ran)
        code = npm_faults.error_code(ran.output)
        fault = npm_faults.fault(ran.output) if ran.code and ran.code < 128 else "infra"
        said = code or last_lines(ran.output, 1)
        raise InstallFailedError(f"npm install failed (exit code {ran.code}): {said}", fault, ran)

    def _task(self, folder: Path, arguments: list[str]) -> Task:
        settings = network_settings(os.environ, Path.home(), self._node)
        cache = self._folder / "npm"
        env = {"PATH": path_of(self._node), "CI": "1", "NO_COLOR": "1", "npm_config_yes": "true", **settings}
        return Task(
            argv=(str(self._node.executable), str(self._node.npm), "--cache", str(cache), *arguments),
            folder=folder,
            env=env,
            network=True,
            readable=(*self._node.places, *certificates(settings)),
            writable=(cache,),
            limits=INSTALL,
        )

    @staticmethod
    def _read(entry: Path) -> _Filled:
        return msgspec.json.decode((entry / "filled.json").read_bytes(), type=_Filled)


@contextmanager
def _harmless_settings(root: Path) -> Iterator[None]:
    """While npm runs, the .npmrc there holds only what is kept: npm would run the `git` that it names, with our cache."""
    file, aside = root / ".npmrc", root / f".npmrc-{our_mark()}"
    if not os.path.lexists(file):
        yield
        return
    file.rename(aside)
    try:
        with suppress(OSError):  # a folder, a link: none
            file.write_text(read_settings(aside))
        yield
    finally:
        aside.replace(file)


def _with_scripts(modules: Path) -> tuple[str, ...]:
    """Packages that have an install script, by npm's own list."""
    try:
        listed = msgspec.json.decode((modules / ".package-lock.json").read_bytes())
    except FileNotFoundError:
        return ()
    found = (
        path.rpartition("node_modules/")[2] for path, about in listed["packages"].items() if about.get("hasInstallScript")
    )
    return tuple(sorted(set(found)))[:20]


async def _copy(source: Path, target: Path) -> None:
    """Copy a tree, sharing its blocks where the file system can."""
    flags = ["-a", "--reflink=auto", "-T"] if sys.platform == "linux" else ["-a"]
    process = await asyncio.create_subprocess_exec(
        "cp", *flags, str(source), str(target), stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    if process.returncode:
        raise OSError(f"the modules could not be copied: {said.decode('utf-8', 'replace')[:300]}")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _age(entry: Path) -> float:
    return entry.stat().st_mtime
