"""A gateway as one episode sees it: held while the episode is held, and taking no seat in the browser meanwhile."""

from collections.abc import Mapping, Sequence
from typing import Any

from iwtui.engine.steering import Reins
from iwtui.models.gateway import Gateway, Reply
from iwtui.web.seats import lent


class SteeredGateway(Gateway):
    """Passes calls on to another gateway."""

    def __init__(self, inner: Gateway, reins: Reins) -> None:
        super().__init__()
        self._inner = inner
        self._reins = reins

    async def call(self, model: str, messages: Sequence[Mapping[str, Any]], **parameters: Any) -> Reply:
        """Raises ModelFaultError, EpisodeCancelledError, EpisodeLeftError."""
        async with lent():
            await self._reins.come_by()
            return await self._inner.call(model, messages, **parameters)
