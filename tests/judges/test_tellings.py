"""What is wrong with a persona's text is found."""

import msgspec
import pytest

from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind, Visibility
from iwtui.judges.tellings import contains, literals, telling_faults

GOLDEN = 'Build a shop called "Lamp & Co". Use dark green for links and ivory for the page. List five lamps from 9.50 euros.'
SLOT = Slot(component="Name", expected="", assertion=Assertion.POSITIVE, kind=SlotKind.CONTENT, c_tech=1)


def telling(persona: str, text: str, notes: int = 1) -> Case:
    told = Case("x", "x", Persona(persona, persona, ""), text, GOLDEN, (GOLDEN,), (SLOT,), "easy")
    return msgspec.structs.replace(told, visibility=(Visibility.STATED,) * notes)


def test_literals_are_quotes_numbers_and_colours() -> None:
    assert literals(GOLDEN) == {"Lamp & Co", "9.50", "dark green", "ivory"}


@pytest.mark.parametrize(
    ("text", "value", "there"),
    [
        ("for 9.50 each", "9.50", True),
        ("for 19.50 each", "9.50", False),
        ("for 9.505", "9.50", False),
        ("costs 9.50.", "9.50", True),
        ("Dark\ngreen, please", "dark green", True),
        ("ivorylike", "ivory", False),
    ],
)
def test_a_value_stands_in_a_text_as_it_is(text: str, value: str, there: bool) -> None:
    assert contains(text, value) == there


def test_good_tellings_have_no_fault() -> None:
    filler = "well you know how it goes with my shop and all " * 15
    good = [
        telling("P-MIN", "Make a site for my shop."),
        telling("P-RAM", f'{filler} "Lamp & Co" it is called, dark green links, ivory page, from 9.50.'),
        telling("P-INT", "a glow at dusk that comes home with you " * 8),
        telling("P-CON", "links like grass but also like coal, and neither of them at all " * 4),
        telling("P-BASE", GOLDEN),
    ]
    assert [list(telling_faults(case)) for case in good] == [[]] * len(good)


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        (telling("P-MIN", "Shop please."), "2 words"),
        (telling("P-MIN", "Make a site for my shop.", notes=2), "visibility notes"),
        (telling("P-RAM", "blah " * 160), "'dark green' of the golden text is lost"),
        (telling("P-INT", "glow " * 60 + "ivory"), "'ivory' stands there plainly"),
        (telling("P-INT", "glow " * 60 + "five of them"), "'five' stands there plainly"),
        (telling("P-BASE", "Something else."), "must be the golden text"),
    ],
)
def test_a_fault_is_told(case: Case, fault: str) -> None:
    assert any(fault in found for found in telling_faults(case))
