"""Forms: one that adds to a table, one that sends a message, and what they say about wrong input."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import ClassVar, Self

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic, compiled, listed, no
from iwtui.models.scripted.fragments.listing import NAMES, STATES, Table, is_status, table_row
from iwtui.models.scripted.fragments.scripts import quoted_for_script
from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.sentences import split_list

_FIELDS = re.compile(rf"(?i:\bfields?)\s*:?\s*(?P<fields>{NAMES})")


_FAULT = (
    r'\b(?:the |an? )?"?(?P<field{0}>[\w-]+)"?(?: field)?(?: is| was)? (?:left )?'
    r"(?P<fault{0}>(?:empty|blank|missing)\b|without an? @|has no @|lacks an? @)"
)


class AddForm(Fragment, frozen=True):
    """A form that adds a row to the table."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the form for adding"
    pattern: ClassVar[re.Pattern[str]] = re.compile(rf"(?i:\bform\b)[^.]*{_FIELDS.pattern}(?i:[^.]*\badd)")
    denial: ClassVar[re.Pattern[str]] = no("add\\w*|forms?")
    what: ClassVar[re.Pattern[str]] = compiled(
        rf"\badd(?:s|ing)?\b (?:an? |new |another )*(\w+)\b(?:[^.]*\bas ({STATES})\b)?"
    )

    fields: tuple[str, ...]
    noun: str = ""
    state: str = ""

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        what = cls.what.search(sentence)
        noun = what[1].lower() if what else ""
        return cls(tuple(split_list(found["fields"])), noun, (what[2] or "").capitalize() if what else "")

    @property
    def value(self) -> str:
        return "|".join(self.fields).casefold()

    @property
    def wish(self) -> str:
        state = f" as {self.state.lower()}" if self.state else ""
        return f"A form with the fields {listed(self.fields)} adds a {self.noun or 'row'} to the table{state}."

    def parts(self, site: Site) -> Iterator[Part]:
        label = f"Add {self.noun}".strip()
        yield self.part(Place.BELOW, _form("add", self.fields, label))
        yield self.part(Place.SCRIPT, _script("add"))
        table = site.one(Table)
        if table is None:
            return
        cells = tuple(self.state if is_status(column) else "" for column in table.columns)
        yield self.part(Place.BELOW, f'<template id="row">{table_row(table.columns, cells)}</template>')
        yield self.part(
            Place.SCRIPT,
            """
document.addEventListener("itemwanted", event => {
  const row = document.getElementById("row").content.firstElementChild.cloneNode(true);
  for (const [column, text] of Object.entries(event.detail)) {
    const cell = row.querySelector(`[data-column="${CSS.escape(column)}"]`);
    if (cell) cell.textContent = text;
  }
  row.dataset.item = row.querySelector("[data-column]").textContent;
  document.querySelector("tbody").append(row);
  document.dispatchEvent(new Event("itemschange"));
});
document.getElementById("add").addEventListener("accepted", event => {
  document.dispatchEvent(new CustomEvent("itemwanted", { detail: event.detail }));
  document.dispatchEvent(new CustomEvent("itemadded", { detail: event.detail }));
});""",
        )


class MessageForm(Fragment, frozen=True):
    """A form that sends something and thanks for it."""

    topic: ClassVar[Topic] = Topic.ACTIONS
    subject: ClassVar[str] = "the form for messages"
    pattern: ClassVar[re.Pattern[str]] = re.compile(
        rf"(?i:\b(?P<what>contact|message|booking|order|enquiry|reservation|newsletter|sign-?up|feedback)\b(?: \w+)? form\b)"
        rf'(?:[^."]*{_FIELDS.pattern})?[^"]*"(?P<thanks>[^"]+)"'
    )
    denial: ClassVar[re.Pattern[str]] = no("contact form|message form|forms?")

    what: str
    fields: tuple[str, ...]
    thanks: str

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        fields = split_list(found["fields"]) if found["fields"] else ["Name", "E-mail", "Message"]
        return cls(found["what"].lower(), tuple(fields), found["thanks"])

    @property
    def key(self) -> str:
        return f"the {self.what} form"

    @property
    def value(self) -> str:
        return self.thanks.casefold()

    @property
    def wish(self) -> str:
        return f'A {self.what} form with the fields {listed(self.fields)} shows "{self.thanks}" after sending.'

    def parts(self, site: Site) -> Iterator[Part]:
        name = re.sub(r"\W", "", self.what)
        yield self.part(Place.BELOW, _form(name, self.fields, "Send"))
        yield self.part(
            Place.SCRIPT,
            f"""
document.getElementById("{name}").addEventListener("accepted", event => {{
  event.target.querySelector("[role=status]").textContent = {quoted_for_script(self.thanks)};
}});""",
        )
        yield self.part(Place.SCRIPT, _script(name))


class WrongInput(Fragment, frozen=True):
    """What a form says when a field is left empty, or when an e-mail address has no @."""

    topic: ClassVar[Topic] = Topic.MESSAGES
    subject: ClassVar[str] = "the message for wrong input"
    pattern: ClassVar[re.Pattern[str]] = compiled(
        rf'{_FAULT.format("")}[^"]*"(?P<message>[^"]+)"|"(?P<message2>[^"]+)"[^".]*\b(?:when|if)\b[^".]*?{_FAULT.format("2")}'
    )
    denial: ClassVar[re.Pattern[str]] = no("(?:error )?messages?")

    field: str
    message: str
    empty: bool = True

    @classmethod
    def of(cls, found: re.Match[str], sentence: str) -> Self | None:
        field = found["field"] or found["field2"]
        fault = found["fault"] or found["fault2"]
        return cls(field.lower(), found["message"] or found["message2"], "@" not in fault)

    @property
    def key(self) -> str:
        return f"the message for {'an empty' if self.empty else 'a wrong'} {self.field} field"

    @property
    def value(self) -> str:
        return self.message.casefold()

    @property
    def wish(self) -> str:
        fault = "is left empty" if self.empty else "has no @"
        return f'When the {self.field} field {fault}, the form shows the message "{self.message}" and adds nothing.'

    def parts(self, site: Site) -> Iterator[Part]:
        fields = [field for form in site.all(AddForm) for field in form.fields]
        fields += [field for form in site.all(MessageForm) for field in form.fields]
        if any(self.field == field.lower() for field in fields):
            wrong = "text === ''" if self.empty else "text !== '' && !text.includes('@')"
            yield self.part(
                Place.SCRIPT,
                f"""
document.addEventListener("offered", event => {{
  for (const [field, text] of Object.entries(event.detail))
    if (field.toLowerCase() === {quoted_for_script(self.field)} && {wrong})
      event.target.dataset.fault ||= {quoted_for_script(self.message)};
}});""",
            )


def _form(name: str, fields: Sequence[str], button: str) -> str:
    inputs = "\n".join(_input(name, field) for field in fields)
    return (
        f'<form id="{name}" novalidate>\n{inputs}\n<button>{escape(button)}</button>\n'
        '<p role="alert"></p>\n<p role="status"></p>\n</form>'
    )


def _input(form: str, field: str) -> str:
    known = {
        "message": "<textarea",
        "e-mail": '<input type="email"',
        "email": '<input type="email"',
        "date": '<input type="date"',
    }
    start = known.get(field.lower(), '<input type="text"')
    end = ' rows="3"></textarea>' if start == "<textarea" else ' autocomplete="off">'
    return f'<label>{escape(field)}{start} name="{escape(field)}"{end}</label>'


def _script(name: str) -> str:
    """Sending a form: rules may put a fault on it ("offered"); without one its values are "accepted"."""
    return f"""
document.getElementById("{name}").addEventListener("submit", event => {{
  event.preventDefault();
  const form = event.target;
  const detail = Object.fromEntries([...new FormData(form)].map(([field, text]) => [field, text.trim()]));
  delete form.dataset.fault;
  form.dispatchEvent(new CustomEvent("offered", {{ detail, bubbles: true }}));
  form.querySelector("[role=alert]").textContent = form.dataset.fault ?? "";
  form.querySelector("[role=status]").textContent = "";
  if (form.dataset.fault) return;
  form.dispatchEvent(new CustomEvent("accepted", {{ detail }}));
  form.reset();
}});"""
