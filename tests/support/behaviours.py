"""The ten behaviours that the official harness was timed with, as models over HTTP: who asks, who does not, who never ends.

An instruction says which turns its builder takes; `cases` makes such cases. By hand: `python -m tests.support.behaviours`
serves the models and prints where.
"""

import json
import re
import sys
from collections.abc import Sequence

import msgspec

from iwtui.bench.case import Case
from iwtui.models.scripted.messages import text_of, texts
from iwtui.packs import load_pack
from tests.support.mason import VITE
from tests.support.openai_server import MAKERS, Asked, Maker, OpenAIServer

BEHAVIOURS = ("IS", "CCIVS", "CCIVS", "IvIvIvIvIvIv", "IVIVIVIVIVIVIVI", "CCIVS", "S", "CCCIVCCMS", "MICCMIS", "IS")
"""A letter a turn: C asks, I builds, V has it looked at (v: in vain), M is malformed, S hands it in. The fourth ends in a
deadlock, the fifth at the turn limit of an easy case. Two more episodes of the official runs crashed and are not here."""

WALK = ("Click [{button}]", "Scroll down", "Click [{button}]", "Scroll up", "Type [{field}]; train") * 2
"""What the judge does before it answers: the official judge of these ten asked its model 8.5 times an episode."""
STEPS = 8

_TURNS = re.compile(r"^Turns: (\w+)$", re.MULTILINE)
_MARK = re.compile(r"^\s*\[(\d+)\] (\w+) ", re.MULTILINE)
_ID = re.compile(r"^ID (\d+):", re.MULTILINE)
_IN_VAIN = "This must never hold"

_CONFIG = "export default { clearScreen: false };\n"
_STYLE = "body { font: 16px sans-serif; margin: 2rem } .card { border: 1px solid #ccc; padding: 1rem; margin: 1rem 0 }\n"
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site {n}</title></head>
<body><div id="app"></div><script type="module" src="/main.js"></script></body></html>"""
_SCRIPT = """import "./style.css";
const app = document.querySelector("#app");
const cards = Array.from({{ length: 24 }}, (_, i) => `<div class="card"><h2>Item ${{i}}</h2><p>Revision {n}</p></div>`);
app.innerHTML = `<h1>A site</h1><label>Search <input id="q"></label><button id="more">More</button>${{cards.join("")}}`;
let count = 0;
document.querySelector("#more").onclick = (event) => {{ event.target.textContent = `More ${{++count}}`; }};
"""


def cases(behaviours: Sequence[str] = BEHAVIOURS) -> list[Case]:
    """An easy case of its own for each."""
    case = next(case for case in load_pack("starter") if case.id == "bakery_P-MIN")
    return [
        msgspec.structs.replace(case, id=f"bakery{n}_P-MIN", instruction=f"{case.instruction}\nTurns: {turns}")
        for n, turns in enumerate(behaviours)
    ]


def builder(asked: Asked) -> str:
    """Takes the turns that the instruction names."""
    said, told = texts(asked.messages, "assistant"), texts(asked.messages, "user")
    turns = _TURNS.search(told[0])
    assert turns is not None, "no instruction of `cases`"
    match turns[1][len(said)]:
        case "C":
            return f'<boltAction type="ask_user">What else is wanted, point {len(said) + 1}?</boltAction>'
        case "I":
            return _site(len(said))
        case "V" | "v" as letter:
            criteria = _IN_VAIN if letter == "v" else "The page shows items"
            return f'<TestCriteria>{criteria}</TestCriteria><boltAction type="screenshot_validated">/</boltAction>'
        case "S":
            return ("" if "I" in turns[1] else _site(0)) + '<boltAction type="finish">done</boltAction>'
    return "I have an idea, and take none of the four paths."


def _site(revision: int) -> str:
    files = {
        "package.json": json.dumps(VITE),
        "vite.config.js": _CONFIG,
        "index.html": _PAGE.format(n=revision),
        "style.css": _STYLE,
        "main.js": _SCRIPT.format(n=revision),
    }
    actions = "".join(f'<boltAction type="file" filePath="{name}">{text}</boltAction>' for name, text in files.items())
    return f'<boltArtifact id="site" title="Site">{actions}</boltArtifact>'


def copilot(asked: Asked) -> str:
    """Clicks and scrolls, then finds what the builder wants it to find."""
    text = text_of(asked.messages[-1])
    done = text.rpartition("EARLIER\n")[2]
    if done == "none":
        return json.dumps({"thought": "a button", "action": "click", "mark": _marks(text)["button"], "text": ""})
    if "2. " not in done:
        return json.dumps({"thought": "further down", "action": "scroll", "mark": None, "text": "down"})
    return json.dumps(
        {"thought": "seen", "action": "fail" if _IN_VAIN in text else "finish", "mark": None, "text": "so it is"}
    )


def voyager(asked: Asked) -> str:
    """Walks about, then passes every ID."""
    step = len(texts(asked.messages, "assistant"))
    if step < STEPS:
        return f"Thought: on we go.\nAction: {WALK[step].format(**_marks(text_of(asked.messages[-1])))}"
    ids = ", ".join(dict.fromkeys(_ID.findall(text_of(asked.messages[1]))))
    return f"Thought: all seen.\n[PASSED ID: {ids}] Reason: seen\nAction: ANSWER; all is there"


def _marks(text: str) -> dict[str, int]:
    """The marks of the button and the field; 1 for what is not in view."""
    found = {role: int(number) for number, role in reversed(_MARK.findall(text))}
    return {"button": found.get("button", 1), "field": found.get("textbox", 1)}


MODELS: dict[str, Maker] = {"builder": builder, "copilot": copilot, "voyager": voyager}
"""The client is the scripted one."""


def main() -> None:
    MAKERS.update(MODELS)
    with OpenAIServer() as server:
        print(server.url, flush=True)
        sys.stdin.read()  # until whoever started it lets go


if __name__ == "__main__":
    main()
