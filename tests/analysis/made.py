"""An index in memory whose rows are made by hand, so that figures can be worked out by hand."""

from collections.abc import Mapping
from typing import Any

import duckdb

from iwtui.analysis.episodes import Asked
from iwtui.archive import schema

USUAL: dict[str, Any] = {
    "run": "r",
    "pack": "starter",
    "seed": "bakery",
    "persona": "P-MIN",
    "difficulty": "easy",
    "language": "en",
    "builder": "b",
    "repeat": 1,
    "attempt": 1,
    "counts": True,
    "status": "scored",
    "stop_reason": "submitted",
    "actions": "I S",
    "scripted": False,
    "tcr": 1.0,
    "tcr_clean": 1.0,
    "sr": True,
    "hallucinated": False,
    "loc": 100,
    "turns": 2,
    "clarifies": 0,
    "implements": 1,
    "verifies": 0,
    "malformed": 0,
    "conflicts": 0,
    "steal_steps": 0,
    "blind_executions": 0,
    "cost": 0.5,
    "unpriced_calls": 0,
    "seconds": 10.0,
}
_UNSCORED = dict.fromkeys(("tcr", "tcr_clean", "sr", "hallucinated"))
_BY_STATUS: dict[str, dict[str, Any]] = {
    "scored": {},
    "crashed": {"tcr": 0.0, "tcr_clean": 0.0, "sr": False, "hallucinated": None},
}

EVERY = Asked()
"""All episodes that count."""


def index() -> duckdb.DuckDBPyConnection:
    """An index without any row."""
    con = duckdb.connect()
    schema.create(con)
    return con


def insert(con: duckdb.DuckDBPyConnection, table: str, row: Mapping[str, Any]) -> None:
    """One row; columns that are not named are NULL."""
    names = ", ".join(f'"{name}"' for name in row)
    con.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))


def episodes(*rows: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
    """An index with an episode a row, each with a case of its own; a row may overrule the columns.

    `negative_missed` puts in a verdict on a NEGATIVE slot.
    """
    con = index()
    for number, row in enumerate(rows):
        own = {name: value for name, value in row.items() if name != "negative_missed"}
        base = {"episode": f"r/c{number}.b.r1.a1", "case_id": f"c{number}"} | USUAL
        whole = base | _BY_STATUS.get(row.get("status", "scored"), _UNSCORED) | own
        insert(con, "attempts", whole)
        missed = row.get("negative_missed", False if whole["status"] == "scored" else None)
        if missed is not None:
            verdict = {"episode": whole["episode"], "judging": "checks", "run": whole["run"], "slot": 0, "is_primary": True}
            insert(con, "verdicts", verdict | {"assertion": "NEGATIVE", "verdict": "failed" if missed else "passed"})
    return con
