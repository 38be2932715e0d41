"""`iwtui compare` on two runs with two slots flipped each way and one case missing: the same lists in every format."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from iwtui.archive.store import Store
from tests.cli.scribe import Command, Scribe, add_whole
from tests.support.two_runs import APART, DIFFERENCES, NEWLY_FAILING, NEWLY_FIXED, STILL_FAILING, two_runs
from tests.tui_home.stage import HOSTILE

LISTS = {"newly_failing": NEWLY_FAILING, "newly_fixed": NEWLY_FIXED, "still_failing": STILL_FAILING}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return two_runs(tmp_path / "store")


def ok(iwtui: Command, *arguments: str) -> str:
    result = iwtui("compare", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json(iwtui: Command, store: Store) -> None:
    found = json.loads(ok(iwtui, "before", "after", "--format", "json"))
    for change, slots in LISTS.items():
        assert [(slot["case_id"], slot["slot"]) for slot in found["slots"] if slot["change"] == change] == slots
    assert [(apart["case_id"], apart["why"]) for apart in found["apart"]] == APART
    assert found["groups"][0]["differences"]["tcr"]["difference"] == pytest.approx(sum(DIFFERENCES.values()) / 5)
    assert found["by"] == ["persona", "difficulty"] and len(found["groups"]) == 4
    assert found["warnings"] == ["played by scripts, not by models: A and B"]


def section(text: str, title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its titles."""
    after = text.split(f"## {title}", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in after.split("\n") if line.startswith("|")]
    return [[cell.strip().replace("\\", "") for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_markdown(iwtui: Command, store: Store) -> None:
    text = ok(iwtui, "before", "after", "--format", "markdown")
    for title, slots in (("newly failing", NEWLY_FAILING), ("newly fixed", NEWLY_FIXED), ("still failing", STILL_FAILING)):
        assert [(row[0], int(row[2])) for row in section(text, title)] == slots
    assert [(row[0], row[-1]) for row in section(text, "apart")] == APART
    assert section(text, "paired difference")[0] == ["TCR %", "5", "80.0", "75.7", "-4.3", "-39.1 to +21.7"]
    assert section(text, "B − A by persona, difficulty")[1][:5] == ["P-MIN", "hard", "1", "-39.1", "—"]


def test_csv_is_one_table(iwtui: Command, store: Store) -> None:
    rows = list(csv.DictReader(io.StringIO(ok(iwtui, "before", "after", "--format", "csv"))))
    for change, slots in LISTS.items():
        assert [(row["case_id"], int(row["slot"])) for row in rows if row["change"] == change] == slots
    assert [(row["case_id"], row["why"], row["b"]) for row in rows if row["change"] == "apart"] == [
        ("museum_P-RAM", "missing in B", "missing")
    ]


def test_a_table_for_people(iwtui: Command, store: Store) -> None:
    text = ok(iwtui, "before", "after", "--by", "")
    assert text.startswith("! played by scripts, not by models: A and B\n")
    assert "newly failing: 2 slots" in text and "apart, no failures: 1 case" in text
    assert "5 pairs by case and repeat; policy default" in text
    assert "B − A by" not in text


def test_two_filters(iwtui: Command, store: Store) -> None:
    found = json.loads(ok(iwtui, "run:before seed:bakery", "run:last seed:bakery", "--format", "json"))
    assert found["pairs"] == 2 and found["a"]["asked"] == "run:before seed:bakery"


def test_two_episodes(iwtui: Command, store: Store) -> None:
    names = "before/bakery_P-MIN", "after/bakery_P-MIN"
    found = json.loads(ok(iwtui, *names, "--format", "json"))
    assert found["divergence"]["equal"] == 0 and found["divergence"]["differs"] == ["action"]
    assert (found["divergence"]["a"]["told"], found["divergence"]["b"]["told"]) == ("clarify: Which name?", "implement")
    assert [(file["path"], file["op"]) for file in found["files"]] == [("index.html", "change")]
    assert [(file["path"], file["op"]) for file in found["files_at_divergence"]] == [("index.html", "add")]
    assert [pair["label"] for pair in found["pictures"]] == ["verify 1"]
    assert [(turn["turn"], turn["b"] is None) for turn in found["dialogue"]] == [
        (1, False),
        (2, False),
        (3, False),
        (4, True),
    ]
    text = ok(iwtui, *names)
    assert "They part after 0 steps in common, by action:" in text
    assert "  A turn 1, event 3: clarify: Which name?" in text
    assert "## files at the end" in ok(iwtui, *names, "--format", "markdown")
    assert len(list(csv.DictReader(io.StringIO(ok(iwtui, *names, "--format", "csv"))))) == 4


def test_an_episode_with_itself(iwtui: Command, told: str) -> None:
    assert "The two did the same from beginning to end." in ok(iwtui, told, told)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("before", "nothing"), 3, "no "),
        (("before", "after/bakery_P-MIN"), 2, "B is an episode"),
        (("before/bakery_P-MIN", "after/lending_P-MIN"), 2, "two cases"),
        (("before/bakery_P-MIN", "after/bakery_P-MIN", "--by", "seed"), 2, "are episodes"),
        (("before", "sead:bakery"), 2, "nearest is 'seed'"),
        (("before", "seed:none"), 2, "B has no episode"),
        (("before", "after", "--by", "mood"), 2, "persona"),
        (("seed:bakery", "after"), 2, "several episodes"),
    ],
)
def test_wrong_use_is_told(iwtui: Command, store: Store, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = iwtui("compare", *arguments)
    assert result.exit_code == code and said in result.stderr, result.output


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json"])
def test_hostile_text_does_nothing(iwtui: Command, scribe: Scribe, form: str) -> None:
    one, two = add_whole(scribe, "first", HOSTILE), add_whole(scribe, "second", HOSTILE)
    for pair in (("first", "second"), (one, two)):
        result = iwtui("compare", *pair, "--format", form)
        assert result.exit_code == 0, result.output
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", result.stdout + result.stderr)
