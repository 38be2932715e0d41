"""How visitors find things: search, categories, sorting."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, no
from iwtui.models.scripted.fragments.listing import ItemList, Table
from iwtui.models.scripted.fragments.scripts import quoted_for_script
from iwtui.models.scripted.fragments.site import Site


class Search(Fragment, frozen=True):
    """A box that narrows what is shown to the names that hold what is typed."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the search box"
    pattern: ClassVar[re.Pattern[str]] = compiled(r"\bsearch(?:ing)?[ -]?(?:box|field|bar|input)\b|\bcan search\b")
    denial: ClassVar[re.Pattern[str]] = no("search(?:ing)?(?: (?:box|field|bar))?")
    of_what: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?:list|table) of (?:the )?(\w+)|\b(?:narrows|filters|searches|search) (?:the |all )?(\w+s)\b"
    )

    noun: str = ""

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        noun = cls.of_what.search(sentence)
        return cls((noun[1] or noun[2]).lower() if noun else "")

    @property
    def wish(self) -> str:
        return f"A search box narrows the list of {self.noun or 'items'} by name while the visitor types."

    def parts(self, site: Site) -> Iterator[Part]:
        label = f"Search {self.noun}".strip()
        yield self.part(
            Place.ABOVE, f'<label for="search">{escape(label)}<input id="search" type="search" autocomplete="off"></label>'
        )
        yield self.part(
            Place.SCRIPT,
            """
document.getElementById("search").addEventListener("input", event => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const item of document.querySelectorAll("[data-item]"))
    item.classList.toggle("unsearched", !item.dataset.item.toLowerCase().includes(wanted));
});""",
        )
        yield self.part(Place.STYLE, ".unsearched { display: none !important; }")


class CategoryFilter(Fragment, frozen=True):
    """A choice that narrows a list to one category."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the category filter"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?P<by>category|categories|type|kind|genre)\b[^.\"]{0,40}\b(?:filters?|select(?:ion)?|menu|dropdown|drop-down)\b"
        r"|\b(?:filter\w*|select|menu|drop-?down)\b[^.\"]{0,60}\bby (?P<by2>category|type|kind|genre)\b"
    )
    denial: ClassVar[re.Pattern[str]] = no("(?:category )?filters?")

    by: str = "category"

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls((found["by"] or found["by2"]).lower().replace("categories", "category"))

    @property
    def wish(self) -> str:
        return f"A select filters the list by {self.by}."

    def parts(self, site: Site) -> Iterator[Part]:
        listed = site.one(ItemList)
        names = dict.fromkeys(item.category for item in listed.items if item.category) if listed else {}
        if not names:
            return
        options = "".join(f"<option>{escape(name)}</option>" for name in names)
        yield self.part(
            Place.ABOVE,
            f'<label for="category">{self.by.capitalize()}<select id="category"><option value="">All</option>{options}'
            "</select></label>",
        )
        yield self.part(
            Place.SCRIPT,
            """
document.getElementById("category").addEventListener("change", event => {
  for (const item of document.querySelectorAll("[data-item]"))
    item.classList.toggle("uncategorised", event.target.value !== "" && item.dataset.category !== event.target.value);
});""",
        )
        yield self.part(Place.STYLE, ".uncategorised { display: none !important; }")


class SortByHeader(Fragment, frozen=True):
    """A column header that sorts the table."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the sorting"
    pattern: ClassVar[re.Pattern[str]] = re.compile(
        r'(?i:\bhead(?:er|ing)(?: of(?: the)?(?: column)?)?)\s+(?P<column>"[^"]+"|[A-Z][\w-]*)(?i:[^.]*\bsort)'
        r'|(?i:\bsort\w*\b[^.]*\b(?:column )?head(?:er|ing)(?: of(?: the)?)?)\s+(?P<column2>"[^"]+"|[A-Z][\w-]*)'
    )
    denial: ClassVar[re.Pattern[str]] = no("sort(?:ing|ed)?")

    column: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls((found["column"] or found["column2"]).strip('"'))

    @property
    def key(self) -> str:
        return f"the sorting by {self.column}"

    @property
    def wish(self) -> str:
        return f"Clicking the column header {self.column} sorts the table alphabetically by {self.column.lower()}."

    def parts(self, site: Site) -> Iterator[Part]:
        table = site.one(Table)
        if table is None or self.column not in table.columns:
            return
        yield self.part(
            Place.SCRIPT,
            f"""
{{
  const column = {quoted_for_script(self.column)};
  const head = [...document.querySelectorAll("thead th")].find(cell => cell.textContent === column);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.append(...head.childNodes);
  head.append(button);
  head.addEventListener("click", () => {{
    const body = document.querySelector("tbody");
    const told = row => row.querySelector(`[data-column="${{CSS.escape(column)}}"]`).textContent;
    body.append(...[...body.rows].sort((a, b) => told(a).localeCompare(told(b))));
    head.setAttribute("aria-sort", "ascending");
  }});
}}""",
        )
        yield self.part(
            Place.STYLE,
            ".plain { background: none; color: inherit; padding: 0; font-weight: inherit; text-decoration: underline; }",
        )
