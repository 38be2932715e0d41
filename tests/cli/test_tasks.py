"""`iwtui tasks`: what the packs hold."""

import json
from pathlib import Path

import pytest

from iwtui.judges import validate
from iwtui.judges.validate import Finding
from iwtui.web import chromium
from tests.cli.scribe import Command


def test_all_cases_of_all_packs_are_listed(iwtui: Command) -> None:
    rows = json.loads(iwtui("tasks", "list", "--json").stdout)
    assert {row["persona"] for row in rows if row["pack"] == "starter"} == {"P-MIN", "P-RAM", "P-INT", "P-CON", "P-BASE"}
    assert "bakery_P-MIN" in iwtui("tasks", "list", "starter").stdout


def test_a_pack_that_is_not_there_is_not_found(iwtui: Command) -> None:
    result = iwtui("tasks", "list", "nothing")
    assert result.exit_code == 3
    assert "starter" in result.stderr


def test_a_case_tells_what_is_said_meant_and_judged(iwtui: Command) -> None:
    shown = iwtui("tasks", "show", "bakery_P-MIN").stdout
    case = json.loads(iwtui("tasks", "show", "bakery_P-MIN", "--json").stdout)
    for text in (case["instruction"], *case["facts"], *(slot["expected"] for slot in case["slots"])):
        assert text.split(".")[0][:60] in shown


def test_a_part_of_a_name_must_fit_one_case_only(iwtui: Command) -> None:
    assert iwtui("tasks", "show", "bakery_P-M").exit_code == 0
    assert iwtui("tasks", "show", "bakery").exit_code == 2
    assert iwtui("tasks", "show", "nobody").exit_code == 3


class NoBrowser:
    @staticmethod
    def launch(_: object) -> "NoBrowser":
        return NoBrowser()

    async def __aenter__(self) -> "NoBrowser":
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize(("severities", "code"), [([], 0), (["warning"], 0), (["warning", "error"], 1)])
def test_validate_fails_on_errors_only(
    iwtui: Command, monkeypatch: pytest.MonkeyPatch, severities: list[str], code: int
) -> None:
    async def prove(folder: Path, browser: object, report: object) -> list[Finding]:
        assert folder.name == "starter"
        return [Finding(severity, "bakery", "it is wrong\x1b[2J") for severity in severities]  # type: ignore[arg-type]

    monkeypatch.setattr(validate, "validate", prove)
    monkeypatch.setattr("iwtui.web.browser.Browser", NoBrowser)
    monkeypatch.setattr(chromium, "find", lambda _: chromium.Chromium(Path("/x"), "test", "1"))
    plain, as_json = iwtui("tasks", "validate", "starter"), iwtui("tasks", "validate", "starter", "--json")
    assert plain.exit_code == as_json.exit_code == code, plain.output
    assert plain.stdout.splitlines() == [f"{severity}: bakery: it is wrong␛[2J" for severity in severities]
    assert [row["severity"] for row in json.loads(as_json.stdout)] == severities


ROW = {
    "id": "000001_P-MIN",
    "persona": "P-MIN",
    "instruction": "Make me a clock.",
    "ground_truth_instruction": "Please make a clock. Use beige for the background.",
    "difficulty": "easy",
    "oracle_slots": [
        {
            "expected_result": "The page is beige.",
            "target_component": "Background",
            "assertion_type": "POSITIVE",
            "c_tech": 2.0,
            "final_weight": 2.0,
        }
    ],
}


def test_rows_are_imported_and_then_are_a_pack_like_any_other(iwtui: Command, tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text(json.dumps(ROW) + "\n")
    done = iwtui("tasks", "import", str(file))
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        0,
        "pack theirs: 1 case added, 0 there already, 0 lines left out, 0 differences from the formula",
    )
    assert "000001_P-MIN" in iwtui("tasks", "list", "theirs").stdout
    assert "000001_P-MIN" in iwtui("tasks", "list").stdout
    assert "Use beige for the background." in iwtui("tasks", "show", "000001_P-MIN").stdout
    proved = iwtui("tasks", "validate", "theirs")
    assert (proved.exit_code, proved.stdout) == (
        0,
        "warning: 1 of 1 slots have no executable check: only a model can judge them\n",
    )


def test_bad_lines_and_differences_are_told_apart_from_the_data(iwtui: Command) -> None:
    lines = [json.dumps({**ROW, "difficulty": "hard"}), '{"evil\x1b[2J', json.dumps({**ROW, "id": "b_P-MIN"})]
    done = iwtui("tasks", "import", "-", "--name", "mine", input="\n".join(lines))
    assert done.exit_code == 1
    assert "2 cases added" in done.stdout and "1 line left out" in done.stdout and "1 difference" in done.stdout
    told = done.stderr.splitlines()
    assert told[0].startswith("line 2 left out: not JSON") and "\x1b" not in done.output
    assert told[1] == "line 1 taken, by the formula: 000001_P-MIN: the file says difficulty 'hard', the weights 'easy'"
    again = iwtui("tasks", "import", "-", "--name", "mine", "--json", input="\n".join(lines))
    whole = json.loads(again.stdout)
    assert (whole["pack"], whole["added"], whole["known"]) == ("mine", 0, 2)
    assert [bad["line"] for bad in whole["bad"]] == [2]


@pytest.mark.parametrize(
    ("arguments", "input_"), [(("-",), "{}"), (("-", "--name", "starter"), "{}"), (("-", "--name", "../x"), "{}")]
)
def test_a_pack_needs_a_name_of_its_own(iwtui: Command, arguments: tuple[str, ...], input_: str) -> None:
    assert iwtui("tasks", "import", *arguments, input=input_).exit_code == 2


def test_a_run_says_before_it_starts_that_checks_cannot_judge_its_cases(iwtui: Command) -> None:
    iwtui("tasks", "import", "-", "--name", "mine", input=json.dumps(ROW))
    asked = iwtui("run", "mine", "--dry-run")
    assert asked.exit_code == 0 and "000001_P-MIN" in asked.stdout
    assert "the judge `checks` cannot judge them" in asked.stderr and "--judge" in asked.stderr
    assert "cannot judge" not in iwtui("run", "starter", "--dry-run").stderr
