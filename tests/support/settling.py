"""Waiting for a console under test to have painted what it has to paint."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot


def painted(app: App[Any]) -> str:
    """What stands on the screen, line by line."""
    return "\n".join("".join(segment.text for segment in row) for row in app.screen._compositor.render_strips())


async def until(pilot: Pilot[Any], holds: Callable[[], object], limit: float = 30.0) -> None:
    """Waits for it to hold; fails after `limit` seconds."""
    ends = time.monotonic() + limit
    while not holds():
        assert time.monotonic() < ends, f"it did not come to hold:\n{painted(pilot.app)}"
        await pilot.pause(0.02)
    await pilot.pause()


async def settled(pilot: Pilot[Any], still: float = 0.4, limit: float = 30.0) -> None:
    """Waits until nothing works in the background and the same has been painted for `still` seconds."""
    ends = time.monotonic() + limit
    since, before = time.monotonic(), ""
    while time.monotonic() - since < still:
        assert time.monotonic() < ends, "it is never still"
        await asyncio.sleep(0.05)
        await pilot.pause()
        working = any(not worker.is_finished for worker in pilot.app.workers if worker.group not in FOLLOWING)
        now = painted(pilot.app)
        if working or now != before:
            since, before = time.monotonic(), now


FOLLOWING = ("board", "following")
"""Work that never ends."""
