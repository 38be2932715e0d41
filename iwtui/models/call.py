"""A call of a role's model: what is asked, what is answered, and what is told meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from iwtui.bench.settings import Settings
from iwtui.models.errors import ModelFaultError


class Reply(msgspec.Struct, frozen=True):
    """What a model answered. `cost` is in US dollars; it and the tokens are None when nobody can tell.

    `replayed`: it came from the record of an earlier call, so nothing was spent.
    """

    text: str
    reasoning: str
    finish_reason: str | None
    answered_by: str | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float
    replayed: bool = False


@dataclass(frozen=True, kw_only=True)
class Call:
    """`ordinal` counts the role's calls in the builder's turn `turn`. `messages` are as the OpenAI protocol has them.

    `parameters` are LiteLLM's, for what the settings of the role and the model leave open (None: nothing is said), and
    `schema`, a JSON schema for the answer.
    """

    role: str
    model: str
    messages: Sequence[Mapping[str, Any]]
    turn: int = 0
    ordinal: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)


class Listener:
    """Is told what happens during a call. This one does not listen."""

    def wrote(self, text: str) -> None:
        """The next piece of the answer."""

    def thought(self, text: str) -> None:
        """The next piece of the model's reasoning."""

    def silent(self, seconds: float) -> None:
        """Nothing has come for so long; told every second."""

    def waits(self, why: str, seconds: float) -> None:
        """The call is held back for so many seconds."""

    def failed(self, fault: ModelFaultError, attempt: int, wait: float) -> None:
        """An attempt (from 1) failed; another follows in `wait` seconds."""

    def diverged(self, text: str) -> None:
        """A replayed call was asked something else than its record; told once."""


class Models(Protocol):
    """Whoever answers calls: the gateway, or the record of an earlier episode."""

    @property
    def settings(self) -> Settings: ...

    async def ask(self, call: Call, listener: Listener) -> Reply:
        """The answer. Raises ModelFaultError, BudgetSpentError."""
        ...
