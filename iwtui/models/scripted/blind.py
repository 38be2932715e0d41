"""A builder that never asks: it builds what it reads in the instruction, guesses the rest, adds something, hands in."""

from collections.abc import Sequence

from iwtui.models.scripted.answers import answer, asked_in, exchanges, instruction_of
from iwtui.models.scripted.fragments.base import Fragment, Topic
from iwtui.models.scripted.fragments.guesses import GUESSED_NAME, GuessedItems, Newsletter
from iwtui.models.scripted.fragments.look import SiteName
from iwtui.models.scripted.fragments.site import Site
from iwtui.models.scripted.messages import Messages
from iwtui.models.scripted.reading import Reading, read

FINISH = '<boltAction type="finish">done</boltAction>'


def reply(messages: Messages) -> str:
    """Implement once, then submit; and once more for an answer that it is told, to a question that another put for it."""
    told: list[str] = []
    built = 0
    for said, came in exchanges(messages):
        if question := asked_in(said):
            told.append(answer(question, came).told)
        elif "<boltArtifact" in said:
            built = len(told) + 1
    if built > len(told):
        return FINISH
    return implementation(padded(read(instruction_of(messages), *told)))


def padded(reading: Reading) -> list[Fragment]:
    """What was read, with guesses in its gaps and something that nobody asked for."""
    guessed: list[Fragment] = [] if reading.has(Topic.DATA) else [GuessedItems()]
    return [*reading.fragments, *guessed, Newsletter()]


def implementation(fragments: Sequence[Fragment]) -> str:
    """The message that writes a site. A site has to be called something."""
    name = next((fragment for fragment in fragments if isinstance(fragment, SiteName)), GUESSED_NAME)
    named = fragments if name in fragments else [name, *fragments]
    html = Site(named).html(name.name)
    return (
        '<boltArtifact id="site" title="The site">\n'
        f'<boltAction type="file" filePath="index.html">\n{html}</boltAction>\n</boltArtifact>'
    )
