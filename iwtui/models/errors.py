"""A model call that gave no usable answer: what kind of fault it was, in words fit to be stored and shown."""

import os
import re
from collections.abc import Iterable

from iwtui.bench.text import one_line
from iwtui.models.retry_after import retry_after

MAX_MESSAGE = 600
"""Characters of a fault's message that are kept."""

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_SECRET_SHAPES = (
    re.compile(r"(?i)(?<=bearer )[\w.~+/=-]{6,}"),
    re.compile(
        r"(?i)((?:api[-_ ]?key|access[-_ ]?token|authorization|secret|password)['\"]?\s*[:=]\s*['\"]?)[^\s'\",;)}]{6,}"
    ),
    re.compile(r"\b(?:sk|pk|rk|xai|gsk|hf|ghp|gho|glpat|AIza|ya29|AKIA)[-_]?[\w*.-]{8,}"),
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"),
    re.compile(r"(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"),
)
_HIDDEN = "[key]"
_SHORTEST_SECRET = 8
_SHORTEST_IN_TEXT = 16
"""A shorter value of the environment may be an ordinary word; in a model's own text it stays."""

_OVERFLOW = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long|input is too long"
    r"|input (?:token count|length|tokens?).{0,60}exceed|(?:prompt|request|input).{0,40}(?:too large|too long)"
    r"|exceeds?.{0,40}(?:token|context).{0,20}(?:limit|length|window)|reduce the length of the (?:messages|prompt)",
    re.IGNORECASE | re.DOTALL,
)
_NO_CONNECTION = re.compile(
    r"connection error|connection refused|connect call failed|cannot connect|connection reset|server disconnected"
    r"|name or service not known|name resolution|getaddrinfo|network is unreachable"
    r"|incomplete chunked read|payload is not completed",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"missing credentials|missing .{0,40}\bapi key\b|no api key|api[_ ]key .{0,40}must be set", re.IGNORECASE
)
"""How the library says, as if a server had, that it found no key to send."""

_LIBRARY = re.compile(r"^litellm\.\w+: (?:\w+Error: )?(?:\w+Exception(?: \w+)? - )?")
_TRACE = "\nTraceback (most recent call last)"
"""What the library puts around a provider's own words."""

_SPENT = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|credit balance is too low|insufficient (?:balance|credits|funds)"
    r"|billing (?:hard )?limit",
    re.IGNORECASE,
)
_BY_STATUS = {
    401: "authentication",
    402: "quota",
    403: "authentication",
    407: "authentication",
    408: "timeout",
    429: "rate limit",
}


class ModelFaultError(Exception):
    """A model call failed, or its answer was empty.

    `kind` is one of `timeout` (the whole call took too long), `stalled` (no token came for too long), `rate limit`, `quota`
    (the account has no money left), `context overflow`, `authentication`, `refused request`, `server`, `connection`,
    `empty`, `too long`, `record ended` (of a replay), `stopped` (by a person), or a role's own, such as `unreadable`.

    `message` holds no key; `status` is the HTTP status, where there was one; `seconds` is how long the call took. The tokens
    are those that were spent, where the provider told; so is the cost (US dollars), which is 0 where a request was refused
    before any answer. `finish_reason` is that of an answer that was empty. `retry_after`: seconds the provider asks to wait.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        status: int | None = None,
        seconds: float = 0.0,
        *,
        tokens_in: int | None = None,
        tokens_out: int | None = None,
        cost: float | None = None,
        finish_reason: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
        self.status = status
        self.seconds = seconds
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out
        self.cost = cost
        self.finish_reason = finish_reason
        self.retry_after = retry_after


def redacted(text: str, secrets: tuple[str, ...] = ()) -> str:
    """The text on one line, bounded, without keys: those given, those of the environment, and what looks like one."""
    for secret in sorted({*secrets, *_environment_secrets()}, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _HIDDEN)
    text = text[: 20 * MAX_MESSAGE]
    for shape in _SECRET_SHAPES:
        text = shape.sub(lambda found: (found[1] if found.re.groups else "") + _HIDDEN, text)
    return one_line(text, MAX_MESSAGE)


class Veil:
    """Hides the keys given and those of the environment in a model's own text, which otherwise stays as it is."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        long = [secret for secret in _environment_secrets() if len(secret) >= _SHORTEST_IN_TEXT]
        known = {secret for secret in (*given, *long) if len(secret) >= _SHORTEST_SECRET}
        self._secrets = sorted(known, key=len, reverse=True)

    def hide(self, text: str) -> str:
        """The text without them."""
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        return text

    def begun(self, text: str) -> int:
        """How many characters at the text's end may be the beginning of a key."""
        longest = min(len(text), len(self._secrets[0]) - 1) if self._secrets else 0
        return next((n for n in range(longest, 0, -1) if any(s.startswith(text[-n:]) for s in self._secrets)), 0)


def fault_of(error: Exception, seconds: float, secrets: tuple[str, ...] = ()) -> ModelFaultError:
    """The fault that an exception of the model library stands for.

    Told by the HTTP status and the wording, never by the class: a failure in the middle of a stream comes as another class.
    """
    text = str(error)
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    kind = _kind(type(error).__name__, text, status)
    refused = kind == "authentication" or (status is not None and 400 <= status < 500)
    return ModelFaultError(
        kind,
        redacted(_LIBRARY.sub("", text).partition(_TRACE)[0], secrets),
        status,
        seconds,
        cost=0.0 if refused else None,
        retry_after=retry_after(error),
    )


def _kind(name: str, text: str, status: int | None) -> str:
    if _OVERFLOW.search(text) and status not in (401, 403, 429):
        return "context overflow"
    if status in (429, 403) and _SPENT.search(text):
        return "quota"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if _NO_KEY.search(text):
        return "authentication"
    if status is not None and 400 <= status < 500:
        return "refused request"
    if "Connect" in name or _NO_CONNECTION.search(text):
        return "connection"
    return "server"


def _environment_secrets() -> list[str]:
    return [value for name, value in os.environ.items() if _SECRET_NAME.search(name)]
