"""Text that came from a model, a page, a process or a file, made fit to be shown.

Such text is data: control, escape and bidirectional characters become visible glyphs before they reach a screen.
"""

_KEPT = {"\n", "\t"}
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _table() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT}
    table[0x7F] = "␡"
    table |= {code: f"‹{code:02X}›" for code in range(0x80, 0xA0)}
    table |= {ord(char): f"‹{ord(char):04X}›" for char in _BIDI}
    table |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    table |= dict.fromkeys((0x2028, 0x2029), "\n")
    return table


_VISIBLE = _table()


def visible(text: str) -> str:
    """The text with C0 (but newline and tab), DEL, C1, bidirectional and lone surrogate characters made visible."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def one_line(text: str, limit: int = 200) -> str:
    """Visible text on one line, cut at `limit` characters with a mark."""
    line = " ".join(visible(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def storable(text: str) -> tuple[str, bool]:
    """The text with lone surrogates as U+FFFD, so that it can be written as UTF-8; and whether there were any.

    Two halves that stand side by side become the character that they make.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return whole, whole.count("\ufffd") > text.count("\ufffd")
    return text, False
