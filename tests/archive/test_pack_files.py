"""Imported packs: every good line is taken as it is, every bad one is named with its reason."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from iwtui.archive.errors import StoreError
from iwtui.archive.pack_files import Imported, import_rows
from iwtui.bench.rows import LONGEST_ROW
from iwtui.packs import PackError, load_pack, shipped_personas, write_cases
from tests.support.official import official_file, rows

SLOT = {
    "original_task": "Look at the page.",
    "expected_result": "The page is beige.",
    "target_component": "Background",
    "assertion_type": "POSITIVE",
    "c_tech": 2.0,
    "d_test": 1.0,
    "final_weight": 2.0,
}
ROW: dict[str, Any] = {
    "id": "000001_P-MIN",
    "original_id": "000001",
    "persona": "P-MIN",
    "instruction": "Make a clock.",
    "ground_truth_instruction": "Please make a clock. Use beige for the background.",
    "difficulty": "easy",
    "oracle_total_score": 2.0,
    "oracle_slots": [SLOT],
    "Category": {"primary_category": "Content Presentation", "subcategories": ["x"]},
    "their_own": {"deep": [1, None, "ü"]},
}


def line(**changes: Any) -> bytes:
    return json.dumps({**ROW, **changes}, ensure_ascii=False).encode()


def slot(**changes: Any) -> list[dict[str, Any]]:
    return [{**SLOT, **changes}]


def imported(folder: Path, *lines: bytes, name: str = "mine") -> Imported:
    return import_rows(BytesIO(b"\n".join(lines) + b"\n"), folder, name, shipped_personas())


def test_the_official_task_file_is_taken_whole_and_twice_adds_nothing(tmp_path: Path) -> None:
    content = official_file().read_bytes()
    first = import_rows(BytesIO(content), tmp_path, "official", shipped_personas())
    assert (first.added, first.known, first.bad, first.differing) == (404, 0, (), ())
    assert first.path.read_bytes().split() == content.split()
    again = import_rows(BytesIO(content), tmp_path, "official", shipped_personas())
    assert (again.added, again.known, again.bad) == (0, 404, ())
    assert first.path.read_bytes().split() == content.split()

    cases = load_pack("official", tmp_path)
    for case, row in zip(cases, rows(), strict=True):
        assert (case.id, case.seed, case.persona.id) == (row["id"], row["original_id"], row["persona"])
        assert (case.instruction, case.golden) == (row["instruction"], row["ground_truth_instruction"])
        assert (case.difficulty, case.pack, len(case.slots)) == (row["difficulty"], "official", len(row["oracle_slots"]))
        assert "".join("".join(case.facts).split()) == "".join(case.golden.split()), "no word of the golden text is lost"
        assert case.slots[-1].kind == "unrequested"
        assert all(slot.check is None for slot in case.slots)
    assert {
        difficulty: sum(case.difficulty == difficulty for case in cases) for difficulty in ("easy", "middle", "hard")
    } == {
        "easy": 84,
        "middle": 216,
        "hard": 104,
    }
    colours = [(case, slot) for case in cases for slot in case.slots if slot.component == "Background Color"]
    assert len(colours) >= 4 * 90
    right = sum(len(case.facts) - 1 in slot.facts for case, slot in colours)
    assert right / len(colours) > 0.95, "the colours stand in the last sentence, and the slot is linked to it"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"id": NaN}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"id": "\xff"}', "not UTF-8: byte 9"),
        (line(id="b")[:-1] + b', "x": "\\ud800"}', "not JSON"),
        (line(id="b", junk="x" * LONGEST_ROW), "longer than 2,000,000 bytes"),
        (json.dumps({k: v for k, v in ROW.items() if k != "instruction"}).encode(), "missing required field `instruction`"),
        (b"{}", "missing required field"),
        (line(id="b", instruction=3), "Expected `str`, got `int` - at `$.instruction`"),
        (line(id="b", instruction="  "), "may not be empty"),
        (line(id="b", ground_truth_instruction="\n"), "may not be empty"),
        (line(id="../b"), r"at `$.id`"),
        (line(id=""), r"at `$.id`"),
        (line(id="b", oracle_slots=[]), "at `$.oracle_slots`"),
        (line(id="b", oracle_slots=slot(c_tech=4)), "slot 0 (Background): c_tech is 4"),
        (line(id="b", oracle_slots=slot(c_tech="2")), "at `$.oracle_slots[0].c_tech`"),
        (line(id="b", oracle_slots=slot(assertion_type="MAYBE")), "MAYBE"),
        (line(id="b", persona="P-NONE"), "no persona 'P-NONE'"),
        (line(id="b", iwtui={"visibility": ["stated"] * 2}), "2 visibility notes for 1 slots"),
        (line(), "the id '000001_P-MIN' stands in line 1 already"),
    ],
)
def test_a_bad_line_is_named_and_the_good_ones_are_taken(tmp_path: Path, bad: bytes, reason: str) -> None:
    done = imported(tmp_path, line(), b"", bad, line(id="last_P-MIN"))
    assert [said.line for said in done.bad] == [3]
    assert reason in done.bad[0].text
    assert [case.id for case in load_pack("mine", tmp_path)] == ["000001_P-MIN", "last_P-MIN"]


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"oracle_slots": slot(final_weight=1.0)}, "slot 0 (Background): the file says weight 1, the formula 2"),
        ({"oracle_total_score": 3.0}, "the file says total weight 3, the formula 2"),
        ({"difficulty": "hard"}, "the file says difficulty 'hard', the weights 'easy'"),
    ],
)
def test_where_the_file_and_the_formula_differ_the_formula_counts_and_it_is_said(
    tmp_path: Path, changes: dict[str, Any], note: str
) -> None:
    done = imported(tmp_path, line(**changes))
    assert [said.text for said in done.differing] == [f"000001_P-MIN: {note}"]
    assert load_pack("mine", tmp_path)[0].difficulty == "easy"


def test_a_line_is_kept_byte_for_byte_with_the_keys_that_nobody_knows(tmp_path: Path) -> None:
    odd = b"  " + line().replace(b'"id": ', b'"id":\t')
    done = imported(tmp_path, b"\xef\xbb\xbf" + odd + b"\r")
    assert done.path.read_bytes() == odd + b"\n"


def test_another_case_with_the_id_of_one_that_is_there_is_left_out(tmp_path: Path) -> None:
    imported(tmp_path, line())
    done = imported(tmp_path, line(instruction="Make a watch."), line(id="new_P-MIN"))
    assert (done.added, [said.text for said in done.bad]) == (1, ["the pack has another case with the id '000001_P-MIN'"])
    assert [case.instruction for case in load_pack("mine", tmp_path)] == ["Make a clock."] * 2


def test_our_own_frozen_cases_are_rows_too_with_their_checks(tmp_path: Path) -> None:
    cases = load_pack("starter")
    assert imported(tmp_path, *write_cases(cases).splitlines(), name="again").added == len(cases)
    back = load_pack("again", tmp_path)
    assert [case.slots for case in back] == [case.slots for case in cases]
    assert [(case.id, case.instruction, case.visibility) for case in back] == [
        (case.id, case.instruction, case.visibility) for case in cases
    ]


def test_a_pack_that_somebody_damaged_is_named_and_left_alone(tmp_path: Path) -> None:
    done = imported(tmp_path, line())
    done.path.write_bytes(done.path.read_bytes() + b"{torn")
    before = done.path.read_bytes()
    with pytest.raises(StoreError, match="line 2: not JSON"):
        imported(tmp_path, line(id="new_P-MIN"))
    with pytest.raises(PackError, match="line 2: not JSON"):
        load_pack("mine", tmp_path)
    assert done.path.read_bytes() == before


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 81])
def test_a_name_that_no_file_should_bear_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="no name for a pack"):
        imported(tmp_path / "packs", line(), name=name)
    assert not (tmp_path / "packs").exists()
