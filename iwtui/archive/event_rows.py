"""Rows that stand for one event each: pure functions of a line of a log."""

import duckdb

from iwtui.archive.rows import Row, Rows, moment
from iwtui.bench.events import (
    BrowserStepped,
    ClientReplied,
    EpisodeMeasured,
    FilesChanged,
    ModelCalled,
    Record,
    Text,
    head,
)

UNDONE = ("dialogue", "files", "browser_steps")
"""Tables that lose the rows of discarded events."""

MARKED = {"events": "seq", "calls": "event"}
"""Tables that keep them, marked; with the column that bears the event's seq."""


def add_event_rows(
    rows: Rows, episode: str, judging: str | None, run: str, record: Record, line: bytes, inherited: bool = False
) -> None:
    """The rows of one event: always one of `events`, and those of the table of its kind.

    `inherited`: a fork has it from its parent.
    """
    log: Row = {"episode": episode, "judging": judging, "run": run, "inherited": inherited}
    at: Row = {"turn": record.turn, "t": moment(record.t)}
    text = line.decode("utf-8", "replace")
    rows.add("events", {**log, **at, "seq": record.seq, "kind": record.kind, "event": text, "discarded": False})
    key: Row = {**log, **at, "event": record.seq}
    match record.event:
        case ModelCalled() as call:
            rows.add("calls", {**key, **_call(call)})
        case ClientReplied() as reply:
            rows.add("dialogue", {**key, **_reply(reply)})
        case FilesChanged() as changed:
            rows.extend("files", [{**key, **row} for row in _files(changed)])
        case BrowserStepped() as step:
            rows.add("browser_steps", {**key, **_step(step)})
        case EpisodeMeasured() as measured:
            rows.add("measures", {**key, **_measure(measured)})


def discard(rows: Rows, episode: str, first: int) -> None:
    """What a resume does: the episode's events from seq `first` up to here no longer count, written already or not."""
    rows.discards.append((episode, first))
    for table in UNDONE:
        rows.tables[table] = [
            row for row in rows.tables[table] if row["episode"] != episode or row.get("judging") or row["event"] < first
        ]
    for table, seq in MARKED.items():
        for row in rows.tables[table]:
            if row["episode"] == episode and not row["judging"] and row[seq] >= first:
                row["discarded"] = True


def write_discards(con: duckdb.DuckDBPyConnection, rows: Rows) -> None:
    """The same to the rows that were written before."""
    for episode, first in rows.discards:
        for table in UNDONE:
            own = " AND judging IS NULL" if table == "browser_steps" else ""
            con.execute(f"DELETE FROM {table} WHERE episode = ? AND event >= ?{own}", [episode, first])
        for table, seq in MARKED.items():
            con.execute(
                f"UPDATE {table} SET discarded = true WHERE episode = ? AND judging IS NULL AND {seq} >= ?", [episode, first]
            )


def _call(call: ModelCalled) -> Row:
    return {
        "role": call.role,
        "ordinal": call.ordinal,
        "model": call.model,
        "answered_by": call.answered_by,
        "messages": len(call.request),
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost": call.cost,
        "latency": call.seconds or None,
        "finish_reason": call.finish_reason,
        "reply": _text(call.reply),
        "error": call.fault,
        "error_kind": call.fault_kind,
        "attempt": call.attempt,
        "retried": call.retried,
        "replayed": call.replayed,
        "discarded": False,
    }


def _reply(reply: ClientReplied) -> Row:
    return {
        "question": head(reply.question),
        "reply": head(reply.reply),
        "answered_by": reply.by,
        "retrieved": reply.retrieved,
        "disclosed": reply.disclosed,
        "leaked": reply.leaked,
        "challenged": reply.challenged,
        "held": reply.held,
        "answered": reply.answered,
    }


def _files(changed: FilesChanged) -> list[Row]:
    changes: list[Row] = [
        {
            "path": change.path,
            "op": change.op,
            "blob": change.blob,
            "size": change.size,
            "added": change.added,
            "removed": change.removed,
            "elided": change.elided,
        }
        for change in changed.changes
    ]
    return changes + [{"path": refusal.path, "op": "refused", "reason": refusal.reason} for refusal in changed.refused]


def _step(step: BrowserStepped) -> Row:
    return {
        "phase": step.phase,
        "step": step.step,
        "slot": step.slot,
        "thought": _text(step.thought),
        "action": step.action,
        "target": step.target,
        "result": step.result,
        "url": step.url,
        "screenshot": step.picture,
        "marks": step.marks,
        "marks_count": step.marks_count,
        "dialogs": len(step.dialogs),
        "console": step.console,
        "blocked": step.blocked,
        "seconds": step.seconds or None,
    }


def _measure(measured: EpisodeMeasured) -> Row:
    return {
        "metric": measured.metric.lower(),
        "slot": measured.slot,
        "value": measured.value,
        "reason": _text(measured.reason),
    }


def _text(text: Text) -> str | None:
    return head(text) or None
