"""How high the items of a list are, and which one stands at a line; both quick for any number of items."""

from collections.abc import Iterable


class Heights:
    """A Fenwick tree over the heights (lines, at least 1) of items 0.. n - 1: every call but the first is O(log n)."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        self.total = 0
        self.extend(heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def extend(self, heights: Iterable[int]) -> None:
        """More items at the end."""
        tree, own = self._tree, self._heights
        for height in heights:
            own.append(height)
            node = len(own)
            total, step = height, 1
            while step < node & -node:
                total += tree[node - step]
                step <<= 1
            tree.append(total)
            self.total += height

    def set(self, index: int, height: int) -> int:
        """This item is that high; by how much higher than before."""
        more = height - self._heights[index]
        if more:
            self._heights[index] = height
            self.total += more
            node = index + 1
            while node < len(self._tree):
                self._tree[node] += more
                node += node & -node
        return more

    def top(self, index: int) -> int:
        """The line at which this item begins; for `len(self)`, the number of lines."""
        lines = 0
        while index > 0:
            lines += self._tree[index]
            index -= index & -index
        return lines

    def at(self, line: int) -> tuple[int, int]:
        """The item at this line, and which of its lines it is; past the end (len(self), lines too far)."""
        index, step = 0, 1 << len(self._heights).bit_length()
        while step:
            if index + step < len(self._tree) and self._tree[index + step] <= line:
                index += step
                line -= self._tree[index]
            step >>= 1
        return index, line


class SameHeights:
    """Items of one line each: the same calls as Heights, without the tree."""

    def __init__(self, count: int) -> None:
        self.total = count

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, index: int) -> int:
        return 1

    def extend(self, heights: Iterable[int]) -> None:
        """More items at the end."""
        self.total += sum(1 for _ in heights)

    def set(self, index: int, height: int) -> int:
        """Nothing: an item is one line high."""
        return 0

    def top(self, index: int) -> int:
        """The line of this item."""
        return index

    def at(self, line: int) -> tuple[int, int]:
        """The item at this line."""
        return (line, 0) if line < self.total else (self.total, line - self.total)
