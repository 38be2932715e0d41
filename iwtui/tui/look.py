"""The visual language: each action, verdict and status has a glyph, a word and a colour of the theme."""

from dataclasses import dataclass

from textual.content import Content


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


ACTIONS = {
    "clarify": Look("?", "clarify", "$action-clarify"),
    "implement": Look("#", "implement", "$action-implement"),
    "verify": Look("@", "verify", "$action-verify"),
    "submit": Look(">", "submit", "$action-submit"),
    "malformed": Look("!", "malformed", "$action-malformed"),
}

VERDICTS = {
    "passed": Look("✓", "passed", "$verdict-passed"),
    "failed": Look("✗", "failed", "$verdict-failed"),
    "unobserved": Look("?", "unobserved", "$verdict-unobserved"),
    "unjudged": Look("–", "unjudged", "$verdict-unjudged"),
}

STATUSES = {
    "scored": Look("■", "scored", "$status-scored"),
    "crashed": Look("✗", "crashed", "$status-crashed"),
    "infra": Look("!", "infra", "$status-infra"),
    "cancelled": Look("–", "cancelled", "$status-cancelled"),
    "running": Look("▸", "running", "$status-running"),
}

_LETTERS = {"C": "clarify", "I": "implement", "V": "verify", "S": "submit"}


def action_string(actions: str) -> Content:
    """The actions of an episode as the index has them (`C C I V S`, `·` for a malformed turn), in their colours."""
    parts: list[tuple[str, str]] = []
    style = ""
    for letter in actions:
        # A blank keeps the style before it, so that actions of a kind are one piece on their way to the terminal.
        style = style if letter.isspace() else ACTIONS[_LETTERS.get(letter, "malformed")].style
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
