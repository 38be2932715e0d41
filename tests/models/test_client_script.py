"""The scripted client: which facts it picks, and how it puts them."""

import pytest

from iwtui.bench.disclosure import disclosed
from iwtui.models.scripted.colours import colours, lexicon
from iwtui.models.scripted.fragments.base import Topic
from iwtui.models.scripted.metaphors import unveiled, veiled
from iwtui.models.scripted.questions import QUESTIONS, topics, worded
from iwtui.models.scripted.reading import read
from iwtui.models.scripted.sentences import quoted
from iwtui.models.scripted.voices import CHATTER, spoken
from iwtui.packs import load_pack
from tests.models.dialogue import phrase, retrieve

CASES = load_pack("starter")
SEEDS = {case.seed: case for case in CASES}
SPEAKERS = {case.persona.id: case for case in CASES if case.seed == "lending"}

FACTS = (
    'The shop is called "Nut & Bolt".',
    "Use beige for the page background.",
    "Use navy for the buttons.",
    "Use red for the footer.",
    "List these parts with their prices in euros: Bolt 0.20 and Nut 0.10.",
    "A search box narrows the list of parts by name.",
    'Our address is "1 Mill Lane".',
    "Deliver within the old town by bicycle.",
)


@pytest.mark.parametrize(
    ("question", "picked"),
    [
        (QUESTIONS[Topic.NAME], [1]),
        (QUESTIONS[Topic.BACKGROUND], [2]),
        (QUESTIONS[Topic.PARTS], [3, 4]),
        (QUESTIONS[Topic.DATA], [5]),
        (QUESTIONS[Topic.ACTIONS], [6]),
        (QUESTIONS[Topic.TEXTS], [7]),
        (QUESTIONS[Topic.MESSAGES], []),
        (QUESTIONS[Topic.LASTING], []),
        ("What colour should the buttons be?", [3]),
        ("What colour should the links be?", []),
        ("What should the website be called?", [1]),
        ("Where in the old town do you deliver by bicycle?", [8]),
        ("Do you like gardening?", []),
        ("Tell me everything.", []),
    ],
)
def test_a_question_gets_the_facts_it_asks_for_and_no_other(question: str, picked: list[int]) -> None:
    assert retrieve(FACTS, question, []) == picked


def test_anything_else_brings_one_untold_fact_at_a_time() -> None:
    said: list[tuple[str, str]] = []
    order = []
    while picked := retrieve(FACTS, QUESTIONS[Topic.ELSE], said):
        order += picked
        said.append((QUESTIONS[Topic.ELSE], FACTS[picked[0] - 1]))
    assert order == [1, 2, 3, 4, 5, 6, 7, 8]


def test_what_the_question_names_as_known_is_not_told_again() -> None:
    question = "So far I know of: the name of the site; the colour of the page background. Does the site need anything else?"
    assert retrieve(FACTS, question, []) == [3]


def test_a_contradiction_is_answered_with_the_fact_it_is_about() -> None:
    question = "About the colour of the footer your words contradict each other: 'red' and 'blue' What holds?"
    assert retrieve(FACTS, question, []) == [4]


@pytest.mark.parametrize("topic", QUESTIONS)
@pytest.mark.parametrize("again", [False, True])
def test_our_own_questions_are_about_what_they_are_meant_to_be(topic: Topic, again: bool) -> None:
    assert topics(worded(topic, again)) == {topic}


@pytest.mark.parametrize("persona", SPEAKERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_voice_gives_away_what_it_was_not_handed(seed: str, persona: str) -> None:
    case = SEEDS[seed]
    rules = SPEAKERS[persona].persona.rules
    for question in [*QUESTIONS.values(), "Your words contradict each other, what holds?"]:
        assert disclosed(case.facts, phrase(case, question, [], rules)) == ()
        for number in range(1, len(case.facts) + 1):
            assert set(disclosed(case.facts, phrase(case, question, [number], rules))) <= {number - 1}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_plain_rigid_and_rambling_voices_keep_each_fact_word_for_word(seed: str) -> None:
    case = SEEDS[seed]
    numbers = list(range(1, len(case.facts) + 1))
    for persona in ("P-BASE", "P-CON", "P-RAM"):
        said = phrase(case, "What do you want?", numbers, SPEAKERS[persona].persona.rules)
        assert all(fact in said for fact in case.facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rambler_talks_mostly_of_something_else(seed: str) -> None:
    case = SEEDS[seed]
    for number, fact in enumerate(case.facts, 1):
        said = phrase(case, f"Question {number}?", [number], SPEAKERS["P-RAM"].persona.rules)
        assert len(fact.split()) / len(said.split()) <= 0.3


def test_chatter_says_nothing_that_could_be_taken_for_a_wish() -> None:
    for sentence in CHATTER:
        assert read(sentence).fragments == ()
        assert not list(colours(sentence))
        assert not quoted(sentence)
        assert not any(char.isdigit() for char in sentence)


def test_the_minimalist_is_brief() -> None:
    rules = SPEAKERS["P-MIN"].persona.rules
    assert spoken(rules, QUESTIONS[Topic.BACKGROUND], [FACTS[1]]) == "beige"
    assert spoken(rules, QUESTIONS[Topic.NAME], [FACTS[0]]) == '"Nut & Bolt"'
    assert spoken(rules, QUESTIONS[Topic.PARTS], [FACTS[2], FACTS[3]]) == "navy for buttons; red for footer"
    assert len(spoken(rules, QUESTIONS[Topic.DATA], []).split()) <= 3


def test_the_intuitive_names_no_colour_but_another_picture_when_asked_again() -> None:
    rules = SPEAKERS["P-INT"].persona.rules
    first = spoken(rules, QUESTIONS[Topic.BACKGROUND], [FACTS[1]])
    second = spoken(rules, worded(Topic.BACKGROUND, again=True), [FACTS[1]])
    assert not list(colours(first)) + list(colours(second))
    assert first != second


def test_the_conflicting_defends_one_sentence_and_then_tells_the_truth() -> None:
    rules = SPEAKERS["P-CON"].persona.rules
    question = "About the colour of the footer your words contradict each other: 'red' and 'blue' What holds?"
    assert spoken(rules, question, [FACTS[3]]).endswith(FACTS[3])
    assert spoken(rules, question, [FACTS[3]]) != FACTS[3]
    assert spoken(rules, "Which colour has the footer?", [FACTS[3]]) == FACTS[3]


def test_every_picture_of_the_lexicon_hides_its_colour() -> None:
    for name, known in lexicon()["colour"].items():
        assert isinstance(known, dict)
        assert list(colours(name)), name
        for picture in known["spoken"]:
            assert not list(colours(picture)), picture


def test_the_builder_understands_some_pictures_rightly_and_never_one_wrongly() -> None:
    understood = 0
    for kind in ("colour", "number"):
        for name, known in lexicon()[kind].items():
            assert isinstance(known, dict)
            for picture in known["spoken"]:
                plain = unveiled(f"the colour of {picture}")
                if plain != f"the colour of {picture}":
                    understood += 1
                    assert plain.startswith(name), picture
    pictures = sum(
        len(known["spoken"])
        for kind in ("colour", "number")
        for known in lexicon()[kind].values()
        if isinstance(known, dict)
    )
    assert 0.3 * pictures < understood < 0.8 * pictures


def test_quotations_are_never_veiled() -> None:
    assert '"The red two doors"' in veiled('A shop called "The red two doors" has six shelves.', 0)
    assert veiled("six shelves", 0) != "six shelves"
