"""The turn loop at its limits, with builders whose replies are given by the test."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from iwtui.bench.case import Case
from iwtui.bench.fold import EpisodeState
from iwtui.bench.status import Status, episode_score
from iwtui.models.call import Reply
from iwtui.models.errors import ModelFaultError
from iwtui.models.gateway import Gateway
from iwtui.models.retries import Retries
from iwtui.packs import load_pack
from tests.support.replies import said

FORM = '<boltArtifact id="s" title="s"><boltAction type="file" filePath="{}">{}</boltAction></boltArtifact>'
PAGE = "<!doctype html><title>T</title><body><h1>Bread</h1><button>Buy</button></body>"
WRITE = FORM.format("index.html", PAGE)
LOOK = '<TestCriteria>a blog</TestCriteria><boltAction type="screenshot_validated">/</boltAction>'
ASK = '<boltAction type="ask_user">Which colour?</boltAction>'
DONE = '<boltAction type="finish">done</boltAction>'


class Lines(Gateway):
    """A builder that says given replies, the last one for ever, and other models that fail every Verify and know nothing."""

    def __init__(self, *replies: str | Exception) -> None:
        super().__init__(retries=Retries(attempts=1))
        self.replies = list(replies)
        self.copilot = '{"action": "fail", "text": "no blog"}'
        self.asked: list[Sequence[Mapping[str, Any]]] = []

    async def call(self, model: str, messages: Sequence[Mapping[str, Any]], **parameters: Any) -> Reply:
        if model == "scripted/copilot":
            return said(self.copilot)
        if model == "scripted/client":
            return said('{"facts": [2]}' if "JSON" in str(messages[0]["content"]) else "Ivory.")
        self.asked.append(messages)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return said(reply)


def easy_case() -> Case:
    return next(case for case in load_pack("starter") if case.difficulty == "easy")


async def play(player: Any, gateway: Lines) -> Any:
    case = easy_case()
    outcomes = await player.play([msgspec.structs.replace(case, slots=case.slots[:1])], ["blind"], gateway=gateway)
    return next(iter(outcomes.values()))


def actions(state: EpisodeState) -> list[str]:
    return [str(turn.action.action) for turn in state.turns if turn.action]


async def test_malformed_answers_use_the_turns_up_and_no_site_is_a_crash(player: Any) -> None:
    outcome = await play(player, Lines("I think I shall build something nice."))
    assert outcome.episode.ended.stop_reason == "turns"
    assert actions(outcome.episode) == ["malformed"] * 15
    assert outcome.status is Status.CRASHED
    assert episode_score(outcome.assignment.case, outcome.episode, None).tcr == 0.0


async def test_failed_verifies_in_a_row_are_a_deadlock_and_the_site_is_judged(player: Any) -> None:
    outcome = await play(player, Lines(WRITE, LOOK, LOOK, WRITE, LOOK))
    assert outcome.episode.ended.stop_reason == "deadlock"
    assert actions(outcome.episode).count("verify") == 6, "new code does not end the row"
    assert outcome.status is Status.SCORED


async def test_a_copilot_that_cannot_be_read_is_no_failed_verify(player: Any) -> None:
    gateway = Lines(WRITE, LOOK, DONE)
    gateway.copilot = "It looks fine to me."
    outcome = await play(player, gateway)
    verified = outcome.episode.turns[1].verified
    assert (verified.status, verified.streak, verified.steps) == ("error", 0, 8)


async def test_files_beside_a_question_are_not_written_and_are_recorded(player: Any) -> None:
    outcome = await play(player, Lines(WRITE + ASK, WRITE, DONE))
    first = outcome.episode.turns[0]
    assert first.action.action == "clarify"
    assert first.action.stood == ("implement", "clarify")
    assert first.files is None
    assert first.reply.reply == "Ivory."
    assert first.reply.retrieved == (1,)
    assert actions(outcome.episode) == ["clarify", "implement", "submit"]


async def test_what_the_builder_is_told_is_what_happened(player: Any) -> None:
    gateway = Lines(FORM.format("../../x", "evil"), ASK, WRITE, LOOK, DONE)
    await play(player, gateway)
    told = [str(messages[-1]["content"]) for messages in gateway.asked]
    assert "Not written" in told[1]
    assert "does not run" in told[1]
    assert told[2] == "Ivory."
    assert "The site runs" in told[3]
    assert "no blog" in told[4]
    assert "image_url" in told[4]
    assert [m["role"] for m in gateway.asked[-1]] == ["system", *["user", "assistant"] * 4, "user"]


async def test_a_fault_of_a_model_is_infra_and_unknown(player: Any) -> None:
    outcome = await play(player, Lines(WRITE, ModelFaultError("server", "502 from the provider")))
    assert outcome.status is Status.INFRA
    assert outcome.episode.ended.stop_reason == "model"
    assert outcome.episode.turns[-1].calls[-1].fault == "502 from the provider"
    assert episode_score(outcome.assignment.case, outcome.episode, outcome.judging).tcr is None


async def test_a_bug_of_ours_is_infra_and_spares_the_other_episodes(player: Any) -> None:
    with pytest.raises(AssertionError, match="KeyError"):  # the player complains about complaints
        await play(player, Lines(KeyError("a bug")))
    folder = player.store.run(player.store.runs()[-1])
    (name,) = folder.episodes()
    assert folder.fold_episode(name).ended.status == "infra"


def comparable(outcome: Any) -> object:
    """All that must not depend on where a run was broken off."""
    turns = [
        (
            turn.number,
            turn.message,
            turn.action,
            turn.reply,
            turn.files and turn.files.manifest,
            turn.verified and (turn.verified.status, turn.verified.report, turn.verified.streak),
        )
        for turn in outcome.episode.turns
    ]
    return turns, outcome.episode.ended, [(v.slot, v.verdict) for v in outcome.judging.verdicts]


async def test_a_log_cut_anywhere_resumes_to_the_same_end(player: Any) -> None:
    case = easy_case()
    key = (case.id, "clarifier")
    whole = (await player.play([case], ["clarifier"]))[key]
    source = player.store.run(player.store.runs()[-1])
    name = source.episodes()[0]
    log = source.episode_log(name).read_bytes().splitlines(keepends=True)

    async def broken_off(kept: int) -> None:
        folder = player.new_run([case], ["clarifier"])
        target: Path = folder.episode_log(msgspec.structs.replace(name, run=folder.name))
        target.write_bytes(b"".join(log[:kept]) + log[kept][: len(log[kept]) // 2])
        again = (await player.go_on(folder))[key]
        assert comparable(again) == comparable(whole), f"cut after {kept} of {len(log)} lines"
        assert target.read_bytes().startswith(b"".join(log[:kept]))

    await asyncio.gather(*(broken_off(kept) for kept in range(1, len(log), max(1, len(log) // 3))))
