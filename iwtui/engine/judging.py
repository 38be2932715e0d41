"""One pass of one judge over an episode's site: restored from its manifest, served anew, in a fresh browser context."""

from pathlib import Path

from iwtui.bench.case import Case
from iwtui.bench.events import Event, JudgingEnded, JudgingStarted, Record, SiteProbed
from iwtui.bench.fold import EpisodeState, JudgingState, step_judging
from iwtui.bench.manifest import decode_manifest
from iwtui.bench.protocols import Blobs, Recorder
from iwtui.engine.journal import Told
from iwtui.engine.site import JUDGE_VIEW, SiteDownError, down, opened, probed
from iwtui.judges.base import Judge
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError, PageDeadError
from iwtui.web.workspace import Workspace


class JudgingJournal:
    """A recorder that also folds what is written, and tells this process of progress."""

    def __init__(self, recorder: Recorder, told: Told) -> None:
        self.state = JudgingState()
        self._recorder = recorder
        self._told = told

    @property
    def blobs(self) -> Blobs:
        return self._recorder.blobs

    def append(self, event: Event, turn: int) -> Record:
        record = self._recorder.append(event, turn)
        self.state = step_judging(self.state, record)
        return record

    def sync(self) -> None:
        self._recorder.sync()

    def progress(self, phase: str, detail: str = "", text: str = "") -> None:
        self._recorder.progress(phase, detail, text)
        self._told(phase, detail)


async def judge_episode(
    case: Case, episode: EpisodeState, judge: Judge, browser: Browser, root: Path, recorder: Recorder, told: Told
) -> JudgingState:
    """Judge the site as the episode left it, and record it. `root` is an empty folder for the restored site."""
    journal = JudgingJournal(recorder, told)
    turn = episode.turn
    manifest = episode.manifest
    if manifest is None:
        raise ValueError("an episode without files has no site to judge; it should have ended as crashed")
    journal.append(JudgingStarted(judge=judge.name, slots=len(case.slots), manifest=manifest, turn_judged=turn), turn)
    Workspace(root, journal.blobs).restore(decode_manifest(journal.blobs.get(manifest)))
    journal.progress("judging", f"{len(case.slots)} slots")
    try:
        async with opened(root, browser, JUDGE_VIEW) as page:
            found = await page.open("/")
            journal.append(probed("judging", found, page, None), turn)
            if found.ok:
                await judge.judge(case, page, journal, turn)
                status, text = "scored", ""
            else:
                status, text = "infra" if found.fault == "infra" else "crashed", found.reason
    except SiteDownError as error:
        journal.append(down("judging", error), turn)
        status, text = "infra" if error.fault == "infra" else "crashed", error.reason
    except PageDeadError as error:
        journal.append(SiteProbed(phase="judging", ok=False, reason=str(error), fault="site"), turn)
        status, text = "crashed", f"the page died: {error}"
    except BrowserLostError as error:
        status, text = "infra", str(error)
    journal.append(JudgingEnded(status=status, text=text[:2_000]), turn)
    journal.sync()
    return journal.state
