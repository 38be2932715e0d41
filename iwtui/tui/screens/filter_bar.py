"""The line to type a filter: it completes fields and values, and says what cannot be read, which is not lost."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Static

from iwtui.bench.filters import ALIASES, FIELDS, FieldKind, FilterError, parse, written
from iwtui.tui.text import safe_line, shown_text

EXAMPLE = "persona:P-MIN status:scored builder:qwen* tcr<0.3"
HINT = "tab completes a field or a value · enter keeps what fits · empty keeps all"
LONGEST = 400

STATUSES = ("scored", "crashed", "infra", "cancelled", "running")


class Completion(Suggester):
    """What the last word may become: a field, or a value of the field before its colon."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.values: Mapping[str, Iterable[str]] = {}

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line, completed; None where there is nothing to add."""
        return completed(value, self.values)


def completed(text: str, values: Mapping[str, Iterable[str]]) -> str | None:
    """A filter with its last word completed; None where nothing fits or nothing is to be added.

    A value that would have to be made visible is none: what is put into the line is typed, not shown.
    """
    head, _, word = text.rpartition(" ")
    head += " " if " " in text else ""
    sign, word = ("-", word[1:]) if word.startswith("-") else ("", word)
    field, colon, value = word.partition(":")
    if not word:
        return None
    if not colon:
        fits = [name for name in (*FIELDS, *ALIASES) if name.startswith(word)]
        if not fits:
            return None
        name = min(fits, key=lambda one: (one != word, len(one), one))
        number = FIELDS[ALIASES.get(name, name)] is FieldKind.NUMBER
        return None if number and name == word else f"{head}{sign}{name}{'' if number else ':'}"
    name = ALIASES.get(field, field)
    known = {"status": STATUSES, **values}.get(name) or (("yes", "no") if FIELDS.get(name) is FieldKind.FLAG else ())
    before, comma, last = value.rpartition(",")
    for one in known:
        spelled = written(name, one).partition(":")[2]
        if shown_text(one) == one and last and spelled != last and spelled.startswith(last):
            return f"{head}{sign}{field}:{before}{comma}{spelled}"
    return None


class FilterBar(Vertical):
    """Hidden until it is opened. Enter asks if the filter can be read, else the bar stays and says why; escape leaves."""

    DEFAULT_CSS = """
    FilterBar { display: none; height: auto; background: $panel; }
    FilterBar.-open { display: block; }
    FilterBar Input, FilterBar Input:focus { height: 1; border: none; padding: 0 1; background: $panel; }
    FilterBar Static { height: 1; padding: 0 1; color: $dim; }
    FilterBar.-wrong Static { color: $error; }
    """
    BINDINGS: ClassVar = [
        Binding("escape", "give_up", "back", id="app.back"),
        Binding("tab", "complete", show=False),
    ]

    @dataclass
    class Asked(Message):
        """The reader wants this filter, which can be read; an empty one keeps all."""

        text: str

    class GivenUp(Message):
        """The reader left the bar."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._completion = Completion()
        self._input = Input(placeholder=EXAMPLE, max_length=LONGEST, suggester=self._completion)
        self._said = Static("")

    def compose(self) -> ComposeResult:
        yield self._input
        yield self._said

    def open(self, text: str, values: Mapping[str, Iterable[str]]) -> None:
        """Show the bar with this filter, selected. `values`: what may stand in some fields."""
        self._completion.values = values
        self.add_class("-open")
        if not self.has_class("-wrong"):
            self._input.value = text
            self._input.action_select_all()
            self._say("")
        self._input.focus()

    def _say(self, why: str) -> None:
        self.set_class(bool(why), "-wrong")
        self._said.update(safe_line(why or HINT, 300))

    def action_complete(self) -> None:
        """Take the completion; the focus stays."""
        if self._input.cursor_at_end:
            self._input.action_cursor_right()

    def action_give_up(self) -> None:
        """Back to where the reader was; what was typed and cannot be read is there the next time."""
        self.remove_class("-open")
        self.post_message(self.GivenUp())

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        if self.has_class("-wrong"):
            self._say(why_not(message.value))

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        text = message.value.strip()
        self._say(why_not(text))
        if not self.has_class("-wrong"):
            self.remove_class("-open")
            self.post_message(self.Asked(text))

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Gone when the reader looks elsewhere."""
        self.remove_class("-open")


def why_not(text: str) -> str:
    """Why a filter cannot be read; empty when it can."""
    try:
        parse(text)
    except FilterError as error:
        return str(error)
    return ""
