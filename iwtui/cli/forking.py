"""Making a fork: a run of its own with the part of an episode that is kept, to be played on in another way."""

import secrets
import time

import msgspec

from iwtui.archive.log import read_log
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import EpisodeForked, EpisodeStarted, GivenFile
from iwtui.bench.forks import ForkError, Prefix, Way, prefix
from iwtui.bench.judges import judge_and_model
from iwtui.bench.longtext import keep
from iwtui.bench.names import EpisodeName, episode_name, slug
from iwtui.bench.plan import Plan, Roles, is_scripted


class Wanted(msgspec.Struct, frozen=True):
    """A fork as it is asked for. `text`: the question or answer that is put in, or the new rules; `files`: (path, content).

    `builder`: who plays on, None for the parent's. `recorded`: all calls are answered from the parent's record.
    """

    turn: int
    way: Way = Way.AGAIN
    text: str = ""
    files: tuple[tuple[str, bytes], ...] = ()
    builder: str | None = None
    recorded: bool = False


def fork_of(store: Store, parent: EpisodeName, wanted: Wanted, roles: Roles, programs: Plan) -> RunFolder:
    """A new run with the fork in it, as far as it is inherited; to be played on as an unfinished run is.

    `roles` play in it; `programs` is a plan that says what it is played with today. Raises ForkError, RunBrokenError.
    """
    folder = store.run(parent.run)
    case = folder.case_of(parent)
    if case is None or not case.facts:
        raise ForkError(f"the case of {parent} is lost, or what its client knows is; nobody could play on")
    kept = prefix((record for _, record in read_log(folder.episode_log(parent))), wanted.turn, wanted.way)
    started = next((record.event for record in kept.records if isinstance(record.event, EpisodeStarted)), None)
    if started is None:
        raise ForkError(f"the log of {parent} does not say how it was begun")
    builder = wanted.builder or builder_of(store, parent)
    plan = msgspec.structs.replace(
        folder.plan,
        run=f"{parent.run[:120]}-fork-{secrets.token_hex(2)}",
        kind="fork",
        forks=str(parent),
        recorded=wanted.recorded,
        replays=None,
        builders=(builder,),
        case_ids=(case.id,),
        repeats=1,
        created=time.time(),
        roles=roles,
        primary_judge=judge_and_model(roles.judge)[0],
        prompts=programs.prompts,
        versions=programs.versions,
        sandbox=programs.sandbox,
    )
    models = {"builder": builder, "copilot": roles.copilot, "client": roles.client}
    changed = msgspec.structs.replace(
        started,
        builder=builder,
        models=models,
        repeat=1,
        attempt=1,
        scripted=any(is_scripted(model) for model in models.values()),
        system=keep(store.blobs, wanted.text) if wanted.way is Way.PROMPT else started.system,
    )
    name = episode_name(plan.run, case.id, builder, 1, 1)
    first = _first(store, parent, wanted, kept)
    return store.create_run(plan, [case], lambda folder: _write(folder, name, first, kept, changed))


def builder_of(store: Store, episode: EpisodeName) -> str:
    """The model string of an episode's builder, of which its name has the letters that a file may bear."""
    fitting = (one for one in store.run(episode.run).plan.builders if slug(one, dots=True) == episode.builder)
    return next(fitting, episode.builder)


def begin_again(folder: RunFolder, earlier: EpisodeName, name: EpisodeName) -> None:
    """Another attempt at a fork begins with what the first one was given."""
    records = [record for _, record in read_log(folder.episode_log(earlier))]
    first = records[0].event if records else None
    if not isinstance(first, EpisodeForked):
        raise ForkError(f"the log of {earlier} does not begin as that of a fork")
    started = records[1].event
    assert isinstance(started, EpisodeStarted)
    kept = Prefix(tuple(records[1 : first.inherits + 1]), first.kept)
    _write(folder, name, first, kept, msgspec.structs.replace(started, attempt=name.attempt))


def _first(store: Store, parent: EpisodeName, wanted: Wanted, kept: Prefix) -> EpisodeForked:
    return EpisodeForked(
        parent=str(parent),
        at_turn=wanted.turn,
        way=wanted.way.value,
        kept=kept.kept,
        inherits=len(kept.records),
        message=kept.message,
        picture=kept.picture,
        text=keep(store.blobs, wanted.text),
        files=tuple(GivenFile(path, store.blobs.put(content)) for path, content in wanted.files),
    )


def _write(folder: RunFolder, name: EpisodeName, first: EpisodeForked, kept: Prefix, started: EpisodeStarted) -> None:
    """The log's first line, then what is inherited, each event with the time that it had."""
    times = iter([time.time(), *(record.t for record in kept.records)])
    with folder.record_episode(name, clock=lambda: next(times)) as log:
        log.append(first, 0)
        for record in kept.records:
            is_start = isinstance(record.event, EpisodeStarted)
            log.append(started if is_start else record.event, record.turn)  # type: ignore[arg-type]  # no Unknown is kept
