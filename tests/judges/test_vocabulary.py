"""Which words a golden text accounts for."""

import pytest

from iwtui.judges.vocabulary import Vocabulary, stem, without_examples, words


@pytest.mark.parametrize(
    "family",
    [
        ("bake", "bakery", "baked", "baker", "baking"),
        ("borrow", "borrowed", "borrowing", "borrower", "borrows"),
        ("available", "availability"),
        ("story", "stories"),
        ("shop", "shops", "shopping", "shopper"),
        ("price", "prices", "pricing", "priced"),
        ("sort", "sorts", "sorting"),
        ("filter", "filters", "filtered"),
        ("class", "classes"),
    ],
)
def test_forms_of_a_word_have_one_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    "pair", [("bread", "breakfast"), ("tool", "toolbar"), ("basket", "cart"), ("loan", "lane"), ("name", "news")]
)
def test_other_words_have_other_stems(pair: tuple[str, str]) -> None:
    assert stem(pair[0]) != stem(pair[1])


def test_numbers_are_words_with_a_decimal_point() -> None:
    assert words("Rye, 4,20 and the 7:00 bus") == [stem("rye"), "4.20", "7:00", stem("bus")]


def test_a_tally_leaves_conventional_words_and_foreign_numbers_out() -> None:
    golden = Vocabulary('List the breads. An "Add to basket" button.')
    assert golden.tally("Search breads (12)").unknown == 0
    assert golden.tally("Search breads (12)").known == 1
    assert golden.tally("Newsletter for bread").share == 0.5


def test_quoted_phrases_are_found_over_line_breaks() -> None:
    golden = Vocabulary('Show "Tuesday to Saturday, 7:00 to 13:00".')
    assert golden.quotes("Hours:\n tuesday to  Saturday, 7:00 to 13:00!")
    assert not golden.quotes("Tuesday, 7:00 to 13:00")


def test_an_example_in_a_placeholder_says_nothing() -> None:
    assert without_examples("Tool (e.g. Cordless drill)").strip() == "Tool"
    assert without_examples("Name, for example Ada") == "Name, "
    assert without_examples("Vegan recipes") == "Vegan recipes"
