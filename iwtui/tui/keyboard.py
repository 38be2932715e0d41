"""Keys in their order: one that comes while the one before it still takes effect waits for that.

A key goes to what has the focus when it is read, and what it does is done by messages. So of two keys in one write (a quick
typist, a slow line, tmux) the second would go to the list that the first is about to leave.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any

from textual import events
from textual.app import App
from textual.message_pump import MessagePump
from textual.screen import Screen

CLIMBS = 3
"""How often a call climbs from the focus to the application behind a key: first follows the key itself, then the message of
the action that it is bound to, then the message that a container makes of that one."""

LIMIT = 1.0
"""Seconds after which a key is no longer waited for."""

Typed = events.Key | events.Paste


class Keyboard:
    """Delivers what is typed into an application, one after the other."""

    def __init__(self, app: App[Any], deliver: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[Typed] = deque()
        self._last: Typed | None = None
        self._work: object = None
        """What the last one is about; None when it has taken effect."""
        self._since = 0.0
        self._painting = False
        """All that is left of that is to be painted, on the same screen."""

    async def take(self, typed: Typed) -> None:
        """Deliver it now, or when those before it have taken effect."""
        self._waiting.append(typed)
        if self._work is None or (self._painting and self._held) or time.monotonic() - self._since > LIMIT:
            await self._next()

    @property
    def _held(self) -> bool:
        """A key that is held down moves a cursor: that does not wait for each of its moves to be painted."""
        return _key(self._waiting[0]) == _key(self._last) is not None if self._waiting else False

    async def _next(self) -> None:
        self._painting = False
        if not self._waiting:
            self._work = None
            return
        self._last = typed = self._waiting.popleft()
        self._work, self._since = work, _ = object(), time.monotonic()
        screen = self._app.screen
        way = tuple((self._app.focused or screen).ancestors_with_self)
        await self._deliver(typed)
        self._climb(work, screen, chain.from_iterable(repeat(way, CLIMBS)))

    def _climb(self, work: object, screen: Screen[Any], way: Iterator[MessagePump]) -> None:
        """To the next on the way that still takes messages; what was sent there before comes first."""
        if work is self._work and not any(node.call_later(self._climb, work, screen, way) for node in way):
            self._taken(work, screen)

    def _taken(self, work: object, screen: Screen[Any]) -> None:
        """The messages have arrived. A new screen has to stand there, and a focus to be where it was sent to."""
        now = self._app.screen
        self._painting = now is screen
        done = partial(self._app.call_later, self._done, work)
        if (self._painting and self._held) or not now.call_after_refresh(done):
            done()

    async def _done(self, work: object) -> None:
        if work is self._work:
            await self._next()


def _key(typed: Typed | None) -> str | None:
    return typed.key if isinstance(typed, events.Key) else None
