"""The application: themes, keymap, help, palette, titles, notes, leaving, and what becomes of a fault."""

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.app import ComposeResult
from textual.color import Color
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList, Static

from iwtui.archive.registry import Registration
from iwtui.archive.store import Store
from iwtui.config import ConfigError
from iwtui.tui.actions import bindings_for
from iwtui.tui.app import ConsoleApp
from iwtui.tui.app_protocol import console
from iwtui.tui.copying import CLIPBOARD
from iwtui.tui.look import ACTIONS, STATUSES, VARIABLES, VERDICTS, action_string
from iwtui.tui.screens.help import HelpScreen
from iwtui.tui.screens.leave import LeaveScreen
from iwtui.tui.themes import SHIPPED, choose_theme, load_themes
from iwtui.tui.widgets.frame import Crumbs, Keys

SIZES = [(80, 24), (120, 40), (200, 60)]
FOUL = "[/ [link=' \x1b]0;x\x07 \x9b31m \u202e [bold]"


class First(Screen[None]):
    TITLE = "runs"
    BINDINGS: ClassVar = bindings_for("episode")
    done: ClassVar[list[str]] = []

    def compose(self) -> ComposeResult:
        yield Crumbs()
        for group in (ACTIONS, VERDICTS, STATUSES):
            for look in group.values():
                yield Static(look.worded())
        yield Static(action_string("C C I V · S"), id="actions", classes="pane")
        yield Keys()

    def action_marks(self) -> None:
        self.done.append("marks")

    def action_zoom(self) -> None:
        raise ZeroDivisionError(f"by {FOUL}")


class Second(First):
    TITLE = FOUL


class Try(ConsoleApp):
    def get_default_screen(self) -> Screen[Any]:
        return First()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    (tmp_path / "runtime").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    First.done.clear()
    yield tmp_path


@asynccontextmanager
async def running(size: tuple[int, int] = (120, 40), **how: Any) -> AsyncIterator[tuple[Try, Pilot[None]]]:
    app = Try(Store(Path("nowhere")), **how)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield app, pilot


def line(app: ConsoleApp, number: int) -> str:
    """A line of the screen as it is painted, without its colours."""
    return "".join(segment.text for segment in app.screen._compositor.render_strips()[number])


@pytest.mark.parametrize("size", SIZES)
async def test_title_and_keys_frame_every_size(size: tuple[int, int]) -> None:
    async with running(size) as (app, pilot):
        for columns, rows in (size, (60, 20), (140, 30), (40, 10)):
            await pilot.resize_terminal(columns, rows)
            await pilot.pause()
            assert line(app, 0).startswith(" iwtui › runs")
            assert line(app, rows - 1).rstrip().endswith("? help")
            assert len(line(app, rows - 1)) == columns


async def test_titles_are_data_and_lead_back() -> None:
    async with running((120, 30)) as (app, pilot):
        await app.push_screen(Second())
        await app.push_screen(First())
        await pilot.pause()
        assert line(app, 0).startswith(" iwtui › runs › [/ [link=' ␛]0;x␇ ‹9B›31m ‹202E› [bold] › runs")
        await pilot.click(Crumbs, offset=(11, 0))
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_a_long_way_keeps_its_end() -> None:
    async with running((50, 20)) as (app, pilot):
        for _ in range(6):
            await app.push_screen(First())
        await pilot.pause()
        shown = line(app, 0)
        assert shown.startswith(" iwtui › … › runs")
        assert shown.rstrip().endswith("runs")


async def test_escape_goes_back_and_stops_at_the_first_screen() -> None:
    async with running() as (app, pilot):
        await app.push_screen(Second())
        await pilot.press("escape", "escape", "escape")
        assert isinstance(app.screen, First)
        assert len(app.screen_stack) == 1
        assert "back" not in line(app, 39)


async def test_help_lists_the_actions_of_the_moment_with_their_present_keys() -> None:
    async with running((160, 90), keymap={"episode.marks": "f7"}) as (app, pilot):
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.pause()
        found = "\n".join(line(app, number) for number in range(90))
        assert "Episode" in found
        assert "f7" in found
        assert "⇧← H [" in found
        assert "In a list" not in found
        await pilot.press("question_mark")
        assert not isinstance(app.screen, HelpScreen)


async def test_what_stands_behind_the_help_keeps_its_own_keys() -> None:
    async with running() as (app, pilot):
        before = line(app, 39)
        await pilot.press("question_mark")
        await pilot.pause()
        assert line(app, 39) == before
        await pilot.press("escape")
        await pilot.pause()
        assert line(app, 39) == before


async def test_a_keymap_moves_an_action_and_frees_its_key() -> None:
    async with running(keymap={"episode.marks": "?,f7"}) as (_, pilot):
        await pilot.press("m")
        assert First.done == []
        await pilot.press("f7", "question_mark")
        assert First.done == ["marks", "marks"]


async def test_a_key_in_the_last_line_can_be_clicked() -> None:
    async with running((200, 30)) as (app, pilot):
        place = line(app, 29).index("m marks")
        await pilot.click(Keys, offset=(place + 3, 0))
        await pilot.pause()
        assert First.done == ["marks"]


async def test_the_palette_has_every_action_once_and_does_it() -> None:
    async with running() as (app, pilot):
        found = list(app.get_system_commands(app.screen))
        titles = [command.title for command in found]
        assert len(set(titles)) == len(titles)
        assert {"turn back: One turn back", "leave: Leave the console; runs go on if you like", "Theme: light"} <= set(
            titles
        )
        (marks,) = [command for command in found if "numbered marks" in command.title]
        await marks.callback()
        assert First.done == ["marks"]
        await pilot.press("ctrl+p")
        await pilot.press(*"numbered", "enter", "enter")
        await pilot.pause()
        assert First.done == ["marks", "marks"]


async def test_notes_are_data() -> None:
    async with running() as (app, pilot):
        app.notify_text(FOUL, title=FOUL, severity="error")
        console(app.screen).notify_text(FOUL)
        await pilot.pause(0.2)
        painted = "".join(line(app, number) for number in range(40))
        assert "‹9B›31m" in painted


async def test_the_theme_key_goes_through_all_themes() -> None:
    async with running() as (app, pilot):
        seen = [app.theme]
        for _ in range(3):
            await pilot.press("f9")
            await pilot.pause()
            seen.append(app.theme)
        assert seen == ["dark", "light", "contrast", "dark"]


async def test_the_painted_colours_are_the_theme_s() -> None:
    async with running(theme=load_themes()["contrast"]) as (app, _):
        look, colours = ACTIONS["implement"], app.theme_variables
        (segment,) = [
            segment
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.text.startswith("# implement")
        ]
        assert segment.style is not None and segment.style.color is not None
        assert segment.style.color.triplet is not None
        assert segment.style.color.triplet.hex == colours[look.style[1:]]


async def test_without_colour_nothing_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as (app, _):
        filters = app.get_line_filters()
        assert [type(one).__name__ for one in filters][-2:] == ["Monochrome", "ControlFilter"]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_theme_has_all_our_colours_of_enough_contrast(name: str) -> None:
    theme = load_themes()[name]
    back = Color.parse(theme.background or "")
    assert set(VARIABLES) <= set(theme.variables)
    wanted = 7.0 if name == "contrast" else 4.5
    for variable in VARIABLES:
        if not variable.startswith("heat"):
            assert contrast(Color.parse(theme.variables[variable]), back) >= wanted, variable


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2: 1 to 21."""

    def luminance(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return float((light + 0.05) / (dark + 0.05))


def test_a_theme_of_one_s_own_takes_the_rest_from_ours(own_folders: Path) -> None:
    themes = own_folders / "config" / "iwtui" / "themes"
    themes.mkdir(parents=True)
    (themes / "mine.toml").write_text('name = "mine"\ndark = false\nprimary = "#aa0000"\n[variables]\ndim = "#444444"\n')
    mine = load_themes()["mine"]
    light = load_themes()["light"]
    assert (mine.primary, mine.background, mine.variables["dim"]) == ("#aa0000", light.background, "#444444")
    assert set(VARIABLES) <= set(mine.variables)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 3", "name"),
        ('name = "x"\ncolour = "#fff"', "colour"),
        ('name = "x"\nprimary = "#ggg"', "primary"),
        ('name = "x"\n[variables]\ndim = "#12"', "dim"),
        ("name =", "Invalid"),
        ('name = "[/"', "name"),
    ],
)
def test_a_theme_that_cannot_be_used_names_file_and_fault(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=f"bad.toml: .*{said}"):
        choose_theme(str(file), load_themes())


def test_an_unknown_theme_names_those_that_are_there() -> None:
    with pytest.raises(ConfigError, match="dark, light, contrast"):
        choose_theme("drak", load_themes())


async def test_a_theme_of_textual_has_colours_for_our_variables() -> None:
    async with running() as (app, pilot):
        app.theme = "nord"
        await pilot.pause()
        assert set(VARIABLES) <= set(app.theme_variables)


async def test_copying_goes_to_the_clipboard_and_when_long_to_a_file() -> None:
    async with running() as (app, _):
        assert app.copy_text("short", "name") is None
        assert app.clipboard == "short"
        long = "x" * (CLIPBOARD + 1)
        file = app.copy_text(long, "../../etc/passwd\x1b")
        assert file is not None
        assert file.read_text() == long
        assert file.parent.name == "copied"
        assert app.clipboard == str(file)


async def test_leaving_with_nothing_going_on_asks_nothing() -> None:
    async with running() as (app, pilot):
        await pilot.press("q")
        await pilot.pause()
        assert app._exit


@pytest.fixture
def runner(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that is registered as a runner, as `iwtui run` would be."""
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom iwtui.archive.registry import Registration\n"
        "with Registration(Path(sys.argv[1]), 'a-run'):\n    print('ready', flush=True)\n    time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    ("keys", "leaves", "stops"), [("enter", True, False), ("j enter", True, True), ("escape", False, False)]
)
async def test_leaving_asks_what_becomes_of_a_run_that_goes_on(
    keys: str, leaves: bool, stops: bool, runner: "subprocess.Popen[str]"
) -> None:
    async with running(pids=(runner.pid,)) as (app, pilot):
        await pilot.press("q")
        assert isinstance(app.screen, LeaveScreen)
        await pilot.pause()
        assert any("a-run is still being played" in line(app, number) for number in range(40))
        assert app.screen.query_one(OptionList).highlighted == 0
        await pilot.press(*keys.split())
        await pilot.pause()
        assert app._exit is leaves
        if stops:
            assert runner.wait(5) == -15
        else:
            assert runner.poll() is None


async def test_runs_of_others_are_not_asked_about(tmp_path: Path) -> None:
    with Registration(tmp_path, "theirs"):
        async with running() as (app, pilot):
            app.started(os.getpid() + 100_000)
            await pilot.press("q")
            await pilot.pause()
            assert app._exit


async def test_a_fault_is_reported_to_a_file_and_in_few_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    app = Try(Store(Path("nowhere")))
    with pytest.raises(ZeroDivisionError):
        async with app.run_test(notifications=True) as pilot:
            await pilot.press("z")
            await pilot.pause()
    assert capsys.readouterr().err == ""
    what, where, _ = app.fault.splitlines()
    assert what.endswith("ZeroDivisionError: by [/ [link=' ␛]0;x␇ ‹9B›31m ‹202E› [bold]")
    report = Path(where.removeprefix("The report is in ")).read_text()
    assert "action_zoom" in report
    assert "\x1b" not in report + app.fault


async def test_keys_typed_before_it_could_read_are_not_lost() -> None:
    async with running(typed=("m", "m")) as (_, pilot):
        await pilot.pause()
        assert First.done == ["marks", "marks"]


def test_the_shell_of_the_console_is_light() -> None:
    code = (
        "import sys, iwtui.tui.app; print([n for n in ('duckdb','polars','litellm','playwright','PIL') if n in sys.modules])"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "[]"
    assert time.monotonic() - began < 15
