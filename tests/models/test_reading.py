"""What the library of fragments reads in a text, and what it must not read."""

import time

import pytest

from iwtui.bench.case import Case
from iwtui.models.scripted.fragments import KINDS
from iwtui.models.scripted.fragments.acting import Basket, BasketTotal, ItemCounter, Persistence, RemoveButton, StatusButton
from iwtui.models.scripted.fragments.base import Fragment
from iwtui.models.scripted.fragments.finding import CategoryFilter, Search, SortByHeader
from iwtui.models.scripted.fragments.forms import AddForm, MessageForm, WrongInput
from iwtui.models.scripted.fragments.listing import Item, ItemList, Prices, StateCount, Table
from iwtui.models.scripted.fragments.look import Colour, SiteName
from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.fragments.texts import DarkMode, Faq, Gallery, Line, Navigation, Tabs
from iwtui.models.scripted.fragments.totals import ColumnTotal
from iwtui.models.scripted.questions import topics
from iwtui.models.scripted.reading import read
from iwtui.packs import load_pack

WORDINGS: list[tuple[str, list[Fragment]]] = [
    ('Our shop is called "Nut & Bolt".', [SiteName("Nut & Bolt")]),
    ("We need a page for a chess club called Rook and Pawn, please.", [SiteName("Rook and Pawn")]),
    ('The main heading says "Hello".', [SiteName("Hello")]),
    ("The page background should be pale yellow.", [Colour("page background", "#ffff99")]),
    ("Background: #AABBCC.", [Colour("page background", "#aabbcc")]),
    ("Use teal for the buttons and navy blue for the footer.", [Colour("buttons", "teal"), Colour("footer", "navy")]),
    (
        "Make the background beige and the header crimson.",
        [Colour("header bar", "crimson"), Colour("page background", "beige")],
    ),
    ("The column headers are grey.", [Colour("table header", "grey")]),
    (
        "We sell Apple pie 3.50, Tea at 2.10 and Hot chocolate for £2.80.",
        [ItemList((Item("Apple pie", "3.50"), Item("Tea", "2.10"), Item("Hot chocolate", "2.80")), currency="£")],
    ),
    (
        "List the following plants: Fern, Ivy and Snake plant.",
        [ItemList((Item("Fern"), Item("Ivy"), Item("Snake plant")), "plants")],
    ),
    (
        "These toys are on offer: Kite (Outdoor) 9.00, Puzzle (Indoor) 7.00.",
        [ItemList((Item("Kite", "9.00", "Outdoor"), Item("Puzzle", "7.00", "Indoor")), "toys")],
    ),
    (
        'A table with columns "Due date" and Task.',
        [Table(("Due date", "Task"))],
    ),
    (
        "A table with the columns Van, Driver and Miles starts with these: Rosa run by Kim with 90 and Otto by Lee with 7.",
        [Table(("Van", "Driver", "Miles"), (("Rosa", "Kim", "90"), ("Otto", "Lee", "7")))],
    ),
    (
        "Show the books in a table with the columns Title, Author and State, starting with two that are free: Emma by Austen"
        " and Ulysses by Joyce.",
        [Table(("Title", "Author", "State"), (("Emma", "Austen", "Free"), ("Ulysses", "Joyce", "Free")), "books")],
    ),
    ("There must be a search field that filters the list of songs.", [Search("songs")]),
    (
        "These plays are on: Pool (Comedy) and Storm (Drama).",
        [ItemList((Item("Pool", category="Comedy"), Item("Storm", category="Drama")), "plays")],
    ),
    ("A menu filters the list by category.", [CategoryFilter()]),
    ("A dropdown filters the plays by genre.", [CategoryFilter("genre")]),
    ("One can sort the table by clicking the column header Due.", [SortByHeader("Due")]),
    ('A button labelled "Buy" puts it into the cart.', [Basket("Buy", "cart")]),
    ("Show the total price of the basket.", [BasketTotal()]),
    ('Each task has a "Done" button that marks it as "Finished".', [StatusButton("Done", "Finished")]),
    ('Each song has a "Like" button that raises its own count by one.', [ItemCounter("Like")]),
    ('Each task has a "Remove" button that deletes it.', [RemoveButton("Remove")]),
    ('Show the number of open tasks, as in "Tasks left: 4".', [StateCount("Tasks left: ", "", "open")]),
    ('Show the sum of all Points, as in "12 points in all".', [ColumnTotal("Points", "", " points in all")]),
    ("A form with the fields Task and Due adds a task.", [AddForm(("Task", "Due"), "task")]),
    (
        'A contact form with the fields Name and Message shows "Thank you!" after sending.',
        [MessageForm("contact", ("Name", "Message"), "Thank you!")],
    ),
    ('Show "Name it" when the task field is empty.', [WrongInput("task", "Name it")]),
    ('If the e-mail has no @, say "That is no address".', [WrongInput("e-mail", "That is no address", empty=False)]),
    ("New tasks stay after a refresh.", [Persistence()]),
    ("The basket is still there after reloading.", [Persistence(basket=True)]),
    ('Our address is "1 Mill Lane".', [Line("address", "1 Mill Lane")]),
    ('The footer says "Made by hand".', [Line("footer", "Made by hand")]),
    (
        'An FAQ answers "Is it far?" with "No." and "Is it dear?" with "A bit."',
        [Faq((("Is it far?", "No."), ("Is it dear?", "A bit.")))],
    ),
    ('A gallery shows two pictures with the captions "Sea" and "Hill".', [Gallery(("Sea", "Hill"))]),
    ('A "Night" button switches the page to dark colours.', [DarkMode("Night")]),
    ('Three tabs "Menu", "Story" and "Visit" switch what is shown.', [Tabs(("Menu", "Story", "Visit"))]),
    ('A navigation bar has the links "Home" and "About".', [Navigation(("Home", "About"))]),
]

CHATTER = [
    "Make my bakery a nice website.",
    "My nephew called Peter yesterday, and he still waits for an answer.",
    "The black cat sleeps under the table, so to speak.",
    "I asked the bank about a form, and they never came back to me.",
    "She stays for the weekend and loves a walk in the wheat fields.",
    "We open the window every morning to let the birds in.",
    "The sorting office lost a letter, and the table in the hall is full of post.",
    'Leave me a blanket and a note, "Back soon".',
    "Let the page be a window, and let its heart glow like an ember.",
]


@pytest.fixture(scope="module")
def starter() -> list[Case]:
    return load_pack("starter")


@pytest.mark.parametrize(("sentence", "meant"), WORDINGS, ids=[sentence[:40] for sentence, _ in WORDINGS])
def test_a_wording_is_read_as_what_it_asks_for(sentence: str, meant: list[Fragment]) -> None:
    assert list(read(sentence).fragments) == meant


@pytest.mark.parametrize(("sentence", "meant"), WORDINGS, ids=[sentence[:40] for sentence, _ in WORDINGS])
def test_a_wish_reads_back_as_itself(sentence: str, meant: list[Fragment]) -> None:
    for fragment in meant:
        assert fragment in read(fragment.wish).fragments


def test_every_kind_has_a_wording() -> None:
    assert {type(fragment) for _, meant in WORDINGS for fragment in meant} | {Prices} == set(KINDS)


@pytest.mark.parametrize("sentence", CHATTER)
def test_chatter_asks_for_nothing(sentence: str) -> None:
    assert read(sentence).fragments == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "No search box, please.", "We do not want a search box.", "Never show a search bar.",
        "The background is not black.", "Nobody can search.",
    ],
)  # fmt: skip
def test_what_is_denied_is_not_asked_for(sentence: str) -> None:
    assert read(sentence).fragments == ()


def test_of_two_values_the_last_one_counts_and_the_clash_is_seen() -> None:
    reading = read("Use red for the page background. Or no: use blue for the page background.")
    assert reading.fragments == (Colour("page background", "blue"),)
    (clash,) = reading.clashes
    assert clash.about == "the colour of the page background"
    assert ("red" in clash.first, "blue" in clash.second) == (True, True)


def test_a_wish_and_its_denial_clash() -> None:
    asked_last = read("No search box. A search box narrows the list.")
    denied_last = read("A search box narrows the list. No search box.")
    assert (len(asked_last.fragments), len(denied_last.fragments)) == (1, 0)
    assert [reading.clashes[0].about for reading in (asked_last, denied_last)] == ["the search box"] * 2


def test_the_same_thing_said_twice_is_no_clash() -> None:
    sentence = 'A shop called "Oak". Use red for the buttons. '
    assert read(sentence * 2) == read(sentence)


def test_a_list_told_in_two_goes_is_one_list_but_a_later_text_replaces_it() -> None:
    first, second = "List these: Fern 3.00, Ivy 4.00.", "And list these: Moss 1.00 and Ivy 5.00."
    together = read(f"{first} {second}").fragments[0]
    assert isinstance(together, ItemList)
    assert [(item.name, item.price) for item in together.items] == [("Fern", "3.00"), ("Ivy", "5.00"), ("Moss", "1.00")]
    apart = read(first, second).fragments[0]
    assert isinstance(apart, ItemList)
    assert [item.name for item in apart.items] == ["Moss", "Ivy"]


def test_typographic_quotation_marks_and_lines() -> None:
    reading = read("A shop called “Oak”\nUse red for the buttons\nno full stops at all")
    assert reading.fragments == (SiteName("Oak"), Colour("buttons", "red"))


def test_every_golden_fact_is_understood_by_itself(starter: list[Case]) -> None:
    for case in starter:
        for fact in case.facts:
            assert read(fact).fragments, fact
            assert not read(fact).clashes, fact


def test_a_rambling_telling_asks_for_the_same_as_the_golden_text(starter: list[Case]) -> None:
    for case in starter:
        if case.persona.id == "P-RAM":
            assert read(case.instruction).fragments == read(case.golden).fragments


def test_nothing_is_read_in_a_short_or_a_figurative_telling(starter: list[Case]) -> None:
    for case in starter:
        if case.persona.id in ("P-MIN", "P-INT"):
            assert read(case.instruction).fragments == ()


def test_a_fact_brings_its_own_parts_and_nothing_else(starter: list[Case]) -> None:
    for case in {case.seed: case for case in starter}.values():
        whole = Site(read(case.golden).fragments)
        for i, fact in enumerate(case.facts):
            keys = {fragment.key for fragment in read(fact).fragments}
            others = " ".join(case.facts[:i] + case.facts[i + 1 :])
            without = Site(read(others).fragments)
            gone = set(whole.parts()) - set(without.parts())
            assert gone, fact
            own = {part for part in gone if part.by in keys}
            # What acts on a list, the table or a form stays out together with it; nothing new may come in its place.
            dependent = {part for part in gone if part.by not in keys}
            alone = set(Site(read(fact).fragments).parts())
            assert own, fact
            carriers = Table | AddForm | MessageForm | ItemList
            assert not dependent or any(isinstance(fragment, carriers) for fragment in read(fact).fragments), fact
            assert {part.by for part in alone} <= keys, fact
            assert not set(without.parts()) - set(whole.parts()), fact


def test_parts_cannot_be_broken_out_of() -> None:
    evil = "<script>alert(1)</script> </boltAction> & more"
    wishes = (
        f'A shop called "{evil}". When the name field is empty, say "{evil}". List these: Fern 1.00, Ivy 2.00. '
        f'A contact form with the fields Name and "{evil}" shows "{evil}".'
    )
    html = Site(read(wishes).fragments).html(evil)
    assert "<script>alert" not in html
    assert "</boltAction>" not in html
    assert html.count("<script>") == html.count("</script>") == 1


@pytest.mark.parametrize(
    "piece",
    [
        '"',
        "a form with the fields ",
        "A 1.00, ",
        "called ",
        "no ",
        "nobody ",
        "if empty ",
        "header A ",
        '"x" button ',
        'if "a" ',
    ],
)
def test_reading_a_large_hostile_text_is_bounded(piece: str) -> None:
    text = (piece * 50_000)[:200_000]
    started = time.process_time()
    read(text)
    topics(text)
    assert time.process_time() - started < 5
