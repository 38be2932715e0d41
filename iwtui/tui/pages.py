"""A long list of which only some pages have been fetched. Pure."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")

PAGE = 200
"""Lines of a page."""

KEPT = 40
"""Pages that are kept: those that were put last."""


class Pages(Sequence[T | None], Generic[T]):
    """`total` lines; those that have not been fetched are None."""

    def __init__(self, total: int = 0) -> None:
        self._total = total
        self._pages: dict[int, tuple[T, ...]] = {}

    def __len__(self) -> int:
        return self._total

    @overload
    def __getitem__(self, index: int) -> T | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[T | None]: ...
    def __getitem__(self, index: int | slice) -> T | list[T | None] | None:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._total))]
        if index < 0:
            index += self._total
        if not 0 <= index < self._total:
            raise IndexError(index)
        page = self._pages.get(index // PAGE, ())
        return page[index % PAGE] if index % PAGE < len(page) else None

    def put(self, offset: int, lines: Sequence[T]) -> None:
        """A page that begins at `offset`, a multiple of PAGE."""
        self._pages.pop(offset // PAGE, None)
        while len(self._pages) >= KEPT:
            del self._pages[next(iter(self._pages))]
        self._pages[offset // PAGE] = tuple(lines)

    def known(self) -> Iterator[tuple[int, T]]:
        """The lines that have been fetched, with their places."""
        for page, lines in self._pages.items():
            for place, line in enumerate(lines):
                yield page * PAGE + place, line

    def place(self, name: Hashable, name_of: Callable[[T], Hashable]) -> int | None:
        """Where the line of that name stands among those that have been fetched."""
        return next((index for index, line in self.known() if name_of(line) == name), None)


def page_of(index: int) -> int:
    """The offset of the page that a line stands on."""
    return max(0, index) // PAGE * PAGE
