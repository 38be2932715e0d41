"""What a stranger gets wrong: one clear sentence, the right exit code, nothing lost."""

import gzip
import json
from pathlib import Path

import pytest

from iwtui.archive import pack_files
from tests.cli.scribe import Command, Scribe, add_whole, make_case


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"jbos = 3", "unknown key 'jbos'; the nearest is 'jobs'"),
        (b"api_key = 'sk-abcdefgh12345678'", "'api_key' belongs into [roles.<role>]"),
        (b"temperature = 0.5", "'temperature' belongs into [roles.<role>]"),
        (b"OPENAI_API_KEY = 'sk-abcdefgh12345678'", "a provider's key stands in the environment alone"),
        (b"[roles.builder]\napi_key = 'sk-abcdefgh12345678'", "a key must not stand in a file"),
        (b"[roles.bilder]\n", "unknown role 'bilder'; the nearest is 'builder'"),
        (b"[roles.builder]\ntemprature = 1", "unknown key 'temprature'; the nearest is 'temperature'"),
    ],
)
def test_a_setting_that_cannot_be(iwtui: Command, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "iwtui.toml").write_bytes(content)
    result = iwtui("report")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert "sk-abcdefgh" not in result.output


def test_settings_may_begin_with_a_byte_order_mark(iwtui: Command, told: str, tmp_path: Path) -> None:
    (tmp_path / "iwtui.toml").write_bytes(b"\xef\xbb\xbfjobs = 2\n")
    assert iwtui("report").exit_code == 0


def test_a_folder_in_place_of_the_settings(iwtui: Command, tmp_path: Path) -> None:
    (tmp_path / "iwtui.toml").mkdir()
    result = iwtui("report")
    assert (result.exit_code, result.stderr) == (2, f"iwtui: {tmp_path / 'iwtui.toml'}: Is a directory\n")


@pytest.mark.parametrize("command", [["report"], ["show"], ["run", "starter", "--case", "bakery_P-MIN"]])
def test_a_file_in_place_of_the_store(iwtui: Command, tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    result = iwtui(*command, "--store", str(file / "store"))
    assert result.exit_code == 2
    assert f"can be no store: {file} is not a folder" in result.stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (gzip.compress(b"{}"), "is compressed"),
        ("{}".encode("utf-16"), "no text in UTF-8"),
        (b"\xef\xbb\xbf [\n{}]", "is a JSON list"),
        (b'{"a": 1}\n' * 200, "more than 1,000 bytes"),
    ],
)
def test_a_file_that_no_pack_can_be_made_of(
    iwtui: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, said: str
) -> None:
    monkeypatch.setattr(pack_files, "LARGEST_PACK", 1_000)
    (tmp_path / "x.jsonl").write_bytes(content)
    result = iwtui("tasks", "import", "x.jsonl", "--name", "mine")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert not list((tmp_path / "store").glob("packs/*.jsonl"))


def test_of_many_cases_the_nearest_are_named(iwtui: Command, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in _cases(20)]
    (tmp_path / "many.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert iwtui("tasks", "import", "many.jsonl").exit_code == 0
    result = iwtui("run", "many", "--case", "shop7", "--dry-run")
    assert result.exit_code == 2
    assert "'shop7' is none of 20; the nearest are shop7_P-MIN, " in result.stderr
    assert len(result.stderr) < 400


def _cases(number: int) -> list[bytes]:
    from iwtui.packs import write_cases

    return write_cases([make_case(f"shop{n}", "P-MIN") for n in range(number)]).splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--judge", "nonsense"], "no judge 'nonsense': give checks, voyager, intent, visual, or the LiteLLM model"),
        (["--judge", "checks", "--model", "a/b"], "asks no model"),
        (["--judge", "voyager"], "needs a model; give --model"),
        (["--judge", "a/b", "--model", "a/c"], "two models are named: a/b and a/c"),
    ],
)
def test_a_judge_that_cannot_be(iwtui: Command, scribe: Scribe, told: str, arguments: list[str], said: str) -> None:
    result = iwtui("judge", told, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    run = told.partition("/")[0]
    assert len(scribe.store.run(run).judgings(scribe.store.resolve_episode(told))) == 1


def test_no_judging_while_the_run_is_played(iwtui: Command, scribe: Scribe, told: str) -> None:
    with scribe.store.resolve_run("last").lock():
        result = iwtui("judge", "last", "--judge", "checks")
    assert result.exit_code == 2
    assert "is held by process" in result.stderr


@pytest.mark.parametrize("command", ["resume", "retry"])
def test_nothing_left_to_play_is_said_and_needs_no_model(iwtui: Command, told: str, command: str) -> None:
    result = iwtui(command, "last")
    assert result.exit_code == 0, result.output
    assert "nothing of it is left to play" in result.stderr
    assert "scripted/blind" in result.stdout


@pytest.mark.parametrize("command", ["pause", "continue", "cancel"])
def test_no_order_reaches_a_run_that_is_over_or_dead(iwtui: Command, scribe: Scribe, command: str) -> None:
    add_whole(scribe, "over")
    scribe.run("dead", [make_case("bakery", "P-MIN")])
    over, dead = iwtui(command, "over"), iwtui(command, "dead")
    assert (over.exit_code, dead.exit_code) == (2, 2)
    assert "run over is over" in over.stderr
    assert "`iwtui resume dead` goes on with it" in dead.stderr
    unknown = iwtui(command, "dead", "nobody")
    assert unknown.exit_code == 3
    assert "Its episodes are bakery_P-MIN.scripted-blind.r1.a1." in unknown.stderr
