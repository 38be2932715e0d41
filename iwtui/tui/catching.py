"""Bringing the index up to the logs before a screen asks it, within a time that a reader does not mind."""

from typing import TYPE_CHECKING

from iwtui.tui.answers import Age

if TYPE_CHECKING:
    from iwtui.archive.index import Index

BUDGET = 1.0
"""Seconds spent at most on catching up with the logs before what is there is shown."""

WAIT = 2.0
"""Seconds to wait for others who hold the index; then the last result stands, with its age."""


def catch_up(index: "Index") -> Age:
    """Read what is new in the logs; how old the index then is, and why. Raises StoreError when there is none."""
    from iwtui.archive.errors import IndexBusyError, IndexNewerError

    try:
        done = index.catch_up(budget=BUDGET, wait=WAIT)
    except (IndexBusyError, IndexNewerError) as error:
        if not index.path.exists():
            raise
        return Age(index.age(), str(error))
    return Age(0.0 if not done.behind else index.age(), "catching up with the logs" if done.behind else "")
