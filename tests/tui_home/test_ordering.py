"""Orders: how they come about, how they are written, and what they do with what is not known."""

from iwtui.tui.columns import Column
from iwtui.tui.ordering import Order, clicked_order, next_order, ordered, parse_order, turned

COLUMNS = (
    Column("name", 5, by=lambda row: row[0]),
    Column("rest", 5),
    Column("n", 3, right=True, by=lambda row: row[1]),
)
ROWS = [("b", None), ("a", 2), ("c", 5), ("d", 2)]


def test_the_unknown_comes_last_at_both_ends() -> None:
    down, up = Order("n", True), Order("n", False)

    assert [name for name, _ in ordered(ROWS, down, COLUMNS)] == ["c", "a", "d", "b"]
    assert [name for name, _ in ordered(ROWS, up, COLUMNS)] == ["a", "d", "c", "b"]
    assert ordered(ROWS, Order(), COLUMNS) == ordered(ROWS, Order("rest"), COLUMNS) == ROWS


def test_the_key_goes_through_the_columns_and_back_to_none() -> None:
    seen = [Order()]
    for _ in range(3):
        seen.append(next_order(seen[-1], COLUMNS))

    assert seen == [Order(), Order("name"), Order("n", True), Order()]


def test_a_title_is_clicked_three_times_round() -> None:
    first = clicked_order(Order("name"), "n", COLUMNS)
    second = clicked_order(first, "n", COLUMNS)

    assert (first, second, clicked_order(second, "n", COLUMNS)) == (Order("n", True), Order("n", False), Order())


def test_an_order_is_read_as_it_is_written_and_a_strange_one_is_none() -> None:
    for order in (Order(), Order("name"), Order("n", True)):
        assert parse_order(str(order), COLUMNS) == order
    for text in ("rest▾", "gone▴", "n", "▾", "n?"):
        assert parse_order(text, COLUMNS) == Order()
    assert turned(Order()) == Order()
