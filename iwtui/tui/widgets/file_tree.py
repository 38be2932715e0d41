"""The files of a generated site as a tree."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message

from iwtui.bench.text import one_line
from iwtui.tui.state.shapes import FileEntry
from iwtui.tui.widgets.file_line import OPS, changed
from iwtui.tui.widgets.lines import LineList
from iwtui.tui.widgets.tones import tone_style


@dataclass(frozen=True)
class _Node:
    depth: int
    name: str
    entry: FileEntry | None


class FileTree(LineList):
    """Folders and files, changed ones marked; enter on a file chooses it."""

    @dataclass
    class PathChosen(Message):
        """The reader chose the file at `path`."""

        path: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(empty="No files yet.", wrap=False, id=id, classes=classes)
        self._shown: list[_Node] = []

    def show_files(self, files: Sequence[FileEntry]) -> None:
        """The files, ordered by path."""
        self._shown = list(_nodes(files))
        self.show(_Nodes(self._shown))

    def go_to(self, entry: FileEntry | None) -> None:
        """The cursor to this file."""
        at = next((number for number, node in enumerate(self._shown) if entry and node.entry == entry), None)
        if at is not None:
            self.move_to(at)

    def copied(self) -> str:
        """The path at the cursor."""
        node = self._shown[self.index] if self.index >= 0 else None
        return node.entry.path if node and node.entry else ""

    def moved(self, index: int) -> None:
        """Nothing is chosen by moving alone."""

    def opened(self, index: int) -> None:
        entry = self._shown[index].entry
        if entry:
            self.post_message(self.PathChosen(entry.path))


def _nodes(files: Sequence[FileEntry]) -> "list[_Node]":
    nodes: list[_Node] = []
    seen: set[tuple[str, ...]] = set()
    for entry in files:
        *folders, name = entry.path.split("/")
        for depth in range(len(folders)):
            folder = tuple(folders[: depth + 1])
            if folder not in seen:
                seen.add(folder)
                nodes.append(_Node(depth, folders[depth], None))
        nodes.append(_Node(len(folders), name, entry))
    return nodes


class _Nodes:
    """Nodes as lines."""

    def __init__(self, nodes: Sequence[_Node]) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def key(self, index: int) -> Hashable:
        return self._nodes[index]

    def chars(self, index: int) -> int:
        return 0

    def lines(self, index: int, width: int) -> list[Content]:
        node = self._nodes[index]
        indent = "  " * min(node.depth, 8)
        if node.entry is None:
            return [Content.assemble(f"  {indent}", (f"{one_line(node.name)}/", tone_style("dim")))]
        glyph, _, tone = OPS.get(node.entry.op, (" ", "", ""))
        said = changed(node.entry) or Content.styled(f"  {node.entry.size:,} bytes", tone_style("dim"))
        name = Content.assemble((f"{glyph} ", tone_style(tone)), indent, one_line(node.name))
        name = name.truncate(max(1, width - said.cell_length), ellipsis=True)
        return [Content.assemble(name, " " * max(0, width - name.cell_length - said.cell_length), said)]
