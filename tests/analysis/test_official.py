"""The official analyser's figures: by hand on small frames, and on the official logs against what it printed itself."""

import csv
import io
import json
import math
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from iwtui.analysis.episodes import Asked
from iwtui.analysis.official import COUNTS, OfficialFigures, official_figures
from iwtui.analysis.policy import Policy
from iwtui.analysis.report import Row, report
from iwtui.analysis.spearman import student
from iwtui.archive.importers.official import import_logs
from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.official import kinds, questions
from iwtui.packs import shipped_personas
from tests.analysis.made import EVERY, episodes, insert
from tests.support.official import official_analysis, official_file, official_logs

C, I, V, S = "clarify", "implement", "verify", "submit"  # noqa: E741 - the actions' letters
ASK = '<boltAction type="ask_user">Which?</boltAction>'
FILE = '<boltArtifact id="a"><boltAction type="file" filePath="a">x</boltAction></boltArtifact>'
LOOK = '<boltAction type="screenshot_validated">/</boltAction>'
DONE = '<boltAction type="finish">x</boltAction>'


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Hello.", ()),
        (ASK + ASK, (C,)),
        (FILE + ASK + LOOK + DONE, (I, C, V, S)),
        (LOOK + FILE, (V, I)),
        (ASK.replace('"', "'"), ()),
        ("<boltAction type='shell'>ls</boltAction>", (I,)),
        ("<boltAction  type='start'>", (I,)),
        ('<boltAction  type="finish">', ()),
        (f"<think>{DONE}</think>", (S,)),
    ],
)
def test_a_message_as_the_official_analyser_reads_it(text: str, read: tuple[str, ...]) -> None:
    assert kinds(text) == read


def test_only_questions_in_whole_plain_tags_count() -> None:
    assert questions(ASK + ASK + ASK.replace('"', "'") + ASK.replace("</boltAction>", "")) == 2


def played(*turns: tuple[str, ...], status: str = "scored") -> OfficialFigures:
    """The figures of one episode with these turns."""
    con = episodes({"episode": "e", "status": status})
    for number, said in enumerate(turns, 1):
        row = {"episode": "e", "run": "r", "turn": number, "official_kinds": list(said), "official_questions": 0}
        insert(con, "turns", row)
    return official_figures(con, EVERY, [])[()]


def test_conflicts_are_counted_by_what_stood_first() -> None:
    row = played((I, V), (C, I), (I, C, V, S), (C, S), (), (S,)).means
    expected = {
        "asks": 1, "codes": 3, "verifies": 1, "submits": 3, "errors": 1, "ignored_asks": 2, "ignored_codes": 1,
        "ignored_verifies": 1, "conflicts_2": 3, "conflicts_3": 0, "conflicts_4": 1, "steal_steps": 1, "blind_executions": 1,
        "overlaps": 4, "asks_before_code": 0, "asks_after_code": 3, "steps": 9,
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected


def test_the_vci_counts_turns_with_conflicts_twice_and_ours_does_not() -> None:
    con = episodes({"episode": "e", "implements": 2, "verifies": 2})
    for number, said in enumerate([("implement", "verify"), ("implement",), ("verify",)], 1):
        row = {"episode": "e", "run": "r", "turn": number, "official_kinds": list(said), "official_questions": 0}
        insert(con, "turns", row)
    (row_of_all,) = report(con, EVERY, [], Policy.OFFICIAL)
    assert official(row_of_all).vci == pytest.approx(2 / 3)
    assert row_of_all.figures.vci == 1.0


@pytest.mark.parametrize(
    ("turns", "ended"),
    [
        (((C,), (I,), (V,), (), (I,)), "infinite loop"),
        (((I,), (V,), (C,), (I,)), "interrupted"),
        (((I,), (V,), (I,)), "interrupted"),
        (((I,), (V,), (I,), (S,)), "submit"),
        (((C, I),) * 8, "max turns"),
        (((I, V),) * 8, "infinite loop"),
        ((), "unknown"),
    ],
)
def test_how_an_episode_ended_is_told_by_its_sequence(turns: tuple[tuple[str, ...], ...], ended: str) -> None:
    assert {kind for kind, n in played(*turns).terminations.items() if n} == {ended}


def test_a_crash_is_an_end_of_its_own_unless_something_else_came_first() -> None:
    assert played((I,), (V,), status="crashed").terminations["crashed"] == 1
    assert played((I,), (S,), status="crashed").terminations["submit"] == 1


@pytest.mark.parametrize(
    ("t", "free", "inside"),
    [
        (1.0, 1, 0.5),
        (1.0, 2, 1 / math.sqrt(3)),
        (2.776445, 4, 0.95),
        (2.570582, 5, 0.95),
        (2.042272, 30, 0.95),
        (3.169273, 10, 0.99),
    ],
)
def test_students_t_against_the_tables(t: float, free: int, inside: float) -> None:
    assert student(t, free) == pytest.approx(inside, abs=1e-6)


class Figures:
    """The figures of the official logs by group, as a report gives them."""

    def __init__(self, store: Store, builder: str) -> None:
        index = Index(store)
        index.catch_up()
        runs = [run for run in store.runs() if run.startswith(builder)]
        self._index, self._asked = index, Asked(tuple(runs))

    def by(self, column: str) -> dict[object, Row]:
        """The rows of each value; all of them under None."""
        rows = self._index.read(lambda con: report(con, self._asked, [column], Policy.OFFICIAL))
        return {row.group.get(column): row for row in rows}


def official(row: Row) -> OfficialFigures:
    assert row.official is not None
    return row.official


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The official logs, with the verdicts of its judge of intent as it printed them."""
    archive, tasks, printed = official_logs(), official_file(), official_analysis()
    root = tmp_path_factory.mktemp("official")
    with tarfile.open(archive) as tar:
        tar.extractall(root, filter="data")
    details = {"scripted-core": intent(printed["C2"]), "scripted-extra": intent(printed["E"])}
    for builder, entries in details.items():
        (root / "official-logs" / builder / "intent_ask_evaluation.json").write_text(json.dumps({"details": entries}))
    store = Store(root / "store")
    done = import_logs(root, tasks, store, shipped_personas(), lambda _: None)
    assert not done.faults and not any(run.faults for run in done.runs)
    yield store


def intent(section: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in section.splitlines() if line.startswith('{"task_id')]


@pytest.fixture(scope="module")
def core(logs: Store) -> Figures:
    return Figures(logs, "scripted-core")


CSV = {
    "path_a_count": "asks", "path_b_count": "codes", "path_c_count": "verifies", "path_d_count": "submits",
    "ignored_a_count": "ignored_asks", "ignored_b_count": "ignored_codes", "ignored_c_count": "ignored_verifies",
    "ignored_d_count": "ignored_submits", "conflict_2_paths": "conflicts_2", "conflict_3_paths": "conflicts_3",
    "conflict_4_paths": "conflicts_4", "steal_step_count": "steal_steps", "blind_execution_count": "blind_executions",
    "ask_before_code_count": "asks_before_code", "ask_after_code_count": "asks_after_code", "total_steps": "steps",
    "overlap_actions_count": "overlaps",
}  # fmt: skip


@pytest.mark.parametrize(("builder", "section"), [("scripted-core", "B4"), ("scripted-extra", "D2")])
def test_every_line_of_the_official_table(logs: Store, builder: str, section: str) -> None:
    table = list(csv.DictReader(io.StringIO(official_analysis()[section].lstrip("\ufeff"))))
    rows = Figures(logs, builder).by("case_id")
    assert len(table) == len(rows) - 1
    for line in table:
        row = rows[line["task_id"]]
        if line["final_state"] == "CRASHED/UNFINISHED":
            continue  # see `test_unfinished_episodes_did_something`
        figures, found = row.figures, official(row)
        assert found.tcr_all == pytest.approx(float(line["tcr_score"]), abs=5e-5)
        assert figures.tcr == pytest.approx(float(line["tcr_score_no_hallu"]), abs=5e-5)
        assert figures.hr == float(line["hallucination_triggered"])
        assert {name: found.means[ours] for name, ours in CSV.items()} == {name: float(line[name]) for name in CSV}
        ended = next(kind for kind, count in found.terminations.items() if count)
        assert ended == line["termination_type"].strip("()").lower()


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d+", text)]


def test_tables_2_to_4(core: Figures) -> None:
    printed = official_analysis()["B3"].split("Table 2")[1]
    lines = [numbers(line) for line in printed.splitlines() if numbers(line) and "|" in line]
    table2, table3, table4 = lines
    difficulty, persona = core.by("difficulty"), core.by("persona")
    rows = [difficulty[d] for d in ("easy", "middle", "hard")] + [persona[p] for p in ("P-MIN", "P-RAM", "P-INT", "P-CON")]
    everything = persona[None]
    shown = [row.figures.tcr or 0.0 for row in [*rows, everything]]
    assert shown == pytest.approx(table2[:-1], abs=5e-5)
    assert 100 * (everything.figures.hr or 0) == pytest.approx(table2[-1], abs=0.05)
    found = official(everything)
    assert 100 * (found.ask_rate or 0) == pytest.approx(table3[0], abs=0.05)
    assert found.means["asks"] == pytest.approx(table3[1], abs=5e-5)
    vci, pcr, submit_rate, steps, clean = table4
    assert found.vci == pytest.approx(vci, abs=5e-5)
    assert 100 * (found.pcr or 0) == pytest.approx(pcr, abs=0.05)
    assert 100 * (found.submit_rate or 0) == pytest.approx(submit_rate, abs=0.05)
    assert found.means["steps"] == pytest.approx(steps, abs=5e-3)
    assert everything.figures.tcr == pytest.approx(clean, abs=5e-5)


def test_every_role_and_difficulty(core: Figures) -> None:
    printed = official_analysis()["B3"]
    for heading, column, fold in (("Role", "persona", str), ("Task Difficulty", "difficulty", str.lower)):
        rows = core.by(column)
        blocks = re.findall(rf"^{heading}: \[(\S+)\] .*?\n(.*?)(?=^\n|\n\n)", printed, re.MULTILINE | re.DOTALL)
        assert len(blocks) == len(rows) - 1
        for name, block in blocks:
            row = rows[fold(name)]
            found, lines = official(row), {line.strip().split(":")[0]: line for line in block.splitlines()}
            tcr, clean = numbers(lines["Average TCR Score"])
            assert found.tcr_all == pytest.approx(tcr, abs=5.1e-5)
            assert row.figures.tcr == pytest.approx(clean, abs=5.1e-5)
            assert 100 * (row.figures.hr or 0) == pytest.approx(numbers(lines["Hallucination Rate"])[0], abs=0.051)
            assert found.means["steps"] == pytest.approx(numbers(lines["Average Steps"])[0], abs=0.051)
            paths = numbers(lines["Average PATH Execution Counts"])
            assert [found.means[kind] for kind in ("asks", "codes", "verifies", "submits")] == pytest.approx(
                paths, abs=0.051
            )
            ends = {kind.lower(): int(n) for kind, n in re.findall(r"\(([^)]+)\): (\d+)", lines["Termination Reasons"])}
            assert {kind: n for kind, n in found.terminations.items() if n} == ends
            statuses = dict(re.findall(r"(\w+): (\d+)", lines["Status Distribution"].split(":", 1)[1]))
            assert row.figures.crashed == int(statuses.get("CRASHED", 0))
            assert (row.figures.sr or 0) * row.figures.n == pytest.approx(int(statuses.get("PASS", 0)))


def test_intent_questions_lines_and_their_correlation(core: Figures) -> None:
    told = official_analysis()["C2"]
    printed = json.loads(told[: told.index("\n{")])
    rows = core.by("persona")
    everything, all_figures = official(rows[None]), rows[None].figures
    overall = printed["aggregate_overall"]
    assert 100 * (all_figures.chr or 0) == pytest.approx(overall["avg_chr"], abs=5e-5)
    assert (all_figures.ias, everything.loc) == pytest.approx((overall["avg_ias"], overall["avg_loc"]), abs=5e-5)
    assert 100 * (everything.question_rate or 0) == pytest.approx(float(overall["ask_rate"].strip("%")), abs=0.05)
    assert everything.spearman == pytest.approx(printed["spearman_correlation"]["correlation"], abs=5e-5)
    assert everything.spearman_p == pytest.approx(printed["spearman_correlation"]["p_value"], abs=5e-5)
    for persona, expected in printed["aggregate_by_persona"].items():
        found, figures = official(rows[persona]), rows[persona].figures
        assert (figures.ias, found.loc) == pytest.approx((expected["avg_ias"], expected["avg_loc"]), abs=5e-5)
        assert 100 * (figures.hr or 0) == pytest.approx(expected["hallu_rate"], abs=5e-5)
        assert figures.known["chr"] == expected["valid_ask_tasks"] and found.evaluated == expected["total_tasks"]
        rate = None if expected["avg_chr"] == "N/A" else pytest.approx(expected["avg_chr"] / 100, abs=5e-5)
        assert figures.chr == rate
    lines = {entry["task_id"]: entry for entry in intent(told)}
    for task, row in core.by("case_id").items():
        if task is not None:
            entry = lines[str(task)]
            found = official(row)
            assert (found.means["questions"], found.loc) == (entry["questions_asked"], entry["loc"])
            assert row.figures.ias == entry["ias"]
            assert row.figures.chr == (None if entry["chr"] is None else pytest.approx(entry["chr"] / 100))


def test_format_errors_are_counted_once(core: Figures) -> None:
    """The official count adds its own to the one the harness stored, and stores the sum: it grows at every run."""
    table = csv.DictReader(io.StringIO(official_analysis()["B4"].lstrip("\ufeff")))
    theirs = {line["task_id"]: int(line["violating_chitchat_count"]) for line in table}
    pattern = r"(\d{6}_P-\w+) .*'FORMAT_ERROR_COUNT': (\d+)"
    stored = {task: int(count) for task, count in re.findall(pattern, official_analysis()["0"])}
    ours = {str(task): official(row).means["errors"] for task, row in core.by("case_id").items() if task}
    assert {task: stored[task] + (count or 0) for task, count in ours.items()} == theirs
    assert any(ours[task] != theirs[task] for task in ours)


def test_submitted_episodes_are_found(core: Figures) -> None:
    """The official group "Active Submit" compares with a word that is never stored, and is always empty."""
    assert "[Active Submit] (Total: 0 tasks)" in official_analysis()["B3"]
    assert official(core.by("persona")[None]).terminations["submit"] == 10


def test_no_question_is_no_hit_rate_of_0(logs: Store) -> None:
    """The official mean over no value is printed as 0."""
    assert "Overall CHR: 0.00%" in official_analysis()["E"]
    row = Figures(logs, "scripted-extra").by("persona")[None]
    assert (row.figures.chr, row.figures.known["chr"], official(row).evaluated) == (None, 0, 6)


def test_unfinished_episodes_did_something(logs: Store) -> None:
    """The official analyser reads only the finished history: an episode that broke off has no step and an unknown end."""
    row = Figures(logs, "scripted-extra").by("case_id")["000098_P-RAM"]
    assert (row.figures.infra, row.figures.tcr, row.figures.hr) == (1, 0.0, None)
    assert official(row).terminations["interrupted"] == 1 and official(row).evaluated == 0


def test_the_difficulty_is_known_without_the_task_file(tmp_path: Path, logs: Store) -> None:
    """The official analyser looks for files that are not shipped; the weights of the graded slots say it as well."""
    assert "Task Difficulty: [Unknown] (Total: 12 tasks)" in official_analysis()["A"]
    store = Store(tmp_path)
    import_logs(official_logs(), None, store, shipped_personas(), lambda _: None)
    with_file, without = Figures(logs, "scripted-core"), Figures(store, "scripted-core")
    tcr = [{d: row.figures.tcr for d, row in figures.by("difficulty").items()} for figures in (with_file, without)]
    assert tcr[0] == tcr[1] and set(tcr[0]) == {None, "easy", "middle", "hard"}


def test_counts_are_named_as_the_figures_have_them() -> None:
    assert set(CSV.values()) | {"errors", "questions"} == set(COUNTS)
    assert "means" in {field.name for field in msgspec.structs.fields(OfficialFigures)}
