"""What a run has spent so far, by its logs: all attempts, all judgings, and what was discarded too."""

from iwtui.archive.run_folder import RunFolder
from iwtui.models.budget import Budget


def budget(folder: RunFolder, limit: float | None) -> Budget:
    """A budget for the run (US dollars; None: no limit) that begins with what was spent before."""
    spent, unpriced = 0.0, 0
    for name in folder.episodes():
        for took in (
            folder.fold_episode(name).spent,
            *(folder.fold_judging(name, judging).spent for judging in folder.judgings(name)),
        ):
            spent += took.cost
            unpriced += took.unpriced
    return Budget(limit, spent, unpriced, f"run {folder.name}")
