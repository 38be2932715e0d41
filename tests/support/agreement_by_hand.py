"""Agreement of the judge with people, straight from the files of a store: a script of its own that uses nothing of ours.

    python agreement_by_hand.py STORE  ->  {"all": {...}, "persona P-MIN": {...}, "kind content": {...}, ..}

κ from the shares, τ-b by counting every pair of slots.
"""

import json
import math
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any


def lines(pattern: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(STORE.glob(pattern)):
        for line in path.read_text("utf-8").splitlines():
            yield path, json.loads(line)


def kappa(pairs: list[tuple[bool, bool]]) -> float | None:
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    expected = sum((sum(a == c for a, _ in pairs) / n) * (sum(b == c for _, b in pairs) / n) for c in (True, False))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def tau(pairs: list[tuple[bool, bool]]) -> float | None:
    concordant = discordant = untied_a = untied_b = 0
    for (a, b), (c, d) in combinations(pairs, 2):
        untied_a += a != c
        untied_b += b != d
        concordant += a != c and b != d and (a > c) == (b > d)
        discordant += a != c and b != d and (a > c) != (b > d)
    return None if not untied_a or not untied_b else (concordant - discordant) / math.sqrt(untied_a * untied_b)


def figures(pairs: list[tuple[bool, bool]]) -> dict[str, float | None]:
    return {
        "n": len(pairs),
        "fp": sum(a and not b for a, b in pairs),
        "fn": sum(b and not a for a, b in pairs),
        "kappa": kappa(pairs),
        "tau": tau(pairs),
    }


STORE = Path(sys.argv[1])
cases = {case["id"]: case for _, case in lines("runs/*/cases.jsonl")}
told = {}
for path, event in lines("runs/*/judgings/*.jsonl"):
    if event["kind"] == "SlotJudged":
        episode, judging = path.stem.rsplit(".", 1)
        told[f"{path.parts[-3]}/{episode}", judging, event["slot"]] = event["verdict"] == "passed"
groups: dict[str, list[tuple[bool, bool]]] = {}
for _, word in lines("annotations/*.jsonl"):
    if word["kind"] == "SlotDecided" and word["verdict"] != "unsure":
        judge = told[word["episode"], word["judging"], word["slot"]]
        case = cases[word["episode"].partition("/")[2].partition(".")[0]]
        pair = judge, word["verdict"] == "pass"
        kind, persona = case["slots"][word["slot"]]["kind"], case["persona"]["id"]
        for group in ("all", f"persona {persona}", f"kind {kind}", f"judge {word['judging']}"):
            groups.setdefault(group, []).append(pair)
print(json.dumps({group: figures(pairs) for group, pairs in groups.items()}))
