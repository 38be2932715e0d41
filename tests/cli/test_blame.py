"""`iwtui blame`: of an episode each cause with the events that show it, of runs the shares."""

import json
import tarfile
from pathlib import Path

from iwtui.archive.log import read_log
from tests.cli.scribe import Command, Scribe, add_whole
from tests.support.official import official_file, official_logs


def test_an_episode_is_told_slot_by_slot_with_links_to_its_events(iwtui: Command, scribe: Scribe, told: str) -> None:
    done = iwtui("blame", told, "--format", "json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["judging"] == "checks"
    (cause,) = found["causes"]
    assert (cause["slot"], cause["cause"], cause["estimated"]) == (1, "never asked", True)
    log = dict(enumerate(record.kind for _, record in read_log(scribe.store.run("first").path / "episodes" / _file(told))))
    kinds = [log[one["event"]] for one in cause["evidence"] if one["log"] == "episode"]
    assert kinds == ["TurnStarted", "ClientReplied", "FilesChanged"]
    assert found["blind_turn"] == cause["turn"]
    table = iwtui("blame", told).stdout
    assert "~ never asked" in table
    assert f"blind turn {cause['turn']}" in table


def _file(name: str) -> str:
    return name.partition("/")[2] + ".jsonl"


def test_shares_are_what_sql_adds_up(iwtui: Command, scribe: Scribe, told: str) -> None:
    rows = json.loads(iwtui("blame", "first", "--format", "json").stdout)["rows"]
    failed = "verdict in ('failed', 'unobserved')"
    query = f"select cause, sum(weight) as weight from verdicts where is_primary and {failed} group by 1"
    added = {row["cause"]: row["weight"] for row in json.loads(iwtui("sql", query, "--format", "json").stdout)}
    whole = [row for row in rows if row["persona"] is None]
    assert {row["cause"]: row["weight"] for row in whole} == {cause or "not observed": w for cause, w in added.items()}
    assert sum(row["share"] for row in whole) == 1.0
    assert "never asked" in iwtui("blame", "--format", "markdown").stdout
    assert iwtui("sql", "@causes", "--format", "json").exit_code == 0


def test_wrong_uses_are_answered_in_a_line(iwtui: Command, scribe: Scribe, told: str) -> None:
    assert iwtui("blame", "nothing").exit_code == 3
    assert iwtui("blame", "first", "nothing").exit_code == 3
    mood = iwtui("blame", "--by", "mood")
    assert (mood.exit_code, "cannot be grouped by 'mood'" in mood.stderr) == (2, True)
    scribe.run("second", [])
    assert iwtui("blame", "second").exit_code == 0
    log = scribe.store.run("first").path / "judgings" / f"{told.partition('/')[2]}.checks.jsonl"
    log.unlink()
    running = iwtui("blame", told)
    assert (running.exit_code, "is running" in running.stderr) == (2, True)


def test_hostile_texts_are_made_visible(iwtui: Command, scribe: Scribe) -> None:
    name = add_whole(scribe, "evil", "\x1b]0;x\x07[/]")
    for form in ("table", "json", "csv", "markdown"):
        done = iwtui("blame", name, "--format", form)
        assert done.exit_code == 0, done.output
        assert "\x1b" not in done.stdout and "\x07" not in done.stdout


def test_official_logs_have_causes_told_by_words(iwtui: Command, tmp_path: Path) -> None:
    with tarfile.open(official_logs()) as archive:
        archive.extractall(tmp_path / "logs", filter="data")
    for folder in ("scripted-core", "scripted-extra"):
        logs = tmp_path / "logs" / "official-logs" / folder
        assert iwtui("import", str(logs), "--tasks", str(official_file())).exit_code in (0, 1)
    query = (
        "select cause, count(*) as n, bool_and(cause_estimated) as estimated from verdicts "
        "where is_primary and verdict = 'failed' group by 1"
    )
    found = {row["cause"]: row for row in json.loads(iwtui("sql", query, "--format", "json").stdout)}
    assert None not in found, "every failed slot has a cause"
    assert found.keys() >= {"never asked", "answer ignored", "not verified", "hallucinated"}
    assert all(row["estimated"] is (cause != "hallucinated") for cause, row in found.items())
