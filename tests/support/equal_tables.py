"""The tables of a store as rows that can be compared with those of another store."""

from iwtui.archive.exporters.tables import run_tables
from iwtui.archive.index import Index
from iwtui.archive.store import Store

_BUILDER = "regexp_replace(e.builder, '[^A-Za-z0-9_+.-]+', '-', 'g')"
_OF = "JOIN episodes e USING (episode)"

ACROSS_FORMATS = {
    "verdicts": f"""v.slot, v.verdict, v.weight, v.assertion, v.kind, v.component, v.reason
        FROM verdicts v {_OF} WHERE v.is_primary""",
    "turns": f"""t.turn, t.action, t.stood, t.oddities, t.message, t.answer, t.question, t.criteria, t.verify_status,
        t.report, t.files_changed, t.loc, t.browser_steps, t.official_kinds, t.official_questions FROM turns t {_OF}""",
    "dialogue": f"d.turn, d.question, d.reply, d.disclosed FROM dialogue d {_OF}",
    "files": f"""f.turn, f.path, f.op, f.blob, f.size, f.added, f.removed, f.elided
        FROM files f {_OF} WHERE f.op <> 'refused'""",
    "steps": f"""s.turn, s.step, s.thought, s.action, s.target, s.result
        FROM browser_steps s {_OF} WHERE s.phase = 'verify'""",
    "evidence": f"""v.slot, s.action, s.target FROM verdicts v {_OF} JOIN browser_steps s
        ON s.episode = v.episode AND s.judging = v.judging AND s.event = v.evidence_event WHERE v.is_primary""",
    "episodes": """e.seed, e.persona, e.difficulty, e.status, e.stop_reason, e.turns, e.actions, e.clarifies, e.tcr,
        e.tcr_clean, e.sr, e.hallucinated, e.loc, e.files, e.manifest, e.chr, e.ias, e.vbr, e.aesthetics FROM episodes e""",
}
"""What the official format keeps of each table, after the case and the builder."""


def across_formats(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """The rows of each table as far as the official format holds them; names of runs and judgings are left out."""
    index = Index(store)
    index.catch_up()
    queries = {name: f"SELECT e.case_id, {_BUILDER} AS b, {query} ORDER BY ALL" for name, query in ACROSS_FORMATS.items()}
    return {name: index.read(lambda con, q=query: con.execute(q).fetchall()) for name, query in queries.items()}  # type: ignore[misc]


def whole_tables(store: Store, run: str) -> dict[str, list[tuple[object, ...]]]:
    """Every column of every table that has rows of a run."""
    index = Index(store)
    index.catch_up()
    return {
        table.name: index.read(
            lambda con, name=table.name: con.execute(f"SELECT * FROM {name} WHERE run = ? ORDER BY ALL", [run]).fetchall()  # type: ignore[misc]
        )
        for table in run_tables(index)
    }
