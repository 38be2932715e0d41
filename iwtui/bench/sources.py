"""What a file of the builder holds, from what stands between its tags; and signs that it left code out."""

import re
from itertools import islice

from iwtui.bench.actions import Odd

_LEADING = re.compile(r"[ \t]*+\r?\n")
_TRAILING = re.compile(r"(?<=\n)[ \t]++\Z")
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n`]*)\r?\n")
_ESCAPED_TAG = re.compile(r"&lt;[/!A-Za-z]")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#39);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'"}
_STRING = re.compile(r""""[^"\n]*+"|'[^'\n]*+'""")
_PROSE = (".md", ".mdx", ".markdown", ".txt")

_COMMENT = re.compile(r"(?://|/\*|<!--|\{/\*|^[ \t]*+#(?![\w!]))([^\n]{0,200}+)", re.MULTILINE)
_CODE = (
    r"(?:code|file|component|function|logic|styles?|css|html|markup|script|imports?|content|implementation|methods?|"
    r"handlers?|items?|routes?|sections?|jsx|rules?)"
)
_GONE = r"(?:unchanged|untouched|omitted|(?:the\s+)?same|as\s+(?:before|is|above))"
_DOTS = r"(?<![.…])(?:\.{3,}+|…++)"
_ELISIONS = re.compile(
    rf"\brest\s+of\s+(?:the|this|your|my)\b[^.…]{{0,60}}\b{_GONE}\b"
    rf"|{_DOTS}\W*+(?:the\s+)?(?:rest|remaining|remainder|existing|previous|other|same|unchanged|more)\b"
    rf"|\b(?:existing|previous|remaining|original|other|rest\s+of\s+the)\s+(?:\w+\s+){{0,3}}{_CODE}\b[^.…]{{0,40}}(?:\.\.\.|…|\bhere\b)"
    rf"|\b{_CODE}\s+(?:(?:remains?|stays?)\s+{_GONE}|(?:is\s+|are\s+)?(?:unchanged|omitted))\b"
    r"|\b(?:omitted\s+for\s+brevity|same\s+as\s+before|keep\s+(?:the\s+)?(?:rest|existing|everything\s+else))\b",
    re.IGNORECASE,
)
_HINT = re.compile(r"same|rest|\.\.\.|…|existing|previous|remain|original|other|unchanged|omitted|stays", re.IGNORECASE)
_ALONE = {"...", "…", "unchanged"}
_COMMENTS = 2_000


def file_content(path: str, between: str) -> tuple[str, list[Odd]]:
    """The content of a file, and which of the rules that change it did so. In this order, each at most once:

    - The line break after the opening tag and the spaces before the closing tag on a line of its own are not content.
    - `<![CDATA[ .. ]]>` around everything is unwrapped.
    - A Markdown fence around everything is taken off (in a Markdown file only one that says so).
    - A file in which every `<` is escaped is unescaped: there is no raw `<`, there is an escaped tag that is not in
      a quoted string, and `>` is escaped everywhere or nowhere. Documents (.md, .txt) stay as they are.
    """
    noted: list[Odd] = []
    content = _trimmed(between)
    inside = content.strip()
    if inside.startswith("<![CDATA[") and inside.endswith("]]>") and len(inside) >= 12:
        content = _trimmed(inside[9:-3])
        noted.append(Odd.CDATA)
    unfenced = _unfenced(path, content)
    if unfenced is not None:
        content = unfenced
        noted.append(Odd.FENCE)
    if _wholly_escaped(path, content):
        content = _ENTITY.sub(lambda found: _ENTITIES[found[1]], content)
        noted.append(Odd.ESCAPED)
    return content, noted


def elided(content: str) -> bool:
    """Whether a comment seems to stand for code that was left out, as in `// ... rest of the code remains the same`.

    The patterns, in a comment's line: "rest of the .." that is the same, unchanged or omitted; dots followed by "rest",
    "existing", "other", ..; "existing code" with dots or "here"; code that "remains the same" or is "omitted"; "omitted
    for brevity", "same as before", "keep the rest"; and nothing but dots or "unchanged". At most 2,000 comments with a
    word of that kind in them are looked at.
    """
    comments = (found[1] for found in _COMMENT.finditer(content) if _HINT.search(found[1]))
    return any(_stands_for_code(comment) for comment in islice(comments, _COMMENTS))


def _stands_for_code(comment: str) -> bool:
    return comment.strip(" \t*/{}<>-!#").lower() in _ALONE or bool(_ELISIONS.search(comment))


def _trimmed(between: str) -> str:
    leading = _LEADING.match(between)
    return _TRAILING.sub("", between[leading.end() :] if leading else between)


def _unfenced(path: str, content: str) -> str | None:
    lines = content.strip()
    fence = _FENCE.match(lines)
    if not fence or (path.lower().endswith(_PROSE) and fence[2].strip().lower() not in ("md", "markdown", "mdx", "text")):
        return None
    inside, _, last = lines[fence.end() :].rpartition("\n")
    if last.strip() != fence[1] or any(line.startswith(fence[1]) for line in inside.split("\n")):
        return None
    return inside + "\n"


def _wholly_escaped(path: str, content: str) -> bool:
    if "<" in content or path.lower().endswith(_PROSE) or (">" in content and "&gt;" in content):
        return False
    return bool(_ESCAPED_TAG.search(_STRING.sub("", content)))
