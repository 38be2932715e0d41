"""What the numbers of a table add up to."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, listed, no
from iwtui.models.scripted.fragments.listing import StateCount, Table
from iwtui.models.scripted.fragments.scripts import quoted_for_script
from iwtui.models.scripted.fragments.site import Site


class ColumnTotal(Fragment, frozen=True):
    """A line that tells the sum of one column of the table, kept up to date."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "the total of a column"
    pattern: ClassVar[re.Pattern[str]] = re.compile(
        r'(?i:\b(?:total|sum) of (?:the |all )?(?:column )?)(?P<column>"[^"]+"|[A-Z][\w-]*)'
    )
    denial: ClassVar[re.Pattern[str]] = no("totals?|sums?")

    column: str
    before: str
    after: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        sample = StateCount.sample.search(sentence, found.end())
        return cls(found["column"].strip('"'), *((sample[1], sample[2]) if sample else ("Total: ", "")))

    @property
    def value(self) -> str:
        return self.column.casefold()

    @property
    def wish(self) -> str:
        sample = f'"{self.before}0{self.after}"'
        return f"Show the total of {listed([self.column])}, as in {sample}, and keep it up to date when rows change."

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(
            Place.BELOW, f'<p aria-live="polite">{escape(self.before)}<span id="sum">0</span>{escape(self.after)}</p>'
        )
        table = site.one(Table)
        if table is None or self.column not in table.columns:
            return
        yield self.part(
            Place.SCRIPT,
            f"""
{{
  const column = `[data-item] [data-column="${{CSS.escape({quoted_for_script(self.column)})}}"]`;
  const addUp = () => {{
    const numbers = [...document.querySelectorAll(column)].map(cell => Number(cell.textContent) || 0);
    document.getElementById("sum").textContent = numbers.reduce((sum, number) => sum + number, 0);
  }};
  document.addEventListener("itemschange", addUp);
  addUp();
}}""",
        )
