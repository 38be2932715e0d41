"""The rows that sum an episode up, from its own log and those of its judgings; and which attempt counts."""

from collections import defaultdict

import duckdb

from iwtui.archive.annotations_read import EpisodeAnnotations
from iwtui.archive.annotations_rows import human_row
from iwtui.archive.choosing import counting_attempt, primary_judging
from iwtui.archive.reading import Reading
from iwtui.archive.rows import Rows
from iwtui.archive.run_folder import RunFolder, as_pass
from iwtui.archive.scan import LogKey
from iwtui.archive.state_rows import attempt_row, judging_row, measures_of, verdict_rows
from iwtui.bench.blame import blames
from iwtui.bench.names import EpisodeName, parse_stem
from iwtui.bench.status import Status


def add_summary(
    rows: Rows,
    folder: RunFolder,
    name: EpisodeName,
    readings: dict[LogKey, Reading],
    people: EpisodeAnnotations,
) -> None:
    """The rows of `attempts`, `judgings` and `verdicts` of one episode. `people`: what was said of it beside its judges."""
    case = folder.case_of(name)
    own = readings.pop(LogKey(name, ""), Reading())
    judged = {key.judging: reading for key, reading in readings.items()}
    passes = [as_pass(judging, reading.judging) for judging, reading in judged.items()]
    primary = primary_judging(passes, folder.plan.primary_judge, folder.plan.primary_model, people.primary)
    for judging, reading in judged.items():
        is_primary = {"is_primary": judging == primary}
        rows.add("judgings", judging_row(name, judging, case, reading.judging, reading.counts) | is_primary)
        causes = blames(case, own.episode, reading.judging, folder.blobs) if case else ()
        rows.extend("verdicts", [row | is_primary for row in verdict_rows(name, judging, case, reading.judging, causes)])
    shown = (primary, judged[primary].judging) if primary else None
    # Of several figures of one kind the primary judging's comes first, else the latest of the site as it was last.
    ordered = sorted(passes, key=lambda made: (made.judging == primary, made.turn, made.began, made.judging))
    measures = measures_of([judged[made.judging].judging for made in ordered])
    row = attempt_row(name, folder.plan, case, own.episode, own.counts, shown, measures)
    human = human_row(case, shown[1] if shown else None, row["status"], people.rulings(primary))
    rows.add("attempts", row | human | {"counts": False})


def mark_counting(con: duckdb.DuckDBPyConnection, run: str) -> None:
    """Mark the attempts of a run that count: one of each planned episode, none of a fork or a replay."""
    again = con.execute("SELECT kind FROM runs WHERE run = ?", [run]).fetchone() in (("fork",), ("replay",))
    played: dict[tuple[str, str, str, int], list[tuple[int, Status, str]]] = defaultdict(list)
    marked: set[str] = set()
    found = con.execute("SELECT episode, status, counts FROM attempts WHERE run = ?", [run]).fetchall()
    for episode, status, counts in found:
        name = parse_stem(run, episode.removeprefix(f"{run}/"))
        if name:
            played[name.played].append((name.attempt, Status(status), episode))
        if counts:
            marked.add(episode)
    counting: set[str] = set()
    if not again:
        for attempts in played.values():
            chosen = counting_attempt((number, status) for number, status, _ in attempts)
            counting |= {episode for number, _, episode in attempts if number == chosen}
    if wrong := marked ^ counting:
        con.execute("UPDATE attempts SET counts = NOT counts WHERE list_contains(?, episode)", [sorted(wrong)])
