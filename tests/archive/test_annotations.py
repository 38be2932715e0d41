"""What people say: written whole, read whatever stands in the files, indexed exactly once; what it makes of scores."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.archive import ingest
from iwtui.archive.annotations import Annotation, Noted, PrimaryChosen, Said, SlotDecided, Undone
from iwtui.archive.annotations_read import fold_annotations, read_annotations
from iwtui.archive.annotations_writing import AnnotationWriter
from iwtui.archive.errors import ReadOnlyError
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.bench.votes import Word
from tests.archive.hashing import hashes
from tests.support.stores import BEGAN, F, P, U, judge, make_case, make_run, play, ticking

PASS, FAIL, UNSURE = Word.PASS, Word.FAIL, Word.UNSURE


def rows(index: Index, sql: str) -> list[tuple[Any, ...]]:
    index.catch_up()
    return index.read(lambda con: con.execute(sql).fetchall())


def fresh(root: Path) -> dict[str, str]:
    other = Index(Store(root))
    other.rebuild()
    return hashes(other)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def episode(store: Store) -> EpisodeName:
    """Passed, failed, never looked at, passed: TCR 2/5.75."""
    folder = make_run(store, "r", [make_case()])
    name = play(folder, make_case())
    judge(folder, name, (P, F, U, P))
    return name


def say(store: Store, author: str, *said: Said, start: float = BEGAN + 2_000) -> list[Annotation]:
    with AnnotationWriter(store, author, ticking(start)) as writer:
        return [writer.add(one) for one in said]


def word(episode: EpisodeName, slot: int, verdict: Word, judging: str = "checks", note: str = "") -> SlotDecided:
    return SlotDecided(episode=str(episode), judging=judging, slot=slot, verdict=verdict, note=note)


HUMAN = "SELECT tcr, tcr_human, n_human, n_overridden, n_disputed FROM episodes"


def test_a_person_overrules_the_judge_beside_its_score(store: Store, episode: EpisodeName) -> None:
    index = Index(store)
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), None, 0, 0, 0)]
    say(store, "ann", word(episode, 1, PASS, note="the list is narrowed after a moment"), word(episode, 0, PASS))
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), pytest.approx(3.5 / 5.75), 2, 1, 0)]
    assert rows(index, "SELECT verdict, passes, fails, authors FROM human_verdicts ORDER BY slot") == [
        ("passed", 1, 0, ["ann"]),
        ("passed", 1, 0, ["ann"]),
    ]
    assert fresh(store.root) == hashes(index)


def test_unsure_counts_for_nobody(store: Store, episode: EpisodeName) -> None:
    say(store, "ann", word(episode, 1, UNSURE))
    index = Index(store)
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), None, 0, 0, 0)]
    say(store, "bob", word(episode, 1, PASS))
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), pytest.approx(3.5 / 5.75), 1, 1, 0)]


def test_two_authors_in_conflict_leave_the_judges_verdict_and_a_third_decides(store: Store, episode: EpisodeName) -> None:
    index = Index(store)
    say(store, "ann", word(episode, 1, PASS))
    say(store, "bob", word(episode, 1, FAIL))
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), pytest.approx(2 / 5.75), 1, 0, 1)]
    assert rows(index, "SELECT episode, slot FROM human_verdicts WHERE disputed") == [(str(episode), 1)]
    say(store, "eve", word(episode, 1, PASS))
    assert rows(index, HUMAN) == [(pytest.approx(2 / 5.75), pytest.approx(3.5 / 5.75), 1, 1, 0)]


def test_the_last_word_of_an_author_holds_and_undoing_it_brings_back_the_one_before(
    store: Store, episode: EpisodeName
) -> None:
    index = Index(store)
    first, last = say(store, "ann", word(episode, 0, FAIL), word(episode, 0, PASS))
    assert rows(index, "SELECT verdict, fails FROM human_verdicts") == [("passed", 0)]
    say(store, "ann", Undone(annotation=last.id))
    assert rows(index, "SELECT verdict, fails FROM human_verdicts") == [("failed", 1)]
    say(store, "ann", Undone(annotation=first.id))
    assert rows(index, "SELECT count(*) FROM human_verdicts") == [(0,)]
    assert rows(index, "SELECT undone, holds FROM annotations") == [(True, False), (True, False)]
    assert rows(index, HUMAN)[0][1] is None
    assert fresh(store.root) == hashes(index)


def test_nobody_takes_back_what_another_said(store: Store, episode: EpisodeName) -> None:
    (said,) = say(store, "ann", word(episode, 1, PASS))
    say(store, "bob", Undone(annotation=said.id))
    assert rows(Index(store), "SELECT author, undone, holds FROM annotations") == [("ann", False, True)]


def test_a_later_judging_does_not_inherit_an_override(store: Store, episode: EpisodeName) -> None:
    index = Index(store)
    say(store, "ann", word(episode, 1, PASS))
    assert rows(index, HUMAN)[0][3] == 1
    judge(store.run("r"), episode, (P, F, F, P), judging="checks-2", began=BEGAN + 9_000)
    assert rows(index, f"{HUMAN.replace('SELECT', 'SELECT judging,')}") == [
        ("checks-2", pytest.approx(2 / 5.75), None, 0, 0, 0)
    ]
    assert rows(index, "SELECT judging, slot FROM human_verdicts") == [("checks", 1)]
    assert fresh(store.root) == hashes(index)


def test_a_person_chooses_the_primary_judging(store: Store, episode: EpisodeName) -> None:
    folder = store.run("r")
    judge(folder, episode, (P, P, P, P), judging="voyager", judge="voyager")
    index = Index(store)
    primary = "SELECT judging, is_primary, tcr FROM judgings ORDER BY judging"
    assert [row[:2] for row in rows(index, primary)] == [("checks", True), ("voyager", False)]
    (chosen,) = say(store, "ann", PrimaryChosen(episode=str(episode), judging="voyager"))
    assert [row[:2] for row in rows(index, primary)] == [("checks", False), ("voyager", True)]
    assert rows(index, "SELECT judging, judge, tcr FROM episodes") == [("voyager", "voyager", 1.0)]
    found = folder.primary_judging(episode)
    assert found is not None and found[0] == "voyager"
    assert fresh(store.root) == hashes(index)
    say(store, "ann", Undone(annotation=chosen.id))
    assert rows(index, "SELECT judging FROM episodes") == [("checks",)]
    say(store, "ann", PrimaryChosen(episode=str(episode), judging="gone"))
    assert rows(index, "SELECT judging FROM episodes") == [("checks",)]


def test_notes_and_bookmarks(store: Store, episode: EpisodeName) -> None:
    say(store, "ann", Noted(episode=str(episode), text="odd \x1b[2J"), Noted(episode=str(episode), event=7))
    assert rows(Index(store), "SELECT kind, event, note FROM annotations ORDER BY kind") == [
        ("bookmark", 7, None),
        ("note", None, "odd \x1b[2J"),
    ]


def test_one_author_goes_on_with_one_file_and_two_at_once_have_two(store: Store, episode: EpisodeName) -> None:
    say(store, "ann", word(episode, 0, PASS))
    say(store, "ann", word(episode, 1, PASS))
    say(store, "bob", word(episode, 1, PASS))
    assert len(list((store.root / "annotations").glob("*.jsonl"))) == 2
    with AnnotationWriter(store, "ann") as one, AnnotationWriter(store, "ann") as other:
        assert one.path != other.path
    ids = [one.annotation.id for one in read_annotations(store.root).of(str(episode)).kept]
    assert len(set(ids)) == 3


def test_names_that_look_alike_in_a_file_name_stay_apart(store: Store, episode: EpisodeName) -> None:
    say(store, "ann b", word(episode, 0, PASS))
    say(store, "ann/b", word(episode, 0, FAIL))
    assert rows(Index(store), "SELECT author FROM annotations ORDER BY author") == [("ann b",), ("ann/b",)]
    assert len(list((store.root / "annotations").glob("*.jsonl"))) == 2


@pytest.mark.parametrize("cut", [1, 20, 90])
def test_a_torn_last_line_is_set_aside(store: Store, episode: EpisodeName, cut: int) -> None:
    say(store, "ann", word(episode, 0, PASS), word(episode, 1, PASS))
    (file,) = (store.root / "annotations").glob("*.jsonl")
    os.truncate(file, file.stat().st_size - cut)
    index = Index(store)
    assert rows(index, "SELECT slot FROM annotations") == [(0,)]
    (third,) = say(store, "ann", word(episode, 2, PASS))
    assert third.id == f"{file.stem}.1"
    assert rows(index, "SELECT slot FROM annotations ORDER BY slot") == [(0,), (2,)]
    assert (file.parent / f"{file.name}.torn-1").read_bytes()
    assert fresh(store.root) == hashes(index)


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b'{"v":1,"seq":0,"t":1.0,"author":"","host":"h","kind":"Noted","episode":"e"}',
        b'{"v":1,"seq":0,"t":1.0,"author":"a","host":"h","kind":"Guessed","episode":"e"}',
        b'{"v":1,"seq":0,"t":1.0,"author":"a","host":"h","kind":"SlotDecided","episode":"e","judging":"j","slot":-1,"verdict":"pass"}',
        b'{"v":1,"seq":0,"t":1.0,"author":"a","host":"h","kind":"SlotDecided","episode":"e","judging":"j","slot":1,"verdict":"maybe"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_line_that_is_no_annotation_is_passed_over(store: Store, episode: EpisodeName, line: bytes) -> None:
    say(store, "ann", word(episode, 0, PASS))
    folder = store.root / "annotations"
    (folder / "bob-host-0.jsonl").write_bytes(line + b"\n")
    assert read_annotations(store.root).bad_lines == 1
    assert rows(Index(store), "SELECT author FROM annotations") == [("ann",)]


def test_a_store_that_may_not_be_written_says_so(
    store: Store, episode: EpisodeName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "writable", property(lambda _: False))
    with pytest.raises(ReadOnlyError, match="may not be written by you"):
        AnnotationWriter(store, "ann")
    assert not (store.root / "annotations").exists()


@pytest.mark.parametrize("author", ["", "  ", "x" * 81, "a\x1b[31m", "a\nb"])
def test_a_name_that_is_none(store: Store, author: str) -> None:
    with pytest.raises(ValueError, match="no name for an author"):
        AnnotationWriter(store, author)


def test_a_note_that_is_too_long_is_refused_and_nothing_is_written(store: Store, episode: EpisodeName) -> None:
    with AnnotationWriter(store, "ann") as writer, pytest.raises(ValueError):
        writer.add(Noted(episode=str(episode), text="x" * 4_001))
    assert read_annotations(store.root).by_episode == {}


def test_an_index_that_grew_batch_by_batch_equals_a_new_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest, "EVENTS", 10)
    cases = [make_case(f"s{number}") for number in range(4)]
    folder = make_run(store, "r", cases)
    names = [play(folder, case) for case in cases]
    for name in names:
        judge(folder, name, (P, F, U, P))
    index = Index(store)
    index.catch_up(budget=0)
    say(store, "ann", *(word(name, 1, PASS) for name in names), word(EpisodeName("gone", "x", "y", 1, 1), 0, PASS))
    index.catch_up(budget=0)
    say(store, "bob", *(word(name, 1, FAIL) for name in names[:2]))
    judge(folder, names[3], (P, P, P, P), judging="later", began=BEGAN + 9_000)
    index.catch_up()
    assert hashes(index) == fresh(store.root)
    assert rows(index, "SELECT sum(n_human), sum(n_disputed) FROM episodes") == [(3, 2)]
    store.remove_run("r")
    index.catch_up()
    assert hashes(index) == fresh(store.root)
    assert rows(index, "SELECT count(*) FROM annotations") == [(7,)]


WORDS = st.tuples(st.sampled_from(["ann", "bob"]), st.integers(0, 1), st.sampled_from(Word), st.booleans())


@given(st.lists(WORDS, max_size=12))
def test_what_holds_is_what_a_plain_reading_gives(said: list[tuple[str, int, Word, bool]]) -> None:
    """`undo`: the author takes back the last word of theirs that stands."""
    annotations: list[Annotation] = []
    stacks: dict[tuple[str, int], list[tuple[str, Word]]] = {}
    for number, (author, slot, verdict, undo) in enumerate(said):
        stack = stacks.setdefault((author, slot), [])
        if undo and stack:
            one: Said = Undone(annotation=stack.pop()[0])
        else:
            one = SlotDecided(episode="r/e", judging="j", slot=slot, verdict=verdict)
            stack.append((f"f.{number}", verdict))
        annotations.append(Annotation(f"f.{number}", float(number), author, "h", one))
    expected = {(author, slot): stack[-1][1] for (author, slot), stack in stacks.items() if stack}
    found = fold_annotations(reversed(annotations)).get("r/e")
    words = found.words if found else {}
    assert {(author, slot): one for (_, slot), by in words.items() for author, one in by.items()} == expected
