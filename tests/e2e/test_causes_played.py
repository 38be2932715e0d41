"""Episodes that fail for a known reason, played and judged for real: each cause is the one that was brought about."""

import asyncio
from typing import Any

from iwtui.bench.blame import Cause, blames
from iwtui.bench.score import Verdict
from tests.support.rare_causes import RARE, WHOLE, Given, run_of


async def test_each_rare_cause_is_the_one_that_was_brought_about(player: Any) -> None:
    async def played(name: str) -> None:
        wanted = RARE[name].causes
        folder = run_of(player.store, name, player._chromium, tuple(wanted))
        await player.go_on(folder, Given())
        (episode,) = folder.episodes()
        case, primary = folder.case_of(episode), folder.primary_judging(episode)
        assert case and primary
        assert set(primary[1].slot_verdicts(len(wanted))) == {Verdict.FAILED}, name
        found = blames(case, folder.fold_episode(episode), primary[1], folder.blobs)
        assert [blame.cause for blame in found] == list(wanted.values()), name
        assert all(blame.evidence for blame in found)

    await asyncio.gather(*map(played, RARE))


def test_the_broken_sites_are_broken_in_one_place() -> None:
    sites = {reply for rare in RARE.values() for reply in rare.replies if "<boltArtifact" in reply}
    assert WHOLE not in sites and len(sites) >= 5
    assert {cause for rare in RARE.values() for cause in rare.causes.values()} >= {
        Cause.MISSED,
        Cause.ANSWER_IGNORED,
        Cause.NOT_VERIFIED,
        Cause.VERIFIED_WRONG,
        Cause.HALLUCINATED_DECORATIVE,
    }
