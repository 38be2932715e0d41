"""From the screen of a slot: what people say of it, the way to one's own verdict, the choice of the primary judging."""

import pytest

from iwtui.archive.annotations import SlotDecided
from iwtui.archive.annotations_read import read_annotations
from iwtui.archive.annotations_writing import AnnotationWriter
from iwtui.archive.store import Store
from iwtui.bench.votes import Word
from iwtui.tui.screens.adjudicate import AdjudicateScreen
from iwtui.tui.screens.slot import SlotScreen
from tests.tui_adjudicate.test_adjudicate_screen import EPISODE
from tests.tui_episode.small_app import showing, until
from tests.tui_home.stage import HOSTILE


async def test_people_are_told_of_and_a_verdict_of_ones_own_follows(store: Store) -> None:
    with AnnotationWriter(store, "bob") as writer:
        writer.add(SlotDecided(episode=str(EPISODE), judging="checks", slot=1, verdict=Word.FAIL, note=HOSTILE))
        writer.add(SlotDecided(episode=str(EPISODE), judging="voyager", slot=1, verdict=Word.UNSURE))
    async with showing(store, EPISODE, (120, 40)) as (app, pilot, _):
        await pilot.press("s", "enter")
        await until(pilot, lambda: isinstance(app.screen, SlotScreen) and "✗ fail" in "".join(app.lines()))
        assert "bob" in "".join(app.lines()) and "␛[2J" in "".join(app.lines())
        assert not any("unsure" in line or "\x1b" in line or "\u202e" in line for line in app.lines())
        await pilot.press("a")
        await until(
            pilot, lambda: isinstance(app.screen, AdjudicateScreen) and any("expected" in line for line in app.lines())
        )
        assert any("4 slots" in line for line in app.lines())
        await pilot.press("p")
        await until(pilot, lambda: len(read_annotations(store.root).of(str(EPISODE)).words["checks", 1]) == 2)
        app.pop_screen()  # the way back is the console's
        await until(pilot, lambda: any("✓ pass  ann" in line for line in app.lines()))


async def test_the_judging_that_is_shown_becomes_the_primary_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with showing(store, EPISODE, (120, 40)) as (app, pilot, _):
        await pilot.press("s", "enter")
        await until(pilot, lambda: isinstance(app.screen, SlotScreen))
        await pilot.press("v")
        await until(pilot, lambda: any("judging voyager" in line for line in app.lines()))
        await pilot.press("P")
        await until(pilot, lambda: app.notes)
        assert "the score of the episode is that of this judging now" in app.notes[0]
        assert read_annotations(store.root).of(str(EPISODE)).primary == "voyager"
        monkeypatch.setattr(Store, "writable", property(lambda _: False))
        await pilot.press("v", "P")
        await until(pilot, lambda: len(app.notes) == 2)
        assert "may not be written" in app.notes[1]
    async with showing(store, EPISODE, (120, 40)) as (_, _, episode):
        assert episode.view is not None and episode.view.judging_name == "voyager"
