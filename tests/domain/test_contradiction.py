"""What a text contradicts, and which facts a slot needs, by the wording."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.audit import needed
from iwtui.bench.case import Assertion, Slot, SlotKind
from iwtui.bench.contradiction import contradicted

FACTS = (
    "Please implement a polls website for users to cast their votes.",
    "Users should be able to browse voting options and view voting results.",
    "List exactly six options.",
    "Color the background using white and set component styles to navy.",
)


@pytest.mark.parametrize(
    ("text", "clashing"),
    [
        (" ".join(FACTS), ()),
        ("Make a polls website.", ()),
        ("Color the background using black.", (3,)),
        ("Make the buttons hot pink.", (3,)),
        ("A transparent background, please.", (3,)),
        ("White background, navy components.", ()),
        ("Let the backdrop be like a black swan.", ()),
        ("My black cat sat on the red sofa.", ()),
        ("List nine options.", (2,)),
        ("List six options.", ()),
        ("Users may browse the voting options, but nobody may view voting results.", (1,)),
        ("Don't forget that users browse voting options and view voting results!", ()),
        ("Who doesn't love to view voting results?", ()),
        ("There was no soup left at the inn.", ()),
    ],
)
def test_what_a_text_contradicts(text: str, clashing: tuple[int, ...]) -> None:
    assert contradicted(FACTS, text) == clashing


def test_a_fact_that_denies_something_is_not_contradicted_by_itself() -> None:
    facts = ("When the field is left empty, the form adds nothing.", "A form adds a tool to the table.")
    assert contradicted(facts, "So when the field is left empty, the form adds nothing, please.") == ()


def slot(component: str, expected: str, kind: SlotKind = SlotKind.CONTENT) -> Slot:
    return Slot(component=component, expected=expected, assertion=Assertion.POSITIVE, kind=kind, c_tech=1)


def test_a_slot_needs_the_facts_that_share_its_words() -> None:
    assert needed(slot("Background Color", "The page is white and its components navy."), FACTS) == (3,)
    assert needed(slot("Results", "Users can view the voting results."), FACTS) == (1,)
    assert needed(slot("Unrequested_Element_Feature", "No voting results.", SlotKind.UNREQUESTED), FACTS) == ()
    assert needed(slot("Weather", "It rains."), FACTS) == ()


@given(st.lists(st.text(), max_size=6), st.text())
def test_any_text_is_read(facts: list[str], text: str) -> None:
    found = contradicted(facts, text)
    assert list(found) == sorted(set(found)) and all(place < len(facts) for place in found)


@pytest.mark.parametrize("piece", ["no ", "don't ", "black, but ", '"', "not not, and ", "white background "])
def test_reading_takes_time_in_proportion_to_length(piece: str) -> None:
    began = time.process_time()
    contradicted(FACTS, piece * (100_000 // len(piece)))
    assert time.process_time() - began < 5
