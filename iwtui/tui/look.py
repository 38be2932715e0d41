"""The visual language: each action, verdict and status has a glyph, a word and a colour of the theme."""

from dataclasses import dataclass

from textual.content import Content

from iwtui.archive.state_rows import LETTERS
from iwtui.bench.score import Verdict
from iwtui.bench.votes import Word
from iwtui.tui.state.signs import ACTION_GLYPHS, STATUS_GLYPHS, VERDICT_GLYPHS


@dataclass(frozen=True)
class Look:
    """`style` names a variable that every theme of ours has; the glyph says the same without colour."""

    glyph: str
    word: str
    style: str

    def glyphed(self) -> Content:
        """The glyph alone, in its colour."""
        return Content.styled(self.glyph, self.style)

    def worded(self) -> Content:
        """Glyph and word, in their colour."""
        return Content.styled(f"{self.glyph} {self.word}", self.style)


ACTIONS = {word: Look(glyph, word, f"$action-{word}") for word, glyph in ACTION_GLYPHS.items()}
VERDICTS = {verdict.value: Look(glyph, verdict.value, f"$verdict-{verdict}") for verdict, glyph in VERDICT_GLYPHS.items()}
STATUSES = {status.value: Look(glyph, status.value, f"$status-{status}") for status, glyph in STATUS_GLYPHS.items()}

WORDS = {Word.PASS: Verdict.PASSED.value, Word.FAIL: Verdict.FAILED.value, Word.UNSURE: Verdict.UNOBSERVED.value}
"""Whose glyph and colour a person's word has."""

_BY_LETTER = {letter: ACTIONS[action] for action, letter in LETTERS.items()}


def action_string(actions: str) -> Content:
    """The actions of an episode as the index has them (`C C I V S`, `M` for a malformed turn), in their colours."""
    parts: list[tuple[str, str]] = []
    style = ""
    for letter in actions:
        # A blank keeps the style before it, so that actions of a kind are one piece on their way to the terminal.
        style = style if letter.isspace() else _BY_LETTER.get(letter, ACTIONS["malformed"]).style
        if parts and parts[-1][1] == style:
            parts[-1] = (parts[-1][0] + letter, style)
        else:
            parts.append((letter, style))
    return Content.assemble(*parts)


VARIABLES = (
    *(look.style[1:] for group in (ACTIONS, VERDICTS, STATUSES) for look in group.values()),
    "who-client",
    "who-builder",
    "who-copilot",
    "who-judge",
    "diff-added",
    "diff-removed",
    "heat-low",
    "heat-high",
    "dim",
)
"""The variables of a theme that are ours; a user's theme takes the shipped one's for those that it lacks."""
