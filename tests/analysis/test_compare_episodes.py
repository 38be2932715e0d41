"""Where two episodes part, and what is no difference at all."""

from collections.abc import Sequence

import pytest

from iwtui.analysis.compare_episodes import (
    file_differences,
    first_divergence,
    moments,
    normal,
    picture_pairs,
    verdict_moments,
)
from iwtui.bench.events import (
    ActionChosen,
    BrowserStepped,
    ClientReplied,
    CommandRan,
    EpisodeResumed,
    FilesChanged,
    JudgingStarted,
    Known,
    Record,
    SiteProbed,
    SlotJudged,
    TurnStarted,
    Verified,
    head,
)
from iwtui.bench.fold import fold, fold_judging

ONE, TWO, THREE = "1" * 64, "2" * 64, "3" * 64


def records(*events: tuple[int, Known], t: float = 0.0) -> list[Record]:
    return [Record(seq, t + seq, turn, event) for seq, (turn, event) in enumerate(events)]


def episode(
    question: str = "Which name?", manifest: str = ONE, port: int = 4000, picture: str = ONE, status: str = "failed"
) -> list[tuple[int, Known]]:
    return [
        (1, TurnStarted(message="Make a site.")),
        (1, ActionChosen(action="clarify", question=question)),
        (1, ClientReplied(question=question, reply=f"See http://localhost:{port}/ in 1.{port} s.")),
        (2, TurnStarted(message="Go on.")),
        (2, ActionChosen(action="implement", files=("index.html",), prose=f"prose {port}")),
        (2, FilesChanged(manifest=manifest, files=1, lines=1)),
        (2, CommandRan(command="npm install", seconds=port / 1000, output=f"in {port} ms")),
        (2, SiteProbed(phase="probe", ok=True, url=f"http://localhost:{port}", picture=picture)),
        (3, TurnStarted(message="Look.")),
        (3, ActionChosen(action="verify", path="/", criteria="It shows.")),
        (3, BrowserStepped(phase="verify", step=1, action="see", picture=picture)),
        (3, Verified(path="/", criteria="It shows.", status=status, report=f"took {port} ms", steps=1, streak=1)),
    ]


def parting(a: Sequence[tuple[int, Known]], b: Sequence[tuple[int, Known]]) -> tuple[int | None, tuple[str, ...]] | None:
    found = first_divergence(moments(records(*a), head), moments(records(*b, t=9e9), head))
    return None if found is None else (found.a.seq if found.a else None, found.differs)


def test_times_ports_prose_and_pictures_are_no_difference() -> None:
    assert parting(episode(), episode(port=5123, picture=TWO)) is None


@pytest.mark.parametrize(
    ("change", "seq", "differs"),
    [
        ({"question": "Which colour?"}, 1, ("question",)),
        ({"manifest": TWO}, 5, ("manifest",)),
        ({"status": "success"}, 11, ("status",)),
    ],
)
def test_the_first_difference_is_found(change: dict[str, str], seq: int, differs: tuple[str, ...]) -> None:
    assert parting(episode(), episode(**change)) == (seq, differs)  # type: ignore[arg-type]


def test_of_other_actions_it_is_enough_to_say_so() -> None:
    other: list[tuple[int, Known]] = [(1, TurnStarted(message="x")), (1, ActionChosen(action="submit", stood=("submit",)))]
    assert parting(episode(), other) == (1, ("action",))


def test_one_that_is_over_sooner_parts_at_its_end() -> None:
    assert parting(episode()[:6], episode()) == (None, ("the end",))
    assert parting(episode(), episode()[:6]) == (9, ("the end",))


def test_what_a_resume_took_back_is_no_difference() -> None:
    taken: list[tuple[int, Known]] = [
        *episode()[:3],
        (2, TurnStarted(message="Go on.")),
        (2, ActionChosen(action="submit")),
        (1, EpisodeResumed(kept_turns=1, discards_from=3)),
        *episode()[3:],
    ]
    assert parting(episode(), taken) is None


def test_verdicts_part_two_sites_that_were_made_alike() -> None:
    def judged(*words: str) -> list[Record]:
        started = JudgingStarted(judge="checks", slots=2, manifest=ONE, turn_judged=2)
        return records(
            (3, started), *((3, SlotJudged(slot=slot, verdict=word, reason="x")) for slot, word in enumerate(words))
        )

    a, b = judged("passed", "passed"), judged("passed", "failed")
    found = first_divergence(verdict_moments(fold_judging(a), a), verdict_moments(fold_judging(b), b))
    assert found is not None and found.b is not None
    assert (found.equal, found.differs, found.b.told, found.b.judging) == (1, ("verdict",), "slot 1: failed", True)
    assert verdict_moments(None, ()) == []


def test_files() -> None:
    a = {"same": (ONE, 1), "gone": (ONE, 1), "other": (ONE, 1)}
    b = {"same": (ONE, 1), "new": (TWO, 2), "other": (TWO, 2)}
    assert [(file.path, file.op, file.size_a, file.size_b) for file in file_differences(a, b)] == [
        ("gone", "delete", 1, 0),
        ("new", "add", 0, 2),
        ("other", "change", 1, 2),
    ]


def test_pictures_are_paired_by_turn_and_by_the_number_of_the_verify() -> None:
    later: list[tuple[int, Known]] = [(turn + 1, event) for turn, event in episode(picture=TWO)]
    found = picture_pairs(fold(records(*episode())), fold(records(*later)))
    assert [(pair.label, pair.a, pair.b, pair.turn_a, pair.turn_b) for pair in found] == [
        ("turn 2", ONE, None, 2, 0),
        ("turn 3", None, TWO, 0, 3),
        ("verify 1", ONE, TWO, 3, 4),
    ]


def test_text_without_what_varies() -> None:
    assert normal("  at http://127.0.0.1:4173/x \n in 12.5 ms ") == "at http://127.0.0.1:PORT/x in TIME"
    assert normal("localhost:1 and [::1]:22, 3 seconds") == "localhost:PORT and [::1]:PORT, TIME"
    assert normal("3 slides, 10 sections") == "3 slides, 10 sections"
