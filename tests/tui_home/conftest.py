"""A store written out by hand: two runs, one of them broken off."""

from pathlib import Path

import pytest

from iwtui.bench.case import Case
from tests.cli.scribe import Scribe, add_whole, make_case, started, whole_episode, whole_judging

BUILDERS = ("scripted/blind", "scripted/clarifier")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the user's settings, nor the runs that are played on this machine."""
    for name in ("CONFIG", "CACHE", "RUNTIME"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(f"XDG_{name}_DIR" if name == "RUNTIME" else f"XDG_{name}_HOME", str(folder))


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    return Scribe(tmp_path / "store")


def stem(case: Case, builder: str) -> str:
    return f"{case.id}.{builder.replace('/', '-')}.r1.a1"


@pytest.fixture
def stored(scribe: Scribe) -> Scribe:
    """Run `first`: one scored episode. Run `second`: four cases by two builders; all scored but one that goes on."""
    add_whole(scribe, "first")
    cases = [make_case(seed, persona) for seed in ("bakery", "gallery") for persona in ("P-MIN", "P-RAM")]
    scribe.run("second", cases, BUILDERS)
    for case in cases:
        for builder in BUILDERS:
            if (case.id, builder) == ("gallery_P-RAM", "scripted/clarifier"):
                scribe.episode("second", stem(case, builder), [started(case, builder), *whole_episode(scribe, case)[1:9]])
                continue
            told = whole_episode(scribe, case)
            scribe.episode("second", stem(case, builder), [started(case, builder), *told[1:]])
            scribe.judging("second", stem(case, builder), whole_judging())
    return scribe
