"""A workspace served and opened in a fresh browser context, with what came of it as an event."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from iwtui.bench.events import Blob, SiteProbed
from iwtui.web.browser import Browser
from iwtui.web.page import Probe, SitePage
from iwtui.web.static import StaticSite

AGENT_VIEW = (1200, 800)
JUDGE_VIEW = (1280, 800)
"""Width and height in pixels of what the agent's Verify and the judge see, as in the official harness."""


class SiteDownError(Exception):
    """The folder cannot be served at all. `fault` is `site` or `infra`."""

    def __init__(self, reason: str, fault: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fault = fault


@asynccontextmanager
async def opened(root: Path, browser: Browser, view: tuple[int, int]) -> AsyncIterator[SitePage]:
    """The site's page in a context of its own, not yet loaded. Raises SiteDownError."""
    if (root / "package.json").exists():
        raise SiteDownError("the site has a package.json; this version serves static sites only", "infra")
    if not (root / "index.html").is_file():
        raise SiteDownError("there is no index.html", "site")
    async with StaticSite(root) as site, browser.page(site.url, width=view[0], height=view[1]) as page:
        yield page


def probed(phase: str, probe: Probe, page: SitePage, picture: Blob | None) -> SiteProbed:
    """The event of a first load."""
    seen = page.drain()
    return SiteProbed(
        phase=phase,
        ok=probe.ok,
        url=probe.url,
        seconds=probe.seconds,
        title=probe.title,
        reason=probe.reason,
        fault=probe.fault,
        console=seen.console,
        blocked=seen.blocked,
        picture=picture,
    )


def down(phase: str, error: SiteDownError) -> SiteProbed:
    """The event of a site that could not even be served."""
    return SiteProbed(phase=phase, ok=False, reason=error.reason, fault=error.fault)
