"""Judges by name and model."""

from iwtui.bench.judges import CHECKS, INTENT, JUDGES, VISUAL, VOYAGER, judge_and_model
from iwtui.bench.plan import Roles
from iwtui.judges.base import Judge
from iwtui.judges.checks import ChecksJudge
from iwtui.judges.intent import IntentJudge
from iwtui.judges.visual import VisualJudge
from iwtui.judges.voyager import VoyagerJudge


def make_judge(name: str, model: str | None = None, second_sweep: bool = False) -> Judge:
    """The judge of that name. Raises ValueError for a name or a model that does not fit."""
    if name == CHECKS:
        if model:
            raise ValueError("the judge `checks` has no model")
        return ChecksJudge()
    if name not in JUDGES:
        raise ValueError(f"no judge {name!r}; there is {', '.join(JUDGES)}")
    if not model:
        raise ValueError(f"the judge `{name}` needs a model")
    if name == VOYAGER:
        return VoyagerJudge(model, second_sweep)
    return IntentJudge(model) if name == INTENT else VisualJudge(model)


def primary(roles: Roles, second_sweep: bool = False) -> Judge:
    """The judge whose score is the episode's: the one that the role `judge` names. Raises ValueError."""
    name, model = judge_and_model(roles.judge)
    if name in (INTENT, VISUAL):
        raise ValueError(f"the judge `{name}` gives no verdicts on slots and cannot be primary")
    return make_judge(name, model, second_sweep)


def beside(roles: Roles) -> tuple[Judge, ...]:
    """The judges that measure the whole episode, as far as their roles are set."""
    given = ((INTENT, roles.intent), (VISUAL, roles.visual))
    return tuple(make_judge(name, model) for name, model in given if model)
