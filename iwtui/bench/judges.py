"""The judges by name, and how a setting names one."""

CHECKS, VOYAGER, INTENT, VISUAL = "checks", "voyager", "intent", "visual"

JUDGES = (CHECKS, VOYAGER, INTENT, VISUAL)
"""`checks` and `voyager` give verdicts on slots, and may be primary; `intent` and `visual` measure the whole episode."""


def judge_and_model(setting: str) -> tuple[str, str | None]:
    """The judge that a setting names, and its model: anything but a judge's name is the model of a `voyager`."""
    return (setting, None) if setting in JUDGES else (VOYAGER, setting)
