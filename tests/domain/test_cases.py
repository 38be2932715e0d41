"""Facts of a golden instruction, manifests and plans."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.case import Assertion, Case, Persona, Slot, SlotKind, slots_needing, split_facts
from iwtui.bench.manifest import decode_manifest, encode_manifest
from iwtui.bench.plan import Plan, Roles, planned


@pytest.mark.parametrize(
    ("golden", "facts"),
    [
        ("", ()),
        ("One.", ("One.",)),
        ("Use ivory. Show 4.20 euros! Why? no end", ("Use ivory.", "Show 4.20 euros!", "Why?", "no end")),
        ('Say "Hello. You." to all. Then stop.', ('Say "Hello. You." to all.', "Then stop.")),
        ('A 5" screen. A 6" and a 7" one.', ('A 5" screen.', 'A 6" and a 7" one.')),
        ("  Two.\n\nThree.  ", ("Two.", "Three.")),
    ],
)
def test_an_instruction_is_split_into_its_sentences(golden: str, facts: tuple[str, ...]) -> None:
    assert split_facts(golden) == facts


@given(st.text())
def test_splitting_loses_nothing_but_spaces(golden: str) -> None:
    assert "".join("".join(split_facts(golden)).split()) == "".join(golden.split())


def needing(*facts: int) -> Slot:
    return Slot(component="c", expected="e", assertion=Assertion.POSITIVE, kind=SlotKind.CONTENT, c_tech=1, facts=facts)


def test_slots_know_the_facts_they_need() -> None:
    slots = (needing(0), needing(0, 1), needing())
    assert slots_needing(slots, 0) == (0, 1)
    assert slots_needing(slots, 1) == (1,)
    assert slots_needing(slots, 2) == ()


def test_equal_workspaces_have_equal_manifests() -> None:
    one = {"b.js": ("b" * 64, 2), "a.js": ("a" * 64, 1)}
    assert encode_manifest(one) == encode_manifest(dict(reversed(one.items())))
    assert decode_manifest(encode_manifest(one)) == one
    with pytest.raises(msgspec.MsgspecError):
        decode_manifest(b'{"a": ["not a hash", 1]}')


def test_a_run_plays_every_case_with_every_builder_repeat_by_repeat() -> None:
    cases = [
        Case(
            id=name,
            seed="s",
            persona=Persona("P", "n", "r"),
            instruction="",
            golden="",
            facts=(),
            slots=(),
            difficulty="easy",
        )
        for name in ("one", "two")
    ]
    plan = Plan(
        run="r",
        pack="p",
        builders=("scripted/blind", "openai/x"),
        roles=Roles("openai/y", "openai/z"),
        case_ids=("one", "two"),
        repeats=2,
        created=0.0,
    )
    order = [(each.repeat, each.case.id, each.builder) for each in planned(plan, cases)]
    assert order[:3] == [(1, "one", "scripted/blind"), (1, "one", "openai/x"), (1, "two", "scripted/blind")]
    assert len(order) == len(set(order)) == 8
    assert plan.scripted
    assert not msgspec.structs.replace(plan, builders=("openai/x",)).scripted
