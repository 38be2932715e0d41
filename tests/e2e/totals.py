"""What a run's totals must be, added up from the server's log and the event logs by the standard library alone.

`python tests/e2e/totals.py SERVER_LOG STORE` prints them as JSON; nothing of the program is imported.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROLES = {
    "builder": "builder",
    "client_retrieve": "client",
    "client_phrase": "client",
    "copilot": "copilot",
    "voyager": "judge",
    "intent": "intent",
    "visual": "visual",
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def served(log: Path) -> dict[str, list[int]]:
    """By role: requests, tokens in, tokens out. Requests of no role are those of the preflight."""
    totals: dict[str, tuple[int, int, int]] = {}
    for line in lines(log):
        role = ROLES.get(line["role"])
        if role is not None:
            requests, tokens_in, tokens_out = totals.get(role, (0, 0, 0))
            totals[role] = (requests + 1, tokens_in + (line["tokens_in"] or 0), tokens_out + (line["tokens_out"] or 0))
    return {role: list(total) for role, total in sorted(totals.items())}


def weights(slots: list[dict[str, Any]]) -> list[float]:
    """The paper's: c_tech * (1 + 0.5 * (N - 1)) / N, N being the slots that share a component."""
    sharing = Counter(slot["component"] for slot in slots)
    return [
        round(slot["c_tech"] * (1 + 0.5 * (sharing[slot["component"]] - 1)) / sharing[slot["component"]], 2)
        for slot in slots
    ]


def score(slots: list[dict[str, Any]], verdicts: dict[int, str]) -> float | None:
    """TCR over the slots that were judged or never looked at; None when there is none."""
    counted = [(weight, verdicts.get(i)) for i, weight in enumerate(weights(slots)) if verdicts.get(i) != "unjudged"]
    total = sum(weight for weight, _ in counted)
    return sum(weight for weight, verdict in counted if verdict == "passed") / total if total else None


def episodes(store: Path) -> dict[str, dict[str, Any]]:
    """By episode: how it ended, turns, questions, the TCR of its `voyager`."""
    found = {}
    for run in sorted((store / "runs").iterdir()):
        cases = {case["id"]: case for case in lines(run / "cases.jsonl")}
        for log in sorted((run / "episodes").glob("*.jsonl")):
            events = lines(log)
            case = cases[events[0]["case_id"]]
            (judging,) = (run / "judgings").glob(f"{log.stem}.voyager-*.jsonl")
            judged = lines(judging)
            verdicts = {event.get("slot", 0): event["verdict"] for event in judged if event["kind"] == "SlotJudged"}
            found[f"{run.name}/{log.stem}"] = {
                "status": judged[-1]["status"],
                "turns": sum(event["kind"] == "TurnStarted" for event in events),
                "clarifies": sum(event["kind"] == "ActionChosen" and event["action"] == "clarify" for event in events),
                "passed": sum(verdict == "passed" for verdict in verdicts.values()),
                "tcr": score(case["slots"], verdicts),
            }
    return found


if __name__ == "__main__":
    print(json.dumps({"calls": served(Path(sys.argv[1])), "episodes": episodes(Path(sys.argv[2]))}))
