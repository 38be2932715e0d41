"""Data to train on: what was sent and answered, and no reward that nobody saw."""

from pathlib import Path

import msgspec
import pytest

from iwtui.archive.exporters.training import turns
from iwtui.archive.importers.official import import_logs
from iwtui.archive.run_folder import RunFolder
from iwtui.archive.store import Store
from iwtui.bench.events import JudgingEnded, JudgingStarted, ModelCalled, SlotJudged
from iwtui.bench.fold import Message
from iwtui.bench.longtext import keep
from iwtui.bench.score import Verdict
from iwtui.packs import shipped_personas
from tests.support.harness import ASK, REPLY, write_task
from tests.support.stores import F, J, P, make_case, make_run, make_store, play

CASE = make_case()


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return make_run(Store(tmp_path), "r", [CASE])


def judged_after(folder: RunFolder, turn: int, verdicts: tuple[Verdict, ...], name: str, judge: str = "checks") -> None:
    """A judging of the workspace as it was after a turn."""
    (episode,) = folder.episodes()
    state = folder.fold_episode(episode).kept(turn)
    assert state.manifest is not None
    with folder.record_judging(episode, name) as log:
        log.append(JudgingStarted(judge=judge, slots=4, manifest=state.manifest, turn_judged=turn), turn)
        for slot, verdict in enumerate(verdicts):
            log.append(SlotJudged(slot=slot, verdict=verdict.value, reason=""), turn)
        log.append(JudgingEnded(status="scored"), turn)


def test_slots_are_attributed_where_both_workspaces_were_judged(folder: RunFolder) -> None:
    play(folder, CASE, actions="CIVIIS")
    judged_after(folder, 2, (P, P, F, P), "checks-a")
    judged_after(folder, 4, (P, F, P, P), "checks-b")
    judged_after(folder, 6, (P, P, P, P), "checks-c")
    rewards = [turn["reward"] for turn in turns(folder)]
    assert [reward["slots_gained"] for reward in rewards] == [[], [0, 1, 3], [], [2], [1], []]
    assert [reward["slots_lost"] for reward in rewards] == [[], [], [], [1], [], []]
    whole = 1 + 1.5 + 2.25 + 1
    assert rewards[3]["tcr_change"] == pytest.approx((2.25 - 1.5) / whole)
    assert sum(reward["tcr_change"] for reward in rewards) == pytest.approx(1)


def test_what_was_not_judged_is_attributed_to_nobody(folder: RunFolder) -> None:
    play(folder, CASE, actions="IIS")
    judged_after(folder, 3, (P, P, P, P), "checks-a")
    judged_after(folder, 1, (F, F, F, F), "intent-1", judge="intent")
    gained = [turn["reward"]["slots_gained"] for turn in turns(folder)]
    assert gained == [None, None, []]


def test_a_verdict_that_could_not_be_read_attributes_nothing(folder: RunFolder) -> None:
    play(folder, CASE, actions="IS")
    judged_after(folder, 2, (P, J, F, P), "checks-a")
    first = next(turns(folder))
    assert (first["reward"]["slots_gained"], first["reward"]["tcr_change"]) == (None, None)
    assert first["outcome"]["verdicts"] == ["passed", "unjudged", "failed", "passed"]


def test_messages_are_those_that_were_sent(folder: RunFolder) -> None:
    (name,) = [play(folder, CASE, actions="C", end=None)]
    picture = folder.blobs.put(b"a picture")
    with folder.record_episode(name) as log:
        sent = [
            Message("system", keep(log.blobs, "s" * 5000)),
            Message("user", "Look.", picture),
        ]
        request = tuple(log.blobs.put(msgspec.json.encode(message)) for message in sent)
        log.append(ModelCalled(role="builder", model="m", ordinal=0, request=request, fault="stalled", retried=True), 1)
    lines = list(turns(folder))
    assert lines[0]["messages"] == [{"role": None, "content": None, "blob": folder.blobs.put(b'{"role":"user"}')}]
    log_path = folder.episode_log(name)
    events = log_path.read_bytes().replace(folder.blobs.put(b'{"role":"user"}').encode(), request[0].encode())
    log_path.write_bytes(events)
    assert next(turns(folder))["messages"] == [{"role": "system", "content": "s" * 5000}]


def test_outcomes_and_costs(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    lines = list(turns(store.run("policies")))
    outcomes = {line["case_id"]: line["outcome"] for line in lines}
    assert len(outcomes) == 10
    assert (outcomes["bakery3_P-MIN"]["status"], outcomes["bakery3_P-MIN"]["tcr"]) == ("crashed", 0.0)
    assert (outcomes["bakery4_P-MIN"]["status"], outcomes["bakery4_P-MIN"]["tcr"]) == ("infra", None)
    assert outcomes["bakery9_P-MIN"]["verdicts"] is None
    assert {line["attempt"] for line in lines if line["case_id"] == "bakery6_P-MIN"} == {2}
    first = lines[0]
    assert first["action"]["action"] == "clarify" and first["action"]["reply"] == "Crumb."
    assert first["reward"]["clarification_hit"] is True and first["reward"]["facts_asked_for"] == (0,)
    assert (first["reward"]["tokens_in"], first["reward"]["cost"], first["reward"]["question_cost"]) == (10, 0.25, 0.02)
    assert lines[1]["reward"]["cost"] is None and lines[1]["reward"]["clarification_hit"] is None
    assert [line["last"] for line in lines if line["case_id"] == "bakery0_P-MIN"] == [False, False, False, True]
    assert all(line["scripted"] for line in lines)


def test_an_imported_run_has_its_conversation_and_no_audit_of_its_client(tmp_path: Path) -> None:
    write_task(tmp_path / "maker-7b" / "logs", "000001_P-MIN")
    store = Store(tmp_path / "store")
    import_logs(tmp_path / "maker-7b", None, store, shipped_personas(), lambda _: None)
    lines = list(turns(store.run(store.runs()[0])))
    assert [line["turn"] for line in lines] == [1, 2, 3, 4, 5]
    assert [message["role"] for message in lines[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert [message["content"] for message in lines[1]["messages"]][1:] == ["Make a clock.", ASK, REPLY]
    assert lines[0]["reward"]["clarification_hit"] is None and lines[0]["reward"]["tokens_in"] is None
    assert lines[0]["scripted"] is False
