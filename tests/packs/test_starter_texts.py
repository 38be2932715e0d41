"""The starter pack's texts: what each persona tells of the golden facts, and what it keeps back."""

import re
from itertools import chain, pairwise

import pytest
from PIL import ImageColor

from iwtui.bench.case import Case, Visibility
from iwtui.packs import load_pack, load_personas, pack_folder

WORDS = {"P-MIN": (4, 8), "P-RAM": (150, 270), "P-INT": (50, 170), "P-CON": (30, 120)}
NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve dozen twenty thirty hundred thousand".split()
)
FUNCTION_WORDS = frozenset(
    "a an the and or of in on at to by for with as it its that this so is are be was has have had when while who which "
    "please how many exactly every each then from there".split()
)
NEGATIONS = frozenset("no not never nobody nothing none forget forgets".split())
WISHES = re.compile(
    r"\b(please|want|wish|should|must|need|add|show|list|build|make|use|page|site|website|button|search|form|table)s?\b",
    re.I,
)
"""What a developer could take for a request."""


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def quoted(text: str) -> set[str]:
    return set(re.findall(r'"([^"]+)"', text))


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.:]\d+)?", text)) | (NUMBER_WORDS & set(words(text)))


def colours(text: str) -> set[str]:
    """CSS colour names, also those written in two words ("dark green")."""
    known = ImageColor.colormap
    pairs = {pair for pair in pairwise(words(text)) if "".join(pair) in known}
    return (set(words(text)) & set(known) - set(chain.from_iterable(pairs))) | {"".join(pair) for pair in pairs}


def names(fact: str) -> set[str]:
    """The words that a fact writes with a capital, but for the one that it starts with."""
    return {word.lower() for word in re.findall(r"\b[A-Z][a-z]+", fact.split(" ", 1)[1])} - FUNCTION_WORDS


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!]) +(?=[A-Z])", text)


def content(text: str) -> set[str]:
    return {word.rstrip("s") for word in words(text)} - FUNCTION_WORDS


def share(fact: str, sentence: str) -> float:
    """The part of the fact's content words that the sentence holds."""
    return len(content(fact) & content(sentence)) / len(content(fact))


def theme(fact: str) -> set[str]:
    """What a fact is about: its content words without its values."""
    return {word for word in content(fact) - NUMBER_WORDS - content(" ".join(names(fact))) if not word[0].isdigit()}


def telling(fact: str, text: str) -> str:
    """The sentence of the text that comes closest to the fact."""
    return max(sentences(text), key=lambda sentence: share(fact, sentence))


CASES = load_pack("starter")


def of(persona: str) -> list[Case]:
    return [case for case in CASES if case.persona.id == persona]


def slots_told(case: Case, how: Visibility) -> list[list[str]]:
    """The facts of each slot that the persona tells in that way; slots that need no fact are left out."""
    told = [slot for slot, noted in zip(case.slots, case.visibility, strict=True) if noted is how]
    return [[case.facts[fact] for fact in slot.facts] for slot in told if slot.facts]


SEEDS = ("bakery", "festival", "hives", "lending", "sauna")


def test_the_seeds_are_of_different_kinds_and_all_told_by_five_personas() -> None:
    assert {(case.seed, case.persona.id) for case in CASES} == {
        (seed, persona) for seed in SEEDS for persona in (*WORDS, "P-BASE")
    }
    assert len({case.difficulty for case in of("P-BASE")}) == 3
    assert all(7 <= len(case.slots) <= 12 for case in CASES)


@pytest.mark.parametrize("case", [case for case in CASES if case.persona.id in WORDS], ids=lambda case: case.id)
def test_a_telling_is_as_long_as_its_persona_talks(case: Case) -> None:
    least, most = WORDS[case.persona.id]
    assert least <= len(case.instruction.split()) <= most


def test_the_cooperative_client_tells_the_golden_text() -> None:
    for case in of("P-BASE"):
        assert case.instruction == case.golden
        assert set(case.visibility) == {Visibility.STATED}


@pytest.mark.parametrize("case", of("P-MIN"), ids=lambda case: case.seed)
def test_the_minimalist_tells_nothing_but_the_core(case: Case) -> None:
    assert not quoted(case.instruction) and not numbers(case.instruction) and not colours(case.instruction)
    assert set(case.visibility) == {Visibility.MISSING}


@pytest.mark.parametrize("case", of("P-RAM"), ids=lambda case: case.seed)
def test_the_rambler_tells_every_literal_of_every_fact_in_one_sentence(case: Case) -> None:
    for fact in case.facts:
        sentence = telling(fact, case.instruction)
        assert share(fact, sentence) >= 0.8, fact
        assert quoted(fact) <= quoted(sentence)
        assert numbers(fact) <= numbers(sentence)
        assert colours(fact) <= colours(sentence)
        assert names(fact) <= set(words(sentence))


@pytest.mark.parametrize("case", of("P-RAM"), ids=lambda case: case.seed)
def test_the_ramblers_chatter_asks_for_nothing_and_holds_no_value(case: Case) -> None:
    telling_something = {telling(fact, case.instruction) for fact in case.facts}
    chatter = " ".join(sentence for sentence in sentences(case.instruction) if sentence not in telling_something)
    assert len(words(chatter)) >= 0.3 * len(words(case.instruction))
    assert not quoted(chatter) and not numbers(chatter) and not colours(chatter)
    assert not {name for fact in case.facts for name in names(fact)} & set(words(chatter))
    assert not WISHES.findall(chatter)


@pytest.mark.parametrize("case", of("P-INT"), ids=lambda case: case.seed)
def test_the_intuitive_client_writes_no_literal_value(case: Case) -> None:
    told = case.instruction.lower()
    assert not quoted(told) and not numbers(told) and not colours(told)
    for fact in case.facts:
        assert not [phrase for phrase in quoted(fact) if phrase.lower() in told]
        assert not names(fact) & set(words(told))
    assert not [fact for fact in case.facts if share(fact, telling(fact, case.instruction)) > 0.4]
    assert Visibility.STATED not in case.visibility and Visibility.METAPHOR in case.visibility


def clashes(fact: str, sentence: str) -> bool:
    """Whether a sentence gives a value at odds with the fact's own, or denies what it asks for."""
    rivals = (quoted, colours, lambda text: numbers(text) & NUMBER_WORDS, lambda text: NEGATIONS & set(words(text)))
    return any(values(sentence) - values(fact) for values in rivals)


def contradicted(fact: str, instruction: str) -> bool:
    sentence = telling(fact, instruction)
    return 3 * len(theme(fact) & theme(sentence)) >= len(theme(fact)) and clashes(fact, sentence)


@pytest.mark.parametrize("case", of("P-CON"), ids=lambda case: case.seed)
def test_the_conflicting_client_contradicts_itself_where_noted_and_nowhere_else(case: Case) -> None:
    assert len(slots_told(case, Visibility.CONTRADICTED)) >= 4
    for facts in slots_told(case, Visibility.CONTRADICTED):
        assert any(contradicted(fact, case.instruction) for fact in facts), facts
    for facts in slots_told(case, Visibility.STATED):
        for fact in facts:
            sentence = telling(fact, case.instruction)
            assert share(fact, sentence) >= 0.7 and quoted(fact) <= quoted(sentence)
            assert not clashes(fact, sentence), sentence


@pytest.mark.parametrize("case", of("P-CON"), ids=lambda case: case.seed)
def test_whoever_takes_the_last_colour_of_a_contradiction_is_now_right_and_now_wrong(case: Case) -> None:
    last_is_true = set()
    for fact in chain.from_iterable(slots_told(case, Visibility.CONTRADICTED)):
        if golden := colours(fact):
            sentence = telling(fact, case.instruction)
            last = max(colours(sentence), key=lambda name: _place(name, sentence))
            last_is_true.add(last in golden)
    assert last_is_true == {True, False}


def _place(colour: str, sentence: str) -> int:
    return sentence.lower().replace(" ", "").rfind(colour)


@pytest.mark.parametrize("case", [case for case in CASES if case.persona.id != "P-INT"], ids=lambda case: case.id)
def test_a_slot_is_noted_as_missing_only_when_the_text_lacks_a_fact_that_it_needs(case: Case) -> None:
    for facts in slots_told(case, Visibility.MISSING):
        assert any(share(fact, telling(fact, case.instruction)) < 0.7 for fact in facts), facts


KEY_WORDS = {
    "P-MIN": r"shortest form|few words",
    "P-RAM": r"irrelevant|ramble",
    "P-INT": r"metaphor",
    "P-CON": r"contradiction",
    "P-BASE": r"plainly and completely",
}


@pytest.mark.parametrize("persona", KEY_WORDS)
def test_each_personas_rules_are_known_by_their_own_key_words(persona: str) -> None:
    rules = load_personas(pack_folder("starter"))[persona].rules
    assert {name for name, key in KEY_WORDS.items() if re.search(key, rules, re.I)} == {persona}
    assert 60 <= len(rules.split()) <= 140
    assert "no more than the facts" in rules
