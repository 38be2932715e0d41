"""The way to a comparison: one run is marked as A, another is compared with it; and what the two screens ask for.

What asks takes its time and belongs into a thread.
"""

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.tui.app_protocol import console
from iwtui.tui.catching import catch_up

if TYPE_CHECKING:
    from iwtui.analysis.compare import Comparison
    from iwtui.analysis.compare_sides import Asked


def mark_or_compare(screen: Screen[Any], run: str, key: str) -> None:
    """The first run becomes A; the second opens the comparison; the same once more is A no longer. `key` does this."""
    app = console(screen)
    marked, app.marked_run = app.marked_run, None
    if marked is None:
        app.marked_run = run
        app.notify_text(f"{key} on another run compares it with this one", title=f"A is {run}")
    elif marked == run:
        app.notify_text(f"{run} is A no longer")
    else:
        from iwtui.tui.screens.compare import CompareScreen

        screen.app.clear_notifications()  # what was said of A would stand over the comparison
        screen.app.push_screen(CompareScreen(run_named(marked), run_named(run)))


def run_named(run: str) -> "Asked":
    """A run by its full name as a side."""
    from iwtui.analysis.compare_sides import Asked

    return Asked(run, run=run)


def ask(store: Store, a: "Asked", b: "Asked", policy: str) -> "tuple[Comparison, str]":
    """The comparison, and why it may not be the newest (empty: it is).

    Raises StoreError, ComparisonError, OSError.
    """
    from iwtui.analysis.compare import compare
    from iwtui.analysis.policy import Policy
    from iwtui.archive.index import Index

    index = Index(store)
    why = catch_up(index).why
    return compare(index, store, a, b, policy=Policy(policy)), why


def named(episode: str | None) -> EpisodeName | None:
    """The name of an episode as the index has it; None when there is none, or no log can bear it."""
    if episode is None:
        return None
    run, _, stem = episode.partition("/")
    return parse_stem(run, stem)
