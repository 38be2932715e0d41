"""The judges by name, and how a setting names one."""

CHECKS, VOYAGER, INTENT, VISUAL = "checks", "voyager", "intent", "visual"

JUDGES = (CHECKS, VOYAGER, INTENT, VISUAL)
"""`checks` and `voyager` give verdicts on slots, and may be primary; the others measure the whole episode."""

MEASURING = frozenset({INTENT, VISUAL})
"""Judges that say nothing of single slots, and so give no score."""


def judge_and_model(setting: str) -> tuple[str, str | None]:
    """The judge that a setting names, and its model: anything but a judge's name is the model of a `voyager`."""
    return (setting, None) if setting in JUDGES else (VOYAGER, setting)
