"""A comparison as tables. The csv is one table: every slot, then what stands apart, or the turns of two episodes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from iwtui.bench.cells import Cells
from iwtui.bench.text import one_line
from iwtui.cli.output import WRITERS, Written, counted

if TYPE_CHECKING:
    from iwtui.analysis.compare import Comparison, Difference, Group, SideOf
    from iwtui.analysis.compare_episodes import FileDifference, Moment, Said
    from iwtui.analysis.compare_logs import EpisodeComparison
    from iwtui.analysis.compare_slots import SlotChange

LISTS = {
    "newly_failing": "newly failing",
    "newly_fixed": "newly fixed",
    "still_failing": "still failing",
    "not_seen": "not seen on one side or both (no failure)",
    "changed": "slots that are not the same",
}
"""The changes that are listed slot by slot, and what they are called."""

PERCENT = {"tcr": "TCR %", "tcr_clean": "POSITIVE %", "sr": "SR %", "hr": "HR %", "asked": "asked %"}
PLAIN = {"turns": "turns", "cost": "$"}

SLOTS = ("case", "repeat", "slot", "kind", "W", "component", "expected", "A", "B", "why")
APART = ("case", "repeat", "builder", "A", "B", "why")
CSV = (
    "change",
    "case_id",
    "repeat",
    "builder",
    "slot",
    "kind",
    "assertion",
    "weight",
    "component",
    "expected",
    "a",
    "b",
    "reason_a",
    "reason_b",
    "why",
    "episode_a",
    "episode_b",
)


def write_comparison(found: "Comparison", form: str, out: TextIO) -> None:
    """All of it as tables with titles, or as one csv."""
    if form == "csv":
        WRITERS[form](CSV, [*(_csv_slot(slot) for slot in found.slots), *_csv_apart(found)], out)
        return
    for name, side in (("A", found.a), ("B", found.b)):
        out.write(_side(name, side) + "\n")
    pairing = "case, repeat and builder" if found.by_builder else "case and repeat"
    out.write(f"{counted(found.pairs, 'pair')} by {pairing}; policy {found.policy}\n")
    measures = ("figure", "n", "A", "B", "B − A", "95 %")
    _section("paired difference", measures, _measures(found.groups[0]), form, out)
    if found.by:
        groups = (*found.by, "n", "Δ TCR %", "95 %", "Δ SR %", "95 %", "Δ HR %", "95 %")
        _section(f"B − A by {', '.join(found.by)}", groups, _groups(found), form, out)
    by_change = [(change, title, [slot for slot in found.slots if slot.change == change]) for change, title in LISTS.items()]
    for change, title, slots in by_change:
        if slots or change in ("newly_failing", "newly_fixed", "still_failing"):
            _section(f"{title}: {counted(len(slots), 'slot')}", SLOTS, [_slot(slot) for slot in slots], form, out)
    passing = sum(slot.change == "still_passing" for slot in found.slots)
    out.write(f"\nstill passing: {counted(passing, 'slot')}\n")
    kinds = [[each.kind, each.change.replace("_", " "), each.slots, Written(f"{each.weight:.2f}")] for each in found.kinds]
    _section("by kind of slot", ("kind", "change", "slots", "W"), kinds, form, out)
    changes = [
        [each.case_id, each.repeat, each.change.replace("_", " "), _share(each.tcr_a), _share(each.tcr_b)]
        for each in found.episodes
    ]
    _section("episodes", ("case", "repeat", "change", "A TCR %", "B TCR %"), changes, form, out)
    apart = [[each.case_id, each.repeat, each.builder, each.status_a, each.status_b, each.why] for each in found.apart]
    _section(f"apart, no failures: {counted(len(apart), 'case')}", APART, apart, form, out)


def write_episodes(found: "EpisodeComparison", form: str, out: TextIO) -> None:
    """Where two episodes part, their files and what they said; as csv only what they said."""
    said = [[turn, *_said(a), *_said(b)] for turn, a, b in found.dialogue]
    columns = ("turn", "A", "A asks or wants", "A is told", "B", "B asks or wants", "B is told")
    if form == "csv":
        WRITERS[form](columns, said, out)
        return
    for name, episode in (("A", found.a), ("B", found.b)):
        out.write(f"{name}: {one_line(str(episode.name), 200)}, {episode.status}, {counted(episode.state.turn, 'turn')}\n")
    if found.divergence is None:
        out.write("\nThe two did the same from beginning to end.\n")
    else:
        parting = found.divergence
        equal = counted(parting.equal, "step")
        out.write(f"\nThey part after {equal} in common, by {', '.join(parting.differs)}:\n")
        for name, moment in (("A", parting.a), ("B", parting.b)):
            out.write(f"  {name} {_moment(moment)}\n")
        _section("files after that turn", ("file", "change", "A bytes", "B bytes"), _files(found.files_then), form, out)
    _section("files at the end", ("file", "change", "A bytes", "B bytes"), _files(found.files), form, out)
    pictures = [[pair.label, (pair.a or "")[:12] or None, (pair.b or "")[:12] or None] for pair in found.pictures]
    _section("pictures", ("of", "A blob", "B blob"), pictures, form, out)
    _section("dialogues", columns, said, form, out)


def _section(title: str, columns: Sequence[str], rows: Sequence[Cells], form: str, out: TextIO) -> None:
    heading = f"## {title}\n\n" if form == "markdown" else f"{title}\n"
    out.write(f"\n{heading}")
    if rows:
        WRITERS[form](columns, rows, out)
    else:
        out.write("none\n")


def _side(name: str, side: "SideOf") -> str:
    played = f", {side.scripted} scripted" if side.scripted else ""
    judged = f", judged by {', '.join(side.judges)}" if side.judges else ""
    said = f"{name}: {side.asked}: {counted(side.episodes, 'episode')} by {', '.join(side.builders)}{played}{judged}"
    return one_line(said, 300)


def _measures(group: "Group") -> list[list[object]]:
    """All that is subtracted, a line each; the group tables have the figures that matter most."""
    return [
        [title, found.n, _plain(found.a, measure), _plain(found.b, measure), *_signed(found, measure)]
        for measure, title in (PERCENT | PLAIN).items()
        for found in [group.differences[measure]]
    ]


def _groups(found: "Comparison") -> list[list[object]]:
    rows = []
    for group in found.groups[1:]:
        cells: list[object] = [*(group.group[name] for name in found.by), group.differences["tcr"].n]
        for measure in ("tcr", "sr", "hr"):
            cells += _signed(group.differences[measure], measure)
        rows.append(cells)
    return rows


def _signed(found: "Difference", measure: str) -> list[Written | None]:
    """The difference with its sign, in points for a share, and its interval."""
    factor, places = _scale(measure)
    if found.difference is None:
        return [None, None]
    mean = Written(f"{factor * found.difference:+.{places}f}")
    if found.low is None or found.high is None:
        return [mean, None]
    return [mean, Written(f"{factor * found.low:+.{places}f} to {factor * found.high:+.{places}f}")]


def _plain(value: float | None, measure: str) -> Written | None:
    factor, places = _scale(measure)
    return None if value is None else Written(f"{factor * value:.{places}f}")


def _scale(measure: str) -> tuple[int, int]:
    """What a figure is multiplied by, and its places."""
    return (100, 1) if measure in PERCENT else (1, 2)


def _share(value: float | None) -> Written | None:
    return None if value is None else Written(f"{100 * value:.1f}")


def _slot(slot: "SlotChange") -> list[object]:
    return [
        slot.case_id,
        slot.repeat,
        slot.slot,
        slot.kind,
        Written(f"{slot.weight:.2f}"),
        slot.component,
        slot.expected,
        slot.verdict_a,
        slot.verdict_b,
        slot.why or slot.reason_b,
    ]


def _csv_slot(slot: "SlotChange") -> list[object]:
    return [
        slot.change.value,
        slot.case_id,
        slot.repeat,
        slot.builder,
        slot.slot,
        slot.kind,
        slot.assertion,
        slot.weight,
        slot.component,
        slot.expected,
        slot.verdict_a,
        slot.verdict_b,
        slot.reason_a,
        slot.reason_b,
        slot.why,
        slot.episode_a,
        slot.episode_b,
    ]


def _csv_apart(found: "Comparison") -> list[list[object]]:
    nothing = [None] * 6
    return [
        [
            "apart",
            each.case_id,
            each.repeat,
            each.builder,
            *nothing,
            each.status_a,
            each.status_b,
            None,
            None,
            each.why,
            *names,
        ]
        for each in found.apart
        for names in [(each.episode_a, each.episode_b)]
    ]


def _files(files: "Sequence[FileDifference]") -> list[list[object]]:
    return [[each.path, each.op, each.size_a, each.size_b] for each in files]


def _moment(moment: "Moment | None") -> str:
    if moment is None:
        return "was over"
    where = "judging event" if moment.judging else "event"
    return f"turn {moment.turn}, {where} {moment.seq}: {one_line(moment.told, 300)}"


def _said(said: "Said | None") -> list[object]:
    return [None, None, None] if said is None else [said.action, said.asked, said.answer]
