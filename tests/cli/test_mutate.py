"""`iwtui tasks mutate`: a row for a pack on stdout, what was done with it on stderr; with a model, over HTTP."""

import json
from pathlib import Path

import pytest

from tests.cli.scribe import Command
from tests.support.openai_server import Asked, OpenAIServer, Said


def test_a_row_goes_to_stdout_and_is_a_pack_after_its_import(iwtui: Command) -> None:
    made = iwtui("tasks", "mutate", "bakery", "--persona", "P-CON")
    assert made.exit_code == 0, made.output
    row = json.loads(made.stdout)
    about = row["iwtui"]["mutation"]
    assert row["id"].startswith("bakery_P-CON-") and about["of"].startswith("bakery_")
    assert (about["by"], about["tries"], about["faults"]) == ("rules", 1, [])
    assert "contradicted: 1 Colour Scheme, 2 Colour Scheme" in made.stderr
    assert iwtui("tasks", "import", "-", "--name", "mine", input=made.stdout).exit_code == 0
    assert "contradicted" in iwtui("tasks", "show", row["id"]).stdout
    again = iwtui("tasks", "mutate", row["id"], "--persona", "P-MIN", "--pack", "mine", "--id", "short")
    assert json.loads(again.stdout)["id"] == "short"


def test_rows_are_added_to_a_file(iwtui: Command, tmp_path: Path) -> None:
    for persona in ("P-MIN", "P-INT"):
        assert iwtui("tasks", "mutate", "lending", "--persona", persona, "-o", "more.jsonl").stdout == ""
    rows = [json.loads(line) for line in (tmp_path / "more.jsonl").read_text().splitlines()]
    assert [row["persona"]["id"] for row in rows] == ["P-MIN", "P-INT"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nothing", "--persona", "P-MIN"), 3, "no seed 'nothing'"),
        (("bakery", "--persona", "P-NONE"), 2, "P-BASE, P-CON"),
        (("bakery", "--persona", "P-MIN", "--id", "../x"), 2, "that is no case"),
        (("bakery",), 2, "--persona"),
    ],
)
def test_wrong_use_is_said(iwtui: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    made = iwtui("tasks", "mutate", *arguments)
    assert (made.exit_code, made.stdout) == (code, "")
    assert said in made.stderr


def test_a_model_writes_it_and_what_stays_outside_is_said(
    iwtui: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process, so LiteLLM is loaded once for all of it."""
    replies = ["Make it ivory and maroon.", "Make me a bakery website.", *["far too long " * 9] * 2]

    def play(asked: Asked) -> Said:
        return Said(text=f"<think>Let me see.</think>{replies[asked.number]}")

    monkeypatch.setenv("BAKER", "not-a-key")
    with OpenAIServer(play) as server:
        (tmp_path / "iwtui.toml").write_text(f'[roles.client]\napi_base = "{server.url}"\napi_key = "env:BAKER"\n')
        made = iwtui("tasks", "mutate", "bakery", "--persona", "P-MIN", "--model", "openai/x")
        assert made.exit_code == 0, made.output
        row = json.loads(made.stdout)
        assert (row["instruction"], row["iwtui"]["mutation"]["by"], row["iwtui"]["mutation"]["tries"]) == (
            "Make me a bakery website.",
            "openai/x",
            2,
        )
        complaint = server.requests[1].messages[-1]["content"]
        assert "names a colour" in str(complaint) and "not-a-key" not in made.output

        outside = iwtui("tasks", "mutate", "bakery", "--persona", "P-MIN", "--model", "openai/x", "--tries", "2")
        assert outside.exit_code == 1
        assert json.loads(outside.stdout)["iwtui"]["mutation"]["faults"]
        assert "outside what is observed: P-MIN: 27 words, not 4 to 8" in outside.stderr
        asked = len(server.requests)
        monkeypatch.delenv("BAKER")
        failed = iwtui("tasks", "mutate", "bakery", "--persona", "P-MIN", "--model", "openai/x")
        assert (failed.exit_code, failed.stdout, len(server.requests)) == (1, "", asked)
        assert "BAKER" in failed.stderr
