"""What a file of the builder holds: fences, CDATA, escapes, line breaks; and comments that stand for code left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iwtui.bench.actions import Odd
from iwtui.bench.sources import elided, file_content

ESCAPED = "export const App = () =&gt; (\n  &lt;View title=&quot;A &amp;amp; B&quot;&gt;&lt;/View&gt;\n);\n"
UNESCAPED = 'export const App = () => (\n  <View title="A &amp; B"></View>\n);\n'


@pytest.mark.parametrize(
    ("between", "content"),
    [
        ("let a;", "let a;"),
        ("\nlet a;\n", "let a;\n"),
        ("\r\nlet a;\r\n", "let a;\r\n"),
        ("  \n  let a;\n    ", "  let a;\n"),
        ("\n\nlet a;\n\n", "\nlet a;\n\n"),
        ("  let a;  ", "  let a;  "),
        ("", ""),
        ("\n", ""),
    ],
)
def test_the_line_breaks_of_the_tags_are_not_content(between: str, content: str) -> None:
    assert file_content("a.js", between) == (content, [])


@pytest.mark.parametrize(
    "between", ["<![CDATA[<p>a</p>\n]]>", "\n<![CDATA[\n<p>a</p>\n]]>\n", "  <![CDATA[\n<p>a</p>\n  ]]>"]
)
def test_cdata_is_unwrapped(between: str) -> None:
    assert file_content("a.html", between) == ("<p>a</p>\n", [Odd.CDATA])


def test_cdata_is_unwrapped_only_once() -> None:
    assert file_content("a.xml", "<![CDATA[<![CDATA[a]]>]]>") == ("<![CDATA[a]]>", [Odd.CDATA])


def test_a_fence_around_the_whole_file_is_taken_off() -> None:
    assert file_content("a.js", "\n```js\nlet a;\n```\n") == ("let a;\n", [Odd.FENCE])
    assert file_content("README.md", "```markdown\n# Hi\n```") == ("# Hi\n", [Odd.FENCE])
    assert file_content("a.html", "<![CDATA[\n```html\n<p></p>\n```\n]]>") == ("<p></p>\n", [Odd.CDATA, Odd.FENCE])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", "```js\nlet a;\n"),
        ("a.js", "let a = `\n```\n`;\n"),
        ("a.js", "```js\nlet a;\n```\nlet b;\n"),
        ("a.js", "```js\nlet a;\n```\n```js\nlet b;\n```\n"),
        ("README.md", "```sh\nnpm install\n```\n"),
    ],
)
def test_other_fences_stay(path: str, text: str) -> None:
    assert file_content(path, text) == (text, [])


def test_a_wholly_escaped_file_is_unescaped_once() -> None:
    assert file_content("App.jsx", ESCAPED) == (UNESCAPED, [Odd.ESCAPED])
    assert file_content("a.html", "&lt;p>Fish &amp; chips&lt;/p>") == ("<p>Fish & chips</p>", [Odd.ESCAPED])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.jsx", "<p>a &lt; b</p>\n"),
        ("a.jsx", "<p>&lt;b&gt;</p>"),
        ("escape.js", "const MAP = { open: '&lt;b&gt;', both: \"&lt;i&gt;\" };\n"),
        ("a.js", "const f = () => text; // &lt;b&gt;\n"),
        ("a.css", "a > b { content: 'x'; }\n"),
        ("guide.md", "Write &lt;b&gt; for bold.\n"),
        ("a.js", "if (a &lt; 3) b();\n"),
    ],
)
def test_escapes_in_real_source_stay(path: str, text: str) -> None:
    assert file_content(path, text) == (text, [])


@given(st.text())
def test_any_text_can_be_a_file(text: str) -> None:
    content, _ = file_content("a.js", text)
    assert len(content) <= len(text) + 1
    elided(text)


@pytest.mark.parametrize(
    "comment",
    [
        "// ... rest of the code remains the same",
        "// rest of the component stays unchanged",
        "// The rest of your styles are the same as before",
        "/* … existing styles … */",
        "/* existing code here */",
        "<!-- ... other sections ... -->",
        "<!-- rest of the page unchanged -->",
        "{/* ... remaining items ... */}",
        "  # ... (same as before)",
        "// previous functions omitted for brevity",
        "// keep the rest",
        "// ...",
        "/* unchanged */",
        "let a; // ...existing code...",
        "// other handlers remain the same",
    ],
)
def test_comments_that_stand_for_code(comment: str) -> None:
    assert elided(f"function a() {{\n{comment}\n}}\n")


@pytest.mark.parametrize(
    "line",
    [
        "// the rest of the page scrolls under the header",
        "// Rest parameters keep the order",
        "const all = [...existing, ...other]; // spread",
        "// loading... please wait",
        "// keep the same colour on hover",
        "// other people may borrow it too",
        "const text = 'rest of the code remains the same';",
        "<p>The rest of the menu stays the same all year.</p>",
        "#rest { color: red; }",
        "// restore the previous state when the dialog closes",
        "fetch('https://example.org/rest')",
    ],
)
def test_ordinary_lines_are_not_taken_for_elisions(line: str) -> None:
    assert not elided(f"{line}\n")
