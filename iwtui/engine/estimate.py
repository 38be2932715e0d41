"""Before a run: how many calls it may take and what they may cost, at least and at most."""

from collections.abc import Mapping, Sequence

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.plan import NO_MODEL, Roles, is_scripted
from iwtui.bench.settings import Settings
from iwtui.bench.weights import LIMITS, Limits
from iwtui.models.pace import CHARS_A_TOKEN, PICTURE_TOKENS
from iwtui.models.prices import Price

BUILDER_PROMPT = 400
"""Tokens of the builder's system prompt, at least."""

FEEDBACK = 1_000
"""Tokens that a builder is told after a turn, without pictures, at most."""

PICTURES = 3

CLIENT_CALLS = 3
"""Of one answer: two to pick the facts, for the first may be unreadable, and one to put them into words."""

CLOSING_WORD = 1
"""The judge's last call of a sweep: on the slots that it said nothing about."""

INPUT = {"client": 6_000, "copilot": 12_000, "judge": 60_000, "intent": 60_000, "visual": 12_000}
"""Tokens of one request of a role, at most."""

ANSWER = 4_096
"""Tokens of one answer of a role but the builder's, at most, where its settings set no max_tokens."""


class Range(msgspec.Struct, frozen=True):
    """The least and the most."""

    least: float = 0
    most: float = 0

    def plus(self, other: "Range", times: int = 1) -> "Range":
        """Both of them, the other so many times."""
        return Range(self.least + times * other.least, self.most + times * other.most)


class Estimate(msgspec.Struct, frozen=True):
    """`calls` counts calls without those made again after a fault; `cost` (US dollars) is that of the priced models alone.

    `unpriced` names the models whose price is not known: what they cost comes on top.
    """

    episodes: int
    calls: Range
    cost: Range
    unpriced: tuple[str, ...]


def estimate(
    cases: Sequence[Case],
    builders: Sequence[str],
    roles: Roles,
    repeats: int,
    settings: Settings,
    prices: Mapping[str, Price | None],
    sweeps: int = 1,
) -> Estimate:
    """Bounds of a whole run; `prices` by model string, as `models.prices.price` tells them. `sweeps` of the judge: 1 or 2.

    The least is an episode that is handed in at once, with no site to judge. The most is one that uses all its turns, each
    with the dearest thing a turn may hold, and with a history as long as it can grow or as the model can read.
    """
    calls, cost = Range(), Range()
    for builder in builders:
        costs = _Costs(builder, roles, settings, prices, sweeps)
        for case in cases:
            calls = calls.plus(costs.calls(LIMITS[case.difficulty]), repeats)
            cost = cost.plus(costs.cost(case), repeats)
    models = {model for model in (*builders, *(getattr(roles, role) for role in INPUT)) if model not in (None, *NO_MODEL)}
    unpriced = sorted(model for model in models if prices.get(model) is None and not is_scripted(model))
    return Estimate(len(cases) * len(builders) * repeats, calls, cost, tuple(unpriced))


class _Costs:
    """Bounds of one episode by a builder."""

    def __init__(
        self, builder: str, roles: Roles, settings: Settings, prices: Mapping[str, Price | None], sweeps: int
    ) -> None:
        self._builder = builder
        self._models = {role: model for role in INPUT if (model := getattr(roles, role)) not in (None, *NO_MODEL)}
        self._settings = settings
        self._prices = prices
        self._sweeps = sweeps

    def calls(self, limits: Limits) -> Range:
        after = sum(self._times(role, limits) for role in ("judge", "intent", "visual") if role in self._models)
        return Range(1, limits.turns * (1 + max(CLIENT_CALLS, limits.verify_steps)) + after)

    def cost(self, case: Case) -> Range:
        limits = LIMITS[case.difficulty]
        after = sum(self._of(role, limits) for role in ("judge", "intent", "visual"))
        turn = max(self._of("client", limits), self._of("copilot", limits))
        return self._built(case, limits.turns).plus(Range(0, limits.turns * turn + after))

    def _built(self, case: Case, turns: int) -> Range:
        """What the builder's own calls cost."""
        price = self._prices.get(self._builder)
        if price is None:
            return Range()
        begin = BUILDER_PROMPT + len(case.instruction) // CHARS_A_TOKEN
        answer = self._answer("builder", self._builder, price)
        most = 0.0
        for turn in range(turns):
            shown = 2 * begin + turn * (answer + FEEDBACK) + PICTURES * PICTURE_TOKENS
            most += min(shown, price.context or shown) * price.input + answer * price.output
        return Range(begin * price.input + price.output, most)

    def _of(self, role: str, limits: Limits) -> float:
        """What a role's calls cost at most: for the client and the copilot in one turn, for the others in an episode."""
        model = self._models.get(role)
        price = self._prices.get(model) if model is not None else None
        if model is None or price is None:
            return 0.0
        shown = min(INPUT[role], price.context or INPUT[role])
        return self._times(role, limits) * (shown * price.input + self._answer(role, model, price) * price.output)

    def _answer(self, role: str, model: str, price: Price) -> int:
        parameters = self._settings.of(role, model).parameters
        most = parameters.get("max_completion_tokens") or parameters.get("max_tokens") or ANSWER
        return min(int(most), price.output_limit or int(most))

    def _times(self, role: str, limits: Limits) -> int:
        judge = self._sweeps * (limits.judge_steps + CLOSING_WORD)
        return {"client": CLIENT_CALLS, "copilot": limits.verify_steps, "judge": judge}.get(role, 1)
