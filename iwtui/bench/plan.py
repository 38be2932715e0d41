"""What a run was asked to play, and with what: the content of its run.json."""

from collections.abc import Iterator, Sequence

import msgspec

from iwtui.bench.case import Case
from iwtui.bench.judges import judge_and_model
from iwtui.bench.settings import ROLES, Settings
from iwtui.bench.terms import Terms

SCRIPTED = "scripted/"
"""Model strings that begin so are played by the scripted provider; their results are labelled so."""


NO_MODEL = frozenset({"checks"})
"""Judges that ask no model."""


class Roles(msgspec.Struct, frozen=True, omit_defaults=True):
    """A LiteLLM model string for each role but the builders. `judge` may name a judge without a model: `checks`.

    `intent` and `visual` judge beside it, when they are set.
    """

    copilot: str
    client: str
    judge: str = "checks"
    intent: str | None = None
    visual: str | None = None


class Plan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`kind` is run, replay, fork or import; `replays` names the run whose record answers the calls of a replay.

    `forks` names the episode that a fork goes on from; `recorded`: its calls are answered from that episode's record.
    `versions` names the programs it was played with, `prompts` the prompts' hashes.
    `settings` says how the models are called; it holds no key. `terms` are the client's. `second_sweep`: whether the
    primary judge, a voyager, goes and looks at the slots that it never looked at.
    """

    run: str
    kind: str = "run"
    pack: str
    builders: tuple[str, ...]
    roles: Roles
    case_ids: tuple[str, ...]
    repeats: int = 1
    created: float
    primary_judge: str = "checks"
    outside: str = "block"
    sandbox: str = "none"
    prompts: dict[str, str] = {}
    versions: dict[str, str] = {}
    settings: Settings = Settings()
    replays: str | None = None
    terms: Terms = Terms()
    second_sweep: bool = False
    forks: str | None = None
    recorded: bool = False

    @property
    def asks_nobody(self) -> bool:
        """Whether every call is answered from a record."""
        return self.replays is not None or self.recorded

    @property
    def primary_model(self) -> str | None:
        """The model of the primary judge; None for a judge without one, or when the role `judge` names another judge."""
        judge, model = judge_and_model(self.roles.judge)
        return model if judge == self.primary_judge else None

    @property
    def scripted(self) -> bool:
        """Whether any role is played by a script."""
        return any(is_scripted(model) for _, model in self.models)

    @property
    def models(self) -> tuple[tuple[str, str], ...]:
        """Each role with a model that plays it; the builders first. A judge without a model is left out."""
        others = ((role, getattr(self.roles, role)) for role in ROLES if role != "builder")
        played = [(role, model) for role, model in others if model is not None and model not in NO_MODEL]
        return (*(("builder", builder) for builder in self.builders), *played)


class Planned(msgspec.Struct, frozen=True):
    """One episode that the run is to play."""

    case: Case
    builder: str
    repeat: int


def is_scripted(model: str) -> bool:
    """Whether a model string stands for a script."""
    return model.startswith(SCRIPTED)


def planned(plan: Plan, cases: Sequence[Case]) -> Iterator[Planned]:
    """Every episode of the run: repeats outermost, then cases, then builders, so that early results compare builders."""
    for repeat in range(1, plan.repeats + 1):
        for case in cases:
            for builder in plan.builders:
                yield Planned(case, builder, repeat)
