"""Two lists, the one after the other."""

from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Joined(Sequence[T]):
    """A view: it grows as its parts do, and copies nothing."""

    def __init__(self, first: Sequence[T], second: Sequence[T]) -> None:
        self._first = first
        self._second = second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(index)
        first = len(self._first)
        return self._first[at] if at < first else self._second[at - first]
