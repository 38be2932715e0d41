"""People's verdicts: a queue of slots beside the picture and the reason that the judge had. One key a verdict."""

import re
from dataclasses import dataclass
from typing import ClassVar

import msgspec
from textual import on
from textual.message import Message
from textual.widgets import Static

from iwtui.archive.errors import StoreError
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.bench.votes import Word
from iwtui.tui.actions import bindings_for, key_of
from iwtui.tui.adjudicating import Kept, Pen, episode_of
from iwtui.tui.app_protocol import console
from iwtui.tui.screens.adjudicate_desk import AdjudicateDesk, key_of_item
from iwtui.tui.screens.find_bar import FindBar
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.table import Table

_SAMPLE = re.compile(r"\s*(?P<size>\d{1,6})(?:\s+(?:seed\s+)?(?P<seed>\d{1,9}))?\s*")

PROMPTS = {
    "find": "persona:P-MIN status:scored builder:qwen* tcr<0.3",
    "note": "why; kept with the next verdict on this slot",
    "sample": "how many, and a seed: 40 seed 7; nothing for all",
    "author": "under which name your verdicts are kept",
}


class AdjudicateScreen(AdjudicateDesk):
    """The slots of a run, of all runs (None), or of one `episode`, beginning with `slot`, to be judged by a person."""

    BINDINGS: ClassVar = bindings_for("adjudicate")

    @dataclass
    class _Written(Message):
        kept: list[Kept]

    def __init__(self, run: str | None, filter_text: str = "", episode: EpisodeName | None = None, slot: int = 0) -> None:
        super().__init__(run, filter_text, episode, slot)
        self._bar_for = "find"

    def on_mount(self) -> None:
        """Who nobody knows is asked for their name first; what the desk does then is done as well: Textual calls both."""
        self._pen = Pen(console(self).store)
        if not console(self).author:
            self.call_after_refresh(self.action_author)

    def on_unmount(self) -> None:
        """The author's file is let go of."""
        self._pen.close()

    # Verdicts.

    def action_say_pass(self) -> None:
        self._say(Word.PASS)

    def action_say_fail(self) -> None:
        self._say(Word.FAIL)

    def action_say_unsure(self) -> None:
        self._say(Word.UNSURE)

    def _say(self, verdict: Word) -> None:
        from iwtui.archive.annotations import SlotDecided

        row = self._table.current
        if row is None or not self._author:
            console(self).notify_text("there is no slot to be judged here" if self._author else "say who you are first")
            return
        item, note = row.item, self._notes.pop(row.key, row.item.my_note or "")
        said = SlotDecided(
            episode=item.episode,
            judging=item.judging,
            slot=item.slot,
            verdict=verdict,
            note=note,
            blind=row.key not in self._seen,
        )
        self._pen.give(self._author, said)
        self._table.lines.move_to(min(self._table.lines.index + 1, len(self._table.rows) - 1))
        self._look()
        self._write()

    def action_undo(self) -> None:
        """Take the last verdict that was given here back."""
        self._pen.undo(self._author)
        self._write()

    def _write(self) -> None:
        self.run_worker(self._write_in_thread, group="writing", thread=True, exit_on_error=False)

    def _write_in_thread(self) -> None:
        try:
            kept = self._pen.write()
        except (StoreError, OSError, ValueError) as error:
            self.post_message(self.Failed("The verdict was not kept", str(error)))
        else:
            self.post_message(self._Written(kept))

    @on(_Written)
    def _kept(self, message: _Written) -> None:
        for kept in message.kept:
            said = kept.said
            key = (said.episode, said.judging, said.slot)
            mine = {
                "mine": None if kept.undone else said.verdict.value,
                "my_note": None if kept.undone else said.note or None,
            }
            if self._queue:
                items = [
                    msgspec.structs.replace(one, **mine) if key_of_item(one) == key else one for one in self._queue.items
                ]
                self._queue = msgspec.structs.replace(self._queue, items=tuple(items))
            self._show_queue()
            if kept.undone:
                places = [place for place, row in enumerate(self._table.rows) if row.key == key]
                self._table.lines.move_to(places[0] if places else self._table.lines.index)
                self._look()
        self._ask()

    @on(Table.Opened, "#slots")
    def _opened(self) -> None:
        """To the episode."""
        from iwtui.tui.screens.episode import EpisodeScreen

        if (row := self._table.current) is not None:
            self.app.push_screen(EpisodeScreen(episode_of(row.item)))

    # What is shown, and how.

    def action_blind(self) -> None:
        """Hide or show what the judge said."""
        self._blind = console(self).remembered.blind = not self._blind
        self._show_queue()
        self._tell_slot()

    def action_differing(self) -> None:
        self._differing = not self._differing
        self._changed()

    def action_undecided(self) -> None:
        self._undecided = not self._undecided
        self._changed()

    def _changed(self) -> None:
        self._tell_state()
        self._ask()

    def action_next_picture(self) -> None:
        self._turn(1)

    def action_previous_picture(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        if self._sight and (shots := self._sight[1].shots):
            self._shot = (self._shot + step) % len(shots)
            self._show_picture()

    def action_marks(self) -> None:
        self.query_one(PictureView).toggle_marks()

    def action_open_picture(self) -> None:
        if path := self.query_one(PictureView).path:
            console(self).copy_text(str(path), "picture")
            console(self).notify_text(str(path), title="The picture is stored in")

    # The bar below: filter, note, sample, author.

    def action_find(self) -> None:
        self._open_bar("find", self._filter)

    def action_note(self) -> None:
        row = self._table.current
        if row is not None:
            self._open_bar("note", self._notes.get(row.key, row.item.my_note or ""))

    def action_sample(self) -> None:
        size, seed = self._sample
        self._open_bar("sample", "" if size is None else f"{size} seed {seed}")

    def action_author(self) -> None:
        self._open_bar("author", self._author)

    def _open_bar(self, purpose: str, value: str) -> None:
        from iwtui.archive.annotations import LONGEST_NOTE

        bar = self.query_one(FindBar)
        self._bar_for = purpose
        bar.placeholder, bar.max_length, bar.value = PROMPTS[purpose], LONGEST_NOTE, one_line(value, LONGEST_NOTE)
        bar.open()

    @on(FindBar.Asked)
    def _bar_left(self, message: FindBar.Asked) -> None:
        self._table.lines.focus()
        match self._bar_for:
            case "find":
                self._filter = message.text
            case "note":
                if (row := self._table.current) is not None:
                    self._notes[row.key] = message.text
                    said = f"it is kept with your next verdict: {key_of(self, 'adjudicate.say_pass')} or another"
                    console(self).notify_text(said, title="Note")
                    self._show_queue()
                return
            case "sample":
                self._choose_sample(message.text)
            case "author":
                self._author = message.text
        self._changed()

    def _choose_sample(self, text: str) -> None:
        found = _SAMPLE.fullmatch(text)
        if text and (found is None or int(found["size"]) < 1):
            console(self).notify_text("write a number, and a seed if you like: 40 seed 7", title="No sample")
            return
        self._sample = (int(found["size"]), int(found["seed"] or 0)) if found else (None, 0)

    @on(FindBar.GivenUp)
    def _bar_given_up(self) -> None:
        self._table.lines.focus()

    def copied(self) -> str:
        """The slot at the cursor: what was expected, and unless it is hidden what the judge said."""
        return str(self.query_one("#text", Static).content)
