"""The little language of checks: what it can say, and what it refuses."""

import msgspec
import pytest

from iwtui.bench.checks import Colour, Count, Read, See, Step, Target, faults

Check = tuple[Step, ...]


def read(toml: str) -> Check:
    return msgspec.convert(msgspec.toml.decode(toml)["check"], Check)


def told(toml: str) -> list[str]:
    return list(faults(read(toml)))


def test_a_check_reads_as_it_is_written() -> None:
    assert read('check = [{do = "see", role = "heading", level = 1, name = "Crumb"}, {do = "colour", value = "ivory"}]') == (
        See(role="heading", level=1, name="Crumb"),
        Colour(value="ivory"),
    )
    assert read(
        'check = [{do = "read", number = "(\\\\d+) tools"}, {do = "count", role = ["row", "listitem"], most = 3}]'
    ) == (
        Read(number="(\\d+) tools"),
        Count(role=("row", "listitem"), most=3),
    )


def test_roles_are_one_or_several() -> None:
    assert Target(role="row").roles == ("row",)
    assert Target(role=("row", "cell")).roles == ("row", "cell")
    assert Target().roles == ()


@pytest.mark.parametrize(
    "step", ['{do = "see", id = "main"}', '{do = "see", css = ".card"}', '{do = "see", testid = "x"}', '{do = "dance"}']
)
def test_there_is_no_way_to_name_an_id_or_a_class(step: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(f"check = [{step}]")


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ('{do = "open"}', "it expects nothing"),
        ('{do = "see", role = "heading"}, {do = "click", role = "knob"}', "step 2: unknown role 'knob'"),
        ('{do = "see"}', "step 1: it names no role, name, label or text"),
        ('{do = "see", name = "("}', "is no regular expression"),
        ('{do = "count", role = "row", least = 3, most = 2}', "most (2) is less than least (3)"),
        ('{do = "number", number = "(1)"}', "give one of exactly and change"),
        ('{do = "number", number = "(1)", exactly = 1, change = 1}', "give one of exactly and change"),
        ('{do = "number", number = "(1)", change = 1}', "change needs a read of the same number before it"),
        ('{do = "colour", value = "ivory", share = 0}', "share lies between 0 and 1"),
    ],
)
def test_faults_are_told_in_words(steps: str, fault: str) -> None:
    assert any(fault in each for each in told(f"check = [{steps}]")), told(f"check = [{steps}]")


def test_a_sound_check_has_no_faults() -> None:
    steps = [
        '{do = "read", number = "(\\\\d+) items"}',
        '{do = "click", role = "button", name = "add", within = "Rye"}',
        '{do = "number", number = "(\\\\d+) items", change = 1}',
        '{do = "colour", value = "ivory"}',
        '{do = "nothing_unrequested", allow = ["loaf"]}',
    ]
    assert told(f"check = [{', '.join(steps)}]") == []
