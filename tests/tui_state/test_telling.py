"""Rows: every kind of event in one line, with a glyph and a tone."""

from pathlib import Path

import pytest

from iwtui.bench.codec import decode
from iwtui.bench.events import (
    ActionChosen,
    ClientReplied,
    CommandRan,
    EpisodeEnded,
    Event,
    FileChange,
    FilesChanged,
    Known,
    ModelCalled,
    Refusal,
    SiteProbed,
    SlotJudged,
    Verified,
)
from iwtui.tui.state.words import LONGEST, row_of
from tests.support.console_logs import A, log

GOLDEN = [
    decode(line) for line in (Path(__file__).parent.parent / "domain" / "golden" / "v1.jsonl").read_bytes().splitlines()
]


def test_every_kind_of_event_has_a_row() -> None:
    assert {type(record.event) for record in GOLDEN} >= set(Known.__args__)
    for record in GOLDEN:
        row = row_of(record)
        assert row.text.strip() and len(row.text) <= LONGEST
        assert len(row.glyph) == 1
        assert (row.seq, row.number, row.turn, row.kind) == (record.seq, record.seq, record.turn, record.kind)


@pytest.mark.parametrize(
    ("event", "glyph", "tone", "failed", "text"),
    [
        (ActionChosen(action="clarify", question="Which\ncolour?"), "?", "clarify", False, "clarify: Which colour?"),
        (ActionChosen(action="implement", files=("a.js", "b.js")), "#", "implement", False, "implement: a.js, b.js"),
        (ActionChosen(action="submit"), ">", "submit", False, "submit"),
        (ActionChosen(action="malformed", prose="hm"), "!", "malformed", True, "malformed: hm"),
        (ActionChosen(action="dance"), "·", "", False, "dance"),
        (
            ModelCalled(role="client", model="m", ordinal=0, request=(), fault="429"),
            "✗",
            "bad",
            True,
            "client's model failed: 429",
        ),
        (ClientReplied(question="q", reply="No.", leaked=(1,)), "“", "warn", False, "client (leaked 1 fact): No."),
        (ClientReplied(question="q", reply="No.", by="person"), "“", "", False, "person: No."),
        (
            FilesChanged(
                manifest=A,
                files=1,
                lines=2,
                changes=(FileChange("x.js", "add", A, 9, added=2, elided=True),),
                refused=(Refusal("../y", "outside"),),
            ),
            "±",
            "warn",
            False,
            "+2 −0 x.js — 1 file refused — possible elision",
        ),
        (CommandRan(command="npm i", exit_code=1, seconds=2), "$", "bad", True, "npm i — exit 1, 2.0 s"),
        (CommandRan(command="npm i"), "$", "bad", True, "npm i — no exit code, 0.0 s"),
        (
            CommandRan(command="npm run dev", serving=True, why="it answers", seconds=3),
            "$",
            "",
            False,
            "npm run dev — serving; it answers, 3.0 s",
        ),
        (
            ModelCalled(role="judge", model="m", ordinal=0, request=(), fault="429", attempt=2, retried=True),
            "↻",
            "warn",
            False,
            "judge's model failed in attempt 2, asked again: 429",
        ),
        (
            ModelCalled(role="judge", model="m", ordinal=0, request=(), attempt=3, replayed=True, seconds=1),
            "·",
            "dim",
            False,
            "judge 1.0 s in attempt 3, from the record: m",
        ),
        (
            ClientReplied(question="q", reply="Later.", challenged=True, held=(0, 2), answered=False),
            "“",
            "warn",
            False,
            "client (challenged, holds back 2 facts, no more questions): Later.",
        ),
        (CommandRan(command="rm", refused="no"), "$", "warn", False, "rm — not run: no"),
        (
            SiteProbed(phase="final", ok=False, reason="404", fault="site"),
            "✗",
            "bad",
            True,
            "final: the site does not run (its own fault): 404",
        ),
        (
            Verified(path="/", criteria="c", status="failed", report="r", steps=2, streak=3),
            "✗",
            "bad",
            True,
            "audit: failed after 2 steps, 3 in a row: r",
        ),
        (SlotJudged(slot=2, verdict="unjudged", reason="odd"), "–", "warn", True, "slot 2 unjudged: odd"),
        (EpisodeEnded(status="crashed", stop_reason="turns", text="502"), "└", "bad", True, "crashed, turns: 502"),
    ],
)
def test_the_row_says_what_happened(event: Event, glyph: str, tone: str, failed: bool, text: str) -> None:
    row = row_of(log((1, event))[0])
    assert (row.glyph, row.tone, row.failed, row.text) == (glyph, tone, failed, text)


def test_a_long_text_makes_no_long_row() -> None:
    row = row_of(log((1, ActionChosen(action="clarify", question="x" * 15_000)))[0])
    assert len(row.text) == LONGEST
    assert row.text.endswith("…")
