"""One pass of one judge over an episode: its site restored from the manifest, served anew, in a fresh browser context."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from iwtui.bench.case import Case
from iwtui.bench.events import JudgingEnded, JudgingStarted, SiteProbed
from iwtui.bench.fold import EpisodeState, JudgingState, Message
from iwtui.bench.manifest import decode_manifest, encode_manifest
from iwtui.bench.protocols import Recorder
from iwtui.engine.calls import Caller
from iwtui.engine.journal import JudgingJournal, Told
from iwtui.engine.prompts import filled
from iwtui.engine.site import JUDGE_VIEW, SiteDownError, down, opened, probed, telling
from iwtui.judges.base import Judge, Sitting
from iwtui.models.call import Models, Reply
from iwtui.models.errors import ModelFaultError
from iwtui.web.browser import Browser
from iwtui.web.faults import BrowserLostError, PageDeadError
from iwtui.web.grounds import Grounds
from iwtui.web.site import Site
from iwtui.web.workspace import Workspace


async def judge_episode(
    case: Case,
    episode: EpisodeState,
    judge: Judge,
    browser: Browser,
    grounds: Grounds,
    root: Path,
    recorder: Recorder,
    told: Told,
    models: Models,
) -> JudgingState:
    """Judge the episode as it ended, and record it. `root` is an empty folder for the restored site.

    A fault of the browser or the model ends the judging as `infra`; a site that does not run, as `crashed`.
    """
    turn = episode.turn
    journal = JudgingJournal(recorder, told, turn)
    manifest = episode.manifest or journal.keep_bytes(encode_manifest({}))
    journal.write(
        JudgingStarted(judge=judge.name, slots=len(case.slots), manifest=manifest, turn_judged=turn, model=judge.model)
    )
    journal.progress("judging", f"{judge.name}: {len(case.slots)} slots")
    ask = _Asking(Caller(models, journal, {judge.role: judge.model} if judge.model else {}), judge.role)
    sitting = Sitting(case, episode, turn, journal, None, ask)
    try:
        if judge.opens_site:
            Workspace(root, journal.blobs).restore(decode_manifest(journal.blobs.get(manifest)))
            status, text = await _on_site(
                judge, sitting, browser, Site(root, grounds, telling(journal.write, journal.blobs)), journal
            )
        else:
            await judge.judge(sitting)
            status, text = "scored", ""
    except PageDeadError as error:
        journal.write(SiteProbed(phase="judging", ok=False, reason=str(error), fault="site"))
        status, text = "crashed", f"the page died: {error}"
    except BrowserLostError as error:
        status, text = "infra", str(error)
    except ModelFaultError as fault:
        status, text = "infra", f"{fault.kind}: {fault.message}"
    journal.write(JudgingEnded(status=status, text=text[:2_000]))
    journal.sync()
    return journal.state


async def _on_site(judge: Judge, sitting: Sitting, browser: Browser, site: Site, journal: JudgingJournal) -> tuple[str, str]:
    """Serve and open the site for the judge; how the judging ended, and why."""
    try:
        async with site, opened(site, browser, JUDGE_VIEW) as page:
            found = await page.open("/")
            journal.write(probed("judging", found, page, None))
            if not found.ok:
                return "infra" if found.fault == "infra" else "crashed", found.reason
            await judge.judge(replace(sitting, page=page))
            return "scored", ""
    except SiteDownError as error:
        journal.write(down("judging", error))
        return "infra" if error.fault == "infra" else "crashed", error.reason


NOTHING = Reply(
    text="", reasoning="", finish_reason=None, answered_by=None, tokens_in=None, tokens_out=None, cost=None, seconds=0.0
)
"""An empty answer: recorded as a fault, but to a judge no more than one that cannot be read."""


class _Asking:
    """A judge's own model, behind its prompts."""

    def __init__(self, caller: Caller, role: str) -> None:
        self._caller = caller
        self._role = role

    async def __call__(
        self,
        prompt: str,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        temperature: float | None = None,
        **values: object,
    ) -> Reply:
        system = filled(prompt, **values)
        try:
            return await self._caller.call(self._role, system, messages, schema=schema, temperature=temperature)
        except ModelFaultError as fault:
            if fault.kind != "empty":
                raise
            return NOTHING
