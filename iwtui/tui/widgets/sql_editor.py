"""The field in which a query is written: coloured as DuckDB reads it, with a list of what may be meant at the cursor."""

from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Location

from iwtui.archive.catalog import Catalog
from iwtui.bench.text import visible
from iwtui.tui.actions import BY_ID
from iwtui.tui.state.sql_completion import NONE, Offer, Offers, offers
from iwtui.tui.state.sql_text import COMMENT, KEYWORD, LONGEST, NUMBER, STRING, Span, tokens

INKS = (KEYWORD, STRING, NUMBER, COMMENT)


class SqlEditor(TextArea):
    """Tab takes what is offered, the arrows choose, escape closes the list; all other keys type on.

    Enter takes an offer only after the reader has chosen it by an arrow: a line that ends is not to be changed.
    """

    BINDINGS: ClassVar = [
        Binding(one.keys, f"screen.{one.method}", one.label, one.shown, one.key, tooltip=one.help, id=one.id)
        for one in (BY_ID["sql.turn"], BY_ID["sql.export"])  # their keys mean something else in a TextArea
    ]
    COMPONENT_CLASSES: ClassVar = {"sql--fault", *(f"sql--{ink}" for ink in INKS)}
    DEFAULT_CSS = """
    SqlEditor, SqlEditor:focus {
        border: none;
        padding: 0 0 0 1;
        background: transparent;
        color: $foreground;
        & > .sql--keyword { color: $accent; }
        & > .sql--string { color: $text-success; }
        & > .sql--number { color: $text-warning; }
        & > .sql--comment { color: $dim; text-style: italic; }
        & > .sql--fault { color: $error; text-style: bold underline; }
        & > .text-area--placeholder { color: $dim; }
    }
    """

    @dataclass
    class Offered(Message):
        """The list at the cursor changed. `chosen` is the place in it; `at` where the word begins on the screen."""

        offers: tuple[Offer, ...]
        chosen: int
        at: Offset

    def __init__(self, text: str = "", id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(
            text,
            theme="css",
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,  # its style would be laid over the colours
            placeholder="SELECT persona, avg(tcr) FROM episodes GROUP BY persona",
            id=id,
        )
        self.catalog = Catalog()
        self._inked: dict[int, list[tuple[int, int, str]]] | None = None
        self._fault: Span | None = None
        self._offers = NONE
        self._chosen = 0
        self._by_arrow = False
        self._typed = False

    # Places: characters from the beginning, as the tokeniser counts them.

    @property
    def place(self) -> int:
        """The cursor."""
        return self.place_of(self.cursor_location)

    def place_of(self, location: Location) -> int:
        """A row and a column of it."""
        row, column = location
        return sum(len(line) + 1 for line in self.document.lines[:row]) + column

    def _location(self, place: int) -> Location:
        for row, line in enumerate(self.document.lines):
            if place <= len(line):
                return row, place
            place -= len(line) + 1
        return self.document.end

    @property
    def plain(self) -> str:
        """The text with plain ends of lines, as places are counted in it."""
        return "\n".join(self.document.lines)

    # What the program does.

    def put(self, text: str) -> None:
        """This text instead of what is there; it can be undone."""
        self.replace(text, self.document.start, self.document.end, maintain_selection_offset=False)
        self.move_cursor(self.document.start)
        self.close_offers()

    def insert_word(self, word: str) -> None:
        """A name from elsewhere, at the cursor, with a blank where two names would run together."""
        before = self.plain[: self.place][-1:]
        start, end = self.selection
        self.replace((" " if before.isalnum() or before == "_" else "") + word, start, end, maintain_selection_offset=False)

    def mark(self, fault: Span | None) -> None:
        """Show where a fault stands, and go there."""
        self._fault = fault
        self._redraw()
        if fault:
            self.move_cursor(self._location(fault.start))

    # Colours.

    def _build_highlight_map(self) -> None:
        """Textual calls it whenever the text is another."""
        super()._build_highlight_map()
        self._inked = None
        self._fault = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._inked = None

    def _redraw(self) -> None:
        self._inked = None
        self._line_cache.clear()
        self.refresh()

    def get_line(self, line_index: int) -> Text:
        """The line in colours. A character that could act on a terminal has a glyph, one for one."""
        line = self.document.get_line(line_index)
        text = Text("".join(map(_glyph, line)) if not line.isprintable() else line, end="", no_wrap=True)
        if self._inked is None:
            self._inked = self._ink()
        for start, end, ink in self._inked.get(line_index, ()):
            text.stylize(self.get_component_rich_style(f"sql--{ink}", partial=True), start, end)
        return text

    def _ink(self) -> dict[int, list[tuple[int, int, str]]]:
        plain = self.plain
        spans = [(token.start, token.end, token.kind) for token in tokens(plain) if token.kind in INKS]
        if self._fault:
            spans.append((self._fault.start, max(self._fault.end, self._fault.start + 1), "fault"))
        found: dict[int, list[tuple[int, int, str]]] = {}
        starts = [0]
        for line in self.document.lines:
            starts.append(starts[-1] + len(line) + 1)
        row = 0
        for start, end, ink in spans:
            while row and starts[row] > start:
                row -= 1
            while starts[row + 1] <= start and row + 2 < len(starts):
                row += 1
            last = row
            while last + 1 < len(starts) and starts[last] < end:
                found.setdefault(last, []).append((max(0, start - starts[last]), end - starts[last], ink))
                last += 1
        return found

    # Completion.

    @property
    def offering(self) -> bool:
        """Whether a list stands at the cursor."""
        return bool(self._offers.offers)

    def close_offers(self) -> None:
        """No list."""
        self._offer(NONE)

    def look_up(self, asked: bool = False) -> None:
        """What may be meant at the cursor; `asked`: also when little or nothing is typed yet."""
        plain = self.plain
        self._offer(offers(self.catalog, plain, self.place, asked) if len(plain) <= LONGEST else NONE)

    def take(self, index: int) -> None:
        """The offer at this place of the list, into the text."""
        if index < len(self._offers.offers):
            offer, start = self._offers.offers[index], self._location(self._offers.start)
            self.replace(offer.insert, start, self.cursor_location, maintain_selection_offset=False)
            self.close_offers()

    def _offer(self, found: Offers) -> None:
        if found.offers or self._offers.offers:
            self._offers, self._chosen, self._by_arrow = found, 0, False
            self._tell()

    def _tell(self) -> None:
        back = self.place - self._offers.start
        self.post_message(self.Offered(self._offers.offers, self._chosen, self.cursor_screen_offset - Offset(back, 0)))

    def _move(self, step: int) -> None:
        self._chosen = (self._chosen + step) % len(self._offers.offers)
        self._by_arrow = True
        self._tell()

    def on_key(self, event: events.Key) -> None:
        """The list has its keys first; after any other it follows what was typed, or goes."""
        if self.offering and self._is_for_list(event.key):
            event.stop()
            event.prevent_default()
            return
        self._typed = event.is_printable or event.key == "backspace"

    def _is_for_list(self, key: str) -> bool:
        match key:
            case "down":
                self._move(1)
            case "up":
                self._move(-1)
            case "tab":
                self.take(self._chosen)
            case "enter" if self._by_arrow:
                self.take(self._chosen)
            case "escape":
                self.close_offers()
            case _:
                return False
        return True

    def on_text_area_changed(self) -> None:
        """Typed text is looked up; text that came otherwise closes the list."""
        if self._typed:
            self._typed = False
            self.look_up()
        else:
            self.close_offers()

    def on_text_area_selection_changed(self) -> None:
        """The cursor went elsewhere."""
        if self.offering and self.place < self._offers.start:
            self.close_offers()

    def on_blur(self) -> None:
        """The list belongs to the cursor."""
        self.close_offers()

    def copied(self) -> str:
        """What is selected, or all."""
        return self.selected_text or self.text


def _glyph(char: str) -> str:
    shown = visible(char)
    return shown if len(shown) == 1 and char != "\t" else char if char == "\t" else "�"
