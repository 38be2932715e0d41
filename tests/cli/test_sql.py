"""`iwtui sql`: questions, formats, limits, and what it refuses."""

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pyarrow import parquet

from tests.cli.scribe import Command, Scribe


def test_a_table_has_a_limit_and_says_so(iwtui: Command, told: str) -> None:
    result = iwtui("sql", "select * from range(501)")
    assert len(result.stdout.splitlines()) == 2 + 500 + 1
    assert result.stdout.endswith("500 of > 500 rows\n")
    assert "500 of > 500 rows" in result.stderr


def test_as_many_rows_as_the_limit_is_not_too_many(iwtui: Command, told: str) -> None:
    result = iwtui("sql", "select * from range(500)")
    assert len(result.stdout.splitlines()) == 2 + 500
    assert result.stderr.startswith("500 rows")


def test_formats_for_programs_have_no_limit_but_the_one_given(iwtui: Command, told: str) -> None:
    assert len(json.loads(iwtui("sql", "select * from range(1200)", "--format", "json").stdout)) == 1200
    cut = iwtui("sql", "select * from range(1200)", "--format", "csv", "--limit", "3")
    assert cut.stdout == "range\n0\n1\n2\n"
    assert "3 of > 3 rows" in cut.stderr


def test_json_is_a_list_of_objects_and_null_is_null(iwtui: Command, told: str) -> None:
    result = iwtui(
        "sql",
        "select 1 as a, null as b, 'x' as c, [1, 2] as d union all select 2, 3, null, null order by a",
        "--format",
        "json",
    )
    assert json.loads(result.stdout) == [{"a": 1, "b": None, "c": "x", "d": [1, 2]}, {"a": 2, "b": 3, "c": None, "d": None}]


def test_a_file_a_pipe_and_a_saved_query(iwtui: Command, told: str, tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("-- Count\nselect count(*) as n from episodes;\n")
    for result in (
        iwtui("sql", "-f", str(file), "--format", "csv"),
        iwtui("sql", "-", "--format", "csv", input="select count(*) as n from episodes"),
    ):
        assert result.stdout == "n\n1\n"
    assert iwtui("sql", "@outcomes", "--format", "json").exit_code == 0


def test_every_saved_query_answers(iwtui: Command, told: str) -> None:
    names = [line.split()[0] for line in iwtui("sql").stdout.splitlines() if line.startswith("@")]
    assert names
    for name in names:
        result = iwtui("sql", name)
        assert result.exit_code == 0, (name, result.output)


def test_without_a_query_tables_and_saved_queries_are_listed(iwtui: Command, told: str) -> None:
    result = iwtui("sql")
    assert "episodes" in result.stdout
    assert "@outcomes" in result.stdout


def test_a_saved_query_that_is_not_there(iwtui: Command, told: str) -> None:
    result = iwtui("sql", "@outcome")
    assert result.exit_code == 3
    assert "'outcomes'" in result.stderr


@pytest.mark.parametrize("name", ["rows.csv", "rows.json", "rows.md", "rows.parquet"])
def test_a_file_takes_its_format_from_its_name(iwtui: Command, told: str, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    result = iwtui("sql", "select 1 as a, 'é' as b", "-o", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    if name.endswith("parquet"):
        assert parquet.read_table(file).to_pylist() == [{"a": 1, "b": "é"}]
    else:
        assert "é" in file.read_text()
    assert not list(tmp_path.glob(".rows*"))


def test_parquet_through_a_pipe(iwtui: Command, told: str) -> None:
    assert iwtui("sql", "select 1 as a", "--format", "parquet").stdout_bytes.startswith(b"PAR1")


def test_a_failing_query_leaves_the_old_file(iwtui: Command, told: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("old")
    assert iwtui("sql", "select nothing", "-o", str(file)).exit_code == 2
    assert file.read_text() == "old"


@pytest.mark.parametrize(
    "query",
    [
        "selct 1",
        "select * from nowhere",
        "drop table attempts",
        "copy episodes to '/tmp/x.csv'",
        "select * from read_csv('/etc/passwd')",
        "select 1; select 2",
        "",
    ],
)
def test_what_it_refuses_is_one_clear_line(iwtui: Command, told: str, query: str) -> None:
    result = iwtui("sql", query)
    assert result.exit_code == 2
    assert result.stderr.startswith(("iwtui: ", "Usage: "))
    assert "Traceback" not in result.output


def test_query_and_file_are_too_much(iwtui: Command, told: str) -> None:
    assert iwtui("sql", "select 1", "-f", __file__).exit_code == 2


def test_odd_cells(iwtui: Command, told: str) -> None:
    query = r"""
        select '[/]' as markup, '{"a":[true]}' as json, chr(27) || '[2J' as esc, 'ab'::blob as raw, 'nan'::float as nan,
        repeat('x', 1000000) as long"""
    result = iwtui("sql", query)
    assert result.exit_code == 0
    assert "[/]" in result.stdout
    assert '{"a":[true]}' in result.stdout
    assert "␛[2J" in result.stdout
    assert "61 62 (2 bytes)" in result.stdout
    assert "nan" in result.stdout
    assert len(result.stdout) < 2_000


def test_an_interrupted_query_stops_at_once(scribe: Scribe, told: str) -> None:
    query = "select count(*) from range(10000000) a, range(10000000) b"
    program = "from iwtui.cli.main import main; main()"
    command = [sys.executable, "-c", program, "--store", str(scribe.store.root), "sql", query]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_work(process, 2.0)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert time.monotonic() - began < 5


def wait_for_work(process: "subprocess.Popen[str]", seconds: float) -> None:
    """Wait until the process has used so much processor time, far more than it needs before its query."""
    watched = psutil.Process(process.pid)
    for _ in range(1000):
        times = watched.cpu_times()
        if times.user + times.system >= seconds:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
            pytest.fail("it ended by itself")
    pytest.fail("it does not work")
