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


def test_a_pack_that_is_not_there_is_wrong_use(iwtui: Command) -> None:
    result = iwtui("tasks", "list", "nothing")
    assert result.exit_code == 2
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
