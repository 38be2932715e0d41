"""What a site shows: a list of items, a table, and how many of them are in some state."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

import msgspec

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, denied, listed, no
from iwtui.models.scripted.fragments.site import ACTIONS_HERE, Site
from iwtui.models.scripted.sentences import split_list, words

NAMES = r'(?:"[^"]+"|[A-Z][\w-]*)(?:(?:,\s*(?:and\s+)?|\s+and\s+)(?:"[^"]+"|[A-Z][\w-]*))*'
"""A list of names: `Tool, Owner and Status`."""

STATES = "available|free|open|pending|active|new|done|closed|borrowed|taken|reserved|sold|left|in stock|on loan"

_SYMBOLS = {"euro": "€", "€": "€", "pound": "£", "£": "£", "dollar": "$", "$": "$"}
_NOUN = compiled(
    r"\b(?:these|the following|following|our|exactly|list of|list|all)\s+(?:exactly\s+)?(?:these\s+)?"
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)?\s*([a-z]{3,}s)\b"
)
_INTRODUCTION = re.compile(r"^(?:We|Our|I|They|You)\b.*\b(?:sell|offer|have|are|is)\s+")


class Item(msgspec.Struct, frozen=True):
    """One entry of a list; `price` and `category` may be empty."""

    name: str
    price: str = ""
    category: str = ""


class ItemList(Fragment, frozen=True):
    """A list of items, with their prices where they have some."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the list of items"
    pattern: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<name>[A-ZÀ-Þ][\w'&À-ɏ-]*(?: (?!(?:at|for|costs)\b)[\w'&À-ɏ-]+){0,5}?)\s*(?:\((?P<category>[^()]{1,40})\))?"
        r"\s*(?:at|for|costs|:|–|=)?\s*(?:€|£|\$|EUR|GBP|USD)?\s?(?P<price>\d{1,6}[.,]\d{2})\b"
    )
    plain: ClassVar[re.Pattern[str]] = compiled(r"\b(?:list|these|the following|items?)\b[^:\"]*:\s*(?P<items>[^:]+?)\.?$")
    kept: ClassVar[re.Pattern[str]] = re.compile(r"(?P<name>.+?)\s*(?:\((?P<category>[^()]{1,40})\))?")
    not_items: ClassVar[re.Pattern[str]] = compiled(r"\b(?:table|columns?|fields?|tabs?|caption|question|opening)\b")
    denial: ClassVar[re.Pattern[str]] = no("list")

    items: tuple[Item, ...]
    noun: str = "items"
    currency: str = ""

    @classmethod
    def read(cls, sentence: str) -> Iterator[Self]:
        if cls.not_items.search(sentence):
            return
        items = tuple(
            Item(_INTRODUCTION.sub("", found["name"]), found["price"].replace(",", "."), found["category"] or "")
            for found in cls.pattern.finditer(sentence, sentence.find(":") + 1)
        )
        plain = cls.plain.search(sentence)
        if not items and plain and not denied(sentence[: plain.start()]):
            told = [cls.kept.fullmatch(name) for name in split_list(plain["items"]) if len(name.split()) <= 5]
            items = tuple(Item(found["name"], category=found["category"] or "") for found in told if found)
        if len(items) >= 2:
            noun = _NOUN.search(sentence)
            currency = next((sign for word, sign in _SYMBOLS.items() if word in sentence.lower()), "")
            yield cls(items, noun[1].lower() if noun else "items", currency)

    def merged(self, earlier: Self) -> Self:
        """A list told in two goes; a price told again counts as told last."""
        told = {item.name: item for item in (*earlier.items, *self.items)}
        noun = self.noun if self.noun != "items" else earlier.noun
        return msgspec.structs.replace(
            self, items=tuple(told.values()), noun=noun, currency=self.currency or earlier.currency
        )

    @property
    def wish(self) -> str:
        told = [
            f"{item.name}{f' ({item.category})' if item.category else ''}{f' {item.price}' if item.price else ''}"
            for item in self.items
        ]
        unit = {
            "€": " with their prices in euros",
            "£": " with their prices in pounds",
            "$": " with their prices in dollars",
        }
        return f"List these {self.noun}{unit.get(self.currency, '')}: {', '.join(told[:-1])} and {told[-1]}."

    def parts(self, site: Site) -> Iterator[Part]:
        prices = site.one(Prices)
        shown = prices is None or prices.shown
        yield self.part(Place.DATA, f"<h2>{escape(self.noun.capitalize())}</h2>")
        entries = "\n".join(self._entry(item, shown) for item in self.items)
        yield self.part(Place.DATA, f'<ul class="cards">\n{entries}\n</ul>')

    def _entry(self, item: Item, price_shown: bool) -> str:
        name, category = escape(item.name), escape(item.category)
        lines = [f'<span class="name">{name}</span>']
        lines += [f"<span>{category}</span>"] if category else []
        lines += [f"<span>{self.currency}{item.price}</span>"] if item.price and price_shown else []
        return f'<li data-item="{name}" data-category="{category}">{" ".join(lines)} {ACTIONS_HERE}</li>'


class Prices(Fragment, frozen=True):
    """Whether prices are shown: a wish that clashes with a list that has some."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the prices"
    pattern: ClassVar[re.Pattern[str]] = compiled(r"\b(?:with|and|show)\s+(?:their |the |all )?prices?\b")
    hidden: ClassVar[re.Pattern[str]] = no("prices?")

    shown: bool

    @classmethod
    def read(cls, sentence: str) -> Iterator[Self]:
        if cls.pattern.search(sentence):
            yield cls(True)
        if cls.hidden.search(sentence):
            yield cls(False)

    @property
    def value(self) -> str:
        return "shown" if self.shown else "hidden"

    @property
    def wish(self) -> str:
        return "Show the prices." if self.shown else "Show no prices."

    def parts(self, site: Site) -> Iterator[Part]:
        yield from ()


class Table(Fragment, frozen=True):
    """A table with columns and the rows it starts with."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the table"
    pattern: ClassVar[re.Pattern[str]] = re.compile(rf"(?i:\bcolumns?)\s*:?\s*(?P<columns>{NAMES})")
    denial: ClassVar[re.Pattern[str]] = no("tables?")
    at_first: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?:start\w*|begin\w*|rows?|at first|initially|filled|contains?)\b[^:]*:\s*(?P<rows>.+?)\.?$"
    )
    of_what: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?:the|all|our)?\s*(\w+s) (?:stand |are )?in (?:a )?table|\btable of (?:the )?(\w+)"
    )
    state: ClassVar[re.Pattern[str]] = compiled(rf"\b(?:that|which|all) (?:are|is) (?:all )?(\w+)|\b({STATES})\b")
    between: ClassVar[re.Pattern[str]] = compiled(
        r"\s+(?:(?:owned|written|led|kept|run) by|belonging to|by|from|at|with|for|in|on)\s+|\s*[(:/]\s*|\)"
    )

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    noun: str = "rows"

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        if "table" not in sentence.lower():
            return None
        columns = tuple(split_list(found["columns"]))
        first = cls.at_first.search(sentence, found.end())
        state = cls.state.search(sentence[found.end() : first.start("rows")]) if first else None
        started = (state[1] or state[2]).capitalize() if state else ""
        told = split_list(first["rows"]) if first else []
        noun = cls.of_what.search(sentence)
        return cls(columns, tuple(cls._row(columns, row, started) for row in told), (noun[1] or noun[2]) if noun else "rows")

    @classmethod
    def _row(cls, columns: tuple[str, ...], told: str, state: str) -> tuple[str, ...]:
        cells = iter([cell.strip() for cell in cls.between.split(told) if cell.strip()])
        return tuple(state if state and is_status(column) else next(cells, "") for column in columns)

    @property
    def value(self) -> str:
        return "|".join(self.columns).casefold()

    @property
    def wish(self) -> str:
        text = f"Show the {self.noun} in a table with the columns {listed(self.columns)}"
        if not self.rows:
            return text + "."
        states = [row[i] for row in self.rows[:1] for i, column in enumerate(self.columns) if is_status(column)]
        told = [
            " by ".join(cell for cell, c in zip(row, self.columns, strict=True) if not is_status(c)) for row in self.rows
        ]
        start = f"that are {states[0].lower()}" if any(states) else "these"
        return f"{text}, starting with {start}: {', '.join(told[:-1])}{' and ' if told[1:] else ''}{told[-1]}."

    def parts(self, site: Site) -> Iterator[Part]:
        heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in self.columns)
        rows = "\n".join(table_row(self.columns, row) for row in self.rows)
        yield self.part(
            Place.DATA,
            f'<table aria-label="{escape(self.noun.capitalize())}">\n<thead><tr>{heads}</tr></thead>\n'
            f"<tbody>\n{rows}\n</tbody>\n</table>",
        )


class StateCount(Fragment, frozen=True):
    """A line that tells how many items are in some state, kept up to date."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the live count"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        rf"\bhow many (?P<noun>\w+) are (?P<state>{STATES})\b|\bnumber of (?P<state2>{STATES}) (?P<noun2>\w+)"
    )
    denial: ClassVar[re.Pattern[str]] = no("count(?:er)?")
    sample: ClassVar[re.Pattern[str]] = re.compile(r'"([^"]*?)\d+([^"]*)"')

    before: str
    after: str
    state: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        state, noun = (found["state"] or found["state2"]).lower(), found["noun"] or found["noun2"]
        sample = cls.sample.search(sentence)
        before, after = (sample[1], sample[2]) if sample else ("", f" {noun} {state}")
        return cls(before, after, state)

    @property
    def value(self) -> str:
        return f"{self.before}{self.after}".casefold()

    @property
    def wish(self) -> str:
        noun = next(iter(words(self.after)), "items")
        return f'Show how many {noun} are {self.state}, as in "{self.before}3{self.after}", and keep that number up to date.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(
            Place.ABOVE, f'<p aria-live="polite">{escape(self.before)}<span id="count">0</span>{escape(self.after)}</p>'
        )
        yield self.part(
            Place.SCRIPT,
            f"""
const recount = () => {{
  const states = [...document.querySelectorAll("[data-item]")].map(item => item.querySelector("[data-status]")?.textContent);
  document.getElementById("count").textContent = states.filter(state => state?.toLowerCase() === "{self.state}").length;
}};
document.addEventListener("itemschange", recount);
recount();""",
        )


def is_status(column: str) -> bool:
    """Whether a column holds the state of its row."""
    return column.lower() in ("status", "state", "availability")


def table_row(columns: tuple[str, ...], cells: tuple[str, ...]) -> str:
    """A row; what acts on it stands in its last cell."""
    tagged = [
        f'<span data-column="{escape(column)}"{" data-status" if is_status(column) else ""}>{escape(cell)}</span>'
        for column, cell in zip(columns, cells, strict=True)
    ]
    tagged[-1] += f" {ACTIONS_HERE}"
    return f'<tr data-item="{escape(cells[0])}">{"".join(f"<td>{cell}</td>" for cell in tagged)}</tr>'
