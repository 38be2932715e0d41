"""`iwtui report` on a store with one episode of every fate, against figures worked out by hand."""

import csv
import io
import json

import pytest

from iwtui.bench.events import EpisodeEnded, JudgingEnded, JudgingStarted, SlotJudged, TurnStarted
from tests.cli.scribe import Command, Happening, Scribe, make_case, started

SEEDS = ("bakery", "lending", "museum")


def played(seed: str, verdicts: str) -> tuple[list[Happening], list[Happening]]:
    """An episode and its judging; the verdicts of the three slots (weights 1, 2, 1) as initials: pfuj."""
    words = {"p": "passed", "f": "failed", "u": "unobserved", "j": "unjudged"}
    happenings: list[Happening] = [
        started(make_case(seed, "P-MIN")),
        (1, TurnStarted(message="x")),
        (1, EpisodeEnded(status="played", stop_reason="submitted")),
    ]
    judged: list[Happening] = [
        (1, SlotJudged(slot=slot, verdict=words[verdict], reason="so")) for slot, verdict in enumerate(verdicts)
    ]
    judging: list[Happening] = [
        (1, JudgingStarted(judge="checks", slots=3, manifest="0" * 64, turn_judged=1)),
        *judged,
        (1, JudgingEnded(status="scored")),
    ]
    return happenings, judging


def ended(seed: str, status: str) -> list[Happening]:
    return [
        started(make_case(seed, "P-MIN")),
        (1, TurnStarted(message="x")),
        (1, EpisodeEnded(status=status, stop_reason="x")),
    ]


@pytest.fixture
def fates(scribe: Scribe) -> Scribe:
    """TCR 1.0 (all passed), TCR 0.25 (only the heading), a crashed, an infra, a cancelled and a running one; and, in
    a run of its own, TCR 0.75 (all but the extra) after an attempt that ended as infra.
    """
    seeds = ["all", "some", "crashed", "infra", "cancelled", "running"]
    scribe.run("first", [make_case(seed, "P-MIN") for seed in seeds])
    for seed, verdicts in (("all", "ppp"), ("some", "pfu")):
        happenings, judging = played(seed, verdicts)
        scribe.episode("first", f"{seed}_P-MIN.scripted-blind.r1.a1", happenings)
        scribe.judging("first", f"{seed}_P-MIN.scripted-blind.r1.a1", judging)
    for status in ("crashed", "infra", "cancelled"):
        scribe.episode("first", f"{status}_P-MIN.scripted-blind.r1.a1", ended(status, status))
    scribe.episode("first", "running_P-MIN.scripted-blind.r1.a1", ended("running", "played")[:2])
    scribe.run("second", [make_case("again", "P-MIN")])
    scribe.episode("second", "again_P-MIN.scripted-blind.r1.a1", ended("again", "infra"))
    happenings, judging = played("again", "ppf")
    scribe.episode("second", "again_P-MIN.scripted-blind.r1.a2", happenings)
    scribe.judging("second", "again_P-MIN.scripted-blind.r1.a2", judging)
    return scribe


def figures(iwtui: Command, *arguments: str) -> dict[str, object]:
    result = iwtui("report", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    rows: list[dict[str, object]] = json.loads(result.stdout)["rows"]
    return rows[0]


@pytest.mark.parametrize(
    ("policy", "n", "tcr", "sr", "hr", "hr_n"),
    [
        ("default", 4, (1 + 0.25 + 0.75 + 0) / 4, 1 / 4, 1 / 2, 2),
        ("strict", 6, 2 / 6, 1 / 6, 1 / 2, 2),
        ("scored", 3, 2 / 3, 1 / 3, 1 / 2, 2),
        # POSITIVE slots only: 3/3, 1/3 and 3/3. Hallucinated: "some" was not seen to be clean, and "crashed" crashed.
        ("official", 6, (1 + 1 / 3 + 1) / 6, 1 / 6, 3 / 4, 4),
    ],
)
def test_each_policy_gives_the_values_worked_out_by_hand(
    iwtui: Command, fates: Scribe, policy: str, n: int, tcr: float, sr: float, hr: float, hr_n: int
) -> None:
    found = figures(iwtui, "--policy", policy)
    assert found["n"] == n
    assert found["tcr"] == pytest.approx(tcr)
    assert found["sr"] == pytest.approx(sr)
    assert found["hr"] == pytest.approx(hr)
    assert found["hr_n"] == hr_n
    statuses = [found[status] for status in ("episodes", "scored", "crashed", "infra", "cancelled", "running")]
    assert statuses == [7, 3, 1, 1, 1, 1]


def test_sql_agrees_with_the_default(iwtui: Command, fates: Scribe) -> None:
    result = iwtui("sql", "select avg(tcr) as tcr, avg(sr::int) as sr from episodes", "--format", "json")
    (row,) = json.loads(result.stdout)
    found = figures(iwtui)
    assert (row["tcr"], row["sr"]) == (pytest.approx(found["tcr"]), pytest.approx(found["sr"]))


def test_only_the_runs_that_were_asked_for(iwtui: Command, fates: Scribe) -> None:
    assert figures(iwtui, "first")["episodes"] == 6
    assert figures(iwtui, "second")["episodes"] == 1
    assert figures(iwtui, "first", "second")["episodes"] == 7
    assert iwtui("report", "third").exit_code == 3


def test_filters(iwtui: Command, fates: Scribe) -> None:
    assert figures(iwtui, "--where", "status:scored tcr<0.5")["tcr"] == 0.25
    assert figures(iwtui, "--where", "run:first -status:running")["episodes"] == 5
    wrong = iwtui("report", "--where", "stats:scored")
    assert wrong.exit_code == 2
    assert "nearest is 'status'" in wrong.stderr


def test_groups(iwtui: Command, fates: Scribe) -> None:
    result = json.loads(iwtui("report", "--by", "run,status", "--format", "json").stdout)
    assert result["by"] == ["run", "status"]
    assert [(row["run"], row["status"], row["episodes"]) for row in result["rows"]] == [
        (None, None, 7),
        ("first", "cancelled", 1),
        ("first", "crashed", 1),
        ("first", "infra", 1),
        ("first", "running", 1),
        ("first", "scored", 2),
        ("second", "scored", 1),
    ]
    wrong = iwtui("report", "--by", "mood")
    assert wrong.exit_code == 2
    assert "persona" in wrong.stderr


def test_csv_holds_the_same_figures_as_json(iwtui: Command, fates: Scribe) -> None:
    rows = list(csv.DictReader(io.StringIO(iwtui("report", "--format", "csv").stdout)))
    wanted = json.loads(iwtui("report", "--format", "json").stdout)["rows"]
    assert list(rows[0]) == list(wanted[0])
    assert [[row[key] for key in row] for row in rows] == [
        ["" if value is None else str(value) for value in row.values()] for row in wanted
    ]


def test_the_table_to_the_byte(iwtui: Command, fates: Scribe) -> None:
    result = iwtui("report", "second", "--by", "seed", "--format", "markdown")
    assert result.stdout == (
        "| seed | n | TCR % | 95 % | POSITIVE % | SR % | HR % | turns | asked % | s | $ | scored | played by |\n"
        "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |\n"
        "| all | 1 | 75.0 | — | 100.0 | 0.0 | 100.0 | 1.0 | 0.0 | 2.0 | — | 1 | scripted |\n"
        "| again | 1 | 75.0 | — | 100.0 | 0.0 | 100.0 | 1.0 | 0.0 | 2.0 | — | 1 | scripted |\n"
        "\npolicy default: crashed sites count 0; faults of ours and cancelled episodes are left out. "
        "second is the newest run.\n"
    )


def test_what_is_left_out_stands_beside_the_mean(iwtui: Command, fates: Scribe) -> None:
    head = iwtui("report").stdout.splitlines()[0].split()
    assert head[-7:] == ["scored", "crashed", "infra", "cancelled", "running", "played", "by"]


def test_an_empty_store_says_what_to_do(iwtui: Command) -> None:
    result = iwtui("report")
    assert result.exit_code == 0
    assert "iwtui demo" in result.stdout
