"""The turn loop of one episode: Clarify, Implement, Verify, Submit, until it is handed in or a limit is reached."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from iwtui.bench.actions import ActionKind, Parsed
from iwtui.bench.case import Case
from iwtui.bench.events import (
    ActionChosen,
    Controlled,
    EpisodeEnded,
    EpisodeResumed,
    EpisodeStarted,
    TurnStarted,
)
from iwtui.bench.fold import PERSON, EpisodeState, Message
from iwtui.bench.manifest import Manifest, decode_manifest
from iwtui.bench.parser import parse
from iwtui.bench.plan import Roles, is_scripted
from iwtui.bench.terms import Terms
from iwtui.bench.weights import LIMITS
from iwtui.engine import client, fork, implement, verify
from iwtui.engine.calls import Caller
from iwtui.engine.fork import Given, Next
from iwtui.engine.journal import Journal
from iwtui.engine.prompts import filled
from iwtui.engine.site import AGENT_VIEW, telling
from iwtui.judges.base import Judge
from iwtui.models.budget import BudgetSpentError
from iwtui.models.call import Models
from iwtui.models.errors import ModelFaultError
from iwtui.resources import cache_folder
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError
from iwtui.web.grounds import Grounds
from iwtui.web.site import Site
from iwtui.web.window import Window
from iwtui.web.workspace import Workspace

PICTURES_KEPT = 3
"""As in the official harness: the builder sees the whole text history and its last three pictures."""


@dataclass(frozen=True)
class Stage:
    """What all episodes of a run are played with. `stopping` tells that no further turn may begin.

    `judge` gives the verdicts that count; those `beside` it measure the episode after it.
    """

    gateway: Models
    browser: Browser
    roles: Roles
    judge: Judge
    scratch: Path
    stopping: "Stopping"
    beside: tuple[Judge, ...] = ()
    grounds: Grounds = field(default_factory=lambda: Grounds(cache_folder()))
    terms: Terms = field(default_factory=Terms)


class Stopping:
    """A person asked to stop, or a limit is reached: episodes end at their next whole turn, and can be resumed.

    `why` is the limit's own words, empty when it was a person.
    """

    def __init__(self) -> None:
        self.asked = False
        self.why = ""

    def ask(self, why: str) -> None:
        """Stop for a reason that is not a person's wish."""
        self.asked = True
        self.why = self.why or why


class Play:
    """One episode being played."""

    def __init__(self, case: Case, builder: str, stage: Stage, journal: Journal, workspace: Workspace) -> None:
        self._case = case
        self._stage = stage
        self._journal = journal
        self._workspace = workspace
        self._site = Site(workspace.root, stage.grounds, telling(journal.write, journal.recorder.blobs))
        self._window = Window(stage.browser, *AGENT_VIEW)
        self._manifest: Manifest = {}
        self._models = {"builder": builder, "copilot": stage.roles.copilot, "client": stage.roles.client}
        self._caller = Caller(stage.gateway, journal, self._models)

    async def run(self, repeat: int, attempt: int) -> EpisodeState:
        """Play from where the log stands to the end. A fault of ours ends the episode as `infra`."""
        async with self._site, self._window:
            return await self._play(self._begin(repeat, attempt))

    async def _play(self, upcoming: Next | None) -> EpisodeState:
        try:
            while upcoming is not None:
                if self._stage.stopping.asked:
                    self._journal.write(Controlled(what="stopped before the next turn"))
                    return self._journal.state
                upcoming = await self._turn(upcoming)
        except BudgetSpentError as limit:
            self._journal.write(Controlled(what=f"stopped in the middle of a turn: {limit}", by="limit"))
            self._stage.stopping.ask(str(limit))
        except ModelFaultError as fault:
            self._end("infra", "model", f"{fault.kind}: {fault.message}")
        except BrowserLostError as fault:
            self._end("infra", "browser", str(fault))
        return self._journal.state

    def _begin(self, repeat: int, attempt: int) -> Next:
        state = self._journal.state
        if state.started is None:
            self._journal.write(self._started(repeat, attempt))
        if state.forked and not state.went_own_way:
            self._restore()
            return fork.first_turn(state.forked, self._case, self._journal)
        if not state.turns:
            return Next(self._case.instruction)
        broken = state.turns[-1]
        kept = state.whole_turns
        self._journal.write(EpisodeResumed(kept_turns=kept, discards_from=broken.seq), turn=kept)
        self._restore()
        if state.forked and fork.is_put_in(self._journal.state):
            return fork.first_turn(state.forked, self._case, self._journal)
        return Next(self._journal.read(broken.message), broken.picture)

    def _restore(self) -> None:
        manifest = self._journal.state.manifest
        if manifest is not None:
            self._manifest = decode_manifest(self._journal.recorder.blobs.get(manifest))
        self._workspace.restore(self._manifest)

    def _started(self, repeat: int, attempt: int) -> EpisodeStarted:
        limits = LIMITS[self._case.difficulty]
        return EpisodeStarted(
            case_id=self._case.id,
            persona=self._case.persona.id,
            builder=self._models["builder"],
            repeat=repeat,
            attempt=attempt,
            difficulty=self._case.difficulty,
            turns=limits.turns,
            failed_verifies=limits.failed_verifies,
            verify_steps=limits.verify_steps,
            models=self._models,
            system=self._journal.keep(filled("builder", turns=limits.turns) + self._stage.terms.for_builder()),
            scripted=any(is_scripted(model) for model in self._models.values()),
        )

    async def _turn(self, upcoming: Next) -> Next | None:
        journal = self._journal
        number = journal.state.turn + 1
        journal.write(TurnStarted(message=journal.keep(upcoming.message), picture=upcoming.picture), turn=number)
        journal.recorder.sync()
        journal.progress("builder", "is writing")
        parsed = self._put_in(upcoming.given) if upcoming.given else await self._ask_builder()
        following = await self._carry_out(parsed)
        if following is None:
            return None
        started = journal.state.started
        assert started is not None
        if journal.state.failed_verifies >= started.failed_verifies:
            await self._finish("deadlock", f"{started.failed_verifies} failed Verifies in a row")
            return None
        if number >= started.turns:
            await self._finish("turns", f"all {started.turns} turns used")
            return None
        return following

    async def _ask_builder(self) -> Parsed:
        journal = self._journal
        started = journal.state.started
        assert started is not None
        reply = await self._caller.call(
            "builder",
            journal.read(started.system),
            _last_pictures(journal.state.conversation),
        )
        # A thread of its own: a reply of some MB takes seconds to read, and holds up nobody else's episode.
        parsed = await asyncio.to_thread(parse, reply.text, cut=reply.finish_reason == "length")
        self._chose(parsed, parsed.reasoning or reply.reasoning)
        return parsed

    def _put_in(self, given: Given) -> Parsed:
        """What a person put in the builder's place."""
        self._chose(given.parsed, "", PERSON, given.said)
        return given.parsed

    def _chose(self, parsed: Parsed, reasoning: str, by: str = "builder", said: str = "") -> None:
        journal = self._journal
        journal.write(
            ActionChosen(
                action=parsed.action,
                stood=parsed.stood[:100],
                oddities=parsed.oddities[:20],
                question=journal.keep(parsed.question),
                files=tuple(file.path[:200] for file in parsed.files[:40]),
                commands=tuple(command[:200] for command in parsed.commands[: implement.MAX_COMMANDS]),
                path=parsed.path[:500],
                criteria=journal.keep(parsed.criteria),
                reasoning=journal.keep(reasoning),
                prose=journal.keep(parsed.prose),
                cut=parsed.truncated,
                by=by,
                said=journal.keep(said),
            )
        )

    async def _carry_out(self, parsed: Parsed) -> Next | None:
        journal = self._journal
        match parsed.action:
            case ActionKind.CLARIFY:
                journal.progress("client", "is answering")
                return Next(await client.answer(self._case, parsed.question, journal, self._caller, self._stage.terms))
            case ActionKind.IMPLEMENT:
                await self._write(parsed)
                found = await implement.probe("implement", self._site, self._window, journal)
                return Next(implement.feedback(journal, found))
            case ActionKind.VERIFY:
                await self._write(parsed)
                criteria = verify.criteria_or_instruction(parsed.criteria, self._case.instruction)
                done = await verify.verify(parsed.path, criteria, self._site, self._stage.browser, journal, self._caller)
                return Next(verify.feedback(done, journal), done.picture)
            case ActionKind.SUBMIT:
                await self._write(parsed)
                await self._finish("submitted", "")
                return None
        why = "; ".join(f"{oddity.kind} {oddity.detail}".strip() for oddity in parsed.oddities) or "it holds no action"
        return Next(f"Your reply could not be used: {why}. Take exactly one of the four paths, in its tags.")

    async def _write(self, parsed: Parsed) -> None:
        self._manifest = await implement.write_files(parsed, self._workspace, self._site, self._manifest, self._journal)

    async def _finish(self, stop_reason: str, text: str) -> None:
        found = await implement.probe("final", self._site, self._window, self._journal)
        if found.ok:
            self._end("played", stop_reason, text)
        elif found.fault == "infra":
            self._end("infra", "machine", found.reason)
        else:
            self._end("crashed", stop_reason, found.reason)

    def _end(self, status: str, stop_reason: str, text: str) -> None:
        self._journal.write(EpisodeEnded(status=status, stop_reason=stop_reason, text=text[:2_000]))
        self._journal.recorder.sync()


def _last_pictures(messages: tuple[Message, ...]) -> list[Message]:
    with_picture = [i for i, message in enumerate(messages) if message.picture is not None]
    kept = set(with_picture[-PICTURES_KEPT:])
    return [m if i in kept else Message(m.role, m.text) for i, m in enumerate(messages)]
