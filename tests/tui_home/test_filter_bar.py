"""The filter bar: what it completes, and what becomes of a filter that cannot be read."""

from pathlib import Path
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from iwtui.bench.filters import FIELDS, parse
from iwtui.tui.screens.filter_bar import FilterBar, completed
from tests.tui_home.stage import HOSTILE, Stage, until

VALUES = {"persona": ("P-MIN", "P-RAM"), "builder": ("maker/model a", "maker/other"), "stop_reason": (HOSTILE,)}


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("per", "persona:"),
        ("tcr<0.3 -stat", "tcr<0.3 -status:"),
        ("status:sc", "status:scored"),
        ("persona:P-MIN,P-R", "persona:P-MIN,P-RAM"),
        ("builder:maker/o", "builder:maker/other"),
        ("scripted:y", "scripted:yes"),
        ("turn", "turns"),
        ("tcr", None),
        ("persona:", None),
        ("persona:P-RAM", None),
        ("nothing_such", None),
        ("", None),
        ("persona:P-MIN ", None),
    ],
)
def test_the_last_word_is_completed(typed: str, whole: str | None) -> None:
    assert completed(typed, VALUES) == whole


def test_a_value_that_needs_quotes_gets_them() -> None:
    assert completed('builder:"maker/m', VALUES) == 'builder:"maker/model a"'


@pytest.mark.parametrize("field", FIELDS)
def test_whatever_is_completed_can_be_read_once_a_value_follows(field: str) -> None:
    whole = completed(field[:-1], {}) or field
    name = whole.rstrip(":")
    parse(f"{name}:none")


class Barred(Stage):
    """The bar alone, and what it asked for."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.bar = FilterBar()
        self.messages: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.bar

    def get_default_screen(self) -> Any:
        return Screen[None]()

    def on_filter_bar_asked(self, message: FilterBar.Asked) -> None:
        self.messages.append(message.text)

    def on_filter_bar_given_up(self) -> None:
        self.messages.append("given up")


async def test_tab_takes_the_completion_and_enter_asks(tmp_path: Path) -> None:
    app = Barred(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.bar.open("", VALUES)
        await pilot.press(*"per")
        await until(pilot, lambda: "persona:" in app.shown)
        await pilot.press("tab", *"P-R")
        await until(pilot, lambda: "persona:P-RAM" in app.shown)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: app.messages == ["persona:P-RAM"])
        assert not app.bar.has_class("-open")


async def test_what_cannot_be_read_stays_to_be_corrected(tmp_path: Path) -> None:
    app = Barred(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.bar.open("", VALUES)
        await pilot.press(*"presona:P-MIN", "enter")
        await until(pilot, lambda: "the nearest is 'persona'" in app.shown)
        assert app.messages == [] and "presona:P-MIN" in app.shown
        await pilot.press("escape")
        assert app.messages == ["given up"]
        app.bar.open("persona:P-RAM", VALUES)
        await until(pilot, lambda: "presona:P-MIN" in app.shown)
        await pilot.press("home", "delete", "delete", "delete", *"per", "enter")
        await until(pilot, lambda: app.messages[-1] == "persona:P-MIN")
        app.bar.open("persona:P-RAM", VALUES)
        await until(pilot, lambda: "persona:P-RAM" in app.shown)


async def test_foreign_text_is_shown(tmp_path: Path) -> None:
    app = Barred(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.bar.open("", VALUES)
        await pilot.press(*"stop_reason:")
        await pilot.press('"', "enter")
        await until(pilot, lambda: "not closed" in app.shown)
        assert "\x1b" not in app.shown
