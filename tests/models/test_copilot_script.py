"""The scripted copilot: it judges by the words it is shown, and by nothing else."""

import json
from typing import Any

import pytest

from iwtui.models.scripted import copilot

MARKS = '[1] searchbox "Search breads"\n[2] button "Add to basket"\n[3] button "Add to basket"'
BREADS = (
    '- The site is called "Old Mill" and shows that name as the main heading.\n'
    "- List these breads with their prices in euros: Rye 4.20 and Spelt 4.80.\n"
    "- A search box narrows the list of breads by name while the visitor types.\n"
    '- Every item has an "Add to basket" button that raises the number of items shown in the basket by one.'
)
ALL_THERE = "Old Mill\nItems in the basket: 0\nBreads\nRye €4.20\nSpelt €4.80"


def move(criteria: str, text: str, *earlier: str, marks: str = MARKS) -> dict[str, Any]:
    done = "\n".join(f"{n}. {line}" for n, line in enumerate(earlier, 1)) or "none"
    asked = f"CRITERIA\n{criteria}\n\nPAGE\nhttp://x/ Old Mill\n\nMARKS\n{marks}\n\nTEXT\n{text}\n\nEARLIER\n{done}"
    picture = {"type": "image_url", "image_url": {"url": "data:image/webp;base64,AAAA"}}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Answer with one JSON object."},
        {"role": "user", "content": [{"type": "text", "text": asked}, picture]},
    ]
    decided: dict[str, Any] = json.loads(copilot.reply(messages))
    assert set(decided) == {"thought", "action", "mark", "text"}
    return decided


def test_it_tries_the_button_then_the_search_and_is_content() -> None:
    first = move(BREADS, ALL_THERE)
    assert (first["action"], first["mark"]) == ("click", 2)
    clicked = 'click [2] button "Add to basket": clicked'
    after_click = ALL_THERE.replace("basket: 0", "basket: 1")
    second = move(BREADS, after_click, clicked)
    assert (second["action"], second["mark"], second["text"]) == ("type", 1, "Rye")
    typed = "type [1] searchbox \"Search breads\" 'Rye': typed"
    last = move(BREADS, after_click.replace("Spelt €4.80", ""), clicked, typed)
    assert last["action"] == "finish"


def test_it_names_what_is_missing() -> None:
    found = move(BREADS, "My Site\nRye €4.20")
    assert found["action"] == "fail"
    for phrase in ('"Old Mill"', '"Spelt"', '"4.80"'):
        assert phrase in found["text"]
    assert '"Rye"' not in found["text"]


@pytest.mark.parametrize(
    ("text", "last", "complaint"),
    [
        (ALL_THERE, 'click [2] button "Add to basket": clicked', "count"),
        (ALL_THERE, "type [1] searchbox \"Search breads\" 'Rye': typed", "narrow"),
        ("Old Mill", "type [1] searchbox \"Search breads\" 'Rye': typed", "not shown"),
    ],
)
def test_it_complains_of_what_did_nothing(text: str, last: str, complaint: str) -> None:
    found = move(BREADS, text, last)
    assert found["action"] == "fail"
    assert complaint in found["text"]


STATUS = 'Every tool has a "Borrow" button that changes its status to "On loan".'


def test_a_status_is_looked_for_after_the_click_only() -> None:
    marks = '[1] button "Borrow"'
    assert move(STATUS, "Drill Available", marks=marks)["action"] == "click"
    clicked = 'click [1] button "Borrow": clicked'
    assert move(STATUS, "Drill Available", clicked, marks=marks)["action"] == "fail"
    assert move(STATUS, "Drill On loan", clicked, marks=marks)["action"] == "finish"


COUNT = 'Show how many tools are available, as in "3 tools available", and keep that number up to date.'


def test_a_count_may_be_any_number() -> None:
    assert move(COUNT, "7 tools available", marks="none")["action"] == "finish"
    assert move(COUNT, "tools", marks="none")["action"] == "fail"


def test_what_appears_only_later_is_not_missed() -> None:
    criteria = 'When the tool field is left empty, the form shows the message "Name it".\nAn FAQ answers "Far?" with "No."'
    assert move(criteria, "Far?", marks="none")["action"] == "finish"


def test_it_says_that_it_cannot_tell_colours() -> None:
    found = move("Use red for the page background.", "Hello", marks="none")
    assert found["action"] == "finish"
    assert "not looked at" in found["text"]


@pytest.mark.parametrize("text", ["", "none", "no sections at all", "CRITERIA\n", "MARKS\n[x] y"])
def test_any_message_gets_one_answer(text: str) -> None:
    decided = json.loads(copilot.reply([{"role": "user", "content": text}]))
    assert decided["action"] in ("finish", "fail")
    assert json.loads(copilot.reply([]))["action"] in ("finish", "fail")
