"""What an Implement does: files into the workspace, the site opened once, and the builder told what came of it."""

import asyncio

from iwtui.bench.actions import Odd, Parsed
from iwtui.bench.events import CommandRan, FilesChanged, SiteProbed
from iwtui.bench.manifest import Manifest, encode_manifest
from iwtui.engine.journal import Journal
from iwtui.engine.site import SiteDownError, down, looked_at, probed
from iwtui.web.faults import PageDeadError
from iwtui.web.output import last_lines
from iwtui.web.site import Site
from iwtui.web.window import Window
from iwtui.web.workspace import Workspace, lines_of_code, safe_path

MAX_CHANGES = 40
"""Changes that stand in the event itself; the manifest has them all."""

TOLD = frozenset({Odd.CUT, Odd.DROPPED, Odd.UNCLOSED, Odd.NO_PATH, Odd.TWICE, Odd.UNKNOWN_ACTION})
"""Oddities that changed what was carried out, so that the builder must hear of them."""

MAX_COMMANDS = 10
"""Commands of one message that are run; the event of the action has as many."""

_LINES = 30
"""Last lines of a command's output that the builder reads."""


async def write_files(parsed: Parsed, workspace: Workspace, site: Site, before: Manifest, journal: Journal) -> Manifest:
    """Write the files of a message, run its commands, and record what changed in the workspace. Returns its manifest."""
    if not (parsed.files or parsed.commands):
        return before
    journal.progress("implement", f"writing {len(parsed.files)} files")
    refused = await asyncio.to_thread(workspace.write, [(file.path, file.content) for file in parsed.files])
    site.changed()
    if parsed.commands:
        journal.progress("implement", "running commands")
        await site.run(parsed.commands, MAX_COMMANDS)
    elided = [safe_path(file.path) for file in parsed.files if file.elided]
    kept = [path for path in elided if isinstance(path, str)]
    manifest, changes = await asyncio.to_thread(workspace.scan, before, elided=kept)
    lines = await asyncio.to_thread(lines_of_code, manifest, journal.recorder.blobs)
    journal.write(
        FilesChanged(
            manifest=journal.keep_bytes(encode_manifest(manifest)),
            files=len(manifest),
            lines=lines,
            changes=changes[:MAX_CHANGES],
            more_changes=max(0, len(changes) - MAX_CHANGES),
            refused=(*refused, *workspace.left_out)[:MAX_CHANGES],
        )
    )
    return manifest


async def probe(phase: str, site: Site, window: Window, journal: Journal) -> SiteProbed:
    """Open the site once and record whether it runs."""
    journal.progress(phase, "opening the site")
    try:
        async with looked_at(site, window) as page:
            found = await page.open("/")
            picture = journal.keep_bytes(await page.picture()) if found.ok else None
            event = probed(phase, found, page, picture)
    except SiteDownError as error:
        event = down(phase, error)
    except PageDeadError as error:
        event = SiteProbed(phase=phase, ok=False, reason=f"the page died: {error}", fault="site")
    journal.write(event)
    return event


def feedback(journal: Journal, found: SiteProbed) -> str:
    """What the builder reads after an Implement."""
    turn = journal.state.turns[-1]
    lines = ["Execution feedback:"]
    if turn.action:
        lines += [f"Noted in your message: {odd.kind}: {odd.detail}" for odd in turn.action.oddities if odd.kind in TOLD]
    if turn.files and turn.files.refused:
        lines += [f"Not written: {refusal.path!r}: {refusal.reason}" for refusal in turn.files.refused]
    for command in turn.commands:
        lines += _of_command(command, journal)
    if found.ok:
        lines.append(f"The site runs; its title is {found.title!r}. Look at it, or hand it in.")
    else:
        lines.append(f"The site does not run: {found.reason}.")
    lines += [f"Console: {line}" for line in found.console]
    lines += [f"Blocked request to another host: {url}" for url in found.blocked]
    return "\n".join(lines)


def _of_command(command: CommandRan, journal: Journal) -> list[str]:
    """What the builder must hear of a command: that it was not run, or how it failed; of one that went well, nothing."""
    name = journal.read(command.command)
    if command.refused is not None:
        return [f"Not run: {name}: {command.refused}"]
    if command.serving or (command.exit_code == 0 and not command.why):
        return []
    how = "; ".join(filter(None, ("" if command.exit_code is None else f"exit code {command.exit_code}", command.why)))
    said = last_lines(journal.read(command.output), _LINES)
    return [f"`{name}` failed ({how}):", said] if said else [f"`{name}` failed ({how}); it printed nothing."]
