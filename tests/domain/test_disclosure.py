"""The leak audit: what a reply gives away, and what it does not."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.disclosure import disclosed

STARTER = Path(__file__).parents[2] / "tasks" / "starter"


def load(seed: str) -> dict[str, str]:
    content = tomllib.loads((STARTER / f"{seed}.toml").read_text(encoding="utf-8"))
    return {fact["id"]: fact["text"] for fact in content["facts"]}


SEEDS = {seed: load(seed) for seed in ("bakery", "lending")}


def told(seed: str, reply: str) -> set[str]:
    names = list(SEEDS[seed])
    return {names[place] for place in disclosed(list(SEEDS[seed].values()), reply)}


@pytest.mark.parametrize(("seed", "fact"), [(seed, fact) for seed, facts in SEEDS.items() for fact in facts])
def test_the_words_of_a_fact_give_away_just_that_fact(seed: str, fact: str) -> None:
    assert told(seed, SEEDS[seed][fact]) == {fact}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_golden_instruction_gives_away_everything(seed: str) -> None:
    assert told(seed, " ".join(SEEDS[seed].values())) == set(SEEDS[seed])
    assert told(seed, "\n".join(reversed(SEEDS[seed].values()))) == set(SEEDS[seed])


@pytest.mark.parametrize(
    ("seed", "reply", "facts"),
    [
        ("bakery", "Ivory.", {"background"}),
        ("bakery", "Ivory page, maroon bar.", {"background", "header"}),
        ("bakery", "We are Crumb & Kettle, dear.", {"name"}),
        ("bakery", "Oh, my cousin says hello. Well, we open Tuesdays till Saturday, from 7 am to 1 pm!", {"hours"}),
        ("bakery", "Open Tuesday-Saturday, 7-13.", {"hours"}),
        ("bakery", "4.20, 4.80, 3.90, 5.10, 2.40, 5.60", {"breads"}),
        ("bakery", "Rye is 4,20 €, Spelt 4.8, Brioche 3.90 and so on.", {"breads"}),
        ("bakery", "Rye, Spelt, Brioche, Focaccia, Baguette, Walnut", {"breads"}),
        ("bakery", "Under each loaf there's a button that says “add to basket”.", {"basket"}),
        ("bakery", "People search the breads by name, and the list narrows as they type.", {"search"}),
        ("lending", "Call it BORROW LANE.", {"name"}),
        ("lending", "The heading should be dark green, the page lavender.", {"heading", "background"}),
        ("lending", "Ada has a hedge trimmer, Bruno a pasta machine, and Chen a belt sander.", {"table"}),
        ("lending", "If somebody forgets it: “Please name the tool”.", {"empty"}),
        ("lending", "You click the Tool column and it gets sorted alphabetically.", {"sort"}),
        ("lending", "After a reload the added tools must still be there.", {"persist"}),
        ("lending", "It then says on loan.", {"borrow"}),
    ],
)
def test_a_paraphrase_with_its_values_gives_the_fact_away(seed: str, reply: str, facts: set[str]) -> None:
    assert told(seed, reply) == facts


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Just make it nice!",
        "Make a website for my bakery.",
        "I don't know, you decide about the page background and the header bar.",
        "I would rather not say anything about the search box, the list, the name, or what visitors type.",
        "Which colour do you want for the page background?",
        "Should a visitor type the name of the bread in a search box to narrow the list?",
        "My aunt was at the market this morning, and the weather was dreadful, you would not believe it.",
        "Like the first light on a quiet morning, warm and soft, a whisper of bone and old paper.",
        "Yes.",
        "No, nothing else. That is all I need.",
        "The top of the page is important to me.",
        "I have 3 cousins, 7 cats and 13 mugs.",
    ],
)
def test_chatter_refusals_and_questions_give_nothing_away(seed: str, reply: str) -> None:
    assert told(seed, reply) == set()


def test_values_that_several_facts_have_point_to_none_of_them() -> None:
    facts = ["Use ivory for the page.", "Use ivory for the cards."]
    assert disclosed(facts, "Ivory!") == ()
    assert disclosed(facts, "Use ivory for the cards.") == (1,)


def test_a_bare_number_is_not_enough() -> None:
    facts = ["Every review has up to 5 stars.", "Show a map."]
    assert disclosed(facts, "I have 5 children.") == ()
    assert disclosed(facts, "Each review gets up to five stars.") == (0,)


@given(st.lists(st.text(), max_size=6), st.text())
def test_any_text_is_audited(facts: list[str], reply: str) -> None:
    found = disclosed(facts, reply)
    assert list(found) == sorted(set(found)) and all(place < len(facts) for place in found)
