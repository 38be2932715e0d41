"""What the panes beside the timeline are given: files, pictures, slots."""

from iwtui.bench.case import Assertion, Visibility
from iwtui.bench.events import FileChange, TurnStarted
from iwtui.tui.state.episode import EpisodeView
from iwtui.tui.state.files import listed
from iwtui.tui.state.shapes import FileEntry, judging_seq
from tests.support.console_logs import A, B, C, D, episode, files, judging, log, started
from tests.support.stores import make_case


def view_of_files() -> EpisodeView:
    """Turn 1 adds two files, turn 2 changes one and removes the other, turn 3 does nothing."""
    view = EpisodeView(None)
    view.feed(
        log(
            (0, started()),
            (1, TurnStarted(message="m")),
            (1, files(C, FileChange("b.js", "add", A, 5, added=1), FileChange("a.html", "add", B, 6, added=2))),
            (2, TurnStarted(message="m")),
            (2, files(D, FileChange("b.js", "change", C, 7, 3, 1, True), FileChange("a.html", "delete", None, 0, 0, 2))),
            (3, TurnStarted(message="m")),
        )
    )
    return view


def test_files_are_those_at_the_cursor() -> None:
    view = view_of_files()
    view.go(1)
    assert (list(view.files), list(view.changes), view.workspace.turn) == ([], [], 0)
    view.go(3)
    assert [(entry.path, entry.blob, entry.op) for entry in view.files] == [("a.html", B, "add"), ("b.js", A, "add")]
    assert (list(view.changes), view.workspace.turn) == ([], 1)  # of turn 2, which has changed none yet
    view.go(4)
    assert list(view.files) == [
        FileEntry("a.html", None, 0, "delete", 0, 2),
        FileEntry("b.js", C, 7, "change", 3, 1, True),
    ]
    assert [change.path for change in view.changes] == ["b.js", "a.html"]


def test_a_file_can_be_compared_with_what_it_was_before_the_last_change() -> None:
    view = view_of_files()
    workspace = view.workspace
    assert (workspace.turn, workspace.manifest, workspace.manifest_before) == (2, D, C)
    assert workspace.before == {"b.js": A, "a.html": B}
    assert workspace.whole


def test_when_an_event_does_not_name_all_changes_the_manifests_do() -> None:
    view = EpisodeView(None)
    view.feed(log((1, TurnStarted(message="m")), (1, files(D, FileChange("b.js", "change", C, 7, 3, 1), more=2))))
    assert not view.workspace.whole
    before = {"b.js": (A, 5), "gone.css": (A, 1), "same.js": (B, 2)}
    now = {"b.js": (C, 7), "new.css": (D, 3), "same.js": (B, 2)}
    found = listed(now, before, view.changes)
    assert [(entry.path, entry.op, entry.added) for entry in found] == [
        ("b.js", "change", 3),
        ("gone.css", "delete", 0),
        ("new.css", "add", 0),
        ("same.js", "", 0),
    ]


def test_the_picture_is_the_newest_at_the_cursor_among_those_of_its_turn() -> None:
    view = EpisodeView(make_case())
    view.feed(episode())
    view.feed_judging("checks-1", judging())
    view.go(6)
    assert (view.picture, list(view.pictures)) == (None, [])
    view.go(9)  # shown to the builder once more: the picture of turn 2
    assert view.picture is not None
    assert (view.picture.seq, view.picture.blob, view.picture.caption) == (7, A, "turn 2, implement: “Crumb”")
    view.go(10)
    assert view.picture is not None and view.picture.caption == "turn 3, verify step 1: click [2] button"
    assert [picture.seq for picture in view.pictures] == [10, 11]
    view.go(13)
    assert view.picture is not None and view.picture.seq == 11  # the audit's last is the last step's
    view.go(judging_seq(4))
    assert view.picture is not None
    assert (view.picture.seq, view.picture.slot) == (judging_seq(3), 1)
    assert [picture.seq for picture in view.pictures] == [judging_seq(3)]
    view.go(judging_seq(0))
    assert view.picture is not None and view.picture.seq == 11


def test_slots_carry_what_the_judging_said_and_led_to_its_evidence() -> None:
    view = EpisodeView(make_case())
    view.feed(episode())
    view.feed_judging("checks-1", judging())
    first, second, third, last = view.slots
    assert [slot.glyph for slot in view.slots] == ["✓", "✗", "?", "?"]
    assert [slot.weight for slot in view.slots] == [1.0, 1.5, 2.25, 1.0]
    assert (first.verdict, first.tone, first.reason, first.told) == ("passed", "good", "because 0", None)
    assert (second.decided, second.evidence, second.steps) == (judging_seq(4), judging_seq(3), (judging_seq(3),))
    assert (second.component, second.told, second.visibility) == ("Search", 1, Visibility.MISSING)
    assert (third.verdict, third.reason, third.decided) == ("unobserved", "the judge never looked", None)
    assert last.assertion is Assertion.NEGATIVE


def test_slots_are_pending_until_the_judging_is_over() -> None:
    view = EpisodeView(make_case())
    view.feed(episode())
    assert [(slot.glyph, slot.verdict) for slot in view.slots] == [("·", "")] * 4
    view.feed_judging("checks-1", judging(end=None))
    assert [slot.glyph for slot in view.slots] == ["✓", "✗", "·", "·"]
    view.feed_judging("checks-1", judging()[5:])
    assert [slot.glyph for slot in view.slots] == ["✓", "✗", "?", "?"]


def test_a_judging_that_we_failed_leaves_slots_pending() -> None:
    view = EpisodeView(make_case())
    view.feed(episode())
    view.feed_judging("checks-1", judging(end="infra"))
    assert [slot.verdict for slot in view.slots] == ["passed", "failed", "", ""]


def test_without_the_case_the_slots_are_numbered() -> None:
    view = EpisodeView(None)
    view.feed(episode())
    view.feed_judging("checks-1", judging())
    assert [(slot.component, slot.verdict) for slot in view.slots][:2] == [("slot 0", "passed"), ("slot 1", "failed")]
    assert len(view.slots) == 4
    assert view.header.score.tcr is None


def test_a_judging_of_more_slots_than_the_case_has_shows_those_of_the_case() -> None:
    view = EpisodeView(make_case())
    view.feed(episode())
    view.feed_judging("checks-1", judging(verdicts=["passed"] * 9))
    assert len(view.slots) == 4
