"""The action parser: what real models got wrong, and the right outcome of each kind of fault."""

import time

import pytest

from iwtui.bench.actions import ActionKind, Odd, Parsed, SourceFile
from iwtui.bench.parser import MAX_ODDITIES, MAX_PATH, MAX_STOOD, StreamParser, parse


def file(path: str, content: str) -> str:
    return f'<boltAction type="file" filePath="{path}">{content}</boltAction>'


def act(kind: str, content: str = "") -> str:
    return f'<boltAction type="{kind}">{content}</boltAction>'


def artifact(*actions: str) -> str:
    return '<boltArtifact id="site" title="A site">\n' + "\n".join(actions) + "\n</boltArtifact>"


def contents(parsed: Parsed) -> dict[str, str]:
    return {each.path: each.content for each in parsed.files}


def kinds(parsed: Parsed) -> list[str]:
    return [oddity.kind for oddity in parsed.oddities]


def detail(parsed: Parsed, kind: Odd) -> str:
    return next(oddity.detail for oddity in parsed.oddities if oddity.kind == kind)


# The four actions


def test_an_artifact_is_an_implement_with_its_files_and_commands() -> None:
    parsed = parse("Here you are.\n" + artifact(file("a.js", "\nlet a;\n"), act("shell", " npm install ")) + "\nDone.")
    assert parsed == Parsed(
        action=ActionKind.IMPLEMENT,
        files=(SourceFile("a.js", "let a;\n"),),
        commands=("npm install",),
        prose="Here you are.\n\nDone.",
        stood=("implement", "implement"),
    )


def test_a_question_is_a_clarify() -> None:
    assert parse("I need to know. " + act("ask_user", "\nWhich colour?\n")) == Parsed(
        action=ActionKind.CLARIFY, question="Which colour?", prose="I need to know.", stood=("clarify",)
    )


def test_a_verify_has_a_path_and_criteria() -> None:
    parsed = parse("<TestCriteria>\n- six breads\n</TestCriteria>\n" + act("screenshot_validated", " /menu "))
    assert parsed == Parsed(action=ActionKind.VERIFY, path="/menu", criteria="- six breads", stood=("verify",))


def test_criteria_may_stand_within_the_verify() -> None:
    parsed = parse(act("screenshot_validated", "<TestCriteria>six breads</TestCriteria> /menu"))
    assert (parsed.action, parsed.path, parsed.criteria) == (ActionKind.VERIFY, "/menu", "six breads")
    assert not parsed.oddities


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "/"),
        ("  \n", "/"),
        ("menu?x=1#top", "/menu?x=1#top"),
        ("http://localhost:5173/about?x=1", "/about?x=1"),
        ("https://elsewhere.example", "/"),
        ("//elsewhere.example/x", "/elsewhere.example/x"),
        ("\\\\elsewhere.example\\x", "/elsewhere.example\\x"),
        ("http://a//b.example", "/b.example"),
    ],
)
def test_the_path_of_a_verify_never_names_another_host(text: str, path: str) -> None:
    assert parse(act("screenshot_validated", text)).path == path


def test_prose_in_the_place_of_a_path_is_the_front_page_and_said() -> None:
    parsed = parse(act("screenshot_validated", "please look at the whole site"))
    assert (parsed.action, parsed.path, kinds(parsed)) == (ActionKind.VERIFY, "/", [Odd.PATH])


def test_finish_is_a_submit() -> None:
    assert parse(act("finish", "done")) == Parsed(action=ActionKind.SUBMIT, stood=("submit",))


@pytest.mark.parametrize(
    "text", ["", "  \n", "I shall build it soon.", "&lt;boltAction type=&quot;finish&quot;&gt;", "<boltactions>"]
)
def test_a_message_without_an_action_is_malformed(text: str) -> None:
    parsed = parse(text)
    assert (parsed.action, parsed.prose, parsed.truncated) == (ActionKind.MALFORMED, text.strip(), False)


# Several kinds in one message


def test_a_question_wins_and_nothing_else_is_carried_out() -> None:
    parsed = parse(
        artifact(file("a", "1"), act("shell", "npm i"))
        + act("screenshot_validated", "/x")
        + act("finish")
        + act("ask_user", "Q?")
    )
    assert (parsed.action, parsed.question, parsed.files, parsed.commands, parsed.path) == (
        ActionKind.CLARIFY,
        "Q?",
        (),
        (),
        "/",
    )
    assert parsed.stood == ("implement", "implement", "verify", "submit", "clarify")
    assert [oddity.detail for oddity in parsed.oddities] == ["file a", "command npm i", "finish", "verify /x"]
    assert set(kinds(parsed)) == {Odd.DROPPED}


def test_a_submit_wins_over_a_verify_and_files_beside_it_are_written() -> None:
    parsed = parse(
        "<TestCriteria>c</TestCriteria>" + act("screenshot_validated", "/x") + artifact(file("a", "1")) + act("finish")
    )
    assert (parsed.action, contents(parsed), parsed.path, parsed.criteria) == (ActionKind.SUBMIT, {"a": "1"}, "/", "")
    assert parsed.stood == ("verify", "implement", "submit")
    assert [(oddity.kind, oddity.detail) for oddity in parsed.oddities] == [
        ("dropped", "verify /x"),
        ("dropped", "criteria c"),
    ]


def test_files_beside_a_verify_are_written() -> None:
    parsed = parse(artifact(file("a", "1")) + act("screenshot_validated", "/x"))
    assert (parsed.action, contents(parsed), parsed.path, parsed.oddities) == (ActionKind.VERIFY, {"a": "1"}, "/x", ())


def test_only_the_first_question_is_asked() -> None:
    parsed = parse(act("ask_user", "First?") + act("ask_user", "Second?"))
    assert (parsed.question, parsed.stood, detail(parsed, Odd.DROPPED)) == (
        "First?",
        ("clarify", "clarify"),
        "question Second?",
    )


def test_an_empty_question_is_no_question() -> None:
    parsed = parse(act("ask_user", " \n"))
    assert (parsed.action, parsed.stood, kinds(parsed)) == (ActionKind.MALFORMED, (), [Odd.EMPTY])
    assert parse(act("ask_user") + act("finish")).action is ActionKind.SUBMIT


# Tags that are not closed


def test_an_unclosed_file_ends_before_the_artifacts_end() -> None:
    parsed = parse(
        '<boltArtifact id="1"><boltAction type="file" filePath="a.ts">let a = 1;\n</boltArtifact>\nNow the second part.\n'
        + artifact(file("b.ts", "\nlet b = 2;\n"))
    )
    assert contents(parsed) == {"a.ts": "let a = 1;\n", "b.ts": "let b = 2;\n"}
    assert (parsed.prose, kinds(parsed), detail(parsed, Odd.UNCLOSED)) == (
        "Now the second part.",
        [Odd.UNCLOSED],
        "file a.ts",
    )


@pytest.mark.parametrize(
    "after", [file("b", "2"), act("shell", "x"), "<TestCriteria>c</TestCriteria>", "</TestCriteria>", "<boltArtifact>"]
)
def test_an_unclosed_file_ends_before_any_tag(after: str) -> None:
    parsed = parse('<boltArtifact><boltAction type="file" filePath="a">1\n' + after + act("finish"))
    assert contents(parsed)["a"] == "1\n"
    assert "file a" in [oddity.detail for oddity in parsed.oddities if oddity.kind == Odd.UNCLOSED]


def test_a_message_that_ends_inside_a_file_keeps_the_files_before_it() -> None:
    text = "<boltArtifact>" + file("a", "1") + '<boltAction type="file" filePath="b">half'
    for cut in (False, True):
        parsed = parse(text, cut)
        assert (parsed.action, contents(parsed), parsed.truncated) == (ActionKind.IMPLEMENT, {"a": "1"}, True)
        assert detail(parsed, Odd.CUT) == "the message ends within file b"
        assert "half" not in parsed.prose


@pytest.mark.parametrize(
    "text",
    [
        '<boltAction type="file" filePath="a">half',
        '<boltAction type="file" filePath="a">whole</boltAct',
        '<boltAction type="file" filePath="a">whole</boltAction',
        '<boltAction type="ask_user">Which col',
        '<boltAction type="finish">',
        '<boltAction type="fin',
        "<TestCriteria>six",
        "<think>so far",
    ],
)
@pytest.mark.parametrize("cut", [False, True])
def test_nothing_whole_left_is_malformed(text: str, cut: bool) -> None:
    parsed = parse(text, cut)
    assert (parsed.action, parsed.files, parsed.question) == (ActionKind.MALFORMED, (), "")
    assert parsed.truncated or (text.startswith("<think>") and Odd.THINK in kinds(parsed))


def test_the_output_limit_after_a_whole_action_is_said() -> None:
    parsed = parse("<boltArtifact>" + file("a", "1"), cut=True)
    assert (parsed.action, parsed.truncated, kinds(parsed)) == (ActionKind.IMPLEMENT, True, [Odd.CUT])


def test_an_artifact_without_its_end_keeps_its_files() -> None:
    parsed = parse("<boltArtifact>" + file("a", "1"))
    assert (contents(parsed), parsed.truncated, kinds(parsed)) == ({"a": "1"}, False, [Odd.UNCLOSED])


def test_a_tag_without_its_end_takes_no_file_with_it() -> None:
    parsed = parse(artifact('<boltAction type="file" filePath="a.js"\nlet a;', file("b.js", "let b;")))
    assert contents(parsed) == {"b.js": "let b;"}
    assert Odd.BROKEN in kinds(parsed)


# Think text


def test_think_text_is_never_an_action() -> None:
    parsed = parse("<think>" + artifact(file("a", "1")) + act("finish") + "</think>" + artifact(file("b", "2")))
    assert (parsed.action, contents(parsed), parsed.stood) == (ActionKind.IMPLEMENT, {"b": "2"}, ("implement",))
    assert 'filePath="a"' in parsed.reasoning
    assert parsed.oddities == ()


def test_all_before_a_lone_closing_think_tag_is_thought() -> None:
    parsed = parse('plan <boltAction type="finish">…</think><boltAction type="ask_user">Colour?</boltAction>')
    assert (parsed.action, parsed.question, kinds(parsed)) == (ActionKind.CLARIFY, "Colour?", [Odd.THINK])
    assert parsed.reasoning == 'plan <boltAction type="finish">…'


def test_all_after_a_lone_opening_think_tag_is_thought() -> None:
    parsed = parse(act("ask_user", "Colour?") + "<think>then " + act("finish"))
    assert (parsed.action, parsed.stood, kinds(parsed)) == (ActionKind.CLARIFY, ("clarify",), [Odd.THINK])


def test_nested_think_tags_leave_nothing_outside() -> None:
    parsed = parse("<think>a <think>b</think>" + act("finish") + "</think>" + act("ask_user", "Q?"))
    assert (parsed.action, parsed.stood) == (ActionKind.CLARIFY, ("clarify",))


@pytest.mark.parametrize("name", ["think", "thinking", "THINK"])
def test_several_thoughts_are_kept_in_order(name: str) -> None:
    parsed = parse(f"<{name}>one</{name}> Hello. <{name}>two</{name}>" + act("ask_user", f"Which <{name}>hm</{name}>one?"))
    assert (parsed.reasoning, parsed.prose, parsed.question) == ("one\n\ntwo\n\nhm", "Hello.", "Which one?")


def test_think_tags_in_a_file_are_its_text() -> None:
    source = 'if (text.includes("</think>")) strip(text);\n<p>the <think> tag</p>\n'
    parsed = parse("Now.\n" + artifact(file("a.js", source)))
    assert (contents(parsed), parsed.prose, kinds(parsed)) == ({"a.js": source}, "Now.", [Odd.TAG_IN_CONTENT])


# Attributes and tags in other dress


@pytest.mark.parametrize(
    "tag",
    [
        '<boltAction filePath="src/a.js" type="file">',
        "<boltAction type='file' filePath='src/a.js'>",
        '<BOLTACTION TYPE="FILE" FILEPATH="src/a.js">',
        "<boltAction type=file filePath=src/a.js>",
        '<boltAction\n  type = "file"\n  filePath = "src/a.js"\n  title="x > y"\n>',
        '<boltAction type="file" filePath="src/a.js" filePath="other.js" >',
    ],
)
def test_attributes_in_any_dress(tag: str) -> None:
    assert contents(parse(artifact(tag + "let a;</boltAction>"))) == {"src/a.js": "let a;"}


@pytest.mark.parametrize(
    "path",
    ["a>b.js", ".env", "./.env", "../../etc/passwd", "/home/project/a.js", "src\\u0061\\b.ts", "a&amp;b", "%2e%2e/x", "é"],
)
def test_paths_are_recorded_as_written(path: str) -> None:
    assert contents(parse(artifact(file(path, "1")))) == {path: "1"}


def test_files_without_a_usable_path_are_not_taken() -> None:
    parsed = parse(artifact('<boltAction type="file">x</boltAction>', file("  ", "x"), file("a" * (MAX_PATH + 1), "x")))
    assert (parsed.action, parsed.files, kinds(parsed)) == (ActionKind.MALFORMED, (), [Odd.NO_PATH] * 3)


def test_the_last_of_two_files_with_one_path_counts() -> None:
    parsed = parse(artifact(file("a", "first"), file("b", "b"), file("a", "last")))
    assert (contents(parsed), detail(parsed, Odd.TWICE)) == ({"b": "b", "a": "last"}, "a")


def test_a_lone_file_counts_as_if_it_stood_in_an_artifact() -> None:
    parsed = parse(file("a", "1"))
    assert (parsed.action, contents(parsed), kinds(parsed)) == (ActionKind.IMPLEMENT, {"a": "1"}, [Odd.BARE])


@pytest.mark.parametrize("kind", ["start", "build", "supabase", "delete", ""])
def test_unknown_actions_are_noted_and_do_nothing(kind: str) -> None:
    parsed = parse(artifact(act(kind, "npm run dev")))
    assert (parsed.action, parsed.commands, parsed.stood, kinds(parsed)) == (
        ActionKind.MALFORMED,
        (),
        (),
        [Odd.UNKNOWN_ACTION],
    )


def test_an_empty_artifact_is_malformed() -> None:
    parsed = parse("<boltArtifact>\n</boltArtifact>")
    assert (parsed.action, kinds(parsed)) == (ActionKind.MALFORMED, [Odd.EMPTY])


def test_a_self_closing_finish_is_taken() -> None:
    assert parse('<boltAction type="finish"/>').action is ActionKind.SUBMIT


def test_code_in_the_chat_is_malformed_and_kept_as_prose() -> None:
    text = "Here is the app:\n```tsx\nexport default () => <p>Hi</p>;\n```"
    parsed = parse(text)
    assert (parsed.action, parsed.files, parsed.prose, kinds(parsed)) == (ActionKind.MALFORMED, (), text, [Odd.FENCED_CODE])


def test_an_artifact_within_a_fence_is_an_artifact() -> None:
    assert contents(parse("```xml\n" + artifact(file("a", "1")) + "\n```")) == {"a": "1"}


# Our tags within a file


@pytest.mark.parametrize(
    "source",
    [
        'const end = "</boltAction>";\n',
        "const end = '</boltAction>', begin = '<boltAction type=\"file\" filePath=\"x\">';\n",
        "const both = `<boltArtifact><boltAction></boltAction></boltArtifact>`;\n",
        'a("</boltAction>");\nb("</boltArtifact>");\nc(\'</boltAction>\');\n',
        "const s = 'it\\'s </boltAction> here';\n",
    ],
)
def test_a_tag_quoted_on_one_line_is_text_of_the_file(source: str) -> None:
    parsed = parse(artifact(file("a.js", source), file("b.js", "2")))
    assert contents(parsed) == {"a.js": source, "b.js": "2"}
    assert kinds(parsed) == [Odd.TAG_IN_CONTENT]


def test_a_quoted_closing_tag_ends_the_file_when_none_follows() -> None:
    parsed = parse(artifact('<boltAction type="file" filePath="a">"it ends here</boltAction> "quoted"', file("b", "2")))
    assert contents(parsed) == {"a": '"it ends here', "b": "2"}


FIRST = file("a.js", "<p>Don't</p>")


@pytest.mark.parametrize("path", ['"b.js"', "'b.js'"])
def test_apostrophes_on_a_line_of_several_files_quote_no_tag(path: str) -> None:
    text = f"<boltArtifact>{FIRST}<boltAction type='file' filePath={path}>it's</boltAction></boltArtifact>"
    assert contents(parse(text)) == {"a.js": "<p>Don't</p>", "b.js": "it's"}


def test_an_apostrophe_on_an_earlier_line_quotes_nothing() -> None:
    parsed = parse(artifact(file("a.txt", "Don't.\n"), "it's prose", file("b.txt", "2")))
    assert contents(parsed) == {"a.txt": "Don't.\n", "b.txt": "2"}


def test_anything_may_stand_in_cdata() -> None:
    source = "<p>]]></p></boltAction>\n<boltAction type='finish'></boltAction>\nif (a[b[0]]>1) {}\n"
    parsed = parse(artifact(file("a.html", f"\n<![CDATA[\n{source}]]>\n"), file("b", "2")))
    assert (contents(parsed), parsed.action) == ({"a.html": source, "b": "2"}, ActionKind.IMPLEMENT)
    assert set(kinds(parsed)) == {Odd.CDATA, Odd.TAG_IN_CONTENT}


def test_cdata_without_an_end_swallows_no_other_file() -> None:
    parsed = parse(artifact(file("a", "<![CDATA[one"), file("b", "<![CDATA[two]]>")))
    assert contents(parsed) == {"a": "<![CDATA[one", "b": "two"}


# Hostile text


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    parsed = parse("caf\ud83d " + artifact(file("a\udc00", "x\ud83d y \ud83d\ude00")))
    assert (contents(parsed), parsed.prose) == ({"a\ufffd": "x\ufffd y 😀"}, "caf\ufffd")
    assert kinds(parsed) == [Odd.SURROGATE]


def test_a_pair_in_two_pieces_is_one_character() -> None:
    parser = StreamParser()
    parser.feed('<boltAction type="ask_user">\ud83d')
    parser.feed("\ude00?</boltAction>")
    parsed = parser.finish()
    assert (parsed.question, parsed.oddities) == ("😀?", ())


def test_what_is_recorded_is_bounded() -> None:
    parsed = parse("".join(act("ask_user", f"{n} " + "x" * 1000) for n in range(1000)) + act("nonsense" * 50) * 500)
    assert len(parsed.stood) == MAX_STOOD
    assert len(parsed.oddities) <= MAX_ODDITIES + 13
    assert max(len(oddity.detail) for oddity in parsed.oddities) <= 120


def test_the_parser_says_which_file_is_being_written() -> None:
    parser = StreamParser()
    assert parser.writing == ""
    parser.feed('<boltArtifact><boltAction type="file" filePath="src/')
    assert parser.writing == ""
    parser.feed('a.js">let')
    assert parser.writing == "src/a.js"
    parser.feed(" a;</boltAction>")
    assert parser.writing == ""


OPEN = '<boltAction type="file" filePath="a.js">'


@pytest.mark.parametrize(
    "text",
    [
        "<" * 1_000_000,
        "<boltAction " * 100_000,
        '<boltAction type="' * 60_000,
        OPEN * 25_000,
        (OPEN + "<![CDATA[") * 20_000,
        OPEN + "'<boltAction>'" * 70_000 + "</boltAction>",
        OPEN + "'</boltAction>'" * 70_000 + "</boltAction>",
        OPEN + '"' * 1_000_000 + "</boltAction>",
        OPEN + "//" * 500_000 + "</boltAction>",
        OPEN + ("// " + "other code " * 18 + "\n") * 5_000 + "</boltAction>",
        OPEN + ("// " + "." * 190 + "x\n") * 5_000 + "</boltAction>",
        OPEN + "&lt;b&gt;" * 100_000 + "</boltAction>",
        "<think>" * 140_000,
        "</think>" * 120_000,
        "<think>a</think>" * 60_000,
        ("<boltAction " + "a" * 4_000) * 250,
        ("<boltAction " + "a = " * 1_000) * 250,
        ("<boltAction " + "a=\"'" * 1_000) * 250,
        "\n" * 1_000_000,
        "\n \n" * 300_000,
        "<boltArtifact>" * 70_000,
        "<TestCriteria>a</TestCriteria>" * 30_000,
    ],
    ids=lambda text: text[:24],
)
def test_reading_takes_time_in_proportion_to_length(text: str) -> None:
    began = time.process_time()
    parse(text)
    assert time.process_time() - began < 10, "a megabyte takes some 0.3 s; a quadratic reading would take minutes"
