"""`iwtui report` on a store with one episode of every fate, against figures worked out by hand."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from iwtui.analysis.flat import flat
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
    rows = list(csv.DictReader(io.StringIO(iwtui("report", "--policy", "official", "--format", "csv").stdout)))
    wanted = [
        dict(flat(row)) for row in json.loads(iwtui("report", "--policy", "official", "--format", "json").stdout)["rows"]
    ]
    assert list(rows[0]) == list(wanted[0])
    assert "official.means.asks" in rows[0] and "passes.1.pass_at" in rows[0]
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


TEN = ("ppp",) * 6 + ("ppf", "pfp", "crashed", "infra")


@pytest.fixture
def ten(scribe: Scribe) -> Scribe:
    """Ten episodes: six pass every slot, two fail one, one site crashes, one is lost by a fault of ours."""
    scribe.run("ten", [make_case(f"seed{number}", "P-MIN") for number in range(10)])
    for number, fate in enumerate(TEN):
        stem = f"seed{number}_P-MIN.scripted-blind.r1.a1"
        if fate in ("crashed", "infra"):
            scribe.episode("ten", stem, ended(f"seed{number}", fate))
            continue
        happenings, judging = played(f"seed{number}", fate)
        scribe.episode("ten", stem, happenings)
        scribe.judging("ten", stem, judging)
    return scribe


@pytest.mark.parametrize(
    ("policy", "sr", "n"), [("strict", 6 / 10, 10), ("default", 6 / 9, 9), ("scored", 6 / 8, 8), ("official", 6 / 10, 10)]
)
def test_the_denominator_is_said_and_sql_has_the_same(iwtui: Command, ten: Scribe, policy: str, sr: float, n: int) -> None:
    """Six of ten, of nine or of eight: which one is a matter of policy, and all that were left out are listed."""
    found = figures(iwtui, "--policy", policy)
    assert (found["sr"], found["n"], found["sr_n"]) == (pytest.approx(sr), n, n)
    assert [found[name] for name in ("episodes", "scored", "crashed", "infra")] == [10, 8, 1, 1]
    rows = json.loads(iwtui("sql", "@policies", "--format", "json").stdout)
    (row,) = [row for row in rows if row["policy"] == policy]
    assert (row["sr"], row["tcr"], row["episodes"]) == (pytest.approx(found["sr"]), pytest.approx(found["tcr"]), n)
    text = iwtui("report", "--policy", policy).stdout
    assert f"policy {policy}:" in text and all(word in text for word in ("scored", "crashed", "infra"))


def test_the_policy_that_is_not_asked_for_is_the_default(iwtui: Command, ten: Scribe) -> None:
    assert figures(iwtui) == figures(iwtui, "--policy", "default")
    assert "policy default:" in iwtui("report").stdout


def test_an_attempt_cut_short_hides_no_earlier_result(iwtui: Command, ten: Scribe) -> None:
    """A retry that was killed before its first word, and one that was killed in the middle: what was scored stays."""
    stem = "seed0_P-MIN.scripted-blind.r1"
    scored = figures(iwtui)["sr"]
    ten.episode("ten", f"{stem}.a2", ended("seed0", "infra")[:1])
    ten.episode("ten", f"{stem}.a3", ended("seed0", "infra")[:2])
    assert figures(iwtui)["sr"] == scored
    attempts = "select attempt, status, counts from attempts where case_id = 'seed0_P-MIN' order by attempt"
    rows = json.loads(iwtui("sql", attempts, "--format", "json").stdout)
    assert [(row["attempt"], row["status"], row["counts"]) for row in rows] == [
        (1, "scored", True),
        (2, "running", False),
        (3, "running", False),
    ]


@pytest.fixture
def thrice(scribe: Scribe) -> Scribe:
    """Two cases played three times: one succeeds in two of them, the other in none."""
    scribe.run("thrice", [make_case(seed, "P-MIN") for seed in ("some", "none")])
    for seed, fates in (("some", ("ppp", "pfp", "ppp")), ("none", ("pff", "pfp", "pff"))):
        for repeat, verdicts in enumerate(fates, 1):
            happenings, judging = played(seed, verdicts)
            scribe.episode("thrice", f"{seed}_P-MIN.scripted-blind.r{repeat}.a1", happenings)
            scribe.judging("thrice", f"{seed}_P-MIN.scripted-blind.r{repeat}.a1", judging)
    return scribe


def test_repeats_have_their_spread_and_the_chances_of_some_and_of_all(iwtui: Command, thrice: Scribe, fates: Scribe) -> None:
    found = figures(iwtui, "thrice")
    assert (found["repeats"], found["tcr_repeats"]) == (3, pytest.approx((0.625 + 0.5 + 0.625) / 3))
    assert found["tcr_spread"] == pytest.approx(0.0721687836)
    passes = found["passes"]
    assert isinstance(passes, dict)
    assert passes["1"] == {"cases": 2, "pass_at": pytest.approx(1 / 3), "pass_all": pytest.approx(1 / 3)}
    assert passes["2"] == {"cases": 2, "pass_at": pytest.approx(1 / 2), "pass_all": pytest.approx(1 / 6)}
    assert passes["3"] == {"cases": 2, "pass_at": pytest.approx(1 / 2), "pass_all": 0.0}
    assert "pass@3 %" in iwtui("report", "thrice").stdout
    assert "pass@" not in iwtui("report", "first").stdout, "there each case was played once"


def test_the_papers_table(iwtui: Command, fates: Scribe) -> None:
    """TCR there is over POSITIVE slots: 1, 1/3 and 0 of the crashed one."""
    found = json.loads(iwtui("report", "first", "--layout", "paper", "--format", "json").stdout)
    (row,) = found["rows"]
    assert (row["builder"], row["n"], row["played_by"]) == ("scripted/blind", 3, "scripted")
    assert row["tcr_clean"] == row["easy"] == row["P-MIN"] == pytest.approx(4 / 9)
    assert (row["P-RAM"], row["hard"], row["ias"], row["tcr"]) == (None, None, None, pytest.approx(1.25 / 3))
    shown = list(csv.DictReader(io.StringIO(iwtui("report", "first", "--layout", "paper", "--format", "csv").stdout)))
    assert (shown[0]["TCR %"], shown[0]["P-RAM %"], shown[0]["HR %"]) == ("44.44", "", "0.00")
    markdown = iwtui("report", "first", "--layout", "paper", "--format", "markdown").stdout
    assert markdown.startswith(
        "| builder | n | TCR % | Easy % | Middle % | Hard % | P-MIN % | P-RAM % | P-INT % | P-CON % | HR % | LOC |"
    )


def test_published_figures_stand_beside_ours_and_change_none(iwtui: Command, fates: Scribe) -> None:
    without = list(csv.reader(io.StringIO(iwtui("report", "--layout", "paper", "--format", "csv").stdout)))
    beside = list(csv.reader(io.StringIO(iwtui("report", "--layout", "paper", "--published", "--format", "csv").stdout)))
    assert [row[: len(without[0])] for row in beside[: len(without)]] == without
    kimi = dict(zip(beside[0], next(row for row in beside if row[0].startswith("Kimi")), strict=True))
    assert (kimi["builder"], kimi["TCR %"], kimi["Easy %"], kimi["Hard %"]) == (
        "Kimi-K2.5 (published)",
        "38.26",
        "44.70",
        "",
    )
    assert (kimi["n"], kimi["source"]) == ("", "arXiv 2604.27419")
    assert "as printed in arXiv 2604.27419" in iwtui("report", "--layout", "paper", "--published").stdout
    found = json.loads(iwtui("report", "--layout", "paper", "--published", "--format", "json").stdout)
    assert {one["source"] for one in found["published"]} == {"arXiv 2604.27419"}
    assert all("published" not in row["builder"] for row in found["rows"])
    assert iwtui("report", "--published").exit_code == 2


def _files(root: Path) -> dict[str, tuple[bytes, int]]:
    """Whatever a store keeps beside its index: contents, and when they were changed."""
    return {
        str(file.relative_to(root)): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in sorted(root.rglob("*"))
        if file.is_file() and "iwtui.duckdb" not in file.name
    }


@pytest.mark.parametrize("options", [(), ("--policy", "official"), ("--layout", "paper", "--published")])
def test_a_report_changes_nothing_and_says_the_same_again(iwtui: Command, fates: Scribe, options: tuple[str, ...]) -> None:
    before = _files(fates.store.root)
    first = iwtui("report", *options, "--format", "json").stdout
    assert iwtui("report", *options, "--format", "json").stdout == first
    assert _files(fates.store.root) == before


def test_a_report_needs_no_builder_no_node_and_no_browser(
    iwtui: Command, ten: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store is read on a machine that has nothing but the program."""
    monkeypatch.setenv("PATH", "")
    for module in ("litellm", "playwright", "iwtui.engine", "iwtui.web", "iwtui.judges", "iwtui.models"):
        monkeypatch.setitem(sys.modules, module, None)
    assert figures(iwtui, "ten")["n"] == 9
    assert iwtui("show", "seed0_P-MIN", "--plain").exit_code == 0
