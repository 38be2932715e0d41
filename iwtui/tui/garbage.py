"""Python's search for garbage, kept away from what is read in one go and stays: hundreds of thousands of objects.

While they come in, it would look through all of them again and again, and each time hold up the screen for 100 ms and more.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keeping() -> Iterator[None]:
    """What is made meanwhile is not looked through, until `let_go`."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


def let_go() -> None:
    """What was kept may be garbage by now, or soon."""
    gc.unfreeze()
