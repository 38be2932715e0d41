"""Playing a run again from its record: the same cases, builders and settings, and not one request to a model."""

import secrets
import time
from collections.abc import Callable, Iterator

import msgspec

from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import ModelCalled
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.bench.plan import Plan
from iwtui.engine.pool import Assignment
from iwtui.models.call import Models
from iwtui.models.recorded import Recorded, calls_of


def replay_of(store: Store, parent: RunFolder, programs: Plan) -> RunFolder:
    """A new run that replays another; `programs` is a plan that says what it is played with today."""
    plan = msgspec.structs.replace(
        parent.plan,
        run=f"{parent.name[:150]}-replay-{secrets.token_hex(2)}",
        kind="replay",
        replays=parent.name,
        created=time.time(),
        prompts=programs.prompts,
        versions=programs.versions,
        sandbox=programs.sandbox,
    )
    return store.create_run(plan, [parent.cases[case_id] for case_id in plan.case_ids])


def models_of(store: Store, plan: Plan, shared: Models) -> Callable[[Assignment], Models]:
    """Who answers the calls of an episode: the record of the run that is replayed, or of the episode that is forked, else
    those that all episodes share.

    Raises RunMissingError when that run is gone.
    """
    if plan.recorded and plan.forks is not None:
        return _of_parent(store, plan, plan.forks)
    if plan.replays is None:
        return lambda _: shared
    parent = store.run(plan.replays)

    def recorded(assignment: Assignment) -> Models:
        attempts = parent.attempts(assignment.case.id, assignment.builder, assignment.repeat)
        calls = list(_calls(parent, attempts[-1])) if attempts else []
        return Recorded(calls, parent.blobs, plan.settings)

    return recorded


def _of_parent(store: Store, plan: Plan, parent: str) -> Callable[[Assignment], Models]:
    run, _, stem = parent.partition("/")
    name, folder = parse_stem(run, stem), store.run(run)
    calls = list(_calls(folder, name)) if name else []
    return lambda _: Recorded(calls, folder.blobs, plan.settings)


def _calls(parent: RunFolder, name: EpisodeName) -> Iterator[tuple[int, ModelCalled]]:
    """Those of the episode, and those of its judgings, of which the later ones count."""
    yield from calls_of(parent.fold_episode(name))
    for judging in parent.judgings(name):
        for _, record in read_log(parent.judging_log(name, judging)):
            if isinstance(record.event, ModelCalled):
                yield record.turn, record.event
