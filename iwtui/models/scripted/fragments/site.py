"""A site put together from fragments: one page, everything in one file."""

from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import TypeVar

from iwtui.models.scripted.fragments.base import Fragment, Part, Place

F = TypeVar("F", bound=Fragment)

ACTIONS_HERE = "<!-- actions -->"
"""Where each item of a list or a row of a table takes up what other fragments put into every item."""


class Site:
    """The fragments of a site, and the page that they make together."""

    def __init__(self, fragments: Sequence[Fragment]) -> None:
        self.fragments = tuple(fragments)

    def one(self, kind: type[F]) -> F | None:
        """The fragment of a kind, when the site has it."""
        return next((fragment for fragment in self.fragments if isinstance(fragment, kind)), None)

    def all(self, kind: type[F]) -> list[F]:
        """All fragments of a kind."""
        return [fragment for fragment in self.fragments if isinstance(fragment, kind)]

    def parts(self) -> list[Part]:
        """All pieces of the page, each with the fragment it comes from."""
        return [part for fragment in self.fragments for part in fragment.parts(self)]

    def html(self, title: str) -> str:
        """The page. `title` names it in the browser's tab."""
        parts = self.parts()

        def at(*places: Place) -> str:
            return "\n".join(part.text for place in places for part in parts if part.place is place)

        main = at(Place.TOP, Place.ABOVE, Place.DATA, Place.BELOW).replace(ACTIONS_HERE, at(Place.ITEM))
        footer, script = at(Place.FOOTER), at(Place.SCRIPT)
        return "\n".join(
            line
            for line in (
                "<!DOCTYPE html>",
                '<html lang="en">',
                "<head>",
                '<meta charset="utf-8">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{escape(title)}</title>",
                f"<style>\n{_shipped('page.css')}{at(Place.STYLE)}\n</style>",
                "</head>",
                "<body>",
                f"<header>\n{at(Place.HEADER)}\n</header>",
                f"<main>\n{main}\n</main>",
                f"<footer>\n{footer}\n</footer>" if footer else "",
                f"<script>\n{script}\n</script>" if script else "",
                "</body>",
                "</html>",
                "",
            )
            if line
        )


def _shipped(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
