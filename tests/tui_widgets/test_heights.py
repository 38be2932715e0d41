"""Heights say the same as adding up would."""

from hypothesis import given
from hypothesis import strategies as st

from iwtui.tui.widgets.heights import Heights, SameHeights

heights = st.lists(st.integers(1, 9), max_size=60)


@given(heights, heights, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 9)), max_size=20))
def test_tops_and_places_are_those_of_plain_adding(first: list[int], more: list[int], sets: list[tuple[int, int]]) -> None:
    tree = Heights(first)
    tree.extend(more)
    plain = first + more
    for place, height in sets:
        if plain:
            index = place % len(plain)
            assert tree.set(index, height) == height - plain[index]
            plain[index] = height
    assert tree.total == sum(plain)
    assert [tree.top(index) for index in range(len(plain) + 1)] == [sum(plain[:index]) for index in range(len(plain) + 1)]
    lines = [(index, line) for index, height in enumerate(plain) for line in range(height)]
    assert [tree.at(line) for line in range(tree.total)] == lines
    assert tree.at(tree.total + 3) == (len(plain), 3)


@given(st.integers(0, 40), st.integers(0, 40))
def test_items_of_one_line_need_no_tree(count: int, more: int) -> None:
    same, tree = SameHeights(count), Heights([1] * count)
    same.extend([1] * more)
    tree.extend([1] * more)
    assert same.total == tree.total == len(same) == len(tree)
    assert [same.top(i) for i in range(len(same) + 1)] == [tree.top(i) for i in range(len(tree) + 1)]
    assert [same.at(line) for line in range(len(same) + 5)] == [tree.at(line) for line in range(len(tree) + 5)]
