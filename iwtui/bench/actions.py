"""What a builder did with its message: one action, and everything else that stood there."""

from enum import StrEnum

import msgspec

from iwtui.bench.events import Oddity


class ActionKind(StrEnum):
    """The four actions of the benchmark; `malformed` is a message without a whole one."""

    CLARIFY = "clarify"
    IMPLEMENT = "implement"
    VERIFY = "verify"
    SUBMIT = "submit"
    MALFORMED = "malformed"


class Odd(StrEnum):
    """The kinds of `Oddity` that the parser notes. Each but `cut`, `broken` and `dropped` leaves the action in force.

    `bare`: a file or command outside any artifact. `broken`: a tag without its end. `cdata`: a CDATA section, unwrapped.
    `cut`: the message ends within this. `dropped`: stood beside an action that wins over it. `empty`: a question, command
    or artifact with nothing in it. `escaped`: a file written with `&lt;` for each `<`, unescaped. `fence`: a code fence
    around a whole file, taken off. `fenced code`: code in the chat, not in an artifact. `more`: further oddities, counted.
    `no path`: a file without a usable path. `path`: no address in a Verify. `self-closing`: a tag that ends with `/>`.
    `stray`: a closing tag that closes nothing. `surrogate`: half a character, now U+FFFD. `tag in content`: tags of ours
    quoted in a file, kept as its text. `think`: think tags that do not pair. `twice`: two files with one path, the last
    counts. `unclosed`: ended by the next tag, not by its own. `unknown action`: a type that the benchmark does not have.
    """

    BARE = "bare"
    BROKEN = "broken"
    CDATA = "cdata"
    CUT = "cut"
    DROPPED = "dropped"
    EMPTY = "empty"
    ESCAPED = "escaped"
    FENCE = "fence"
    FENCED_CODE = "fenced code"
    MORE = "more"
    NO_PATH = "no path"
    PATH = "path"
    SELF_CLOSING = "self-closing"
    STRAY = "stray"
    SURROGATE = "surrogate"
    TAG_IN_CONTENT = "tag in content"
    THINK = "think"
    TWICE = "twice"
    UNCLOSED = "unclosed"
    UNKNOWN_ACTION = "unknown action"


class SourceFile(msgspec.Struct, frozen=True):
    """A file as the builder wrote it; the path is only recorded here and confined by whoever writes it.

    `elided`: a comment in it seems to stand for code that was left out.
    """

    path: str
    content: str
    elided: bool = False


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    """One message, read.

    `stood`: the kinds of all whole actions in order, a file or a command being an `implement` (the first 200).
    `files`, `commands`: what to write and run; empty beside a winning question. `path`: "/" unless a Verify names another.
    `reasoning`: the think text. `prose`: what stands outside all tags. `truncated`: the message hit the output limit or
    ends inside something; what it was cut in is not part of `files`.
    """

    action: ActionKind
    question: str = ""
    files: tuple[SourceFile, ...] = ()
    commands: tuple[str, ...] = ()
    path: str = "/"
    criteria: str = ""
    reasoning: str = ""
    prose: str = ""
    stood: tuple[str, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    truncated: bool = False
