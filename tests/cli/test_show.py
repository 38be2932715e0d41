"""`iwtui show`: an episode as a story and as an object, whatever state it is in."""

import json
import re

import pytest

from iwtui.bench.events import (
    ActionChosen,
    ClientReplied,
    EpisodeEnded,
    EpisodeResumed,
    JudgingEnded,
    JudgingStarted,
    SiteProbed,
    TurnStarted,
)
from tests.cli.scribe import Command, Scribe, make_case, started, whole_episode, whole_judging

STEM = "bakery_P-MIN.scripted-blind.r1.a1"


@pytest.fixture
def empty_run(scribe: Scribe) -> Scribe:
    scribe.run("first", [make_case("bakery", "P-MIN")])
    return scribe


def test_the_story_names_everything_that_happened_in_its_order(iwtui: Command, told: str) -> None:
    result = iwtui("show", told)
    assert result.exit_code == 0, result.output
    expected = [
        "bakery_P-MIN · scripted/blind · P-MIN · easy · repeat 1, attempt 1 · scripted",
        "scored · TCR 25.0 % · turn 5 of 15",
        "Make a site for my bakery.",
        "Turn 1 ? clarify",
        "in one message stood: clarify, implement",
        "asks: Which colour?",
        "odd: unclosed: boltAction",
        "client: Ivory.",
        "told: fact 1, It has a name.",
        "leaked without being asked: fact 2, A search narrows the list.",
        "Turn 2 # implement",
        "builder's model failed: timeout",
        "add index.html  +12 −0  possible elision",
        "refused: ../x — outside",
        "ran: npm install — exit 1",
        "(894 more lines, --full shows them)",
        "not run: not allowed",
        "blocked: http://cdn.example/x.js",
        "Turn 3 @ verify",
        'browser 1: click [1] button "Go" → clicked',
        "dialog: alert “Saved” answered with accepted",
        "the audit: failed after 1 step, 2 in a row",
        "Turn 4 ! malformed",
        "Turn 5 > submit",
        "The end: played, submitted",
        "Judged by checks: scored",
        "✓ passed      1.00  slot 0, Heading (positive)",
        "because: The heading says Crumb.",
        'seen at event 1 of the judging: see heading "Crumb"',
        "✗ failed      2.00  slot 1, Search (positive)",
        "expected: narrows the list",
        "because: There is no search box.",
        "? unobserved  1.00  slot 2, Extra (negative)",
        "TCR 25.0 %   over POSITIVE slots 33.3 %",
    ]
    place = 0
    for piece in expected:
        found = result.stdout.find(piece, place)
        assert found >= 0, f"{piece!r} is missing after {result.stdout[place - 60 : place]!r}"
        place = found


def test_full_shows_long_texts_whole(iwtui: Command, told: str) -> None:
    assert iwtui("show", told, "--full").stdout.count("a line") == 900


def test_a_part_of_the_name_and_last_will_do(iwtui: Command, told: str) -> None:
    assert iwtui("show", "P-MIN").stdout == iwtui("show", "last").stdout == iwtui("show", told).stdout


@pytest.mark.parametrize("event", range(23))
def test_each_event_shows_the_state_up_to_it(iwtui: Command, told: str, event: int) -> None:
    result = iwtui("show", told, "--event", str(event))
    assert result.exit_code == 0
    seen = [int(seq) for seq in re.findall(r"\(event (\d+)\)", result.stdout)]
    assert seen == [seq for seq in (2, 6, 13, 17, 20) if seq <= event]
    assert "Judged by" not in result.stdout
    assert f"up to event {event}" in result.stdout


def test_an_event_that_is_not_there_is_wrong_use(iwtui: Command, told: str) -> None:
    result = iwtui("show", told, "--event", "23")
    assert result.exit_code == 2
    assert "events 0 to 22" in result.stderr


def test_an_episode_that_is_going_on(iwtui: Command, empty_run: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    empty_run.episode("first", STEM, [started(case), (1, TurnStarted(message="x"))])
    result = iwtui("show")
    assert result.exit_code == 0
    assert "running · TCR — · turn 1 of 15" in result.stdout
    assert "waiting for the builder" in result.stdout
    assert "not over" in result.stdout


@pytest.mark.parametrize("happenings", [0, 1, 2])
def test_the_very_beginning_of_a_log(iwtui: Command, empty_run: Scribe, happenings: int) -> None:
    case = make_case("bakery", "P-MIN")
    empty_run.episode("first", STEM, [started(case), (1, TurnStarted(message="x"))][:happenings])
    for form in ("--plain", "--json"):
        assert iwtui("show", STEM, form).exit_code == 0


def test_a_fault_of_ours(iwtui: Command, empty_run: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    ended = EpisodeEnded(status="infra", stop_reason="model", text="the provider is down")
    empty_run.episode("first", STEM, [started(case), (1, TurnStarted(message="x")), (1, ended)])
    result = iwtui("show")
    assert "infra · TCR —" in result.stdout
    assert "the provider is down" in result.stdout


def test_a_site_that_does_not_run(iwtui: Command, empty_run: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    ended = EpisodeEnded(status="played", stop_reason="submitted")
    probe = SiteProbed(phase="judging", ok=False, reason="the page is empty", fault="site")
    empty_run.episode("first", STEM, [started(case), (1, TurnStarted(message="x")), (1, ended)])
    judging = [
        (1, JudgingStarted(judge="checks", slots=3, manifest="0" * 64, turn_judged=1)),
        (1, probe),
        (1, JudgingEnded(status="crashed", text="the site did not run")),
    ]
    empty_run.judging("first", STEM, judging)  # type: ignore[arg-type]
    result = iwtui("show")
    assert "crashed · TCR 0.0 %" in result.stdout
    assert "the site does not run (its own fault): the page is empty" in result.stdout


def test_what_a_resume_discarded_is_not_told(iwtui: Command, empty_run: Scribe) -> None:
    case = make_case("bakery", "P-MIN")
    happenings = [
        started(case),
        (1, TurnStarted(message="x")),
        (1, ActionChosen(action="clarify", question="Who?")),
        (1, ClientReplied(question="Who?", reply="Me.")),
        (2, TurnStarted(message="Me.")),
        (2, ActionChosen(action="clarify", question="A question of the runner that died")),
        (2, EpisodeResumed(kept_turns=1, discards_from=4)),
        (2, TurnStarted(message="Me.")),
        (2, ActionChosen(action="submit")),
    ]
    empty_run.episode("first", STEM, happenings)
    story = iwtui("show").stdout
    assert "resumed 1 time; 2 events discarded" in story
    assert "runner that died" not in story
    assert story.count("Turn 2") == 1


def test_a_lost_blob_leaves_its_beginning_and_says_where_it_should_be(iwtui: Command, scribe: Scribe, told: str) -> None:
    for blob in (scribe.store.root / "blobs").rglob("*"):
        if blob.is_file():
            blob.unlink()
    result = iwtui("show", told, "--full", color=False)
    assert result.exit_code == 0
    assert "a line" in result.stdout
    assert str(scribe.store.root / "blobs") in "".join(line.strip() for line in result.stdout.splitlines())


def test_a_bad_line_is_told_and_hides_nothing(iwtui: Command, scribe: Scribe, told: str) -> None:
    log = scribe.store.run("first").path / "episodes" / f"{STEM}.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:4], b"no event\n", *lines[4:]]))
    result = iwtui("show", told)
    assert "The end: played" in result.stdout
    assert "no event" in result.stderr or "not an event" in result.stderr


def test_the_object_has_the_documented_keys(iwtui: Command, told: str) -> None:
    shown = json.loads(iwtui("show", told, "--json").stdout)
    assert (
        list(shown)
        == (
            "episode case_id persona difficulty builder repeat attempt scripted models status stop_reason end event upto "
            "score instruction golden began seconds spent forked resumes discarded manifest warnings controls turns judging"
        ).split()
    )
    assert (
        list(shown["turns"][0])
        == (
            "turn event t message picture calls action reply files commands probes steps verified warnings "
            "replied_at changed_at verified_at"
        ).split()
    )
    assert (
        list(shown["judging"]["slots"][0])
        == ("slot component expected assertion kind weight verdict reason evidence step").split()
    )
    assert shown["score"] == {"tcr": 0.25, "tcr_clean": 1 / 3, "sr": False, "hallucinated": None}
    assert shown["turns"][1]["commands"][0]["output"].count("a line") == 900
    assert [slot["verdict"] for slot in shown["judging"]["slots"]] == ["passed", "failed", "unobserved"]
    assert shown["judging"]["slots"][1]["step"]["action"] == "fill"


def test_the_object_up_to_an_event_has_no_judging(iwtui: Command, told: str) -> None:
    shown = json.loads(iwtui("show", told, "--json", "--event", "8").stdout)
    assert (shown["upto"], len(shown["turns"]), shown["judging"]) == (8, 2, None)


def test_nothing_there_is_not_found(iwtui: Command) -> None:
    for arguments in (["show"], ["show", "nobody"]):
        result = iwtui(*arguments)
        assert result.exit_code == 3
        assert result.stderr.startswith("iwtui: ")
        assert "Traceback" not in result.output


def test_an_ambiguous_name_lists_what_it_may_be(iwtui: Command, scribe: Scribe) -> None:
    cases = [make_case("bakery", "P-MIN"), make_case("bakery", "P-RAM")]
    scribe.run("first", cases)
    for case in cases:
        scribe.episode("first", f"{case.id}.scripted-blind.r1.a1", whole_episode(scribe, case))
        scribe.judging("first", f"{case.id}.scripted-blind.r1.a1", whole_judging())
    result = iwtui("show", "bakery")
    assert result.exit_code == 2
    assert "bakery_P-MIN" in result.stderr
    assert "bakery_P-RAM" in result.stderr
