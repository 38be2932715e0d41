"""A store whose index holds very many episodes: whole run folders, and the rows of the episodes put in by SQL, without logs.

The same numbers each time. A run has 101 seeds × 4 personas × 5 builders × 5 repeats, the last one as many as are left.
"""

import sys
from pathlib import Path

import duckdb
import msgspec

from iwtui.archive.index import Index
from iwtui.archive.store import Store
from iwtui.bench.case import Assertion, Case, Slot, SlotKind
from tests.support.stores import make_case, make_run

EPISODES = 125_000
SEEDS = 101
PERSONAS = ("P-MIN", "P-RAM", "P-INT", "P-CON")
BUILDERS = tuple(f"maker/model-{letter}" for letter in "abcde")
REPEATS = 5
A_RUN = SEEDS * len(PERSONAS) * len(BUILDERS) * REPEATS
DIFFICULTIES = ("easy", "middle", "hard")
SLOTS = (
    *(Slot(f"Part {number}", "is there", Assertion.POSITIVE, SlotKind.CONTENT, 1 + number % 3) for number in range(7)),
    Slot("Unrequested", "nothing else", Assertion.NEGATIVE, SlotKind.UNREQUESTED, 1),
)

_PLAYED = """
CREATE TEMP TABLE played AS
WITH numbered AS (
    SELECT i, i // $a_run AS run_no, i % 101 AS seed_no, i // 101 % 4 AS persona_no, i // 404 % 5 AS builder_no,
           i // 2020 % 5 + 1 AS repeat, (hash(i) % 1000)::BIGINT AS fate, (hash(i + 7) % 100)::BIGINT AS luck
    FROM range($episodes) AS numbers(i)
)
SELECT i, luck, 'big' || lpad((run_no + 1)::VARCHAR, 2, '0') AS run, 'seed' || lpad(seed_no::VARCHAR, 3, '0') AS seed,
       $personas[persona_no + 1] AS persona, $builders[builder_no + 1] AS builder, repeat,
       $difficulties[seed_no % 3 + 1] AS difficulty, seed || '_' || persona AS case_id,
       CASE WHEN i % 50 = 0 THEN 2 ELSE 1 END AS attempt,
       CASE WHEN fate < 900 THEN 'scored' WHEN fate < 950 THEN 'crashed' WHEN fate < 980 THEN 'infra'
            WHEN fate < 990 THEN 'cancelled' ELSE 'running' END AS status,
       (hash(i + 1) % (persona_no + 2))::BIGINT AS clarifies, (1 + hash(i + 2) % 4)::BIGINT AS implements,
       (hash(i + 3) % 4)::BIGINT AS verifies,
       (hash(i + 4) % 20 = 0)::BIGINT AS malformed, (hash(i + 5) % 8 > 0 AND status <> 'running')::BIGINT AS submits,
       run || '/' || case_id || '.' || replace(builder, '/', '-') || '.r' || repeat || '.a' AS stem,
       20 + 6 * builder_no + (seed_no % 17) - 8 * persona_no AS skill
FROM numbered
"""

_VERDICTS = """
INSERT INTO verdicts BY NAME
SELECT stem || attempt AS episode, 'checks' AS judging, run, slot, 'checks' AS judge, true AS is_primary,
       CASE WHEN hash(i * 8 + slot) % 100 < skill + 20 THEN 'passed' WHEN hash(i * 8 + slot) % 5 = 0 THEN 'unobserved'
            ELSE 'failed' END AS verdict,
       1.0 + slot % 3 AS weight, CASE slot WHEN 7 THEN 'NEGATIVE' ELSE 'POSITIVE' END AS assertion,
       CASE slot WHEN 7 THEN 'unrequested' ELSE 'content' END AS kind, 'Part ' || slot AS component
FROM played, range(8) AS slots(slot)
WHERE status = 'scored'
ORDER BY run, case_id, builder, repeat, slot
"""

_JUDGINGS = """
INSERT INTO judgings BY NAME
SELECT episode, any_value(judging) AS judging, any_value(run) AS run, 'checks' AS judge, true AS is_primary,
       'scored' AS status, 8 AS slots, count_if(verdict = 'passed') AS passed, count_if(verdict = 'failed') AS failed,
       count_if(verdict = 'unobserved') AS unobserved, 0 AS unjudged,
       coalesce(sum(weight) FILTER (verdict = 'passed'), 0) / sum(weight) AS tcr,
       coalesce(sum(weight) FILTER (verdict = 'passed' AND slot < 7), 0) / sum(weight) FILTER (slot < 7) AS tcr_clean,
       bool_and(verdict = 'passed') AS sr, any_value(verdict) FILTER (slot = 7) = 'failed' AS hallucinated
FROM verdicts GROUP BY episode ORDER BY episode
"""

_ATTEMPTS = """
INSERT INTO attempts BY NAME
SELECT stem || p.attempt AS episode, p.run, case_id, 'made' AS pack, seed, persona, difficulty, 'en' AS language, builder,
       repeat, p.attempt, true AS counts, false AS scripted, p.status,
       CASE p.status
            WHEN 'scored' THEN CASE WHEN submits = 1 THEN 'submitted' WHEN luck < 50 THEN 'turns' ELSE 'deadlock' END
            WHEN 'crashed' THEN 'site' WHEN 'infra' THEN 'model' WHEN 'cancelled' THEN 'person' END AS stop_reason,
       make_timestamp((1800000000 + 60 * i) * 1000000) AS started, 30 + luck * 3.5 AS seconds,
       clarifies + implements + verifies + malformed + submits AS turns,
       rtrim(repeat('C ', clarifies) || repeat('M ', malformed) || repeat('I ', implements) || repeat('V ', verifies)
             || repeat('S ', submits)) AS actions,
       clarifies, implements, verifies, verifies // 2 AS failed_verifies, malformed, i % 11 // 10 AS conflicts,
       i % 22 // 21 AS steal_steps, i % 33 // 32 AS blind_executions,
       CASE WHEN luck % 10 = 0 THEN NULL ELSE clarifies // 2 END AS leaks, 12 + clarifies AS calls,
       900 * (implements + verifies) + luck AS tokens_in, 300 * implements + luck AS tokens_out,
       CASE WHEN luck >= 15 THEN 0.002 * (implements + verifies) + 0.0001 * luck END AS cost,
       (luck < 20)::BIGINT AS unpriced_calls,
       CASE WHEN luck % 25 > 0 THEN 40 + luck * 13 + 30 * implements END AS loc, 4 AS files,
       coalesce(j.tcr, CASE p.status WHEN 'crashed' THEN 0.0 END) AS tcr,
       coalesce(j.tcr_clean, CASE p.status WHEN 'crashed' THEN 0.0 END) AS tcr_clean,
       coalesce(j.sr, CASE p.status WHEN 'crashed' THEN false END) AS sr, j.hallucinated,
       CASE WHEN clarifies > 0 AND p.status = 'scored' THEN (luck % 9) / 8 END AS chr,
       CASE WHEN p.status = 'scored' THEN 1 + luck % 5 END AS ias,
       CASE WHEN luck % 3 > 0 THEN (luck % 12 = 1)::DOUBLE END AS vbr,
       CASE WHEN luck % 3 > 0 THEN 3 + luck % 3 END AS layout,
       CASE WHEN luck % 3 > 0 THEN 2 + luck % 4 END AS creative_alignment,
       CASE WHEN luck % 3 > 0 THEN 2 + luck % 3 END AS aesthetics,
       j.judging, j.judge, 0 AS resumes, 0 AS discarded, 0 AS warnings, 40 + 10 * implements AS events, 0 AS bad_lines
FROM played p LEFT JOIN judgings j ON j.episode = stem || p.attempt
ORDER BY p.run, case_id, builder, repeat
"""

_SUPERSEDED = """
INSERT INTO attempts BY NAME
SELECT stem || 1 AS episode, run, case_id, 'made' AS pack, seed, persona, difficulty, 'en' AS language, builder, repeat,
       1 AS attempt, false AS counts, false AS scripted, 'infra' AS status, 'model' AS stop_reason, 1 AS turns,
       'M' AS actions, 0 AS clarifies, 0 AS implements, 0 AS verifies, 1 AS malformed, 0 AS unpriced_calls
FROM played WHERE attempt = 2
"""

_TURNS = """
INSERT INTO turns BY NAME
SELECT episode, run, turn, letter AS action, [letter] AS stood,
       CASE WHEN turn = 2 AND i % 11 = 0 AND letter <> 'implement' THEN [letter, 'implement']
            WHEN letter = 'malformed' THEN [] ELSE [letter] END AS official_kinds,
       (letter = 'clarify')::BIGINT AS official_questions
FROM (
    SELECT i, stem || attempt AS episode, run, generate_subscripts(actions, 1) AS turn, unnest(actions) AS letter
    FROM (
        SELECT *, list_concat(
            repeat(['clarify'], clarifies), repeat(['malformed'], malformed), repeat(['implement'], implements),
            repeat(['verify'], verifies), repeat(['submit'], submits)) AS actions
        FROM played
    )
)
ORDER BY run, episode, turn
"""


def big_store(root: Path, episodes: int = EPISODES) -> Store:
    """A store with so many episodes, 8 slots each, about nine in ten of them scored."""
    store = Store(root)
    runs = -(-episodes // A_RUN)
    for number in range(runs):
        make_run(store, f"big{number + 1:02}", _cases(), BUILDERS, created=1.8e9 + number, repeats=REPEATS)
    index = Index(store)
    index.catch_up()
    with duckdb.connect(str(index.path)) as con:
        values = {
            "a_run": A_RUN,
            "episodes": episodes,
            "personas": list(PERSONAS),
            "builders": list(BUILDERS),
            "difficulties": list(DIFFICULTIES),
        }
        con.execute(_PLAYED, values)
        for statement in (_VERDICTS, _JUDGINGS, _ATTEMPTS, _SUPERSEDED, _TURNS):
            con.execute(statement)
        con.execute("CHECKPOINT")
    return store


def _cases() -> list[Case]:
    return [
        msgspec.structs.replace(
            make_case(f"seed{seed:03}", persona, SLOTS, DIFFICULTIES[seed % 3]),
            application_type=f"Type {seed % 7}",
            category=("Content Presentation", "User Interaction", "Data Management")[seed % 3],
        )
        for persona in PERSONAS
        for seed in range(SEEDS)
    ]


if __name__ == "__main__":
    print(big_store(Path(sys.argv[1])).root)
