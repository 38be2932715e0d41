"""What happens around a page: dialogs, console, requests that lead outside, tabs, downloads. Recorded, within bounds."""

from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec
from playwright.async_api import BrowserContext, ConsoleMessage, Dialog, Download, Page, Request, WebError, WebSocket
from playwright.async_api import Error as PlaywrightError

from iwtui.bench import events

MAX_LINES = 12
MAX_BYTES = 2_000
"""Of one list that is drained, as JSON: four of them must fit on a line of the log."""
_TEXT = 240
_MAX_KEPT = 200
_MUTED = 2_000
"""Console messages between two drains, after which the page is not listened to."""

_PROMPTED = "test input"
_LOUD = ("error", "warning", "assert")
_WALL = "ERR_PROXY_CONNECTION_FAILED"
"""How the console tells of a request that is in the list of blocked ones already."""
_ICON = "/favicon.ico"
"""Asked for by the browser, not by the site."""
_LOCAL = ("data", "blob", "about", "")


class Seen(msgspec.Struct, frozen=True):
    """What happened since it was last asked for."""

    dialogs: tuple[events.Dialog, ...] = ()
    console: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Watch:
    """Listens to a browser context. Nothing outside `origin` can be reached, so a request that leads there is blocked."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self._context = context
        self._origin = origin
        self._dialogs: list[events.Dialog] = []
        self._console: list[str] = []
        self._blocked: dict[str, None] = {}
        self._notes: list[str] = []
        self._heard = 0
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        context.on("dialog", self._on_dialog)

    def attach(self, page: Page) -> None:
        """Listen also to what only a page itself tells."""
        page.on("download", self._on_download)
        page.on("websocket", self._on_websocket)

    def note(self, text: str) -> None:
        """Record something that a reader should know, once."""
        if _cut(text) not in self._notes:
            _keep(self._notes, text)

    def drain(self) -> Seen:
        """Everything since the last call, each list and text cut to its bounds (and saying so)."""
        if self._heard > _MUTED:
            self._context.on("console", self._on_console)
        seen = Seen(_few(self._dialogs), _lines(self._console), _lines(self._blocked), _lines(self._notes))
        self._dialogs, self._console, self._blocked, self._notes, self._heard = [], [], {}, [], 0
        return seen

    def _outside(self, url: str) -> bool:
        parts = urlsplit(url)
        if parts.scheme in _LOCAL:
            return False
        scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
        return f"{scheme}://{parts.netloc}" != self._origin

    def _on_request(self, request: Request) -> None:
        if self._outside(request.url) and len(self._blocked) < _MAX_KEPT:
            self._blocked[_cut(f"{request.method} {request.url}")] = None

    def _on_websocket(self, socket: WebSocket) -> None:
        if self._outside(socket.url) and len(self._blocked) < _MAX_KEPT:
            self._blocked[_cut(f"CONNECT {socket.url}")] = None

    def _on_console(self, message: ConsoleMessage) -> None:
        self._heard += 1
        if self._heard == _MUTED + 1:
            self._context.remove_listener("console", self._on_console)
            self.note(f"more than {_MUTED} console messages: the rest was not heard")
        elif message.type in _LOUD and _WALL not in message.text and not message.location["url"].endswith(_ICON):
            _keep(self._console, f"{message.type}: {message.text}")

    def _on_error(self, error: WebError) -> None:
        _keep(self._console, f"uncaught: {error.error.message}")

    def _on_download(self, download: Download) -> None:
        self.note(f"download refused: {download.suggested_filename}")

    async def _on_dialog(self, dialog: Dialog) -> None:
        answer = _PROMPTED if dialog.type == "prompt" else "accepted"
        if len(self._dialogs) < _MAX_KEPT:
            self._dialogs.append(events.Dialog(dialog.type, _cut(dialog.message), answer))
        try:
            await dialog.accept(_PROMPTED if dialog.type == "prompt" else "")
        except PlaywrightError as error:
            self.note(f"a dialog went before it was answered: {error.message}")


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else text[: _TEXT - 1] + "…"


def _keep(kept: list[str], text: str) -> None:
    if len(kept) < _MAX_KEPT:
        kept.append(_cut(text))


def _size(value: object) -> int:
    return len(msgspec.json.encode(value))


def _lines(kept: Iterable[str]) -> tuple[str, ...]:
    everything, lines, size = list(kept), list[str](), 0
    for text in everything:
        line = text.encode("utf-8", "replace").decode()
        size += _size(line) + 1
        if len(lines) == MAX_LINES or size > MAX_BYTES:
            lines.append(f"… and {len(everything) - len(lines)} more")
            break
        lines.append(line)
    return tuple(lines)


def _few(kept: list[events.Dialog]) -> tuple[events.Dialog, ...]:
    dialogs, size = list[events.Dialog](), 0
    for each in kept:
        dialog = msgspec.structs.replace(each, message=each.message.encode("utf-8", "replace").decode())
        size += _size(dialog) + 1
        if len(dialogs) == MAX_LINES or size > MAX_BYTES:
            dialogs.append(events.Dialog("more", f"… and {len(kept) - len(dialogs)} more", "accepted"))
            break
        dialogs.append(dialog)
    return tuple(dialogs)
