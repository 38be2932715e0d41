"""Models for any case, the benchmark's own among them: what each role answers, from the messages alone.

The builder asks or does not, builds a project with a package.json, has it looked at and hands it in; the eyes click and
judge; the reader and the taste measure. All is derived from the wording, so the same case is played the same way each time.
"""

import html
import json
import re
from collections.abc import Sequence
from zlib import crc32

from iwtui.models.scripted.messages import text_of, texts
from tests.support.openai_server import Asked, Maker

_ID = re.compile(r"^(?:Checklist )?ID \[?(\d+)\]?", re.MULTILINE)
_BUTTON = re.compile(r"^\[(\d+)\] (?:button|link) ", re.MULTILINE)

SERVER = """const http = require('http'), fs = require('fs');
http.createServer((q, a) => {
  a.setHeader('content-type', 'text/html; charset=utf-8');
  a.end(fs.readFileSync('page.html'));
}).listen(process.env.PORT);
"""
PLAIN = {"name": "site", "private": True, "scripts": {"dev": "node server.js"}}
VITE = {"name": "site", "private": True, "scripts": {"dev": "vite"}, "devDependencies": {"vite": "5.4.11"}}


def builder(asked: Asked, vite: bool = False) -> str:
    """Blind for every third instruction; else it asks once or twice before it builds."""
    said = texts(asked.messages, "assistant")
    told = texts(asked.messages, "user")
    questions = crc32(told[0].encode()) % 3
    if len(said) < questions:
        return f'<boltAction type="ask_user">What exactly must be there, point {len(said) + 1}?</boltAction>'
    done = len(said) - questions
    if done == 0:
        return site(told[: questions + 1], vite)
    if done == 1:
        return (
            "<TestCriteria>The page shows what was asked for.</TestCriteria>"
            '<boltAction type="screenshot_validated">/</boltAction>'
        )
    return '<boltAction type="finish">done</boltAction>'


def site(told: Sequence[str], vite: bool) -> str:
    """A project that shows what the builder was told, and a button that counts."""
    shown = "".join(f"<p>{html.escape(text[:1_000])}</p>" for text in told)
    page = (
        f"<!doctype html><html><head><title>Site</title></head><body><h1>A site</h1>{shown}"
        '<button onclick="this.textContent = `Counted ${++n}`">Count</button><script>var n = 0</script></body></html>'
    )
    files = {"package.json": json.dumps(VITE if vite else PLAIN)}
    files |= {"index.html": page} if vite else {"server.js": SERVER, "page.html": page}
    actions = "".join(f'<boltAction type="file" filePath="{name}">{text}</boltAction>' for name, text in files.items())
    return f'<boltArtifact id="site" title="Site">{actions}</boltArtifact>'


def eyes(asked: Asked) -> str:
    """Clicks the first button; then passes the even IDs and fails the odd ones, but for the last, which it leaves out."""
    ids = sorted({int(number) for number in _ID.findall(text_of(asked.messages[1]))})
    assert ids, "a judge is told the IDs"
    button = _BUTTON.search(text_of(asked.messages[-1]))
    if not texts(asked.messages, "assistant") and button:
        return f"Thought: a button.\n[PASSED ID: {ids[0]}] Reason: it is there\nAction: Click [{button[1]}]"
    words = "\n".join(f"[{'FAILED' if i % 2 else 'PASSED'} ID: {i}] Reason: seen" for i in ids[:-1])
    return f"Thought: all seen.\n{words}\nAction: ANSWER; done"


def reader(asked: Asked) -> str:
    """The measure of understanding: the first slot was asked for."""
    return json.dumps({"alignment": 3, "reason": "so so", "hits": [{"id": 0, "hit": True, "question": 1, "reason": "r"}]})


def taste(_: Asked) -> str:
    """The measure of looks."""
    return json.dumps({"bug": False, "layout": 3, "creative_alignment": 2, "aesthetics": 4, "reason": "plain"})


MODELS: dict[str, Maker] = {"builder": builder, "voyager": eyes, "intent": reader, "visual": taste}
