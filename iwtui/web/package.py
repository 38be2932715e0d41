"""A project's package.json: which script serves it, and what its dependencies are known by."""

import errno
import hashlib
import os
import platform
import re
import stat
import sys
from pathlib import Path
from typing import Any

import msgspec

from iwtui.web.node import Node

SCRIPTS = ("dev", "start")
"""Scripts that serve a site, the first one there is used."""

_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_KEYED = (*_DEPENDENCIES, "overrides", "peerDependenciesMeta", "engines")
LOCKS = ("package-lock.json", "npm-shrinkwrap.json")
_SETTINGS = set("legacy-peer-deps strict-peer-deps engine-strict force omit include install-strategy".split())
"""Settings of a project's .npmrc that are kept; others would lead npm to programs elsewhere."""

_MAX = 1_000_000
_COMPOUND = re.compile(r"[;&|<>`\n]|\$\(")
_FLAGS = {
    "vite": "--port {port} --host 127.0.0.1 --strictPort",
    "next": "--port {port} --hostname 127.0.0.1",
    "astro": "--port {port} --host 127.0.0.1",
    "nuxt": "--port {port} --host 127.0.0.1",
    "nuxi": "--port {port} --host 127.0.0.1",
    "ng": "--port {port} --host 127.0.0.1",
    "webpack": "--port {port} --host 127.0.0.1",
    "webpack-dev-server": "--port {port} --host 127.0.0.1",
    "parcel": "--port {port} --host 127.0.0.1",
    "serve": "--listen {port}",
    "http-server": "-p {port} -a 127.0.0.1",
    "live-server": "--port={port} --host=127.0.0.1",
}
"""How servers that do not read PORT are told where to listen; of two such flags, the last counts."""

_SERVING = {"vite": {"", "dev", "serve", "preview"}, "next": {"dev", "start"}, "webpack": {"serve"}, "ng": {"serve"}}
"""Subcommands that serve, of programs which have others as well."""


class PackageFaultError(Exception):
    """A package.json that npm could not read either."""


class Package(msgspec.Struct, frozen=True):
    """What of a package.json matters here. `lock` is the content of its lock file, `settings` of its .npmrc."""

    told: dict[str, Any]
    lock: bytes = b""
    lock_name: str = LOCKS[0]
    settings: str = ""

    @property
    def has_dependencies(self) -> bool:
        return any(self.told.get(name) for name in _DEPENDENCIES)

    @property
    def local(self) -> bool:
        """Whether it depends on folders of its own, so that its modules are of no use to another."""
        given = [spec for name in _DEPENDENCIES for spec in _table(self.told.get(name)).values()]
        return bool(self.told.get("workspaces")) or any(
            isinstance(spec, str) and spec.startswith(("file:", "link:", "workspace:", ".", "/", "~")) for spec in given
        )

    @property
    def script(self) -> str | None:
        """The name of the script that serves the site."""
        scripts = _table(self.told.get("scripts"))
        return next((name for name in SCRIPTS if isinstance(scripts.get(name), str) and scripts[name].strip()), None)

    @property
    def install_file(self) -> bytes:
        """A package.json with nothing but what an installation depends on."""
        kept = {name: self.told[name] for name in _KEYED if name in self.told}
        return msgspec.json.encode({"name": "site", "version": "0.0.0", "private": True, **kept}, order="sorted")

    def key(self, node: Node) -> str:
        """What an installation of these dependencies is known by."""
        parts = (self.install_file, self.lock, self.settings, node.major, node.npm_version, sys.platform, platform.machine())
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part if isinstance(part, bytes) else part.encode())
            digest.update(b"\0")
        return digest.hexdigest()

    def command(self, port: int) -> str:
        """The shell line that `npm run` would run for the serving script, with what comes before it and the port."""
        name = self.script
        assert name is not None
        scripts = _table(self.told["scripts"])
        line = f"{scripts[name]}{_flags(scripts[name], port)}"
        before = scripts.get(f"pre{name}")
        return f"{before} && {line}" if isinstance(before, str) and before.strip() else line

    def environment(self, node: Node) -> dict[str, str]:
        """What `npm run` tells a script, and that npm has no network there."""
        return {
            "npm_lifecycle_event": self.script or "",
            "npm_package_name": str(self.told.get("name", "")),
            "npm_package_version": str(self.told.get("version", "")),
            "npm_node_execpath": str(node.executable),
            "npm_execpath": str(node.npm),
            "npm_config_yes": "true",
            "npm_config_offline": "true",
            "npm_config_user_agent": f"npm/{node.npm_version} node/{node.version}",
        }


def read_package(root: Path) -> Package:
    """Raises PackageFaultError."""
    file = root / "package.json"
    try:
        told = msgspec.json.decode(_bytes(file).removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, OSError, RecursionError) as error:
        raise PackageFaultError(f"package.json cannot be read: {error}") from error
    if not isinstance(told, dict):
        raise PackageFaultError("package.json does not hold an object")
    lock_name = next((name for name in LOCKS if (root / name).is_file()), LOCKS[0])
    try:
        lock = _bytes(root / lock_name, 20 * _MAX) if (root / lock_name).is_file() else b""
        settings = read_settings(root / ".npmrc") if (root / ".npmrc").is_file() else ""
    except OSError as error:
        raise PackageFaultError(f"{error.filename}: {error.strerror}") from error
    return Package(told, lock, lock_name, settings)


def read_settings(file: Path) -> str:
    """What of an .npmrc is kept. Raises OSError."""
    lines = (line.strip() for line in _bytes(file).decode("utf-8", "replace").splitlines())
    return "\n".join(line for line in lines if line.partition("=")[0].strip() in _SETTINGS)


def _bytes(file: Path, limit: int = _MAX) -> bytes:
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", file.name)
        content = opened.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", file.name)
    return content


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _flags(script: str, port: int) -> str:
    """What to add to a script so that it listens on the port; nothing where it is not one plain command."""
    if _COMPOUND.search(script):
        return ""
    words = [word for word in script.split() if "=" not in word or word.startswith("-")]
    while words and words[0] in ("npx", "cross-env", "exec", "--yes", "-y"):
        words.pop(0)
    program = words[0] if words else ""
    flags = _FLAGS.get(program)
    subcommand = words[1] if len(words) > 1 and not words[1].startswith("-") else ""
    if flags is None or (program in _SERVING and subcommand not in _SERVING[program]):
        return ""
    return " " + flags.format(port=port)
