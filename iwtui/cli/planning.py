"""A new run: its name, its plan and the programs it is played with."""

import platform
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from iwtui.bench.case import Case
from iwtui.bench.judges import judge_and_model
from iwtui.bench.names import slug
from iwtui.bench.plan import Plan, Roles
from iwtui.bench.settings import Settings
from iwtui.bench.terms import Terms
from iwtui.engine.prompts import hashes
from iwtui.web.chromium import Chromium
from iwtui.web.grounds import Grounds


def new_plan(
    pack: str,
    cases: Sequence[Case],
    builders: Sequence[str],
    roles: Roles,
    repeats: int,
    chromium: Chromium,
    settings: Settings = Settings(),  # noqa: B008 - immutable
    terms: Terms = Terms(),  # noqa: B008 - immutable
    grounds: Grounds | None = None,
    second_sweep: bool = False,
) -> Plan:
    """The plan of a run that begins now. `grounds`: what its sites are served with."""
    node = grounds.node if grounds else None
    return Plan(
        run=f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{slug(pack)}-{secrets.token_hex(2)}",
        pack=pack,
        builders=tuple(builders),
        roles=roles,
        case_ids=tuple(case.id for case in cases),
        repeats=repeats,
        created=time.time(),
        primary_judge=judge_and_model(roles.judge)[0],
        sandbox=grounds.sandbox.name if grounds else "none",
        prompts=hashes(),
        versions={
            "iwtui": version("iwtui"),
            "python": platform.python_version(),
            "litellm": version("litellm"),
            "playwright": version("playwright"),
            "chromium": chromium.version,
            **({"node": node.version, "npm": node.npm_version} if node else {}),
        },
        settings=settings.whole(),
        terms=terms,
        second_sweep=second_sweep,
    )
