"""The console as a newcomer meets it, in tmux: `python -m tests.support.tour [--sizes ..] [--out DIR]`.

The demo is started and watched; then the way goes from all its figures down to the event that failed a slot, and back.
Each stop waits for what has to stand there and fails if it does not come; what stood there is kept as SVG and as PNG.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.drawing import to_png, to_svg
from tests.support.ptys import terminal_environment
from tests.support.tmux import PROMPT, Tmux, Wanted, stands

HOME = r"^ iwtui › runs {2,}\S"
"""The first line of the first screen."""
HELP = "What you can do here"
PALETTE = "Search for commands"

SIZES = ((160, 48), (100, 30), (80, 24))
FULL = SIZES[0]

LOOKS: dict[str, tuple[str, dict[str, str]]] = {
    "later": ("iwtui", {}),
    "light": ("iwtui --theme light", {}),
    "contrast": ("iwtui --theme contrast", {}),
    "nocolour": ("iwtui", {"NO_COLOR": "1"}),
    "palette": ("iwtui", {"COLORTERM": ""}),
}
"""Other ways to see a store: the command, and what the environment has more."""

LIVE = "live"

PLAYED = 600.0
"""Seconds that the ten episodes of the demo may take on a busy machine."""
MOVES = 12
"""Keys after which what is looked for has to be found."""

GOING = ("running", "generating", "idle", "queued")
"""What may stand at an episode that is being played."""


@dataclass
class Tour:
    """One walk through the console. `pictures`: what was seen at each stop, with its colours."""

    tmux: Tmux
    pictures: dict[str, str]

    def stop(self, name: str, wanted: Wanted, limit: float = 30.0, moving: bool = False) -> None:
        """Waits for what is wanted, and keeps what stands there then, or once it does not change any more."""
        self.tmux.until(wanted, limit)
        if not moving:
            self.tmux.still()
        self.pictures[name] = self.tmux.coloured()

    def press_until(self, key: str, wanted: Wanted) -> None:
        """The same key again and again, until what is wanted stands there."""
        for _ in range(MOVES):
            if stands(wanted, self.tmux.text()):
                return
            self.press(key)
        self.tmux.until(wanted, 1.0)

    def press(self, key: str) -> None:
        """A key that changes what stands there; waits until it has."""
        before = self.tmux.coloured()
        self.tmux.press(key)
        self.tmux.until(lambda _: self.tmux.coloured() != before)
        self.tmux.still(0.3)

    def back(self, wanted: Wanted) -> None:
        """Escape, and what has to stand there then; a key that follows at once would be taken for a part of it."""
        self.tmux.press("Escape")
        self.tmux.until(wanted)
        self.tmux.still(0.3)


def drawn(text: str) -> bool:
    """Whether a picture stands on the screen in half cells."""
    return sum(text.count(glyph) for glyph in "▀▄") > 20


def watch_the_demo(tour: Tour) -> None:
    """Two episodes while they are played, then all of them."""
    tmux = tour.tmux
    tmux.type("iwtui demo")
    tour.stop("home-begins", lambda text: sum(text.count(f"▸ {word}") for word in GOING) >= 2, 60, moving=True)
    tmux.press("Tab", "Down", "Enter")
    tour.stop("episode-live", r"turn [3-9]/15", PLAYED, moving=True)
    assert "following" in tmux.text() or "scored" in tmux.text()
    tour.back(HOME)
    tmux.press("Up", "Enter")
    tour.stop("episode-live-2", r"turn \d+/15|judging", PLAYED, moving=True)
    tour.back(HOME)
    tour.stop("home-live", r" [3-9]/10", PLAYED, moving=True)
    tour.stop("home", r" 10/10", PLAYED)
    tmux.press("BTab")


def look_around(tour: Tour) -> None:
    """What can be opened from the runs."""
    tmux = tour.tmux
    tmux.press("?")
    tour.stop("help", HELP)
    tour.back(lambda text: HELP not in text)
    tmux.press("r")
    tour.stop("run", r"= \d+ episodes")
    tour.back(HOME)
    tmux.press(":")
    tour.stop("palette", PALETTE)
    tour.back(lambda text: PALETTE not in text)


def read_figures(tour: Tour) -> None:
    """All views of the figures of the run, and what can be asked of them."""
    tmux = tour.tmux
    tmux.press("Enter")
    tour.stop("figures", "lowest TCR first")
    tmux.press("2")
    tmux.until("TCR % by persona")
    tour.press("Down")
    tour.stop("figures-bars", "persona P-")
    tmux.press("3")
    tour.stop("figures-plots", "TCR % by turns")
    tour.press("b")
    tour.press("b")
    tour.stop("figures-cost", r"TCR % against \$")
    tmux.press("4")
    tour.stop("figures-published", "Published figures")
    tmux.press("5")
    tour.stop("figures-causes", "never asked")
    tmux.press("1")
    tmux.until("persona × difficulty")
    tmux.press("/")
    tmux.until("tab completes")
    tmux.type("presona:P-MIN")
    tour.stop("figures-filter", "nearest is 'persona'")
    tour.back(lambda text: "nearest is" not in text)
    tmux.press("c")
    tour.stop("figures-columns", "space takes or leaves")
    tour.back(lambda text: "space takes or leaves" not in text)
    tmux.press("e")
    tour.stop("figures-export", "Write to a file")
    tour.back(lambda text: "Write to a file" not in text)
    tour.press_until("Escape", HOME)


def ask_in_sql(tour: Tour) -> None:
    """A query that is typed, one that is saved, one that fails; a cell, and the way to the slot of a row."""
    tmux = tour.tmux
    tmux.press("S")
    tmux.until("The rows come here")
    tmux.press("F2")
    tmux.until("attempts")
    tour.press("Right")
    tour.stop("sql-tables", r"episode +varchar")
    tmux.press("F2")
    tmux.until("Query")
    tmux.type("select persona, avg(tcr) as tcr, avg(clar", enter=False)
    tour.stop("sql-offers", "turns that asked")
    tour.press("Tab")
    tmux.type(") from episodes group by persona", enter=False)
    tmux.press("F5")
    tour.stop("sql-rows", r"\d rows  ")
    tmux.type(" having nobody", enter=False)
    tmux.press("F5")
    tour.stop("sql-fault", 'column "nobody"')
    tmux.press("F3")
    tour.press_until("Down", "▌. failed-slots")
    tour.stop("sql-saved", "Slots that fail")
    tmux.press("Enter")
    tmux.until("FROM verdicts v")
    tmux.press("C-r")
    tmux.until(r"\d+ rows  ")
    tmux.press("F4")
    tour.stop("sql-history", "failed-slots|Slots that fail")
    tmux.press("C-n")
    tmux.type("select * from verdicts where verdict = 'failed' order by episode", enter=False)
    tmux.press("F5")
    tmux.until(r"episode +judging")
    tmux.press("F6")
    tour.press("L")
    tour.stop("sql-wide", "◂")
    tmux.press("H", "Enter")
    tour.stop("sql-cell", r"\d+ characters")
    tour.back("Query")
    tmux.press("e")
    tour.stop("sql-export", "Write to a file")
    tour.back(lambda text: "Write to a file" not in text)
    tmux.press("o")
    tour.stop("sql-slot", "Requirement")
    tour.press_until("Escape", HOME)


def drill_down(tour: Tour) -> None:
    """From the figures of the run to the event that failed a slot."""
    tmux = tour.tmux
    tmux.press("Enter")
    tour.stop("metrics", "lowest TCR first")
    tour.press_until("Down", r"─ (Episodes of )?P-MIN")
    tmux.press("Right", "Enter")
    tour.stop("metrics-cell", "P-MIN.*easy")
    tmux.press("Enter")
    tour.stop("episode", r"turn \d+/|judging")
    tmux.press("s")
    tour.stop("strip", "failed")
    tmux.press("Enter")
    tour.stop("slot", lambda text: "Requirement" in text and drawn(text))
    tmux.press("Enter")
    tmux.until(lambda text: text.partition("\n")[0].endswith("› episode"))
    tour.stop("deciding", drawn)
    tour.press_until("Escape", HOME)


def read_the_other(tour: Tour) -> None:
    """The episode of a builder that asked: its dialogue, its code and its page, one after the other."""
    tmux = tour.tmux
    tmux.press("Tab", "g")
    tour.press_until("Down", r"▌bakery_P-INT +scripted/clari")
    tmux.press("Enter")
    tmux.until(r"turn \d+/|judging")
    tmux.press("g")
    tour.press_until("L", r"turn 10/")
    tour.press_until("Right", drawn)
    tour.stop("asking", drawn)
    for name in ("timeline", "dialogue", "code", "screen"):
        tour.press("z")
        tour.stop(f"zoom-{name}", name.capitalize())
        tour.press("z")
        tour.press("Tab")
    tour.press("/")
    tmux.type("Ivory")
    tour.stop("found", r"“Ivory” \d+/\d+")
    tour.press_until("Escape", HOME)


def find_the_blind_turn(tour: Tour) -> None:
    """Why a slot failed, the turn that decided it, and the form that forks there."""
    tmux = tour.tmux
    tmux.press("g")
    tour.press_until("Down", r"▌bakery_P-MIN +scripted/blind")
    tmux.press("Enter")
    tmux.until(r"turn \d+/|judging")
    tour.press("b")
    tour.stop("blind-turn", r"turn 1/")
    tmux.press("F")
    tour.stop("fork", r"Fork")
    tour.back(lambda text: text.partition("\n")[0].endswith("› episode"))
    tmux.press("s", "Enter")
    tour.stop("cause", "never asked")
    tour.press_until("Escape", HOME)
    tmux.press("L")
    tour.stop("watch", "Nothing is being played")
    tour.back(HOME)


def compare_and_judge(tour: Tour) -> None:
    """Two runs side by side; a verdict of one's own; other weights."""
    tmux = tour.tmux
    for builder in ("blind", "clarifier"):
        tmux.type("clear")
        tmux.type(
            f"iwtui run starter --case bakery_P-MIN --case bakery_P-CON --builder scripted/{builder} --headless | tail -1"
        )
        tmux.until("next: ", PLAYED)
    tmux.type("clear")
    tmux.type("iwtui")
    tmux.until(HOME)
    tmux.until(r" 2/2")
    tour.press("Down")
    tmux.press("=")
    tmux.until("A is ")
    tour.press("Up")
    tmux.press("=")
    tmux.until("Slots and cases|newly fixed")
    tour.press("Right")
    tour.stop("compare", r"▸newly fixed [1-9]")
    tour.press_until("Enter", "side by side")
    tour.stop("compare-episodes", "They part")
    tour.press_until("Escape", HOME)
    tmux.press("A")
    tmux.until("judged by you")
    tmux.press("f")
    tour.stop("adjudicate", r"1 judged by you")
    tmux.press("BSpace")
    tmux.until("0 judged by you")
    tour.press_until("Escape", HOME)
    tmux.press("W")
    tmux.until("c_tech 1")
    tour.press("Right")
    tour.stop("weights", "change their rank")
    tour.press_until("Escape", HOME)


def leave(tour: Tour) -> None:
    """The shell again, as it was."""
    tour.tmux.press("q")
    tour.stop("left", lambda text: text.rstrip().endswith(PROMPT.strip()))


def open_store(tour: Tour, command: str) -> None:
    """The runs of a store on which the demo was played."""
    tour.tmux.type(command)
    tour.stop("home", r" 10/10")


@contextmanager
def machine(size: tuple[int, int], folder: Path, more: Mapping[str, str], pictures: dict[str, str]) -> Iterator[Tour]:
    """A shell on the machine of a stranger, who has the folders in `folder` and the program on the path."""
    environ = terminal_environment(folder) | dict(more)
    environ["PATH"] = f"{Path(sys.executable).parent}:{environ['PATH']}"
    with Tmux(size, environ, folder) as tmux:
        yield Tour(tmux, pictures)


def live(size: tuple[int, int], folder: Path, pictures: dict[str, str]) -> None:
    """The whole walk, the demo being played meanwhile; what is seen is put into `pictures`."""
    with machine(size, folder, {}, pictures) as tour:
        watch_the_demo(tour)
        look_around(tour)
        drill_down(tour)
        read_the_other(tour)
        leave(tour)


def later(look: str, size: tuple[int, int], folder: Path, pictures: dict[str, str]) -> None:
    """The walk through what has been played there before, in one of LOOKS."""
    command, more = LOOKS[look]
    shutil.rmtree(folder / "state", ignore_errors=True)
    with machine(size, folder, more, pictures) as tour:
        open_store(tour, command)
        look_around(tour)
        read_figures(tour)
        ask_in_sql(tour)
        drill_down(tour)
        read_the_other(tour)
        find_the_blind_turn(tour)
        leave(tour)
        if look == "later":
            shutil.rmtree(folder / "state", ignore_errors=True)  # the cursor begins on the runs
            compare_and_judge(tour)
            leave(tour)
            tour.tmux.type("clear")
            tour.tmux.type("iwtui rm --yes last && iwtui rm --yes last && echo both are gone")
            tour.tmux.until(r"\nboth are gone", PLAYED)


def walk(look: str, size: tuple[int, int], folder: Path, pictures: dict[str, str]) -> None:
    """One walk; a live one begins with an empty store."""
    if look == LIVE:
        shutil.rmtree(folder / "data", ignore_errors=True)
        live(size, folder, pictures)
    else:
        later(look, size, folder, pictures)


def keep(pictures: Mapping[str, str], size: tuple[int, int], out: Path) -> None:
    """Writes each picture as SVG and PNG, by its name."""
    svgs = {out / f"{name}.png": to_svg(coloured, size) for name, coloured in pictures.items()}
    for png, svg in svgs.items():
        png.with_suffix(".svg").write_text(svg, "utf-8")
    asyncio.run(to_png(svgs))


def a_size(text: str) -> tuple[int, int]:
    columns, _, rows = text.partition("x")
    return int(columns), int(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(f"{columns}x{rows}" for columns, rows in SIZES))
    parser.add_argument(
        "--looks", default=LIVE, help=f"{LIVE}: the demo is played; of what was played then: {', '.join(LOOKS)}"
    )
    parser.add_argument("--store", type=Path, help="the machine's folder, where the demo was played by a tour before")
    parser.add_argument("--out", type=Path, default=Path("tour"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        folder = asked.store or Path(own)
        for look in asked.looks.split(","):
            for size in map(a_size, asked.sizes.split(",")):
                pictures: dict[str, str] = {}
                try:
                    walk(look, size, folder, pictures)
                finally:
                    at = f"{look}-{size[0]}x{size[1]}"
                    keep({f"{at}-{stop}": picture for stop, picture in pictures.items()}, size, asked.out)
                print(look, *size, flush=True)


if __name__ == "__main__":
    main()
