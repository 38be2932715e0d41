"""The operators: what a rule or a model makes of a golden instruction keeps to what the benchmark's own texts are like."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from iwtui.archive.pack_files import import_rows
from iwtui.bench.case import Case, Visibility
from iwtui.bench.contradiction import contradicted
from iwtui.bench.disclosure import disclosed
from iwtui.bench.rows import read_row, retold_row
from iwtui.engine.mutation.looks import Look, looks, picture_of
from iwtui.engine.mutation.mutate import OperatorError, by_model, by_rules, faults, retold, telling
from iwtui.judges.tellings import contains, literals
from iwtui.packs import load_pack, row_of, shipped_personas
from tests.support.official import official_file

PERSONAS = shipped_personas()
MISSING, METAPHOR = Visibility.MISSING, Visibility.METAPHOR


def seeds_of(cases: Sequence[Case]) -> list[Case]:
    return list({case.seed: case for case in cases}.values())


STARTER = seeds_of(load_pack("starter"))


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """Ten official seeds, spread over the file."""
    folder = tmp_path_factory.mktemp("packs")
    import_rows(BytesIO(official_file().read_bytes()), folder, "official", PERSONAS)
    seeds = seeds_of(load_pack("official", folder))
    return seeds[::10][:10]


def held(case: Case, persona: str) -> Case:
    """A mutation by rule, found to be within what is observed and to be what its operator is for."""
    made = by_rules(case, PERSONAS[persona], 4)
    assert made.faults == (), made
    told = made.case
    assert (told.seed, told.golden, told.facts, told.slots) == (case.seed, case.golden, case.facts, case.slots)
    values = {value for value in literals(case.golden) if contains(told.instruction, value)}
    seen = [shown for slot, shown in zip(told.slots, told.visibility, strict=True) if slot.facts]
    match persona:
        case "P-MIN":
            assert 4 <= len(told.instruction.split()) <= 8
            assert len(disclosed(case.facts, told.instruction)) <= 1
            assert seen.count(MISSING) > len(seen) / 2
        case "P-RAM":
            assert values == literals(case.golden)
            assert set(disclosed(case.facts, told.instruction)) == set(range(len(case.facts)))
            assert set(seen) == {Visibility.STATED}
        case "P-INT":
            assert not values
            assert seen.count(METAPHOR) > len(seen) / 2
        case "P-CON":
            assert contradicted(case.facts, told.instruction)
            assert Visibility.CONTRADICTED in seen
        case "P-BASE":
            assert told.instruction == case.golden and set(seen) == {Visibility.STATED}
    return told


@pytest.mark.parametrize("persona", PERSONAS)
@pytest.mark.parametrize("case", STARTER, ids=lambda case: case.seed)
def test_rules_tell_the_starter_seeds_anew(case: Case, persona: str) -> None:
    told = held(case, persona)
    assert by_rules(case, PERSONAS[persona], 4).case == told, "a rule says the same each time"
    row = retold_row(None, told, {"by": "rules"})
    again = read_row(msgspec.json.encode(row), PERSONAS, told.pack).case
    assert again == told, "its row is the case, checks and all"


@pytest.mark.parametrize("persona", PERSONAS)
def test_rules_tell_official_seeds_anew(official: list[Case], persona: str) -> None:
    instructions = {held(case, persona).instruction for case in official}
    assert len(instructions) == len(official) == 10


def test_an_official_seed_told_anew_keeps_every_key_of_its_row(official: list[Case], tmp_path: Path) -> None:
    import_rows(BytesIO(official_file().read_bytes()), tmp_path, "official", PERSONAS)
    source = row_of(tmp_path / "official.jsonl", official[3].id)
    assert source is not None
    told = by_rules(official[3], PERSONAS["P-MIN"], 4).case
    row = retold_row(source, told, {"by": "rules"})
    changed = {key for key in row if row[key] != source.get(key)}
    assert changed == {"id", "persona", "instruction", "iwtui"} and source.keys() <= row.keys()
    again = read_row(msgspec.json.encode(row), PERSONAS, "official").case
    assert (again.instruction, again.visibility, again.slots) == (told.instruction, told.visibility, told.slots)


def test_the_official_texts_are_audited_as_what_they_are(tmp_path: Path) -> None:
    """The audit reads words only; on the published tellings it is right about nearly all."""
    import_rows(BytesIO(official_file().read_bytes()), tmp_path, "official", PERSONAS)
    cases = load_pack("official", tmp_path)
    clashing = {
        persona: sum(bool(contradicted(case.facts, case.instruction)) for case in cases if case.persona.id == persona)
        for persona in ("P-MIN", "P-RAM", "P-INT", "P-CON")
    }
    assert clashing["P-CON"] >= 90 and clashing["P-MIN"] == 0
    assert clashing["P-RAM"] <= 15 and clashing["P-INT"] <= 5


@pytest.mark.parametrize("case", load_pack("starter"), ids=lambda case: case.id)
def test_the_audit_agrees_with_what_was_noted_by_hand(case: Case) -> None:
    seen = retold(case, case.persona, case.instruction).visibility
    apart = [number for number, (ours, noted) in enumerate(zip(seen, case.visibility, strict=True)) if ours is not noted]
    assert len(apart) <= 1, apart


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        ("Use ivory for the background and forest green for components.", [("ivory", True), ("forestgreen", False)]),
        (
            "Style all pages with a light cyan background and cadet blue components.",
            [("lightcyan", True), ("cadetblue", False)],
        ),
        ("Use maroon for the header bar at the top of the page.", [("maroon", False)]),
        ("Show a map.", []),
    ],
)
def test_looks_tell_the_background_from_the_parts(fact: str, found: list[tuple[str, bool]]) -> None:
    assert [(look.css, look.of_ground) for look in looks(fact)] == found
    assert all(isinstance(look, Look) and look.css not in picture_of(look.css) for look in looks(fact))


class Scripted:
    """A model that says given things, one after the other."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[Sequence[dict[str, str]]] = []

    async def __call__(self, messages: Sequence[dict[str, str]]) -> str:
        self.asked.append(messages)
        return self.replies.pop(0)


GOOD = "Make my bakery a nice website."


async def test_a_model_is_told_what_was_wrong_and_asked_again() -> None:
    ask = Scripted(
        "<think>hm</think>```\nMake an ivory website with a maroon header bar for my bakery and six breads.\n```",
        f'"{GOOD}"',
    )
    made = await by_model(STARTER[0], PERSONAS["P-MIN"], ask, "openai/x", 4)
    assert (made.case.instruction, made.tries, made.by, made.faults) == (GOOD, 2, "openai/x", ())
    assert set(made.case.visibility) == {MISSING}
    complaint = ask.asked[1][-1]["content"]
    assert "15 words, not 4 to 8" in complaint and "names a colour" in complaint
    assert STARTER[0].golden == ask.asked[0][1]["content"] and "Incompleteness" in ask.asked[0][0]["content"]


async def test_a_model_that_never_gets_it_right_gives_its_best_and_it_is_said() -> None:
    ask = Scripted("Ivory! " * 20, "word " * 20, "")
    made = await by_model(STARTER[0], PERSONAS["P-MIN"], ask, "openai/x", 3)
    assert (made.tries, made.case.instruction, len(made.faults)) == (3, ("word " * 20).strip(), 1)
    assert ask.replies == []


async def test_the_cooperative_client_needs_no_model() -> None:
    made = await by_model(STARTER[0], PERSONAS["P-BASE"], Scripted(), "openai/x", 3)
    assert made.case.instruction == STARTER[0].golden and made.by == "rules"


@pytest.mark.parametrize("language", ["de"])
def test_rules_do_not_write_what_they_do_not_speak(language: str) -> None:
    foreign = msgspec.structs.replace(STARTER[0], language=language)
    with pytest.raises(OperatorError, match="name a model"):
        by_rules(foreign, PERSONAS["P-MIN"], 1)
    with pytest.raises(OperatorError, match="no operator for P-NEW"):
        by_rules(STARTER[0], msgspec.structs.replace(PERSONAS["P-MIN"], id="P-NEW"), 1)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Make it.", "Make it."),
        ('"Make it."', "Make it."),
        ('"Ann" and "Bob"', '"Ann" and "Bob"'),
        ("no start</think>\nMake\n  it.", "Make it."),
        ("Here you are:\n```text\nMake it.\n```\nGood?", "Make it."),
        ("", ""),
    ],
)
def test_a_telling_is_freed_of_what_stands_around_it(reply: str, text: str) -> None:
    assert telling(reply) == text


def test_a_conflict_that_is_none_is_a_fault() -> None:
    case = retold(STARTER[0], PERSONAS["P-CON"], STARTER[0].golden + " Please be quick about it, and be kind to my cat.")
    assert faults(case) == ("P-CON: by its wording it contradicts nothing",)
