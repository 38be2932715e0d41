"""What visitors do with an item: put it into a basket, change its status, count, remove."""

import re
from collections.abc import Iterator
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, no
from iwtui.models.scripted.fragments.listing import ItemList, Table
from iwtui.models.scripted.fragments.scripts import quoted_for_script
from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.sentences import words

BUTTON = r'(?:"(?P<label>[^"]+)"[ -]button\b|\bbutton (?:called |labelled |named |with the label )?"(?P<label2>[^"]+)")'
_CHANGES = r"\b(?:status|state|marks?|becomes?|changes?)\b"
_LASTS = r"\b(?:still (?:there|here|shown)|kept|keeps?|stays?|remain\w*|remember\w*|saved?|survives?|lasts?|not lost)\b"
_RELOADED = r"\b(?:reload\w*|refresh\w*|next visit|(?:page|browser|tab) is (?:closed|reopened))\b"


class Basket(Fragment, frozen=True):
    """A button on every item that raises the count of a basket."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the basket"
    pattern: ClassVar[re.Pattern[str]] = compiled(rf'{BUTTON}[^"]*\b(?P<where>basket|cart|bag)\b(?!")')
    denial: ClassVar[re.Pattern[str]] = no("baskets?|carts?|shopping bags?")

    label: str
    where: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(found["label"] or found["label2"], found["where"].lower())

    @property
    def value(self) -> str:
        return self.label.casefold()

    @property
    def wish(self) -> str:
        return f'Every item has an "{self.label}" button that raises the number of items shown in the {self.where} by one.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.HEADER, f'<p aria-live="polite">Items in the {self.where}: <span id="basket">0</span></p>')
        yield self.part(Place.ITEM, f'<button type="button" data-basket>{escape(self.label)}</button>')
        yield self.part(
            Place.SCRIPT,
            """
document.addEventListener("click", event => {
  if (!event.target.closest("[data-basket]")) return;
  const count = document.getElementById("basket");
  count.textContent = Number(count.textContent) + 1;
});""",
        )


class BasketTotal(Fragment, frozen=True):
    """The sum of the prices in the basket."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the total of the basket"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r"\b(?:total|sum)(?: price)?\b[^.\"]*\b(?:basket|cart|bag)\b|\b(?:basket|cart|bag)\b[^.\"]*\btotal\b"
    )
    denial: ClassVar[re.Pattern[str]] = no("total")

    @property
    def wish(self) -> str:
        return "Show the total price of the basket."

    def parts(self, site: Site) -> Iterator[Part]:
        listed = site.one(ItemList)
        sign = listed.currency if listed else ""
        yield self.part(Place.HEADER, f'<p aria-live="polite">Total: {sign}<span id="total">0.00</span></p>')
        prices = (
            ", ".join(f"{quoted_for_script(item.name)}: {item.price}" for item in listed.items if item.price)
            if listed
            else ""
        )
        yield self.part(
            Place.SCRIPT,
            f"""
const prices = {{ {prices} }};
document.addEventListener("click", event => {{
  const item = event.target.closest("[data-basket]")?.closest("[data-item]");
  if (!item) return;
  const total = document.getElementById("total");
  total.textContent = (Number(total.textContent) + (prices[item.dataset.item] ?? 0)).toFixed(2);
}});""",
        )


class StatusButton(Fragment, frozen=True):
    """A button on every item in its first state that changes its status."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the status button"
    pattern: ClassVar[re.Pattern[str]] = compiled(rf'{BUTTON}[^"]*{_CHANGES}[^"]*"(?P<to>[^"]+)"')
    denial: ClassVar[re.Pattern[str]] = compiled(
        r"\bno (?:status|state) (?:ever )?changes?\b|\b(?:status|state) never changes?\b"
    )

    label: str
    to: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(found["label"] or found["label2"], found["to"])

    @property
    def key(self) -> str:
        return f'the "{self.label}" button'

    @property
    def value(self) -> str:
        return self.to.casefold()

    @property
    def wish(self) -> str:
        return f'Every item has a "{self.label}" button that changes its status to "{self.to}".'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.ITEM, f'<button type="button" data-becomes="{escape(self.to)}">{escape(self.label)}</button>')
        yield self.part(
            Place.SCRIPT,
            f"""
document.addEventListener("click", event => {{
  const button = event.target.closest(`[data-becomes="${{CSS.escape({quoted_for_script(self.to)})}}"]`);
  if (!button) return;
  const item = button.closest("[data-item]");
  let status = item.querySelector("[data-status]");
  if (!status) {{
    status = document.createElement("span");
    status.dataset.status = "";
    button.before(status);
  }}
  status.textContent = button.dataset.becomes;
  button.remove();
  document.dispatchEvent(new Event("itemschange"));
}});""",
        )


class ItemCounter(Fragment, frozen=True):
    """A button on every item that raises the item's own count."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the counting button"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r'"(?P<label>[^"]+)"[ -]button\b[^".]*\b(?:raises|increases|adds one|counts)\b(?![^".]*\b(?:basket|cart|bag)\b)'
    )
    denial: ClassVar[re.Pattern[str]] = no("votes?|likes?|counts?")

    label: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(found["label"])

    @property
    def key(self) -> str:
        return f'the "{self.label}" button'

    @property
    def wish(self) -> str:
        return f'Every item has a "{self.label}" button that raises its own count by one.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(
            Place.ITEM, f'<button type="button" data-counter>{escape(self.label)}</button> <span data-counted>0</span>'
        )
        yield self.part(
            Place.SCRIPT,
            """
document.addEventListener("click", event => {
  const count = event.target.closest("[data-counter]")?.parentElement.querySelector("[data-counted]");
  if (count) count.textContent = Number(count.textContent) + 1;
});""",
        )


class RemoveButton(Fragment, frozen=True):
    """A button on every item that takes it away."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the removing"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        r'"(?P<label>[^"]+)"[ -]button\b[^".]*\b(?:removes|deletes|takes it (?:away|off))\b'
    )
    denial: ClassVar[re.Pattern[str]] = no("remov\\w+|delet\\w+")

    label: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(found["label"])

    @property
    def value(self) -> str:
        return self.label.casefold()

    @property
    def wish(self) -> str:
        return f'Every item has a "{self.label}" button that removes it.'

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(Place.ITEM, f'<button type="button" data-remove>{escape(self.label)}</button>')
        yield self.part(
            Place.SCRIPT,
            """
document.addEventListener("click", event => {
  const item = event.target.closest("[data-remove]")?.closest("[data-item]");
  if (!item) return;
  item.remove();
  document.dispatchEvent(new Event("itemschange"));
});""",
        )


class Persistence(Fragment, frozen=True):
    """What is still there after the page was reloaded: rows that were added, or the count of the basket."""

    topic: ClassVar[Topic] = Topic.LASTING
    subject: ClassVar[str] = "what lasts after reloading"
    pattern: ClassVar[re.Pattern[str]] = compiled(rf'{_LASTS}[^."]*{_RELOADED}|{_RELOADED}[^."]*{_LASTS}')
    denial: ClassVar[re.Pattern[str]] = compiled(
        r"\breload\w*\b[^.]*\b(?:forgets?|loses?|lost|gone|clears?|empties)\b|\b(?:forgotten|lost|gone)\b[^.]*\breload"
    )

    basket: bool = False

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        return cls(bool({"basket", "cart"} & set(words(sentence))))

    @property
    def wish(self) -> str:
        what = "The basket is" if self.basket else "Entries that were added are"
        return f"{what} still there after the page is reloaded."

    def parts(self, site: Site) -> Iterator[Part]:
        if self.basket and site.one(Basket):
            yield self.part(
                Place.SCRIPT,
                """
{
  const count = document.getElementById("basket");
  count.textContent = localStorage.getItem("basket") ?? "0";
  new MutationObserver(() => localStorage.setItem("basket", count.textContent)).observe(count, { childList: true });
}""",
            )
        elif not self.basket and site.one(Table):
            yield self.part(
                Place.SCRIPT,
                """
const added = JSON.parse(localStorage.getItem("added") ?? "[]");
document.addEventListener("itemadded", event => {
  added.push(event.detail);
  localStorage.setItem("added", JSON.stringify(added));
});
document.addEventListener("DOMContentLoaded", () => {
  for (const cells of added) document.dispatchEvent(new CustomEvent("itemwanted", { detail: cells }));
});""",
            )
