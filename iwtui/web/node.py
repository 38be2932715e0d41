"""Finding Node and npm, and those of the user's npm settings that a sandbox may know."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

_ANSWER = 10.0
_LINES = {"registry", "proxy", "https-proxy", "noproxy", "cafile", "fetch-retries"}
"""Settings of an .npmrc that tell how to reach the registry; tokens and passwords are none of them."""

_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS")

MISSING = "Node and npm are needed for a site with a package.json, and are not on this machine"
REMEDY = "Debian and Ubuntu: apt install nodejs npm; macOS: brew install node; else https://nodejs.org"


class Node(msgspec.Struct, frozen=True):
    """A Node that answered, and its npm. `npm` is npm's own script, to be run by `executable`."""

    executable: Path
    npm: Path
    version: str
    npm_version: str

    @property
    def places(self) -> tuple[Path, ...]:
        """Folders outside /usr that hold the two: a sandbox has to show them."""
        folders = {self.executable.parent.parent, self.npm.parent.parent}
        return tuple(sorted(folder for folder in folders if not folder.is_relative_to("/usr")))

    @property
    def major(self) -> str:
        return self.version.removeprefix("v").partition(".")[0]


def find() -> Node | None:
    """The Node and npm on the PATH; None when either lacks or does not answer."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = _answer([node, "-p", "process.execPath + '\\n' + process.version"]).split("\n")
    if len(said) != 2:
        return None
    executable = Path(said[0])
    # Version managers put a program of their own in npm's place; the real one stands beside Node.
    beside = executable.parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
    script = next((path for path in (Path(npm).resolve(), beside) if path.suffix == ".js" and path.is_file()), None)
    if script is None:
        return None
    told = msgspec.json.decode((script.parent.parent / "package.json").read_bytes(), type=dict[str, object])
    return Node(executable, script, said[1], str(told.get("version", "")))


def network_settings(environ: Mapping[str, str], home: Path, node: Node) -> dict[str, str]:
    """The environment with which npm reaches the registry as the user's own would; no address with a password."""
    settings = {name: environ[name] for name in _VARIABLES if environ.get(name)}
    for file in (node.executable.parent.parent / "etc/npmrc", home / ".npmrc"):
        settings |= {_variable(name): value for name, value in _lines(file)}
    settings |= {name: environ[name] for name in map(_variable, _LINES) if environ.get(name)}
    return {name: value for name, value in settings.items() if not _secret(value)}


def certificates(settings: Mapping[str, str]) -> tuple[Path, ...]:
    """Files that the settings name and that a sandbox has to show."""
    named = (settings.get("NODE_EXTRA_CA_CERTS"), settings.get("npm_config_cafile"))
    return tuple(sorted({Path(name) for name in named if name and Path(name).is_file()}))


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if name.strip() in _LINES and "${" not in value:
            yield name.strip(), value.strip().strip("\"'")


def _variable(name: str) -> str:
    return f"npm_config_{name.replace('-', '_')}"


def _secret(value: str) -> bool:
    return "://" in value and "@" in urlsplit(value).netloc


def _answer(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_ANSWER, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def path_of(node: Node) -> str:
    """The PATH of a sandbox: the project's own programs, Node, the system's."""
    folders = dict.fromkeys((str(node.executable.parent), "/usr/local/bin", "/usr/bin", "/bin"))
    return os.pathsep.join(["node_modules/.bin", *folders])
