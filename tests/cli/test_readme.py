"""What the README says can be typed, set and asked is so."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from iwtui.bench.filters import FIELDS
from iwtui.cli.main import cli
from iwtui.config import load_config
from tests.cli.scribe import Command

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
QUERIES = [query for kind, text in BLOCKS if kind == "sql" for query in text.split(";\n") if query.strip()]
TYPED = [line for kind, text in BLOCKS if kind == "" for line in text.splitlines() if line.startswith("iwtui ")]
TABLES = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| `([^|]+)` \|$", README[README.index("| table |") :], re.MULTILINE))


@pytest.mark.parametrize("query", QUERIES)
def test_queries_answer(iwtui: Command, told: str, query: str) -> None:
    result = iwtui("sql", query)
    assert result.exit_code == 0, result.output


def test_there_are_queries_and_commands() -> None:
    assert len(QUERIES) > 5 and len(TYPED) > 10 and len(TABLES) > 10


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_there(iwtui: Command, told: str, table: str) -> None:
    told_of = set(re.findall(r"\w+", TABLES[table]))
    rows = json.loads(iwtui("sql", f"describe {table}", "--format", "json").stdout)
    assert told_of - {row["column_name"] for row in rows} == set()


@pytest.mark.parametrize("line", TYPED)
def test_commands_and_their_options_are_there(line: str) -> None:
    command: click.Command = cli
    arguments = shlex.split(line, comments=True)[1:]
    context = click.Context(cli)
    while arguments and isinstance(command, click.Group):
        found = command.get_command(context, arguments[0])
        assert found is not None, line
        command, arguments = found, arguments[1:]
        context = click.Context(command)
    command.make_parser(context).parse_args(arguments)  # raises for an option that is not there


def test_the_settings_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (text,) = [text for kind, text in BLOCKS if kind == "toml"]
    (tmp_path / "iwtui.toml").write_text(text)
    config = load_config(tmp_path, {})
    assert config.settings.of("builder", "openai/my-model").parameters["api_base"] == "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(("row", "kind"), [("texts", "text"), ("numbers", "number"), ("flags", "flag")])
def test_the_fields_of_filters_are_those_there_are(row: str, kind: str) -> None:
    found = re.search(rf"^\| {row} \| `([^`]+)` \|$", README, re.MULTILINE)
    assert found is not None and found[1].split() == [field for field, its in FIELDS.items() if its == kind]


@pytest.mark.parametrize("layout", ["figures", "paper"])
def test_every_key_of_a_report_is_told_of(iwtui: Command, told: str, layout: str) -> None:
    result = iwtui("report", "--policy", "official", "--by", "", "--layout", layout, "--format", "json")
    report = json.loads(result.stdout)
    words = set(re.findall(r"[\w-]+", README))
    keys = {
        re.sub("_(low|high|n)$", "", key) for key in {*report, *report["rows"][0], *report["rows"][0].get("official", {})}
    }
    assert keys - words == set()
