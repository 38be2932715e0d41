"""The colours of the tones and speakers that the plain data names."""

from iwtui.tui.look import ACTIONS, VERDICTS

TONES = {
    "": "",
    "good": VERDICTS["passed"].style,
    "bad": VERDICTS["failed"].style,
    "warn": VERDICTS["unobserved"].style,
    "dim": "$dim",
} | {word: look.style for word, look in ACTIONS.items()}
"""A style for each tone of a row, a block, a slot or a note."""

SPEAKERS = {
    "client": "$who-client",
    "person": "$who-client",
    "agent": "$who-builder",
    "builder": "$who-builder",
    "audit": "$who-copilot",
    "judge": "$who-judge",
}
"""A style for who speaks in the dialogue; everyone else is dim."""


def tone_style(tone: str) -> str:
    """The style of a tone; none for one that is not known."""
    return TONES.get(tone, "")


def speaker_style(who: str) -> str:
    """The style of a speaker's name."""
    return SPEAKERS.get(who, TONES["dim"])
