"""A workspace served and opened in a fresh browser context, with what came of it as events."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from iwtui.bench.events import Blob, CommandRan, SiteProbed
from iwtui.bench.longtext import keep
from iwtui.bench.protocols import Blobs
from iwtui.web.browser import Browser
from iwtui.web.page import Probe, SitePage
from iwtui.web.processes import Ran
from iwtui.web.site import Site, SiteDownError
from iwtui.web.window import Window

__all__ = ["AGENT_VIEW", "JUDGE_VIEW", "SiteDownError", "down", "looked_at", "opened", "probed", "telling"]

AGENT_VIEW = (1200, 800)
JUDGE_VIEW = (1280, 800)
"""Width and height in pixels of what the agent's Verify and the judge see, as in the official harness."""

_REASON = 2_000


@asynccontextmanager
async def looked_at(site: Site, window: Window) -> AsyncIterator[SitePage]:
    """The site's page in the episode's window, not yet loaded. Raises SiteDownError."""
    async with window.page(await site.up(), site.died) as page:
        yield page


@asynccontextmanager
async def opened(site: Site, browser: Browser, view: tuple[int, int]) -> AsyncIterator[SitePage]:
    """The site's page in a context of its own, not yet loaded. Raises SiteDownError."""
    url = await site.up()
    async with browser.page(url, width=view[0], height=view[1], gone=site.died) as page:
        yield page


def telling(write: Callable[[CommandRan], object], blobs: Blobs) -> Callable[[Ran], None]:
    """Writes what a site tells of its commands as events."""

    def told(ran: Ran) -> None:
        write(
            CommandRan(
                command=keep(blobs, ran.command),
                exit_code=ran.code,
                seconds=round(ran.seconds, 3),
                output=keep(blobs, ran.output),
                refused=ran.refused,
                why=ran.why[:_REASON],
                serving=ran.serving,
            )
        )

    return told


def probed(phase: str, probe: Probe, page: SitePage, picture: Blob | None) -> SiteProbed:
    """The event of a first load."""
    seen = page.drain()
    return SiteProbed(
        phase=phase,
        ok=probe.ok,
        url=probe.url,
        seconds=probe.seconds,
        title=probe.title,
        reason=probe.reason[:_REASON],
        fault=probe.fault,
        console=seen.console,
        blocked=seen.blocked,
        picture=picture,
    )


def down(phase: str, error: SiteDownError) -> SiteProbed:
    """The event of a site that could not even be served."""
    return SiteProbed(phase=phase, ok=False, reason=error.reason[:_REASON], fault=error.fault)
