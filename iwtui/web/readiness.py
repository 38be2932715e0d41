"""Waiting for a server: it is ready when a port of its own answers HTTP, whatever it prints."""

import asyncio
import re
import time

import msgspec

from iwtui.web.door import Address, Door
from iwtui.web.output import last_lines
from iwtui.web.processes import Process

_POLL = 0.03
"""Seconds between two looks at the ports; a port that begins to listen tells nobody."""
_BETTER = 2.0
"""Seconds that are waited for a page, once something else answered."""
_TAIL = 12
_MAX_ANSWER = 16_000
_URL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?")
_HOST_CHECK = b"Blocked request. This host"


class NotReadyError(Exception):
    """`short` is the reason without the server's last lines; `fault` is `site` or `infra`."""

    def __init__(self, short: str, fault: str, output: str) -> None:
        tail = last_lines(output, _TAIL)
        super().__init__(f"{short}; its last lines:\n{tail}" if tail else f"{short}; it printed nothing")
        self.short = short
        self.fault = fault


class _Answer(msgspec.Struct, frozen=True):
    """What came back for `/`. `blocked`: the server does not like our host name."""

    page: bool
    blocked: bool


async def answering(process: Process, door: Door, preferred: int, limit: float) -> Address:
    """The address that answers with a page; else one that answers at all. Raises NotReadyError after `limit` seconds."""
    until = time.monotonic() + limit
    asked: dict[Address, asyncio.Task[_Answer]] = {}
    answers: dict[Address, _Answer] = {}
    listening: list[Address] = []
    ended = asyncio.create_task(process.ended.wait())
    try:
        while time.monotonic() < until:
            if ended.done():
                raise NotReadyError(how_it_ended(process), "site", process.output)
            listening = await door.listening()
            for address in listening:
                if address not in asked and address not in answers:
                    asked[address] = asyncio.create_task(_ask(door, address, until))
            await asyncio.wait([*asked.values(), ended], timeout=_POLL, return_when=asyncio.FIRST_COMPLETED)
            for address in [address for address, task in asked.items() if task.done()]:
                task = asked.pop(address)
                if task.exception() is None:  # else it is not HTTP, or not yet
                    until = until if answers else min(until, time.monotonic() + _BETTER)
                    answers[address] = task.result()
            pages = [address for address, answer in answers.items() if answer.page]
            if pages:
                return min(pages, key=lambda address: address[1] != preferred)
    finally:
        ended.cancel()
        for pending in asked.values():
            pending.cancel()
        await asyncio.gather(*asked.values(), ended, return_exceptions=True)
    if any(answer.blocked for answer in answers.values()):
        raise NotReadyError("host blocked: the server refuses requests to 127.0.0.1", "infra", process.output)
    if answers:
        return min(answers, key=lambda address: address[1] != preferred)
    raise NotReadyError(_silent(process, limit, listening), "site", process.output)


def how_it_ended(process: Process) -> str:
    """What became of a server that is no more."""
    if process.why:
        return f"the dev server was ended: {process.why}"
    asked = ", having asked for input, of which there is none" if process.asked else ""
    return f"the dev server ended with exit code {process.code}{asked}"


async def _ask(door: Door, address: Address, until: float) -> _Answer:
    """Ask an address for `/`. Raises OSError, TimeoutError and ValueError."""
    async with asyncio.timeout(max(0.1, until - time.monotonic())):
        reader, writer = await door.dial(address)
        try:
            request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\nAccept: text/html,*/*\r\nConnection: close\r\n\r\n"
            writer.write(request.encode())
            answer = b""
            while len(answer) < _MAX_ANSWER and (more := await reader.read(_MAX_ANSWER)):
                answer += more
            head, _, body = answer.partition(b"\r\n\r\n")
            first, _, fields = head.partition(b"\r\n")
            if not first.startswith(b"HTTP/1."):
                raise ValueError("it does not speak HTTP")
            status = int(first.split()[1])
            page = 300 <= status < 400 or (status < 300 and b"text/html" in fields.lower())
            return _Answer(page, status == 403 and _HOST_CHECK in body)
        finally:
            writer.close()


def _silent(process: Process, limit: float, listening: list[Address]) -> str:
    """Why it was given up, with a hint where the server itself said something else."""
    said = _URL.findall(process.output)
    if listening:
        where = ", ".join(map(str, sorted({port for _, port in listening})))
        return f"no answer within {limit:g} s: it listens on port {where}, and does not answer there"
    if said:
        return f"no answer within {limit:g} s: it speaks of {said[-1]}, but does not listen there"
    waited = "; it seems to wait for input, of which there is none" if process.asked else ""
    return f"no answer within {limit:g} s: it listens nowhere{waited}"
