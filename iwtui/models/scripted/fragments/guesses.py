"""What a builder puts where it knows nothing, and what it adds of its own accord."""

from collections.abc import Iterator
from typing import ClassVar

from iwtui.models.scripted.fragments.base import Fragment, Part, Place, Topic
from iwtui.models.scripted.fragments.look import SiteName
from iwtui.models.scripted.fragments.site import Site

GUESSED_NAME = SiteName("My Site")


class GuessedItems(Fragment, frozen=True):
    """A few items that nobody named; nothing acts on them."""

    topic: ClassVar[Topic] = Topic.DATA
    subject: ClassVar[str] = "guessed items"

    def parts(self, site: Site) -> Iterator[Part]:
        entries = "\n".join(f'<li><span class="name">Item {word}</span></li>' for word in ("one", "two", "three"))
        yield self.part(Place.DATA, f'<ul class="cards">\n{entries}\n</ul>')


class Newsletter(Fragment, frozen=True):
    """A form that nobody asked for."""

    topic: ClassVar[Topic] = Topic.TEXTS
    subject: ClassVar[str] = "an unasked newsletter"

    def parts(self, site: Site) -> Iterator[Part]:
        yield self.part(
            Place.FOOTER,
            '<h2>Stay in touch</h2>\n<form onsubmit="return false">\n<label>Your e-mail<input type="email"></label>\n'
            "<button>Subscribe to our newsletter</button>\n</form>",
        )
