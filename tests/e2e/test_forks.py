"""Forks played: what a question asked after all flips, what an unchanged fork repeats, and each of the five ways."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import psutil

from iwtui.archive.index import Index
from iwtui.archive.run_folder import RunFolder
from iwtui.bench.blame import blames, blind_turn
from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState
from iwtui.bench.forks import Way, compared
from iwtui.bench.manifest import decode_manifest
from iwtui.bench.names import EpisodeName
from iwtui.bench.plan import Plan
from iwtui.bench.score import Verdict
from iwtui.cli.assignments import unfinished
from iwtui.cli.forking import Wanted, fork_of
from iwtui.cli.replaying import models_of
from iwtui.models.call import Call, Listener, Models, Reply
from iwtui.models.recorded import Recorded
from iwtui.packs import load_pack
from tests.support.runner import run

CASES = {case.id: case for case in load_pack("starter")}
BACKGROUND = "Which colour should the page background have?"
DATA = "Which items or data should the site show at the start, and with which details exactly?"
IDLE = "Do you like rainy days?"
BLIND = ["run", "starter", "--case", "bakery_P-BASE", "--builder", "scripted/blind"]


class Parent:
    """A played episode, and what becomes of its forks."""

    def __init__(self, player: Any, folder: RunFolder) -> None:
        self.player, self.folder = player, folder
        (self.name,) = folder.episodes()
        case = folder.case_of(self.name)
        assert case
        self.case: Case = case

    def make(self, wanted: Wanted) -> RunFolder:
        plan: Plan = self.folder.plan
        return fork_of(self.player.store, self.name, wanted, plan.roles, plan)

    async def fork(self, wanted: Wanted) -> tuple[RunFolder, EpisodeState]:
        folder = self.make(wanted)
        gateway: Models = self.player._gateway
        if wanted.recorded:
            (assignment,) = unfinished(folder)
            gateway = models_of(self.player.store, folder.plan, gateway)(assignment)
            assert isinstance(gateway, Recorded)
        await self.player.go_on(folder, gateway)
        (name,) = folder.episodes()
        return folder, folder.fold_episode(name)

    @property
    def episode(self) -> EpisodeState:
        return self.folder.fold_episode(self.name)


def verdicts(folder: RunFolder) -> Sequence[Verdict]:
    (name,) = folder.episodes()
    case, primary = folder.case_of(name), folder.primary_judging(name)
    assert case and primary
    return primary[1].slot_verdicts(len(case.slots))


async def parent_of(player: Any, case: Case, builder: str) -> Parent:
    folder = player.new_run([case], [builder])
    await player.go_on(folder)
    return Parent(player, folder)


def told(state: EpisodeState) -> list[str]:
    return [turn.action.action for turn in state.turns if turn.action]


def short(case_id: str, *slots: int) -> Case:
    """The case with these slots only: each that fails takes a judge's patience."""
    case = CASES[case_id]
    shown = tuple(case.visibility[slot] for slot in slots)
    return msgspec.structs.replace(case, slots=tuple(case.slots[slot] for slot in slots), visibility=shown)


async def test_the_question_that_was_missing_flips_the_slots_whose_facts_the_answer_tells(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 1, 2, 3, 4, 6), "blind")
    primary = parent.folder.primary_judging(parent.name)
    assert primary
    at = blind_turn(blames(parent.case, parent.episode, primary[1], parent.folder.blobs))
    assert at == 1

    async def asked(question: str) -> None:
        folder, state = await parent.fork(Wanted(at, Way.ASK, question))
        assert told(state) == ["clarify", "implement", "submit"]
        (reply,) = state.dialogue
        disclosed = set(reply.disclosed)
        assert bool(disclosed) == (question != IDLE)
        found = compared(verdicts(parent.folder), verdicts(folder))
        known = {slot for slot, one in enumerate(parent.case.slots) if one.facts and disclosed.issuperset(one.facts)}
        assert set(found.passed) == known, "each slot that was told of, and no other"
        assert not found.failed and not found.unknown

    await asyncio.gather(*map(asked, (BACKGROUND, DATA, IDLE)))


async def test_an_unchanged_fork_on_recorded_calls_repeats_the_parent_and_leaves_it_alone(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-CON", 0, 1, 3), "clarifier")
    before = parent.folder.episode_log(parent.name).read_bytes()
    whole = parent.episode
    for at in (1, 4, len(whole.turns)):
        folder, state = await parent.fork(Wanted(at, recorded=True))
        assert [repeatable(turn) for turn in state.turns] == [repeatable(turn) for turn in whole.turns], at
        assert verdicts(folder) == verdicts(parent.folder)
        assert state.spent.cost == 0.0 and state.spent.calls == sum(len(turn.calls) for turn in state.turns[at - 1 :])
        assert not [warned for turn in state.turns for warned in turn.warnings], "nothing was asked otherwise"
    assert parent.folder.episode_log(parent.name).read_bytes() == before


def repeatable(turn: Any) -> object:
    """All of a turn that must be equal: pictures, ports, processes' output and times need not be."""
    return (
        turn.number,
        turn.message,
        turn.answer,
        turn.action,
        turn.reply,
        turn.files and (turn.files.manifest, turn.files.changes),
        turn.verified and (turn.verified.status, turn.verified.report, turn.verified.streak),
    )


class Overheard:
    """Passes calls on, and keeps what the client's model was asked."""

    def __init__(self, inner: Models) -> None:
        self.inner = inner
        self.settings = inner.settings
        self.asked: list[str] = []

    async def ask(self, call: Call, listener: Listener) -> Reply:
        if call.role == "client":
            self.asked.append(str(call.messages[-1]["content"]))
        return await self.inner.ask(call, listener)


async def test_another_answer_goes_on_from_the_question_with_all_as_it_was(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 0, 1), "clarifier")
    whole = parent.episode
    folder = parent.make(Wanted(2, Way.ANSWER, "Use navy for the page background."))
    heard = Overheard(player._gateway)
    await player.go_on(folder, heard)
    (name,) = folder.episodes()
    state = folder.fold_episode(name)
    reply = state.turns[1].reply
    assert reply and (reply.by, reply.reply, reply.question) == ("person", "Use navy for the page background.", BACKGROUND)
    assert [repeatable(turn) for turn in state.turns[:1]] == [repeatable(turn) for turn in whole.turns[:1]]
    assert state.turns[2].message == "Use navy for the page background."
    assert [turn.number for turn in state.turns] == list(range(1, len(state.turns) + 1))
    assert "navy" in heard.asked[0] and "EARLIER\nQ: " in heard.asked[0], "the client's memory is that of the fork"
    page = decode_manifest(folder.blobs.get(state.manifest or ""))["index.html"][0]
    assert b"navy" in folder.blobs.get(page)
    assert compared(verdicts(parent.folder), verdicts(folder)).failed == (1,)
    lineage(player, folder, parent, 2, "answer")


def lineage(player: Any, folder: RunFolder, parent: Parent, at: int, way: str) -> None:
    """The index says where it comes from, counts it nowhere, and its cost once."""
    index = Index(player.store)
    index.catch_up()
    ask = "SELECT parent, fork_turn, fork_way, counts FROM attempts WHERE run = ?"
    assert index.read(lambda con: con.execute(ask, [folder.name]).fetchall()) == [(str(parent.name), at, way, False)]
    shared = "SELECT count(*) FILTER (inherited) > 0, bool_and(inherited = (turn < ?)) FROM turns WHERE run = ?"
    own = at if way != "answer" else at + 1
    assert index.read(lambda con: con.execute(shared, [own, folder.name]).fetchall()) == [(own > 1, True)]
    calls = "SELECT calls, (SELECT count(*) FROM calls c WHERE c.run = a.run AND NOT inherited AND judging IS NULL) "
    (counted,) = index.read(lambda con: con.execute(calls + "FROM attempts a WHERE run = ?", [folder.name]).fetchall())
    assert counted[0] == counted[1]


async def test_another_builder_plays_on(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 0, 1), "clarifier")
    folder, state = await parent.fork(Wanted(3, Way.BUILDER, builder="scripted/blind"))
    assert told(state) == ["clarify", "clarify", "implement", "submit"]
    assert state.started and state.started.builder == state.started.models["builder"] == "scripted/blind"
    assert folder.episodes()[0].builder == "scripted-blind"
    assert state.turns[2].message == parent.episode.turns[1].reply.reply  # type: ignore[union-attr]
    lineage(player, folder, parent, 3, "builder")


async def test_other_rules_are_what_the_builder_is_told(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 0, 1), "clarifier")
    rules = "You have 8 turns. Ask no more than one question."
    _, state = await parent.fork(Wanted(2, Way.PROMPT, rules))
    call = state.turns[1].calls[0]
    first = msgspec.json.decode(parent.folder.blobs.get(call.request[0]))
    assert (first["role"], first["text"]) == ("system", rules)
    assert told(state) == ["clarify", "implement", "verify", "submit"], "with 8 turns the script asks one question"


async def test_an_edit_is_a_turn_of_a_person_that_the_builder_takes_for_its_own(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-BASE", 0, 1, 2), "blind")
    whole = parent.episode
    page = b"<!doctype html><title>T</title><h1>Crumb &amp; Kettle</h1><style>body{background:ivory}</style>"
    folder, state = await parent.fork(Wanted(1, Way.EDIT, files=(("index.html", page), ("../evil.html", b"x"))))
    assert told(state) == ["implement", "implement", "submit"]
    edit = state.turns[1]
    assert edit.action and edit.action.by == "person" and not edit.calls
    assert edit.files and [refused.path for refused in edit.files.refused] == ["../evil.html"]
    before = whole.turns[0].files
    assert before and folder.blobs.get(decode_manifest(folder.blobs.get(before.manifest))["index.html"][0]) != page
    assert edit.probes and edit.probes[0].ok
    assert folder.blobs.get(decode_manifest(folder.blobs.get(state.manifest or ""))["index.html"][0]).strip() == page
    request = [msgspec.json.decode(folder.blobs.get(blob)) for blob in state.turns[2].calls[0].request]
    assert "boltArtifact" in str(request[-2]["text"]), "the edit stands in the conversation as a message of the builder"
    assert compared(verdicts(parent.folder), verdicts(folder)).failed == (2,)


async def test_a_fork_that_was_broken_off_goes_on_as_if_it_had_not_been(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 1), "blind")
    whole, state = await parent.fork(Wanted(1, Way.ASK, BACKGROUND))
    (name,) = whole.episodes()
    log = whole.episode_log(name).read_bytes().splitlines(keepends=True)

    async def broken_off(kept: int) -> None:
        again = parent.make(Wanted(1, Way.ASK, BACKGROUND))
        (cut,) = again.episodes()
        again.episode_log(cut).write_bytes(b"".join(log[:kept]))
        await player.go_on(again)
        resumed = again.fold_episode(cut)
        assert [repeatable(turn) for turn in resumed.turns] == [repeatable(turn) for turn in state.turns], kept

    await asyncio.gather(*(broken_off(kept) for kept in range(2, len(log), 3)))


async def test_a_fork_of_a_fork(player: Any) -> None:
    parent = await parent_of(player, short("bakery_P-MIN", 1, 3), "blind")
    first, _ = await parent.fork(Wanted(1, Way.ASK, BACKGROUND))
    second, state = await Parent(player, first).fork(Wanted(2, Way.ASK, DATA))
    assert told(state) == ["clarify", "clarify", "implement", "submit"]
    assert list(verdicts(second)) == [Verdict.PASSED, Verdict.PASSED]
    assert state.forked and state.forked.parent == str(first.episodes()[0])
    assert isinstance(parent.name, EpisodeName)


def test_the_command_starts_a_fork_as_a_process_of_its_own(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store")]
    assert run([*BLIND, "--headless", *store], tmp_path).returncode == 0
    begun = run(["fork", "last", "--turn", "1", "--recorded", "--detach", "--json", *store], tmp_path)
    assert begun.returncode == 0, begun.stderr
    psutil.Process(json.loads(begun.stdout)["pid"]).wait(timeout=120)
    tree = json.loads(run(["forks", "--format", "json", *store], tmp_path).stdout)
    told = [(row["way"], row["status"], row["passed"], row["failed"], row["same"]) for row in tree]
    assert told == [(None, "scored", None, None, None), ("again", "scored", "", "", 8)]
