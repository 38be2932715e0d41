"""People's verdicts on the screen: the queue, what the judge had, one key a verdict, undo, blindness, several authors."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from iwtui.archive.annotations import SlotDecided
from iwtui.archive.annotations_read import read_annotations
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.names import EpisodeName
from iwtui.bench.votes import Word
from iwtui.tui.adjudicate_rows import SlotRow
from iwtui.tui.screens.adjudicate import AdjudicateScreen
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.table import Table
from tests.tui_adjudicate.stage import SIZES, Room
from tests.tui_home.stage import HOSTILE, Stand, until

EPISODE = EpisodeName("r", "bakery_P-MIN", "scripted-blind", 1, 1)


def table(app: Room) -> "Table[SlotRow]":
    found: Table[SlotRow] = app.screen.query_one("#slots", Table)
    return found


def words(store: Store, judging: str = "checks") -> dict[int, dict[str, Word]]:
    found = read_annotations(store.root).of(str(EPISODE)).words
    return {slot: said for (of, slot), said in found.items() if of == judging}


def said(store: Store) -> list[SlotDecided]:
    kept = read_annotations(store.root).of(str(EPISODE)).kept
    return [one.annotation.said for one in kept if isinstance(one.annotation.said, SlotDecided)]


@asynccontextmanager
async def judging(
    store: Store, size: tuple[int, int] = (120, 40), author: str = "ann", slots: int = 8, **of: Any
) -> AsyncIterator[tuple[Room, Pilot[None]]]:
    app = Room(store, AdjudicateScreen(of.pop("run", None), **of), author)
    async with app.run_test(size=size, notifications=True) as pilot:
        if author:
            await until(pilot, lambda: len(table(app).rows) == slots and "expected" in app.shown)
        yield app, pilot


@pytest.mark.parametrize("size", SIZES)
async def test_queue_requirement_and_reason_are_shown_at_any_size(store: Store, size: tuple[int, int]) -> None:
    async with judging(store, size) as (app, pilot):
        await pilot.press("j")
        await until(pilot, lambda: "no such list" in app.shown)
        for other in (*SIZES, size):
            await pilot.resize_terminal(*other)
            await pilot.pause()
            for text in ("8 slots, 0 judged by you", "1 Search", "✗ failed", "narrows the list", "no such list", "as ann"):
                assert text in app.shown, (text, other)


async def test_the_very_picture_of_the_judge_is_shown_and_those_before_it(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("j")
        picture = app.screen.query_one(PictureView)
        await until(pilot, lambda: "step 2: see a list (2/2)" in app.shown)
        second = picture.blob
        await pilot.press("right")
        await until(pilot, lambda: "step 1: open / (1/2)" in app.shown)
        assert picture.blob not in (None, second)
        await pilot.press("j")
        await until(pilot, lambda: "The judge took no picture of it" in app.shown)


async def test_one_key_a_verdict_and_the_score_follows(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("p", "p", "u", "f")
        await until(pilot, lambda: len(words(store)) == 4)
        assert {slot: by["ann"] for slot, by in words(store).items()} == {
            0: Word.PASS,
            1: Word.PASS,
            2: Word.UNSURE,
            3: Word.FAIL,
        }
        await until(pilot, lambda: "n 3" in app.shown)
        for text in ("4 judged by you", "✓ pass", "✗ fail", "? unsure", "FP 0", "FN 1"):
            assert text in app.shown, text
        assert table(app).lines.index == 4
    index = Index(store)
    index.catch_up()
    found = index.read(
        lambda con: con.execute("SELECT n_human, n_overridden FROM attempts WHERE episode = ?", [str(EPISODE)]).fetchall()
    )
    assert found == [(3, 2)]


async def test_undo_takes_back_what_was_given_here_the_last_first(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("p", "f")
        await until(pilot, lambda: "2 judged by you" in app.shown)
        await pilot.press("backspace")
        await until(pilot, lambda: list(words(store)) == [0])
        await until(pilot, lambda: table(app).lines.index == 1)
        await pilot.press("backspace", "backspace")
        await until(pilot, lambda: words(store) == {})
        await until(pilot, lambda: "0 judged by you" in app.shown)
        assert app.notes == []


async def test_verdicts_are_written_in_the_order_of_the_keys(store: Store) -> None:
    async with judging(store) as (_, pilot):
        await pilot.press("p", "k", "f", "k", "u", "k", "backspace", "p")
        await until(pilot, lambda: len(said(store)) == 4)
        assert [one.verdict for one in said(store)] == ["pass", "fail", "unsure", "pass"]


async def test_a_note_is_kept_with_the_verdict(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("n", *"odd", "enter")
        await until(pilot, lambda: not app.screen.query_one(FindBar).has_class("-open"))
        assert said(store) == [] and "*" in app.shown
        await pilot.press("f")
        await until(pilot, lambda: said(store))
        assert said(store)[0].note == "odd"


async def test_blind_hides_verdict_and_reason_and_is_kept_as_such(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("b", "j")
        await until(pilot, lambda: "step 2" in app.shown)
        for text in ("no such list", "✗ failed", "✓ passed", "judge and people"):
            assert text not in app.shown, text
        assert "hidden" in app.shown and "blind" in app.shown and "narrows the list" in app.shown
        await pilot.press("p")
        await until(pilot, lambda: said(store))
        assert said(store)[0].blind is False  # the reason was shown before
        assert app.remembered.blind


async def test_a_verdict_is_blind_when_the_judges_was_never_shown(store: Store) -> None:
    app = Room(store, AdjudicateScreen(None))
    app.remembered.blind = True
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: len(table(app).rows) == 8)
        await pilot.press("p")
        await until(pilot, lambda: said(store))
        await pilot.press("b", "b", "f")
        await until(pilot, lambda: len(said(store)) == 2)
        assert [one.blind for one in said(store)] == [True, False]


async def test_two_authors_in_conflict_are_disputed_and_found(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: "1 judged by you" in app.shown)
        await pilot.press("a", *"bob", "enter")
        await until(pilot, lambda: "as bob" in app.shown and "0 judged by you" in app.shown)
        await pilot.press("home", "f")
        await until(pilot, lambda: words(store)[0] == {"ann": Word.PASS, "bob": Word.FAIL})
        await until(pilot, lambda: "✓1 ✗1 ≠" in app.shown)
        await pilot.press("d")
        await until(pilot, lambda: len(table(app).rows) == 2)
        assert [row.item.slot for row in table(app).rows] == [0, 1]  # disputed, and where the judges differ


async def test_filter_to_do_and_sample(store: Store) -> None:
    async with judging(store) as (app, pilot):
        await pilot.press("slash", *"persona:P-RAM", "enter")
        await until(pilot, lambda: len(table(app).rows) == 4)
        await pilot.press("slash", *"colour:red", "enter")
        await until(pilot, lambda: app.notes)
        assert app.notes[-1][0] == "This filter cannot be read"
        await until(pilot, lambda: len(table(app).rows) == 8)
        await pilot.press("s", *"3 seed 5", "enter")
        await until(pilot, lambda: len(table(app).rows) == 3)
        drawn = [row.key for row in table(app).rows]
        await pilot.press("t", "home", "p")
        await until(pilot, lambda: [row.key for row in table(app).rows] == drawn[1:])
        await pilot.press("s", *"many", "enter")
        await until(pilot, lambda: app.notes[-1][0] == "No sample")


async def test_one_episode_begins_with_the_slot_that_was_asked_for(store: Store) -> None:
    async with judging(store, slots=4, episode=EPISODE, slot=2) as (app, _):
        current = table(app).current
        assert current is not None and current.item.slot == 2


async def test_a_slot_leads_to_its_episode(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iwtui.tui.screens.episode.EpisodeScreen", Stand)
    async with judging(store) as (app, pilot):
        await pilot.press("end", "enter")
        await until(pilot, lambda: isinstance(app.screen, Stand))
        assert isinstance(app.screen, Stand) and app.screen.episode.case == "gallery_P-RAM"


async def test_an_author_without_a_name_is_asked_for_it_first(store: Store) -> None:
    async with judging(store, author="") as (app, pilot):
        await until(pilot, lambda: app.screen.query_one(FindBar).has_focus)
        await pilot.press(*"eve", "enter")
        await until(pilot, lambda: len(table(app).rows) == 8)
        await pilot.press("p")
        await until(pilot, lambda: words(store) == {0: {"eve": Word.PASS}})


async def test_a_store_that_may_not_be_written_says_so_and_keeps_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index(store)
    index.catch_up()
    async with judging(store) as (app, pilot):
        monkeypatch.setattr(Store, "writable", property(lambda _: False))
        await pilot.press("p")
        await until(pilot, lambda: app.notes)
        assert app.notes[0][0] == "The verdict was not kept" and "may not be written" in app.notes[0][1]
        assert said(store) == []


async def test_an_empty_store_says_what_there_would_be(tmp_path: Any) -> None:
    app = Room(Store(tmp_path / "empty"), AdjudicateScreen(None))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "No site has been judged yet" in app.shown)
        await pilot.press("p", "backspace", "right", "n", "m", "b")
        await pilot.pause()
        assert not read_annotations(app.store.root).by_episode


async def test_hostile_words_of_others_are_shown(store: Store) -> None:
    from iwtui.archive.annotations_writing import AnnotationWriter

    with AnnotationWriter(store, "[/]“日本語") as writer:
        writer.add(SlotDecided(episode=str(EPISODE), judging="checks", slot=0, verdict=Word.FAIL, note=HOSTILE))
    async with judging(store, author="[/]“日本語") as (app, pilot):
        await pilot.press("n")
        await pilot.pause()
        assert "\x1b" not in app.shown and "\u202e" not in app.shown
        assert "as [/]“日本語" in app.shown


async def test_the_disk_is_never_waited_for_on_the_loop(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that hangs while a verdict is written leaves the screen free."""
    hangs, go_on = threading.Event(), threading.Event()
    keep = read_annotations

    def slow(self: Any, said: Any) -> Any:
        hangs.set()
        go_on.wait(20)
        return original(self, said)

    from iwtui.archive.annotations_writing import AnnotationWriter

    original = AnnotationWriter.add
    monkeypatch.setattr(AnnotationWriter, "add", slow)
    async with judging(store) as (app, pilot):
        await pilot.press("p")
        await until(pilot, hangs.is_set)
        await pilot.press("j", "j")
        assert table(app).lines.index == 3
        go_on.set()
        await until(pilot, lambda: "1 judged by you" in app.shown)
    assert keep(store.root).by_episode
