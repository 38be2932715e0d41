"""Two runs of the same cases for comparing: two slots flipped each way, and one case missing in the second."""

from pathlib import Path

from iwtui.archive.store import Store
from iwtui.bench.case import Case
from iwtui.bench.score import Verdict
from tests.support.stores import BEGAN, F, P, judge, make_case, make_run, play

SEEDS = ("bakery", "lending", "museum")
PERSONAS = ("P-MIN", "P-RAM")
CASES = tuple(f"{seed}_{persona}" for seed in SEEDS for persona in PERSONAS)

VERDICTS_A: dict[str, tuple[Verdict, ...]] = {
    "bakery_P-MIN": (P, P, P, P),
    "bakery_P-RAM": (P, P, F, P),
    "lending_P-MIN": (F, P, P, P),
    "lending_P-RAM": (P, F, P, P),
    "museum_P-MIN": (P, P, P, F),
    "museum_P-RAM": (P, P, P, P),
}
VERDICTS_B: dict[str, tuple[Verdict, ...]] = {
    "bakery_P-MIN": (P, F, P, P),
    "bakery_P-RAM": (P, P, F, P),
    "lending_P-MIN": (P, P, P, P),
    "lending_P-RAM": (P, P, P, P),
    "museum_P-MIN": (P, P, F, F),
}
"""museum_P-RAM is missing."""

NEWLY_FAILING = [("bakery_P-MIN", 1), ("museum_P-MIN", 2)]
NEWLY_FIXED = [("lending_P-MIN", 0), ("lending_P-RAM", 1)]
STILL_FAILING = [("bakery_P-RAM", 2), ("museum_P-MIN", 3)]
APART = [("museum_P-RAM", "missing in B")]

DIFFERENCES = {
    "bakery_P-MIN": -1.5 / 5.75,
    "bakery_P-RAM": 0.0,
    "lending_P-MIN": 1 / 5.75,
    "lending_P-RAM": 1.5 / 5.75,
    "museum_P-MIN": -2.25 / 5.75,
}
"""TCR of B minus TCR of A; the weights are 1, 1.5, 2.25 and 1."""


def two_runs(root: Path) -> Store:
    """Runs `before` and `after`."""
    store = Store(root)
    cases = {case.id: case for case in make_cases()}
    for number, (run, verdicts) in enumerate((("before", VERDICTS_A), ("after", VERDICTS_B))):
        folder = make_run(store, run, list(cases.values()), created=BEGAN + number)
        for case_id, words in verdicts.items():
            judge(folder, play(folder, cases[case_id], actions="CIVS" if run == "before" else "IVS"), words)
    return store


def make_cases() -> list[Case]:
    """Two seeds of an easy sort, one hard."""
    return [
        make_case(seed, persona, difficulty="hard" if seed == "museum" else "easy") for seed in SEEDS for persona in PERSONAS
    ]
