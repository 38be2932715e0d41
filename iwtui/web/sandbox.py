"""How a site's own code is kept in: by bubblewrap, or, where that cannot run, by a reaper that only sees to its end.

Both clear the environment, give an empty home, and end whatever was started when the command ends or our own process dies,
even by kill -9: bubblewrap stands below the reaper too, for it does not notice a death while it sets itself up. Bubblewrap
also hides the machine's files and other processes, takes away all rights and, but for `npm install`, the network.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from iwtui.web.limits import Limits
from iwtui.web.sweep import MARK, our_mark
from iwtui.web.workspace import HOME as PROJECT

HOME = "/home/site"
_SHIM = Path(__file__).with_name("shim.py")
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_ETC = "alternatives ca-certificates.conf ld.so.cache localtime ssl/certs ssl/openssl.cnf pki/tls/certs".split()
_ETC_NETWORK = "hosts nsswitch.conf resolv.conf".split()
_OUTSIDE = {"PATH": os.defpath}
"""The environment of bubblewrap itself."""
_PROBE = 10.0
_TEMPORARY = 256 << 20
"""Bytes of each of the folders that are kept in memory."""


class SandboxMissingError(Exception):
    """The sandbox that was asked for does not run here."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A command to be run in `folder`, which it sees as its project. `readable` and `writable` are further places that it
    may see, under their own names."""

    argv: tuple[str, ...]
    folder: Path
    env: Mapping[str, str] = {}
    network: bool = False
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    limits: Limits = Limits()


class Launch(msgspec.Struct, frozen=True):
    """What to start for a task, with what environment and where."""

    argv: tuple[str, ...]
    env: dict[str, str]
    folder: Path


class Sandbox:
    """`name` is what run.json says. `private`: its network is its own, so that each site may take any port."""

    name: ClassVar[str]
    private: ClassVar[bool]

    def launch(self, task: Task, home: Path, life: int) -> Launch:
        """What to start. `home` is an empty folder; `life` a descriptor that ends with our process."""
        raise NotImplementedError

    def folder(self, task: Task) -> str:
        """The name under which the task sees its folder."""
        raise NotImplementedError


class Bubblewrap(Sandbox):
    """A mount, process and (but for tasks that need it) network namespace of its own."""

    name = "bubblewrap"
    private = True

    def __init__(self, executable: str) -> None:
        self._executable = executable
        said = subprocess.run([executable, "--help"], capture_output=True, text=True, timeout=_PROBE).stdout
        self._features = {word for word in ("--disable-userns", "--size") if word in said}

    def works(self) -> str:
        """Empty when it runs a command here, else what it said."""
        with tempfile.TemporaryDirectory(prefix="iwtui-probe-") as folder:
            argv = self._argv(Task(argv=("true",), folder=Path(folder)), Path(folder))
            try:
                done = subprocess.run(argv, env=_OUTSIDE, capture_output=True, text=True, timeout=_PROBE)
            except (OSError, subprocess.SubprocessError) as error:
                return str(error)
        return "" if done.returncode == 0 else done.stderr.strip()[:300] or f"exit code {done.returncode}"

    def folder(self, task: Task) -> str:
        return PROJECT

    def launch(self, task: Task, home: Path, life: int) -> Launch:
        # The mark stands in the environment of bubblewrap itself, whose end is the end of all.
        return Launch(_reaped(life, self._argv(task, home)), {**_OUTSIDE, MARK: our_mark()}, Path("/"))

    def _argv(self, task: Task, home: Path) -> tuple[str, ...]:
        # Without the write, execute and root rights that even a user 0 would keep.
        kept_in = [self._executable, "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc"]
        kept_in += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "site", "--die-with-parent", "--new-session"]
        kept_in += ["--cap-drop", "ALL", "--clearenv", *({"--disable-userns"} & self._features)]
        kept_in += [] if task.network else ["--unshare-net"]
        seen = ["--ro-bind", "/usr", "/usr", *_system(), *_etc(task.network, home)]
        seen += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
        for place in ("/dev/shm", "/tmp", HOME):  # noqa: S108  inside
            seen += [*self._size(), "--tmpfs", place]
        for option, paths in (("--ro-bind", task.readable), ("--bind", task.writable)):
            for path in paths:
                seen += [option, str(path), str(path)]
        seen += ["--bind", str(task.folder), PROJECT, "--remount-ro", "/", "--chdir", PROJECT]
        for name, value in {"HOME": HOME, "USER": "site", **task.env, "PATH": _path(task, PROJECT)}.items():
            seen += ["--setenv", name, value]
        return (*kept_in, *seen, "--", *task.argv)

    def _size(self) -> list[str]:
        return ["--size", str(_TEMPORARY)] if "--size" in self._features else []


class Reaper(Sandbox):
    """Sees that all ends, and hides nothing but the environment: site code can read what the user can."""

    name = "reaper"
    private = False

    def folder(self, task: Task) -> str:
        return str(task.folder)

    def launch(self, task: Task, home: Path, life: int) -> Launch:
        env = {"HOME": str(home), "TMPDIR": str(home), MARK: our_mark(), **task.env, "PATH": _path(task, str(task.folder))}
        return Launch(_reaped(life, task.argv), env, task.folder)


def choose(wanted: str = "auto") -> Sandbox:
    """The sandbox to use: `bubblewrap`, `reaper`, or `auto` for the best that runs. Raises SandboxMissingError."""
    if wanted == "reaper":
        return Reaper()
    fault = why_no_bubblewrap()
    if fault and wanted == "bubblewrap":
        raise SandboxMissingError(f"bubblewrap does not run here: {fault}")
    return Reaper() if fault else Bubblewrap(str(shutil.which("bwrap")))


def why_no_bubblewrap() -> str:
    """Why bubblewrap does not run on this machine; empty when it does."""
    executable = shutil.which("bwrap")
    return "it is not installed" if executable is None else Bubblewrap(executable).works()


def _reaped(life: int, argv: Sequence[str]) -> tuple[str, ...]:
    """The command below the reaper."""
    return (sys.executable, "-I", "-S", str(_SHIM), str(life), *argv)


def _path(task: Task, project: str) -> str:
    """The task's PATH behind the project's own programs."""
    return os.pathsep.join([f"{project}/node_modules/.bin", task.env.get("PATH", os.defpath)])


def _system() -> Iterator[str]:
    for name in _SYSTEM:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))


def _etc(network: bool, home: Path) -> Iterator[str]:
    made = {"passwd": f"site:x:1000:1000::{HOME}:/bin/sh\n", "group": "site:x:1000:\n"}
    if not network:
        made["hosts"] = "127.0.0.1 localhost\n::1 localhost\n"
    for name, content in made.items():
        file = home / name
        file.write_text(content)
        yield from ("--ro-bind", str(file), f"/etc/{name}")
    for name in (*_ETC, *(_ETC_NETWORK if network else ())):
        if (path := Path("/etc", name)).exists():
            yield from ("--ro-bind", str(path.resolve()), str(path))
