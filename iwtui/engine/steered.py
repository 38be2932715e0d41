"""The models as one episode reaches them: held while the episode is held, and taking no seat in the browser meanwhile."""

from iwtui.bench.settings import Settings
from iwtui.engine.steering import Reins
from iwtui.models.call import Call, Listener, Models, Reply
from iwtui.web.seats import lent


class SteeredModels:
    """Passes calls on to those who answer them (a `models.call.Models` itself)."""

    def __init__(self, inner: Models, reins: Reins) -> None:
        self._inner = inner
        self._reins = reins

    @property
    def settings(self) -> Settings:
        return self._inner.settings

    async def ask(self, call: Call, listener: Listener) -> Reply:
        """Raises ModelFaultError, BudgetSpentError, EpisodeCancelledError, EpisodeLeftError."""
        async with lent():
            await self._reins.come_by()
            return await self._inner.ask(call, listener)
