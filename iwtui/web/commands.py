"""The shell lines of a builder, taken apart: what npm is to install, what is ours to start, and the rest."""

import shlex
from collections.abc import Iterator

import msgspec

from iwtui.web.workspace import HOME

OURS = "the site is served for you: the server is started after the files are written"
INSTALLED = "what package.json names is installed for you before the site is started"
GLOBAL = "nothing is installed outside the project"

_ADD = {
    "npm": {"install", "i", "in", "add", "ci"},
    "pnpm": {"add", "install", "i"},
    "yarn": {"add", "install"},
    "bun": {"add", "install"},
}
_REMOVE = {"uninstall", "remove", "rm", "un", "unlink"}
_KEPT_FLAGS = {
    *("-D", "--save-dev", "-S", "--save", "-P", "--save-prod", "-E", "--save-exact", "-O", "--save-optional", "-d", "--dev"),
    *("--legacy-peer-deps", "--force", "-f"),
}
_AS_NPM = {"-d": "--save-dev", "--dev": "--save-dev"}
_GLOBAL = {"-g", "--global"}
_SERVING = {"dev", "start", "serve", "preview"}
_SERVERS = {"vite", "serve", "http-server", "live-server", "nodemon", "webpack-dev-server"}
_SUBCOMMANDS = {"next": {"dev", "start"}, "astro": {"dev", "preview"}, "nuxt": {"dev", "preview"}, "ng": {"serve"}}


class Step(msgspec.Struct, frozen=True):
    """One command. `npm`: arguments for npm, which may use the network; else `refused`: why it is not run; else a shell
    line without a network. `needs_last`: only when the one before it went well (`&&`)."""

    line: str
    npm: tuple[str, ...] = ()
    refused: str = ""
    needs_last: bool = False


def steps(text: str) -> list[Step]:
    """The commands of a shell action, in order."""
    parts = [(part, chained) for part, chained in _parts(text) if not _goes_nowhere(part)]
    if any(_words(part)[:1] == ["cd"] for part, _ in parts):
        return [Step(text.strip())]  # where the later ones are run depends on it
    return [_step(part, chained) for part, chained in parts]


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The commands between `&&`, `;`, a single `&` and line ends that are not quoted, and whether `&&` came before."""
    quote, begun, place, chained = "", 0, 0, False
    while place < len(text):
        char = text[place]
        if char == "\\" and quote != "'":
            place += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char in ";\n" or (
            char == "&" and text[place - 1 : place] not in (">", "<") and text[place + 1 : place + 2] != ">"
        ):
            width = 2 if text[place : place + 2] == "&&" else 1
            if part := text[begun:place].strip():
                yield part, chained
            chained = width == 2
            place += width
            begun = place
            continue
        place += 1
    if part := text[begun:].strip():
        yield part, chained


def _step(line: str, chained: bool) -> Step:
    words = [word for word in _words(line) if "=" not in word or word.startswith(("-", "@"))]
    program, rest = (words[0], words[1:]) if words else ("", [])
    if program in ("npx", "bunx") and rest:
        program, rest = rest[0], rest[1:]
    sub = rest[0] if rest else ""
    if program in _ADD:
        if sub in _ADD[program] or (program == "yarn" and not sub):
            return _install(line, rest[1:], chained)
        if sub in _REMOVE:
            return Step(line, npm=("uninstall", *_plain(rest[1:])), needs_last=chained)
        script = rest[1] if sub in ("run", "run-script") and len(rest) > 1 else sub
        if script in _SERVING:
            return Step(line, refused=OURS, needs_last=chained)
    if (program in _SERVERS and (program != "vite" or sub != "build")) or sub in _SUBCOMMANDS.get(program, ()):
        return Step(line, refused=OURS, needs_last=chained)
    return Step(line, needs_last=chained)


def _install(line: str, arguments: list[str], chained: bool) -> Step:
    if _GLOBAL.intersection(arguments):
        return Step(line, refused=GLOBAL, needs_last=chained)
    names = _plain(arguments)
    if not names:
        return Step(line, refused=INSTALLED, needs_last=chained)
    flags = [_AS_NPM.get(flag, flag) for flag in arguments if flag in _KEPT_FLAGS]
    return Step(line, npm=("install", *flags, "--", *names), needs_last=chained)


def _plain(arguments: list[str]) -> list[str]:
    return [argument for argument in arguments if not argument.startswith("-")]


def _goes_nowhere(part: str) -> bool:
    words = _words(part)
    return words[:1] == ["#"] or (len(words) == 2 and words[0] == "cd" and words[1].rstrip("/") in (".", HOME))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return []
