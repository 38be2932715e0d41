"""The signs of actions, verdicts and statuses, and their tones: the one table of the console and its plain twin. Pure."""

from iwtui.bench.score import Verdict
from iwtui.bench.status import Status

ACTION_GLYPHS = {"clarify": "?", "implement": "#", "verify": "@", "submit": ">", "malformed": "!"}

VERDICT_GLYPHS = {Verdict.PASSED: "✓", Verdict.FAILED: "✗", Verdict.UNOBSERVED: "?", Verdict.UNJUDGED: "–"}
VERDICT_TONES = {Verdict.PASSED: "good", Verdict.FAILED: "bad", Verdict.UNOBSERVED: "warn", Verdict.UNJUDGED: "warn"}

STATUS_GLYPHS = {
    Status.SCORED: "■",
    Status.CRASHED: "✗",
    Status.INFRA: "!",
    Status.CANCELLED: "–",
    Status.RUNNING: "▸",
}
STATUS_TONES = {
    Status.SCORED: "good",
    Status.CRASHED: "bad",
    Status.INFRA: "warn",
    Status.CANCELLED: "warn",
    Status.RUNNING: "",
}

PENDING = "·"
"""The glyph of what is not decided yet."""
