"""Source code in colours, line by line. Pure; meant for a thread."""

from pathlib import PurePosixPath

from pygments.token import Token
from textual.content import Content
from textual.highlight import HighlightTheme, guess_language, highlight

from iwtui.tui.text import shown_text

LONGEST_LINE = 2_000
"""Characters of a line that are shown; the rest is counted."""

COLOURED = 300_000
"""Characters of a file up to which it is coloured."""

_LIKE = {".mjs": "javascript", ".cjs": "javascript", ".svelte": "vue", ".svg": "xml"}
"""Kinds of files that the highlighter does not know, and what they look like."""


class Ink(HighlightTheme):
    """Few colours: what is said aloud in code, and comments that step back."""

    STYLES = {  # noqa: RUF012 - as Textual declares it
        Token.Comment: "$dim italic",
        Token.Keyword: "$text-secondary bold",
        Token.Keyword.Constant: "$text-warning",
        Token.Literal.Number: "$text-warning",
        Token.Literal.String: "$text-success",
        Token.Name.Attribute: "$text-secondary",
        Token.Name.Builtin: "$text-secondary",
        Token.Name.Class: "bold",
        Token.Name.Decorator: "$text-secondary",
        Token.Name.Function: "bold",
        Token.Name.Tag: "$text-primary",
    }


def plain_lines(text: str) -> list[str]:
    """The lines of a file, made visible and cut."""
    plain = [_cut(line) for line in shown_text(text).split("\n")]
    return plain[:-1] if plain[-1] == "" else plain


def code_lines(text: str, path: str) -> tuple[list[str], list[Content]]:
    """The lines of a file, made visible and cut, as plain text and in colours."""
    plain = plain_lines(text)
    whole = "\n".join(plain)
    if len(whole) > COLOURED or not plain:
        return plain, [Content(line) for line in plain]
    inked = highlight(whole, language=_language(path), theme=Ink, tab_size=4)
    marked = Content(inked.plain, [span for span in inked.spans if span.style not in ("", "$text")])
    coloured = marked.split("\n", allow_blank=True)
    if [line.plain for line in coloured[: len(plain)]] != plain:
        return plain, [Content(line) for line in plain]
    return plain, coloured


def _cut(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[:LONGEST_LINE]} … {len(line) - LONGEST_LINE:,} more characters"


def _language(path: str) -> str:
    """Told by the name alone: guessing from the code tries hundreds of lexers on it."""
    return _LIKE.get(PurePosixPath(path).suffix.lower()) or guess_language("", path)
