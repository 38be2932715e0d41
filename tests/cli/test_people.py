"""What people say on the command line: verdicts, notes, the primary judging; the queue; agreement and weights."""

import json
from pathlib import Path

import pytest

from iwtui.archive.annotations import Noted
from iwtui.archive.annotations_read import read_annotations
from iwtui.archive.store import Store
from tests.cli.scribe import Command, Scribe
from tests.support.hostile import HOSTILE
from tests.support.stores import BEGAN, F, P, U, judge, make_case, make_run, play


@pytest.fixture
def judged(scribe: Scribe) -> Store:
    """Two episodes; the first was judged twice, and the judgings differ on slot 1."""
    store = scribe.store
    cases = [make_case("bakery"), make_case("gallery", "P-RAM")]
    folder = make_run(store, "r", cases)
    for case in cases:
        judge(folder, play(folder, case), (P, F, U, P))
    judge(folder, folder.episodes()[0], (P, P, F, P), judging="voyager", judge="voyager", began=BEGAN + 5_000)
    return store


def ask(iwtui: Command, *arguments: str) -> list[dict[str, object]]:
    result = iwtui(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    found: list[dict[str, object]] = json.loads(result.stdout)
    return found


def human(iwtui: Command) -> tuple[object, ...]:
    (row,) = ask(iwtui, "sql", "select tcr_human, n_overridden, n_disputed from episodes where seed = 'bakery'")
    return tuple(row.values())


def test_a_verdict_is_kept_and_tcr_human_follows(iwtui: Command, judged: Store) -> None:
    result = iwtui("adjudicate", "bakery", "1", "pass", "--author", "ann", "--note", "it does narrow the list")
    assert result.exit_code == 0, result.output
    assert "TCR 34.8 %, by people 60.9 %; of 1 slot that people judged, 1 overruled, 0 disputed" in result.stderr
    assert human(iwtui) == (pytest.approx(3.5 / 5.75), 1, 0)
    iwtui("adjudicate", "bakery", "1", "fail", "--author", "bob")
    assert human(iwtui) == (pytest.approx(2 / 5.75), 0, 1)
    assert iwtui("adjudicate", "bakery", "1", "undo", "--author", "bob").exit_code == 0
    assert human(iwtui) == (pytest.approx(3.5 / 5.75), 1, 0)
    again = iwtui("adjudicate", "bakery", "1", "undo", "--author", "bob")
    assert again.exit_code == 3 and "bob said nothing of slot 1" in again.stderr


def test_the_author_is_the_settings_or_the_accounts(iwtui: Command, judged: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IWTUI_AUTHOR", "eve")
    iwtui("adjudicate", "bakery", "0", "unsure")
    monkeypatch.delenv("IWTUI_AUTHOR")
    monkeypatch.setenv("LOGNAME", "the account")
    iwtui("adjudicate", "bakery", "0", "unsure")
    rows = ask(iwtui, "sql", "select author, verdict from annotations order by author")
    assert [tuple(row.values()) for row in rows] == [("eve", "unsure"), ("the account", "unsure")]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere", "1", "pass"), 3, "no episode 'nowhere'"),
        (("bakery", "4", "pass"), 3, "has 4 slots, from 0; there is no slot 4"),
        (("bakery", "1", "maybe"), 2, "'maybe' is not one of"),
        (("bakery", "1", "pass", "--judging", "oracle"), 3, "no judging 'oracle'"),
        (("bakery", "1", "pass", "--author", "\x1b[2J"), 2, "no name for an author"),
        (("bakery", "1", "pass", "--note", "x" * 5_000), 2, "4000"),
    ],
)
def test_what_cannot_be_kept(iwtui: Command, judged: Store, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = iwtui("adjudicate", *arguments)
    assert result.exit_code == code and said in result.stderr, result.output
    assert "\x1b[2J" not in result.output
    assert read_annotations(judged.root).by_episode == {}


def test_a_store_that_may_not_be_written(iwtui: Command, judged: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "writable", property(lambda _: False))
    result = iwtui("adjudicate", "bakery", "1", "pass")
    assert result.exit_code == 2 and "may not be written by you" in result.stderr


def test_the_queue_lists_what_there_is_to_judge(iwtui: Command, judged: Store) -> None:
    everything = ask(iwtui, "adjudicate")
    assert [(row["slot"], row["judging"]) for row in everything] == [(slot, "checks") for slot in range(4)] * 2
    assert [row["slot"] for row in ask(iwtui, "adjudicate", "bakery", "2")] == [2]
    assert len(ask(iwtui, "adjudicate", "--where", "persona:P-RAM")) == 4
    assert {row["kind"] for row in ask(iwtui, "adjudicate", "--kind", "data", "--kind", "content")} == {"data", "content"}
    assert [row["verdict"] for row in ask(iwtui, "adjudicate", "--verdict", "failed")] == ["failed"] * 2
    assert {row["judging"] for row in ask(iwtui, "adjudicate", "--judge", "voyager")} == {"voyager"}
    assert [(row["slot"], row["judges_differ"]) for row in ask(iwtui, "adjudicate", "--differing")] == [(1, True)]
    blind = ask(iwtui, "adjudicate", "--blind")
    assert not {"verdict", "reason", "judges_differ"} & blind[0].keys()


def test_people_who_differ_are_in_the_queue_of_differences(iwtui: Command, judged: Store) -> None:
    iwtui("adjudicate", "gallery", "0", "fail", "--author", "ann")
    iwtui("adjudicate", "gallery", "3", "pass", "--author", "ann")
    differing = ask(iwtui, "adjudicate", "--where", "seed:gallery", "--differing")
    assert [(row["slot"], row["disputed"]) for row in differing] == [(0, False)]
    iwtui("adjudicate", "gallery", "0", "pass", "--author", "bob")
    differing = ask(iwtui, "adjudicate", "--where", "seed:gallery", "--differing", "--author", "bob")
    assert [(row["slot"], row["disputed"], row["mine"]) for row in differing] == [(0, True, "pass")]


def test_a_sample_stays_the_same_while_it_is_worked_through(iwtui: Command, judged: Store) -> None:
    sample = ("adjudicate", "--sample", "4", "--seed", "3", "--author", "ann")
    drawn = [(row["episode"], row["slot"]) for row in ask(iwtui, *sample)]
    assert len(drawn) == 4 and drawn == [(row["episode"], row["slot"]) for row in ask(iwtui, *sample)]
    others = [[(row["episode"], row["slot"]) for row in ask(iwtui, *sample, "--seed", str(seed))] for seed in range(4, 9)]
    assert any(other != drawn for other in others)
    episode, slot = drawn[0]
    iwtui("adjudicate", str(episode), str(slot), "pass", "--author", "ann")
    assert [(row["episode"], row["slot"]) for row in ask(iwtui, *sample, "--undecided")] == drawn[1:]


def test_notes_and_bookmarks_are_kept(iwtui: Command, judged: Store) -> None:
    assert iwtui("note", "bakery", "the client \u202e lies", "--author", "ann").exit_code == 0
    assert iwtui("note", "bakery", "--event", "3", "--author", "ann").exit_code == 0
    missing = iwtui("note", "bakery", "--event", "9999")
    assert missing.exit_code == 3 and "no event 9999" in missing.stderr
    assert iwtui("note", "bakery").exit_code == 2
    (kept,) = read_annotations(judged.root).by_episode.values()
    assert [one.annotation.said for one in kept.kept] == [
        Noted(episode="r/bakery_P-MIN.scripted-blind.r1.a1", text="the client \u202e lies"),
        Noted(episode="r/bakery_P-MIN.scripted-blind.r1.a1", event=3),
    ]


def test_the_primary_judging_can_be_chosen(iwtui: Command, judged: Store) -> None:
    assert iwtui("primary", "bakery", "voyager").exit_code == 0
    (row,) = ask(iwtui, "sql", "select judging, tcr from episodes where seed = 'bakery'")
    assert row == {"judging": "voyager", "tcr": pytest.approx(3.5 / 5.75)}
    assert "voyager" in iwtui("show", "bakery", "--plain").output
    assert iwtui("primary", "bakery", "oracle").exit_code == 3


def test_agreement_on_the_command_line(iwtui: Command, judged: Store) -> None:
    assert "Nobody has judged a slot" in iwtui("agreement").output
    for slot, verdict in enumerate(("pass", "pass", "fail", "fail")):
        iwtui("adjudicate", "bakery", str(slot), verdict, "--author", "ann")
    whole = json.loads(iwtui("agreement", "--by", "judge,kind", "--format", "json").stdout)
    assert whole["judges"] == ["any", "human"] and len(whole["rows"]) == 5
    overall = whole["rows"][0]
    assert {name: overall[name] for name in ("n", "both_pass", "fp", "fn", "both_fail")} == {
        "n": 4,
        "both_pass": 1,
        "fp": 1,
        "fn": 1,
        "both_fail": 1,
    }
    assert (overall["kappa"], overall["tau"]) == (0.0, 0.0)
    assert whole["rows"][1]["kappa"] is None
    table = iwtui("agreement", "--by", "kind")
    assert "undefined" in table.stdout
    two = json.loads(iwtui("agreement", "--judges", "checks", "voyager", "--by", "", "--format", "json").stdout)
    assert (two["rows"][0]["n"], two["rows"][0]["fn"]) == (4, 1)
    assert iwtui("agreement", "--by", "colour").exit_code == 2
    assert iwtui("agreement", "--where", "persona:P-RAM", "--format", "csv").stdout.splitlines()[1].startswith(",0,0")


def test_weights_on_the_command_line(iwtui: Command, judged: Store) -> None:
    whole = json.loads(iwtui("weights", "--by", "persona", "--c", "1", "1", "1", "--delta", "0", "--format", "json").stdout)
    assert [(row["group"], row["n"]) for row in whole["rows"]] == [("P-MIN", 1), ("P-RAM", 1)]
    assert whole["rows"][0]["paper"] == pytest.approx(2 / 5.75) and whole["rows"][0]["now"] == pytest.approx(2 / 3)
    table = iwtui("weights").stdout
    assert "There is nothing to rank" in table and "scripted/blind" in table
    grid = ask(iwtui, "weights", "--by", "persona", "--grid")
    assert len(grid["grid"]) == whole["stability"]["points"]  # type: ignore[call-overload]
    wrong = iwtui("weights", "--c", "0", "0", "0")
    assert wrong.exit_code == 2 and "weights lie between" in wrong.stderr
    assert iwtui("weights", "--by", "status").exit_code == 2


def test_hostile_words_are_shown_and_not_carried_out(iwtui: Command, judged: Store, tmp_path: Path) -> None:
    author = "".join(char for char in HOSTILE if char.isprintable())[:60] or "x"
    assert iwtui("adjudicate", "bakery", "1", "pass", "--author", author, "--note", HOSTILE).exit_code == 0
    for command in (("adjudicate",), ("agreement",), ("sql", "select * from annotations"), ("weights",)):
        result = iwtui(*command)
        assert result.exit_code == 0, result.output
        assert "\x1b]" not in result.output and "\u202e" not in result.output
