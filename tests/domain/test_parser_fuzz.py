"""The action parser on soups of tags: never an error, never a difference by pieces, never our tags in a file."""

import codecs
import re

from hypothesis import example, given
from hypothesis import strategies as st

from iwtui.bench.actions import ActionKind, Odd, Parsed
from iwtui.bench.parser import StreamParser, parse
from iwtui.bench.tags import MAX_TAG

BITS = [
    *(
        "<",
        ">",
        "</",
        "/>",
        '"',
        "'",
        "`",
        "=",
        "\n",
        " ",
        "\\",
        "&lt;",
        "&gt;",
        "&lt;b&gt;",
        "```",
        "```js\n",
        "]]>",
        "<![CDATA[",
    ),
    *(
        "<boltArtifact>",
        '<boltArtifact id="a" title="b > c">',
        "</boltArtifact>",
        "<boltAction",
        "boltAction",
        "</boltAction>",
    ),
    *(
        '<boltAction type="file" filePath="a.js">',
        "<boltAction type='file' filePath='b.md'>",
        '<boltAction filePath="',
        ' type="file"',
    ),
    *('<boltAction type="shell">', '<boltAction type="ask_user">', '<boltAction type="screenshot_validated">'),
    *(
        '<boltAction type="finish">',
        '<boltAction type="finish"/>',
        '<boltAction type="start">',
        "<BOLTACTION TYPE=FILE FILEPATH=c>",
    ),
    *("<TestCriteria>", "</TestCriteria>", "<think>", "</think>", "<thinking>", "<think/>", "</boltAction", "<boltActions>"),
    *("let a = 1;", "// ... rest of the code", "é😀", "\ud83d", "\ude00", "Which?", "/path", "x" * 5_000),
]
soups = st.lists(st.one_of(st.sampled_from(BITS), st.text(max_size=6)), max_size=40).map("".join)
OURS = re.compile(r"</?(?:boltArtifact|boltAction|TestCriteria)(?![\w.:-])", re.IGNORECASE)


def in_pieces(text: str, sizes: list[int], cut: bool) -> Parsed:
    parser = StreamParser()
    at = 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        parser.feed(text[at : at + size])
        at += size
    return parser.finish(cut)


@given(soups, st.lists(st.integers(1, 30), min_size=1, max_size=5), st.booleans())
@example('<boltAction type="ask_user" title="a > b', [3], False)
@example("<boltAction" + "s>" * 3_000, [1], False)
@example("</boltAction<" + "x" * MAX_TAG, [1], False)
@example("</boltAction" + " " * (MAX_TAG - 12), [1], False)
@example('<boltAction title="' + ">" * 5_000 + '">', [7], False)
def test_pieces_make_no_difference(text: str, sizes: list[int], cut: bool) -> None:
    whole = parse(text, cut)
    assert in_pieces(text, sizes, cut) == whole
    assert in_pieces(text, [1], cut) == whole


@given(soups)
def test_single_bytes_make_no_difference(text: str) -> None:
    encoded = text.encode("utf-8", "replace")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    parser = StreamParser()
    for byte in encoded:
        parser.feed(decoder.decode(bytes([byte])))
    parser.feed(decoder.decode(b"", final=True))
    assert parser.finish() == parse(encoded.decode())


@given(soups, st.booleans())
def test_every_reading_is_consistent(text: str, cut: bool) -> None:
    parsed = parse(text, cut)
    texts = [parsed.question, parsed.path, parsed.criteria, parsed.reasoning, parsed.prose, *parsed.commands]
    texts += [part for file in parsed.files for part in (file.path, file.content)]
    for each in texts:
        each.encode()
    assert len({file.path for file in parsed.files}) == len(parsed.files)
    assert parsed.path.startswith("/") and not parsed.path.startswith("//")
    assert parsed.truncated >= cut
    if parsed.action is ActionKind.CLARIFY:
        assert parsed.question and not parsed.files and not parsed.commands
    else:
        assert not parsed.question
    assert (parsed.action is ActionKind.MALFORMED) == (not parsed.stood)
    assert parsed.action is ActionKind.MALFORMED or parsed.action in parsed.stood


@given(soups)
def test_no_file_holds_our_tags_unless_they_were_quoted_or_escaped(text: str) -> None:
    parsed = parse(text)
    noted = {oddity.kind for oddity in parsed.oddities}
    if noted & {Odd.TAG_IN_CONTENT, Odd.ESCAPED, Odd.MORE}:
        return
    for file in parsed.files:
        assert not OURS.search(file.content)


@given(soups, soups)
def test_thoughts_cause_nothing(thought: str, rest: str) -> None:
    thought = re.sub(r"</?think(?:ing)?", "", thought, flags=re.IGNORECASE)
    plain = re.sub(r"</?think(?:ing)?", "", rest, flags=re.IGNORECASE)
    with_thought = parse(f"<think> {thought} </think>\n{plain}")
    without = parse(plain)
    assert (with_thought.action, with_thought.files, with_thought.question, with_thought.stood) == (
        without.action,
        without.files,
        without.question,
        without.stood,
    )
