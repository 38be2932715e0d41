"""Makes the pictures of the README: `python -m tests.support.gallery`. Each was seen in tmux on a tour of the console.

The demo is played and watched at each size; the other looks are of what was played last.
"""

import tempfile
from pathlib import Path

from tests.support.tour import LIVE, SIZES, keep, walk

FOLDER = Path(__file__).parents[2] / "themes" / "gallery"
LARGE, MIDDLE, SMALL = SIZES

PICTURES = {
    (LIVE, MIDDLE): ("episode-live", "asking"),
    (LIVE, SMALL): ("episode-live", "deciding"),
    (LIVE, LARGE): ("home-live", "episode-live", "metrics-cell", "slot", "deciding", "asking", "zoom-code", "help"),
    ("light", LARGE): ("asking",),
    ("contrast", LARGE): ("metrics-cell",),
    ("nocolour", MIDDLE): ("deciding",),
    ("later", SMALL): ("figures", "sql-rows"),
    ("later", LARGE): (
        "figures-bars",
        "figures-plots",
        "figures-causes",
        "sql-rows",
        "blind-turn",
        "cause",
        "compare",
        "compare-episodes",
        "adjudicate",
        "weights",
    ),
}
"""The stops that are shown, by look and size."""


def main() -> None:
    made: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        for (look, size), stops in PICTURES.items():
            seen: dict[str, str] = {}
            walk(look, size, Path(folder), seen)
            end = ("" if look == LIVE else f"-{look}") + ("" if size == LARGE else f"-{size[0]}")
            keep({stop + end: seen[stop] for stop in stops}, size, FOLDER)
            made |= {stop + end for stop in stops}
            print(look, *size, flush=True)
    for old in FOLDER.glob("*"):
        if old.stem not in made:
            old.unlink()


if __name__ == "__main__":
    main()
