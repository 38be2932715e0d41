"""A long list of which only some pages have been fetched."""

import pytest

from iwtui.tui.pages import KEPT, PAGE, Pages, page_of


def test_lines_that_have_not_been_fetched_are_none() -> None:
    pages: Pages[str] = Pages(PAGE + 3)
    pages.put(PAGE, ["a", "b", "c"])
    assert len(pages) == PAGE + 3
    assert (pages[0], pages[PAGE], pages[-1]) == (None, "a", "c")
    assert pages[PAGE - 1 : PAGE + 2] == [None, "a", "b"]
    with pytest.raises(IndexError):
        pages[PAGE + 3]


def test_a_page_that_is_shorter_than_it_should_be_has_no_more_lines() -> None:
    pages: Pages[str] = Pages(5)
    pages.put(0, ["a"])
    assert list(pages) == ["a", None, None, None, None]


def test_a_line_is_found_by_its_name_among_those_that_were_fetched() -> None:
    pages: Pages[str] = Pages(3 * PAGE)
    pages.put(2 * PAGE, ["x", "y"])
    assert pages.place("Y", str.upper) == 2 * PAGE + 1
    assert pages.place("Z", str.upper) is None


def test_not_more_pages_than_so_many_are_kept() -> None:
    pages: Pages[int] = Pages(10 * KEPT * PAGE)
    for page in range(2 * KEPT):
        pages.put(page * PAGE, range(PAGE))
    assert sum(1 for _ in pages.known()) == KEPT * PAGE
    assert pages[0] is None and pages[(2 * KEPT - 1) * PAGE] == 0


def test_the_page_of_a_line() -> None:
    assert [page_of(index) for index in (-1, 0, PAGE - 1, PAGE, 2 * PAGE + 1)] == [0, 0, 0, PAGE, 2 * PAGE]
