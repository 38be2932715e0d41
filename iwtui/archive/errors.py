"""What can go wrong with the store and its index, each in words for a person."""


class StoreError(Exception):
    """Base of all."""


class NotFoundError(StoreError):
    """Nothing in the store has that name."""


class RunMissingError(NotFoundError):
    """There is no such run."""


class AmbiguousError(StoreError):
    """Several things fit a name. `candidates` lists them."""

    def __init__(self, wanted: str, candidates: list[str]) -> None:
        shown = ", ".join(candidates[:8]) + (f" and {len(candidates) - 8} more" if len(candidates) > 8 else "")
        super().__init__(f"{wanted!r} may be any of {shown}")
        self.candidates = candidates


class RunExistsError(StoreError):
    """A run of that name is there already."""


class RunBrokenError(StoreError):
    """A run's own files cannot be read; the message names the file."""


class RunBusyError(StoreError):
    """Another process holds the run."""


class RunForeignError(StoreError):
    """A run that came from elsewhere is not gone on with."""


class LogBusyError(StoreError):
    """Another writer has the log open."""


class ReadOnlyError(StoreError):
    """The store may not be written by this user; what people say is kept in it."""


class IndexBusyError(StoreError):
    """The index could not be had within the time allowed; the message names the holder where it is known."""


class IndexFaultError(StoreError):
    """The index could not be read or filled. The logs are untouched: it can be made again from them."""


class IndexBrokenError(IndexFaultError):
    """The index is no whole database."""


class IndexNewerError(StoreError):
    """The index was made by a newer version of the program, and an older one does not change it."""


class QueryError(StoreError):
    """A query that is not allowed or that failed, with DuckDB's own message."""


class QueryStoppedError(QueryError):
    """A query that was cancelled, or that reached its time limit."""
