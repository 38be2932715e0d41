"""Views of stored episodes say what the archive says."""

from pathlib import Path

from iwtui.archive.log import read_log
from iwtui.bench.status import episode_score, status
from iwtui.tui.state.episode import EpisodeView
from tests.support.stores import make_store


def test_every_episode_of_a_store_looks_as_the_archive_folds_it(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    seen = 0
    for run in map(store.run, store.runs()):
        for name in run.episodes():
            view = EpisodeView(run.case_of(name), run.plan.primary_judge)
            view.feed(record for _, record in read_log(run.episode_log(name)))
            for judging in run.judgings(name):
                view.feed_judging(judging, (record for _, record in read_log(run.judging_log(name, judging))))
            primary = run.primary_judging(name)
            episode, judged = run.fold_episode(name), primary[1] if primary else None
            assert (view.latest, view.judging) == (episode, judged)
            assert view.judging_name == (primary[0] if primary else "")
            assert view.header.status is status(episode, judged)
            assert view.case is not None
            assert view.header.score == episode_score(view.case, episode, judged)
            texts = {blob: store.blobs.get(blob).decode() for blob in view.wanted()}
            view.supply(texts)
            assert all(block.blob is None for block in view.dialogue)
            assert view.workspace.manifest == episode.manifest
            seen += 1
    assert seen > 5
