"""Text of others never acts on the terminal, wherever it stands."""

import pytest

from tests.cli.scribe import Command, Scribe, add_whole

HOSTILE = (
    "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1bP+q\x1b\\\x9b31m\x9d52;c;eA==\x9c\x00\x08\x7f"
    "\u202eevil\u202c\u2066x\u2069\u200f\r[/] [bold]"
)
"""Clear screen, clipboard, title, device control, the same in C1, NUL, backspace, DEL, turned text, a bare CR, markup."""

COMMANDS = [
    ["show", "--full"],
    ["show", "--json"],
    ["show", "--event", "19"],
    ["report", "--by", "persona,builder,seed"],
    ["report", "--format", "csv"],
    ["report", "--format", "json"],
    ["report", "--format", "markdown"],
    *(
        ["sql", f"select * from {table}", "--format", form]
        for table in ("events", "turns", "dialogue", "files", "browser_steps", "verdicts", "cases", "calls")
        for form in ("table", "csv", "json", "markdown")
    ),
]


@pytest.fixture(scope="module")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Scribe:
    scribe = Scribe(tmp_path_factory.mktemp("hostile") / "store")
    add_whole(scribe, "first", HOSTILE)
    return scribe


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_it_reaches_the_terminal_raw(iwtui: Command, hostile_store: Scribe, command: list[str]) -> None:
    result = iwtui("--store", str(hostile_store.store.root), *command)
    assert result.exit_code == 0, result.output
    ours = result.output.replace("\x1b[0m", "")
    for style in ("1", "2", "31", "32", "33"):
        ours = ours.replace(f"\x1b[{style}m", "")
    raw = {char for char in ours if char in HOSTILE and not (char.isprintable() and char.isascii())}
    assert raw == set()


def test_it_is_shown_and_not_dropped(iwtui: Command, hostile_store: Scribe) -> None:
    shown = iwtui("--store", str(hostile_store.store.root), "show").stdout
    assert "␛[2J" in shown
    assert "[/] [bold]" in shown


@pytest.mark.parametrize(
    "command", [["show"], ["report"], ["rm", "--yes"], ["serve"], ["sql"], ["tasks", "show"], ["tasks", "validate"]]
)
def test_what_was_typed_is_data_too(iwtui: Command, told: str, command: list[str]) -> None:
    result = iwtui(*command, HOSTILE.replace("\x00", ""))
    assert result.exit_code in (2, 3)
    assert not {char for char in result.output if char in HOSTILE and not (char.isprintable() and char.isascii())}
