"""The causes of failed slots: by what the builder could know, what it wrote, and what it looked at."""

from itertools import product
from typing import Any

import msgspec
import pytest

from iwtui.bench.blame import Blame, Cause, blames, blind_turn, kind_of_extra
from iwtui.bench.case import Assertion, Case, SlotKind
from iwtui.bench.events import LongText
from iwtui.packs import load_pack
from tests.support.blamed import Told

CASES = {case.id: case for case in load_pack("starter")}
NAME, BACKGROUND, HEADER, BREADS, SEARCH, BASKET, HOURS, EXTRA = range(8)
SEARCHES = '<input type="search" id="breadSearch"><script>function narrowList(name) { filter(breads) }</script>'
EMPTY = "<h1>Welcome</h1><p>Nice things.</p>"


def told(persona: str) -> Told:
    return Told(CASES[f"bakery_{persona}"])


def why(blame: Blame) -> list[str]:
    return [one.why for one in blame.evidence]


def kinds(told: Told, blame: Blame) -> list[str]:
    return [told.kind(one.seq) for one in blame.evidence if not one.judging]


@pytest.mark.parametrize(
    ("persona", "shown"),
    [("P-MIN", "leaves it out"), ("P-INT", "veils it"), ("P-CON", "contradicts it")],
)
def test_what_no_question_reached_was_never_asked(persona: str, shown: str) -> None:
    episode = told(persona).writes(EMPTY).submits()
    blame = episode.cause(BACKGROUND)
    assert (blame.cause, blame.turn, blame.estimated) == (Cause.NEVER_ASKED, 1, False)
    assert shown in why(blame)[0]
    assert kinds(episode, blame) == ["TurnStarted", "FilesChanged"]


@pytest.mark.parametrize("code", [EMPTY, "<style>body { background: ivory }</style>"])
def test_a_guess_and_a_look_do_not_make_blind_execution_anything_else(code: str) -> None:
    episode = told("P-MIN").writes(code).looks("the page background is ivory").submits()
    assert episode.cause(BACKGROUND).cause is Cause.NEVER_ASKED


def test_an_answer_that_gives_half_of_what_a_slot_needs_is_not_enough() -> None:
    search = 4
    only_search = (
        told("P-MIN").asks("Any search?", "A search box narrows the list of breads.", search).writes(EMPTY).submits()
    )
    blame = only_search.cause(SEARCH)
    assert blame.cause is Cause.NEVER_ASKED
    assert "one question was asked, none got it told" in why(blame)
    both = told("P-MIN").asks("Any search?", "A search.", search).asks("Which breads?", "Six.", 3).writes(EMPTY).submits()
    assert both.cause(SEARCH).cause is Cause.ANSWER_IGNORED


@pytest.mark.parametrize("given", [{"disclosed": (1,)}, {"retrieved": (1,)}])
def test_what_the_client_told_and_the_code_lacks_is_an_answer_ignored(given: dict[str, Any]) -> None:
    disclosed = given.pop("disclosed", ())
    episode = (
        told("P-MIN").asks("Which background?", "The hush of old piano keys.", *disclosed, **given).writes(EMPTY).submits()
    )
    blame = episode.cause(BACKGROUND)
    assert (blame.cause, blame.turn) == (Cause.ANSWER_IGNORED, 2)
    assert kinds(episode, blame) == ["TurnStarted", "ClientReplied", "FilesChanged"]
    assert "(fact 2)" in why(blame)[1]


def test_what_the_client_held_back_is_not_told() -> None:
    episode = told("P-CON").asks("Ivory or black?", "As I said.", retrieved=(1,), held=(1,), challenged=True).writes(EMPTY)
    blame = episode.submits().cause(BACKGROUND)
    assert blame.cause is Cause.NEVER_ASKED
    assert "asked, and the client held on to its words" in why(blame)


def test_a_client_without_time_tells_nothing() -> None:
    episode = told("P-MIN").asks("Which background?", "I have no more time.", answered=False).writes(EMPTY).submits()
    assert episode.cause(BACKGROUND).cause is Cause.NEVER_ASKED


def test_an_answer_that_no_code_follows_is_ignored_even_where_a_guess_hit_it() -> None:
    episode = (
        told("P-MIN").writes("<style>body { background: ivory }</style>").asks("Which background?", "Ivory.", 1).submits()
    )
    blame = episode.cause(BACKGROUND)
    assert (blame.cause, blame.turn) == (Cause.ANSWER_IGNORED, 2)


def test_a_yes_to_a_question_that_speaks_of_the_slot_tells_it() -> None:
    asked = "Should a search box narrow the list of breads by name while one types?"
    for reply, cause in [("Yes, please.", Cause.ANSWER_IGNORED), ("No.", Cause.NEVER_ASKED), ("What?", Cause.NEVER_ASKED)]:
        assert told("P-MIN").asks(asked, reply).writes(EMPTY).submits().cause(SEARCH).cause is cause


def test_what_was_stated_and_never_built_was_missed() -> None:
    for persona in ("P-RAM", "P-BASE"):
        blame = told(persona).writes(EMPTY).submits().cause(HOURS)
        assert (blame.cause, blame.turn) == (Cause.MISSED, 1)


@pytest.mark.parametrize(
    ("slot", "code"),
    [
        (BACKGROUND, "body { background: #fffff0 }"),
        (BACKGROUND, "body { background: #FFFFF0 }"),
        (BACKGROUND, "body { background: rgb(255, 255, 240) }"),
        (BACKGROUND, "body { background: ivory }"),
        (HEADER, "header { background: #800000 }"),
        (BREADS, "const list = [['Rye', 4.2], ['Spelt', 4.8], ['Brioche', '3,90'], ['Focaccia', 5.10]]"),
        (SEARCH, SEARCHES),
        (BASKET, "function addToBasket(item) { basketCount += 1 }"),
        (HOURS, "<p>Open Tuesday to Saturday, 7 am to 1 pm</p><p>Tuesday to Saturday, 7:00 to 13:00</p>"),
    ],
)
def test_code_that_has_what_a_slot_asks_for_was_built_and_not_verified(slot: int, code: str) -> None:
    episode = told("P-BASE").writes({"index.html": EMPTY, "src/site.js": code}).submits()
    blame = episode.cause(slot)
    assert (blame.cause, blame.turn) == (Cause.NOT_VERIFIED, 1)
    assert kinds(episode, blame) == ["TurnStarted", "FilesChanged"]


@pytest.mark.parametrize(
    ("slot", "code"),
    [
        (BACKGROUND, "body { background: #ffffff }"),
        (HEADER, "header { background: #0000800 }"),
        (BREADS, "const list = [['Rye', 9.9], ['Toast', 1.5]]"),
        (SEARCH, "function addToBasket() {}"),
        (HOURS, "<p>Open on Monday</p>"),
        (BREADS, "const sixBreads = 6; let one = 1"),
    ],
)
def test_code_with_something_else_does_not_have_it(slot: int, code: str) -> None:
    assert told("P-BASE").writes(code).submits().cause(slot).cause is Cause.MISSED


def test_packages_and_files_that_are_gone_are_not_the_code() -> None:
    elsewhere = {"package-lock.json": "ivory maroon", "photo.png": "ivory"}
    assert told("P-BASE").writes({"index.html": EMPTY, **elsewhere}).submits().cause(BACKGROUND).cause is Cause.MISSED
    rewritten = told("P-BASE").writes("body { background: ivory }").writes(EMPTY).submits()
    assert rewritten.cause(BACKGROUND).cause is Cause.MISSED


@pytest.mark.parametrize(
    ("how", "cause"),
    [
        ({"criteria": "The page background is ivory."}, Cause.VERIFIED_WRONG),
        ({"criteria": "- nice\n- the search works"}, Cause.NOT_VERIFIED),
        ({"criteria": "it is nice", "thought": "the background is ivory, as asked"}, Cause.VERIFIED_WRONG),
        ({"criteria": "the background is ivory", "status": "error"}, Cause.NOT_VERIFIED),
        ({"criteria": "the background is ivory", "status": "failed", "report": 'missing: "Rye"'}, Cause.VERIFIED_WRONG),
        ({"criteria": "all is well", "status": "failed", "report": "the background is not ivory"}, Cause.MISSED),
    ],
)
def test_a_verify_counts_as_far_as_it_speaks_of_the_slot(how: dict[str, str], cause: Cause) -> None:
    episode = told("P-BASE").writes("body { background: ivory }").looks(**how).submits()
    blame = episode.cause(BACKGROUND)
    assert blame.cause is cause
    assert blame.turn == (1 if cause is Cause.NOT_VERIFIED else 2)


def test_what_a_verify_found_wanting_and_was_mended_was_not_verified_again() -> None:
    episode = told("P-BASE").writes("body { background: ivory }").looks("ivory background", "failed", "it is not ivory")
    blame = episode.writes("html { background: ivory }").submits().cause(BACKGROUND)
    assert (blame.cause, blame.turn) == (Cause.NOT_VERIFIED, 3)
    assert kinds(episode, blame) == ["TurnStarted", "FilesChanged", "Verified", "FilesChanged"]


def test_a_verify_before_it_was_built_looked_at_something_else() -> None:
    episode = told("P-BASE").writes(EMPTY).looks("the background is ivory").writes("body { background: ivory }").submits()
    assert episode.cause(BACKGROUND).cause is Cause.NOT_VERIFIED


def test_only_failed_slots_of_scored_episodes_have_a_cause() -> None:
    episode = told("P-MIN").writes(EMPTY).submits()
    for slot, verdict in enumerate(["failed", "passed", "unobserved", "unjudged"]):
        episode.judged(slot, verdict)
    assert [blame.slot for blame in episode.causes()] == [NAME]
    for status in ("crashed", "infra", "cancelled", None):
        assert episode.causes(status) == ()
    assert told("P-MIN").writes(EMPTY).judged(0).causes() == (), "not over yet"


def test_the_last_verdict_on_a_slot_counts() -> None:
    episode = told("P-MIN").writes(EMPTY).submits().judged(0, "failed")
    judging = episode.judging()
    later = msgspec.structs.replace(judging.verdicts[0], verdict="passed")
    changed = msgspec.structs.replace(judging, verdicts=(*judging.verdicts, later))
    assert blames(episode.case, episode.episode, changed, episode.blobs) == ()


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ('nobody asked for heading "Stay in touch", textbox "Your e-mail", button "Subscribe"', "functional"),
        ('nobody asked for heading "Log in to the newsletter form"', "decorative"),
        ("The page has an unrequested newsletter sign-up.", "functional"),
        ("A hero banner with a stock photo was added.", "decorative"),
        ("Testimonials that nobody wanted stand on the page.", "decorative"),
        ("[Failed] checked element 4.", ""),
        ("", ""),
    ],
)
def test_what_nobody_asked_for_is_sorted_by_what_the_judge_names(reason: str, cause: str) -> None:
    assert kind_of_extra(reason).value == f"hallucinated {cause}".strip()


def test_a_hallucination_points_to_the_verdict_and_to_the_turn_that_wrote_it() -> None:
    episode = told("P-MIN").writes(EMPTY).writes({"more.html": "<button>Subscribe</button>"}).submits()
    (blame,) = episode.judged(EXTRA, reason='nobody asked for button "Subscribe"').causes()
    assert (blame.cause, blame.turn, blame.estimated) == (Cause.HALLUCINATED_FUNCTIONAL, 2, False)
    assert [one.judging for one in blame.evidence] == [True, False]


def test_a_negative_slot_that_asks_for_something_is_a_requirement_like_others() -> None:
    case = CASES["bakery_P-BASE"]
    slots = [
        msgspec.structs.replace(slot, assertion=Assertion.NEGATIVE, kind=SlotKind.VALIDATION) for slot in case.slots[:2]
    ]
    blame = Told(msgspec.structs.replace(case, slots=tuple(slots))).writes(EMPTY).submits().cause(BACKGROUND)
    assert blame.cause is Cause.MISSED


def bare(persona: str) -> Case:
    return msgspec.structs.replace(CASES[f"bakery_{persona}"], visibility=())


def test_without_notes_the_instruction_is_read_and_the_cause_is_marked_as_estimated() -> None:
    slots = (NAME, BACKGROUND, HEADER, BREADS, SEARCH, BASKET, HOURS)
    for persona, slot in product(("P-MIN", "P-RAM", "P-CON", "P-BASE"), slots):
        noted = told(persona).writes(EMPTY).submits().cause(slot)
        estimated = Told(bare(persona)).writes(EMPTY).submits().cause(slot)
        assert (estimated.cause, estimated.estimated) == (noted.cause, True), (persona, slot)


def test_a_case_without_its_golden_text_is_told_by_the_slots_alone() -> None:
    case = bare("P-MIN")
    slots = tuple(msgspec.structs.replace(slot, facts=()) for slot in case.slots)
    lost = msgspec.structs.replace(case, golden="", facts=(), slots=slots)
    assert Told(lost).writes(EMPTY).submits().cause(SEARCH).cause is Cause.NEVER_ASKED
    answered = Told(lost).asks("Any search?", "A search box that narrows the bread list by the name typed.").writes(EMPTY)
    assert answered.submits().cause(SEARCH).cause is Cause.ANSWER_IGNORED
    plain = msgspec.structs.replace(
        lost, instruction="A page with a search box that narrows the list of breads by name typed."
    )
    assert Told(plain).writes(EMPTY).submits().cause(SEARCH).cause is Cause.MISSED


def test_the_blind_turn_is_the_first_that_committed_to_what_nobody_knew() -> None:
    episode = told("P-MIN").asks("Hm?", "Hm.").writes({"a.css": "h1 { color: red }"}).writes({"b.js": SEARCHES}).submits()
    for slot in (SEARCH, HOURS):
        episode.judged(slot)
    causes = {blame.slot: blame.turn for blame in episode.causes()}
    assert causes == {SEARCH: 3, HOURS: 2}, "the turn that wrote about it, else the first that wrote anything"
    assert blind_turn(episode.causes()) == 2
    assert blind_turn(told("P-BASE").writes(EMPTY).submits().judged(HOURS).causes()) is None


def test_an_episode_without_any_code_has_causes_too() -> None:
    assert told("P-BASE").submits().cause(HOURS).cause is Cause.MISSED
    nobody = told("P-MIN").submits().cause(HOURS)
    assert (nobody.cause, nobody.turn) == (Cause.NEVER_ASKED, None)


def test_what_cannot_be_read_any_more_holds_nothing() -> None:
    episode = told("P-BASE").writes("body { background: ivory }").submits()
    assert episode.cause(BACKGROUND).cause is Cause.NOT_VERIFIED
    episode.blobs.kept.clear()
    assert episode.cause(BACKGROUND).cause is Cause.MISSED
    long = told("P-MIN").asks("Which?", "x " * 4_000).writes(EMPTY).submits()
    (reply,) = long.episode.dialogue
    assert isinstance(reply.reply, LongText)
    long.blobs.kept.clear()
    assert long.cause(BACKGROUND).cause is Cause.NEVER_ASKED
