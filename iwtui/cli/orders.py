"""The runner's side of `iwtui pause`, `continue` and `cancel`: what people ask of a run while it is played."""

import asyncio
from collections.abc import Callable

from iwtui.archive.control import Order, new_orders
from iwtui.archive.run_folder import RunFolder
from iwtui.engine.steering import Steering

LOOK_EVERY = 0.5
"""Seconds between two looks for orders."""

BY_PERSON = "a person paused it"


class Orders:
    """Acts on the orders to one run. `say` tells of each."""

    def __init__(self, folder: RunFolder, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say

    def set_old_aside(self) -> None:
        """Orders to a runner that is gone are not for this one. Call it before anybody knows that this one is there."""
        old = new_orders(self._folder)
        for given in old.given:
            given.take()
        for problem in old.problems:
            self._say(problem)

    async def watch(self, steering: Steering) -> None:
        """Act on what is asked, until this task is cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.act(steering)

    def act(self, steering: Steering) -> None:
        """Act on the new orders, each once."""
        try:
            new = new_orders(self._folder)
            for problem in new.problems:
                self._say(problem)
            for given in new.given:
                _carry_out(given.order, steering)
                given.take()
                self._say(_told(given.order))
        except OSError as error:  # a full disk, say; what was not taken is looked at again
            self._say(f"an order to the run could not be carried out: {error}")


def _carry_out(order: Order, steering: Steering) -> None:
    match order.what:
        case "pause":
            steering.pause(BY_PERSON, order.episode)
        case "go on":
            steering.go_on(order.episode)
        case "cancel":
            steering.cancel(order.episode)


def _told(order: Order) -> str:
    what = order.episode or "the run"
    match order.what:
        case "pause":
            return f"{what} is paused before its next model call; `iwtui continue` lets it go on"
        case "go on":
            return f"{what} goes on"
    return f"{what} is cancelled"
