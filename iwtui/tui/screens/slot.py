"""One slot: what was expected, what the judge found and why, and the steps in the browser that it looked with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from iwtui.archive.annotations import SlotDecided
from iwtui.archive.annotations_read import EpisodeAnnotations, read_annotations
from iwtui.archive.errors import StoreError
from iwtui.bench.case import Assertion
from iwtui.bench.events import BrowserStepped
from iwtui.bench.names import EpisodeName
from iwtui.bench.text import one_line
from iwtui.tui.actions import bindings_for
from iwtui.tui.app_protocol import console
from iwtui.tui.look import VERDICTS, WORDS
from iwtui.tui.state.beside import Opinion, measures_line
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.shapes import JUDGING_FROM, Clue, Row, SlotView, judging_seq
from iwtui.tui.text import safe_line, safe_text
from iwtui.tui.widgets.frame import Crumbs, Keys
from iwtui.tui.widgets.picture import PictureView
from iwtui.tui.widgets.timeline import Timeline

NARROW = 76
"""Columns below which the picture stands under the text."""

LABEL = 11

CAVEAT = " · estimated: nobody noted how the instruction shows it"


class SlotScreen(Screen[int | None]):
    """The slot (0-based) of an episode. Its result is the `seq` of the event to go to, or None."""

    TITLE = "slot"
    BINDINGS: ClassVar = [*bindings_for("slot"), Binding("escape", "back", "back", id="app.back")]
    AUTO_FOCUS = "Timeline"
    DEFAULT_CSS = """
    SlotScreen { layout: vertical; }
    SlotScreen #verdict { height: 1; padding: 0 1; }
    SlotScreen #body { height: 1fr; layout: horizontal; }
    SlotScreen #told { width: 1fr; height: 1fr; }
    SlotScreen #triple { height: auto; max-height: 60%; padding: 0 1; }
    SlotScreen #steps { height: 1fr; min-height: 4; padding: 0 1; }
    SlotScreen #evidence { width: 1fr; height: 1fr; padding: 0 1; }
    SlotScreen.-narrow #body { layout: vertical; }
    SlotScreen.-narrow #told { width: 1fr; height: 3fr; }
    SlotScreen.-narrow #evidence { height: 2fr; }
    """

    @dataclass
    class _PeopleCame(Message):
        """What people said of the episode by now."""

        said: EpisodeAnnotations

    @dataclass
    class _Chosen(Message):
        """The judging is the primary one now; or why it is not."""

        judging: str
        fault: str = ""

    def __init__(self, view: EpisodeView, slot: int, episode: EpisodeName) -> None:
        super().__init__()
        self.view = view
        self.slot = slot
        self.episode = episode
        self._pictured: dict[int, BrowserStepped] = {}
        self._people = EpisodeAnnotations()

    def compose(self) -> ComposeResult:
        yield Crumbs()
        yield Static(id="verdict", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="told"):
                with VerticalScroll(id="triple", classes="pane", can_focus=False):
                    yield Static(id="text", markup=False)
                with Vertical(id="steps", classes="pane"):
                    yield Timeline(empty="The judge did not look at this slot in the browser.")
            with Vertical(id="evidence", classes="pane"):
                yield PictureView(console(self).store.blobs, console(self).images, empty="There is no picture of it.")
        yield Keys()

    def on_mount(self) -> None:
        """Show the slot that was asked for."""
        self.query_one("#triple").border_title = "Requirement"
        self.query_one("#steps").border_title = "Why, and how it was judged"
        self.query_one("#evidence").border_title = "Evidence"
        self._show()

    def on_screen_resume(self) -> None:
        """People may have said something meanwhile."""
        self.run_worker(self._read_people, group="people", thread=True, exclusive=True, exit_on_error=False)

    def _read_people(self) -> None:
        self.post_message(self._PeopleCame(read_annotations(console(self).store.root).of(str(self.episode))))

    @on(_PeopleCame)
    def _people_came(self, message: _PeopleCame) -> None:
        self._people = message.said
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.call_after_refresh(self._tell)

    def _show(self) -> None:
        view, slot = self.view, self.view.slots[self.slot]
        self.title = f"slot {self.slot}"
        self.query_one("#verdict", Static).update(verdict_line(slot, self.slot, len(view.slots), view.judging_name))
        self._tell()
        self._pictured = pictured(view, self.slot)
        rows = rows_of(view, self.slot)
        self.query_one(Timeline).show_rows(rows, seq=evidence(slot, rows), follow=False)
        self._show_picture(evidence(slot, rows))

    def blamed(self) -> None:
        """The causes are known now: told, and their events put before the steps; the cursor stays where it is."""
        steps = self.query_one(Timeline)
        at = steps.rows[steps.index].seq if steps.index >= 0 else None
        self._tell()
        steps.show_rows(rows_of(self.view, self.slot), seq=at, follow=False)

    def _tell(self) -> None:
        text = self.query_one("#text", Static)
        width = text.size.width or self.size.width - 4
        told = requirement(self.view.slots[self.slot], width)
        beside = side_by_side(
            self.view.opinions(self.slot), self.view.judging_name, measures_line(self.view.measures), width
        )
        people = people_say(self._people, self.view.judging_name, self.slot, width)
        text.update(Content("\n").join([part for part in (told, people, beside) if part.plain]))

    def _show_picture(self, seq: int | None) -> None:
        """The picture of a step, or the last one before it: not every step takes one."""
        earlier = [step for at, step in self._pictured.items() if seq is not None and at <= seq]
        step = next(iter(earlier[-1:] or self._pictured.values()), None)
        view = self.query_one(PictureView)
        if step is None:
            view.show(None)
        else:
            view.show(step.picture, step.marks, one_line(f"step {step.step}: {step.action} {step.target}", 120))

    @on(Timeline.RowChosen)
    def _step_chosen(self, message: Timeline.RowChosen) -> None:
        message.stop()
        self._show_picture(message.seq)

    @on(Timeline.RowOpened)
    def _step_opened(self, message: Timeline.RowOpened) -> None:
        message.stop()
        self.dismiss(message.seq)

    def action_evidence(self) -> None:
        """Back to the episode, at the event that decided the slot."""
        slot = self.view.slots[self.slot]
        seq = evidence(slot, rows_of(self.view, self.slot))
        if seq is None:
            console(self).notify_text("No event decided this slot: the judge never looked at it")
            return
        self.dismiss(seq)

    def action_cause(self) -> None:
        """Back to the episode, at the last event that shows why the slot failed."""
        clues = self.view.slots[self.slot].clues
        if not clues:
            console(self).notify_text("Only a failed slot of a scored episode has a cause")
            return
        self.dismiss(clues[-1].seq)

    def action_next_slot(self) -> None:
        self._turn(1)

    def action_previous_slot(self) -> None:
        self._turn(-1)

    def _turn(self, step: int) -> None:
        self.slot = (self.slot + step) % len(self.view.slots)
        self._show()

    def action_judging(self) -> None:
        """What another judging saw of it, and its steps."""
        names = [one.judging for one in self.view.opinions(self.slot)]
        if len(names) < 2:
            console(self).notify_text("There is no other judging of this episode")
            return
        shown = names.index(self.view.judging_name) if self.view.judging_name in names else -1
        self.view.show_judging(names[(shown + 1) % len(names)])
        self._show()

    def action_adjudicate(self) -> None:
        """A person's own verdict on it."""
        from iwtui.tui.screens.adjudicate import AdjudicateScreen

        self.app.push_screen(AdjudicateScreen(self.episode.run, "", self.episode, self.slot))

    def action_primary(self) -> None:
        """Let the score be that of the judging that is shown."""
        if not self.view.judging_name:
            console(self).notify_text("There is no judging of this episode yet")
        elif not console(self).author:
            console(self).notify_text("This account has no name; set `author` in iwtui.toml")
        else:
            work = partial(self._choose_primary, self.view.judging_name)
            self.run_worker(work, group="primary", thread=True, exit_on_error=False)

    def _choose_primary(self, judging: str) -> None:
        from iwtui.archive.annotations import PrimaryChosen
        from iwtui.archive.annotations_writing import AnnotationWriter

        try:
            with AnnotationWriter(console(self).store, console(self).author) as writer:
                writer.add(PrimaryChosen(episode=str(self.episode), judging=judging))
        except (StoreError, OSError, ValueError) as error:
            self.post_message(self._Chosen(judging, str(error)))
        else:
            self.post_message(self._Chosen(judging))

    @on(_Chosen)
    def _primary_chosen(self, message: _Chosen) -> None:
        if message.fault:
            console(self).notify_text(message.fault, title="Nothing was changed", severity="error")
            return
        self.view.prefer(message.judging)
        console(self).notify_text("the score of the episode is that of this judging now", title=message.judging)
        self._show()

    def action_marks(self) -> None:
        self.query_one(PictureView).toggle_marks()

    def action_open_picture(self) -> None:
        path = self.query_one(PictureView).path
        if path is None:
            console(self).notify_text("There is no picture of this slot")
            return
        console(self).copy_text(str(path), "picture")
        console(self).notify_text(str(path), title="The picture is stored in")

    def copied(self) -> str:
        """The step at the cursor, under what was required."""
        slot, steps = self.view.slots[self.slot], self.query_one(Timeline).copied()
        head = verdict_line(slot, self.slot, len(self.view.slots), self.view.judging_name).plain
        return "\n".join(part for part in (head, requirement(slot, 100).plain, steps) if part)

    def action_back(self) -> None:
        """Back to the episode, where it stood."""
        self.dismiss(None)


def rows_of(view: EpisodeView, slot: int) -> Sequence[Row]:
    """The events that show why a slot failed, then what the shown judging did about it."""
    clues = {clue.seq: clue for clue in view.slots[slot].clues if clue.seq < JUDGING_FROM}
    return [
        *(_row_of(clues[seq]) for seq in sorted(clues)),
        *(row for row in view.rows if row.judging and row.slot == slot),
    ]


def _row_of(clue: Clue) -> Row:
    text = f"turn {clue.turn}: {one_line(clue.why, 200)}"
    return Row(clue.seq, clue.seq, clue.turn, "Clue", "→", text, "", 0.0)


def pictured(view: EpisodeView, slot: int) -> dict[int, BrowserStepped]:
    """The steps made for a slot that took a picture, by their seq."""
    steps = view.judging.steps if view.judging else ()
    return {judging_seq(number): step for number, step in steps if step.slot == slot and step.picture}


def evidence(slot: SlotView, rows: Sequence[Row]) -> int | None:
    """The event that decided the slot: the judge's own evidence, else its verdict."""
    wanted = slot.evidence if slot.evidence is not None else slot.decided
    if wanted is None:
        steps = [row.seq for row in rows if row.judging]
        return steps[-1] if steps else None
    return wanted


def verdict_line(slot: SlotView, number: int, slots: int, judging: str) -> Content:
    """Which slot, the verdict on it, its weight and whose verdict it is."""
    look = VERDICTS.get(slot.verdict)
    parts = [
        Content.assemble(safe_line(slot.component, 60, "bold"), (f"  {number + 1}/{slots}", "$dim")),
        look.worded() if look else Content.styled("· not judged yet", "$dim"),
        Content.assemble(("weight ", "$dim"), f"{slot.weight:.2f}"),
    ]
    if judging:
        parts.append(Content.assemble(("judging ", "$dim"), safe_line(judging, 40)))
    return Content.styled(" · ", "$dim").join(parts)


def requirement(slot: SlotView, width: int) -> Content:
    """What was expected and the judge's reason, then what is known of the requirement; lines of `width` cells."""
    said = [("expected", safe_text(slot.expected or "(the case of this episode is lost)"))]
    if slot.reason:
        said.append(("because", safe_text(slot.reason)))
    if slot.cause:
        turn = f", turn {slot.cause_turn}" if slot.cause_turn is not None else ""
        said.append(("cause", Content.assemble((slot.cause, "bold"), turn, (CAVEAT if slot.estimated else "", "$dim"))))
    if look := VERDICTS.get(slot.before):
        said.append(("parent", Content.assemble(look.worded(), ("  before the fork", "$dim"))))
    if slot.assertion:
        there = "must be there" if slot.assertion is Assertion.POSITIVE else "must not be there"
        said.append(("assertion", Content.assemble(slot.assertion.value, (f"  {there}", "$dim"))))
    if slot.kind:
        said.append(("kind", safe_line(slot.kind)))
    if slot.visibility:
        said.append(("instruction", Content(f"{slot.visibility.value} in what the client asked for at first")))
    if slot.by_turn:
        said.append(("by turn", safe_line(slot.by_turn)))
    if slot.told is not None:
        said.append(("told", Content(f"by the client in turn {slot.told}")))
    return Content("\n").join([line for label, text in said for line in _labelled(label, text, width)])


def people_say(said: EpisodeAnnotations, judging: str, slot: int, width: int) -> Content:
    """What people say of the slot of that judging, one line an author; nothing where nobody did."""
    lines: list[Content] = []
    for one in said.kept:
        word = one.annotation.said
        if one.holds and isinstance(word, SlotDecided) and (word.judging, word.slot) == (judging, slot):
            look = VERDICTS[WORDS[word.verdict]]
            by = Content.assemble(
                (f"{look.glyph} {word.verdict.value}", look.style),
                "  ",
                safe_line(one.annotation.author, 80, "bold"),
                Content("  ") + safe_line(word.note, 500, "$dim") if word.note else "",
            )
            lines += _labelled("" if lines else "people", by, width)
    return Content("\n").join(lines)


def side_by_side(opinions: Sequence[Opinion], shown: str, figures: str, width: int) -> Content:
    """What the judgings say of the slot when there are several, and the figures of the whole episode; else nothing."""
    lines: list[Content] = []
    for place, one in enumerate(opinions if len(opinions) > 1 else ()):
        look = VERDICTS.get(one.verdict)
        by = f"{one.judging}{f' ({one.model})' if one.model else ''}"
        roles = [role for role, has in (("primary", one.primary), ("shown", one.judging == shown)) if has]
        said = Content.assemble(
            look.worded() if look else Content.styled("· not yet", "$dim"),
            "  ",
            safe_line(by, 100, "bold"),
            (f" {', '.join(roles)}" if roles else "", "$accent"),
            Content("  ") + safe_line(one.reason, 300, "$dim") if one.reason else "",
        )
        lines += _labelled("" if place else "judgings", said, width)
    if figures:
        lines += _labelled("episode", safe_line(figures, 300), width)
    return Content("\n").join(lines)


def _labelled(label: str, text: Content, width: int) -> Iterator[Content]:
    lead = Content.styled(f"{label:<{LABEL}} ", "$dim")
    for line in text.wrap(max(10, width - LABEL - 1)):
        yield Content.assemble(lead, line)
        lead = Content(" " * (LABEL + 1))
