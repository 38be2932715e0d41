"""The form of a new run, and the processes that it starts."""

import subprocess
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widgets import Button, Checkbox, Input, Label, Select, SelectionList

from iwtui.archive.store import Store
from iwtui.packs import write_cases
from iwtui.tui.launch import Launched, LaunchError, Order, go_on, start
from iwtui.tui.screens.run import RunScreen
from tests.cli.scribe import Scribe, make_case
from tests.tui_home.stage import SIZES, Stage, until


class Form(Stage):
    """The form alone; what it gives back."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.given: list[Launched | None] = []

    def get_default_screen(self) -> Screen[None]:
        return Screen[None]()

    def on_mount(self) -> None:
        self.push_screen(RunScreen(), self.given.append)


@pytest.mark.parametrize("size", SIZES)
async def test_the_form_says_how_much_will_be_played(tmp_path: Path, size: tuple[int, int]) -> None:
    app = Form(tmp_path)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: "25 cases × 2 builders × 1 repeat = 50 episodes" in app.shown)
        assert "no API key needed" in app.shown
        assert "P-MIN" in app.shown
        app.screen.query_one("#personas", SelectionList).deselect("P-MIN")
        app.screen.query_one("#repeats", Input).value = "3"
        app.screen.query_one("#builders", Input).value = "openai/[/]"
        await until(pilot, lambda: "20 cases × 1 builder × 3 repeats = 60 episodes" in app.shown)
        assert "which costs" in app.shown


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("builders", " , ", "Name a builder"),
        ("repeats", "0", "Repeats"),
        ("jobs", "99", "At a time"),
        ("personas", "", "No case fits"),
        ("max-cost", "nan", "Max cost"),
        ("max-cost", "-1", "Max cost"),
        ("questions", "two", "Questions"),
        ("judge", "", "Who plays judge? The settings say checks"),
    ],
)
async def test_what_cannot_be_played_is_not_started(
    tmp_path: Path, field: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iwtui.tui.screens.run.start", lambda *_: pytest.fail("it was started"))
    app = Form(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "= 50 episodes" in app.shown)
        if field == "personas":
            app.screen.query_one("#personas", SelectionList).deselect_all()
        else:
            app.screen.query_one(f"#{field}", Input).value = value
        await until(pilot, lambda: said in app.shown)
        assert app.screen.query_one("#start", Button).disabled
        await pilot.press("ctrl+s")


async def test_the_order_is_given_and_the_run_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders: list[Order] = []

    def begin(store: Store, order: Order) -> Launched:
        orders.append(order)
        if len(orders) == 1:
            raise LaunchError("no browser [/ was\x1b[2J found")
        return Launched("new", 17, "log")

    monkeypatch.setattr("iwtui.tui.screens.run.start", begin)
    app = Form(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "= 50 episodes" in app.shown)
        app.screen.query_one("#personas", SelectionList).deselect("P-MIN")
        app.screen.query_one("#difficulty", Select).value = "easy"
        for field, value in {"judge": "openai/[/]", "max-cost": "2.5", "questions": "3"}.items():
            app.screen.query_one(f"#{field}", Input).value = value
        app.screen.query_one("#preflight", Checkbox).value = False
        await until(pilot, lambda: "which costs" in app.shown)
        await until(pilot, lambda: "= 8 episodes" in app.shown or "= 16 episodes" in app.shown)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "no browser [/ was" in app.shown)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.given)
    assert app.given == [Launched("new", 17, "log")]
    assert orders[0] == orders[1]
    assert (orders[0].pack, orders[0].personas) == ("starter", ("P-BASE", "P-CON", "P-INT", "P-RAM"))
    assert (orders[0].difficulty, orders[0].repeats, orders[0].jobs) == ("easy", 1, 4)
    assert dict(orders[0].roles)["judge"] == "openai/[/]" and dict(orders[0].roles)["copilot"] == "scripted/copilot"
    assert (orders[0].max_cost, orders[0].questions, orders[0].preflight) == (2.5, 3, False)


async def test_imported_packs_are_there_and_the_field_with_the_focus_stands_out_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "official.jsonl").write_bytes(write_cases([make_case("bakery", "P-MIN")]))
    app = Form(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "= 50 episodes" in app.shown)
        app.screen.query_one("#pack", Select).value = "official"
        await until(pilot, lambda: "1 case × 2 builders × 1 repeat = 2 episodes" in app.shown)
        app.screen.query_one("#judge", Input).focus()
        await pilot.pause()
        standing_out = [str(label.render()) for label in app.screen.query(Label) if label.rich_style.reverse]
        assert standing_out == ["judge"]


async def test_settings_that_cannot_be_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "iwtui.toml").write_text("jobbs = 3")
    monkeypatch.chdir(tmp_path)
    app = Form(tmp_path)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "unknown key 'jobbs'" in app.shown)


def test_an_order_is_a_command_that_cannot_be_mistaken() -> None:
    order = Order(
        "--store=/", ("--x",), ("openai/a b",), "hard", 2, 3, (("judge", "--x/y"), ("intent", "")), 1.5, 0, preflight=False
    )

    assert order.arguments == [
        "run",
        "--headless",
        "--detach",
        "--json",
        "--repeat=2",
        "--persona=--x",
        "--builder=openai/a b",
        "--difficulty=hard",
        "--jobs=3",
        "--judge=--x/y",
        "--max-cost=1.5",
        "--questions=0",
        "--no-preflight",
        "--",
        "--store=/",
    ]


def test_a_command_that_refuses_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"no pack 'nope'.*\n.*iwtui tasks list"):
        start(Store(tmp_path / "store"), Order("nope"))


def test_a_run_that_is_held_does_not_go_on(scribe: Scribe) -> None:
    scribe.run("held", [make_case("bakery", "P-MIN")])
    folder = scribe.store.run("held")

    with folder.lock(), pytest.raises(LaunchError, match="run held is held by process"):
        go_on(scribe.store, folder)


def test_the_process_outlives_whoever_started_it(scribe: Scribe, monkeypatch: pytest.MonkeyPatch) -> None:
    scribe.run("long", [make_case("bakery", "P-MIN")])
    started: list[dict[str, object]] = []
    real = subprocess.Popen

    def begin(command: list[str], **how: object) -> subprocess.Popen[bytes]:
        started.append(how)
        return real(["sleep", "30"], **how)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("iwtui.tui.launch.subprocess.Popen", begin)
    monkeypatch.setattr("iwtui.tui.launch.BEGINNING", 0.3)

    launched = go_on(scribe.store, scribe.store.run("long"))

    import psutil

    process = psutil.Process(launched.pid)
    assert process.is_running()
    assert started[0]["start_new_session"] is True
    process.kill()
