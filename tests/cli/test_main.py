"""The table of commands, the global options and the one place where errors become a line."""

import errno
import importlib
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from iwtui import __version__
from iwtui.cli import main as table
from iwtui.cli.failures import EXPECTED
from iwtui.cli.main import cli
from tests.cli.scribe import Command, Scribe, add_whole

HEAVY = ("aiohttp", "duckdb", "litellm", "msgspec", "numpy", "playwright", "polars", "pyarrow", "rich")


def test_without_a_command_the_help_is_printed() -> None:
    result = CliRunner().invoke(cli, [], prog_name="iwtui")
    assert result.exit_code == 0
    assert result.stdout == CliRunner().invoke(cli, ["--help"], prog_name="iwtui").stdout
    assert "demo" in result.stdout


def test_the_help_of_the_table_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom iwtui.cli.main import main\n"
        "try:\n    main(['--help'])\n"
        f"except SystemExit:\n    print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", [name for section in table.COMMANDS.values() for name in section])
def test_every_command_loads_helps_itself_and_takes_the_global_options(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"], prog_name="iwtui")
    assert result.exit_code == 0, result.output
    assert f"iwtui {name}" in result.stdout
    assert "--store" in result.stdout
    assert "--no-color" in result.stdout


@pytest.mark.parametrize("name", list(EXPECTED))
def test_every_expected_error_exists(name: str) -> None:
    module, _, kind = name.rpartition(".")
    assert issubclass(getattr(importlib.import_module(module), kind), Exception)


def test_the_version() -> None:
    assert __version__ in CliRunner().invoke(cli, ["--version"]).stdout


def test_a_command_that_is_nearly_right_is_suggested() -> None:
    result = CliRunner().invoke(cli, ["reprot"])
    assert result.exit_code == 2
    assert "Did you mean 'report'?" in result.stderr


def test_the_store_may_be_named_before_and_after_the_command(tmp_path: Path) -> None:
    scribe = Scribe(tmp_path / "elsewhere")
    add_whole(scribe, "first")
    before = CliRunner().invoke(cli, ["--store", str(scribe.store.root), "show"])
    after = CliRunner().invoke(cli, ["show", "--store", str(scribe.store.root)])
    assert before.exit_code == after.exit_code == 0
    assert before.stdout == after.stdout


def test_the_store_on_the_command_line_beats_the_environment(iwtui: Command, told: str, tmp_path: Path) -> None:
    assert iwtui("show").exit_code == 0
    assert iwtui("show", "--store", str(tmp_path / "none")).exit_code == 3


@pytest.mark.parametrize("how", ["--no-color", "NO_COLOR"])
def test_no_colour_when_not_wanted(iwtui: Command, told: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" in iwtui("show").stdout
    if how == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in iwtui("show", color=None).stdout
    else:
        assert "\x1b[" not in iwtui("show", "--no-color").stdout


def test_an_interruption_ends_with_130(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: click.Command, __: click.Context) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(click.Command, "invoke", interrupted)
    result = CliRunner().invoke(cli, ["show"])
    assert result.exit_code == 130


def test_a_wrong_setting_is_one_line_and_no_traceback(iwtui: Command, tmp_path: Path) -> None:
    (tmp_path / "iwtui.toml").write_text("jbos = 3\n")
    result = iwtui("show")
    assert result.exit_code == 2
    assert "nearest is 'jobs'" in result.stderr
    assert "Traceback" not in result.output


def test_a_full_disk_is_one_line(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: click.Command, __: click.Context) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/store/log")

    monkeypatch.setattr(click.Command, "invoke", full)
    result = CliRunner().invoke(cli, ["show"])
    assert result.exit_code == 2
    assert result.stderr.startswith("iwtui: /store/log: No space left on device\n")


def test_a_fault_of_the_program_is_not_hidden(iwtui: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: click.Command, __: click.Context) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(click.Command, "invoke", broken)
    assert isinstance(CliRunner().invoke(cli, ["show"]).exception, ZeroDivisionError)
