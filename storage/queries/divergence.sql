-- Where do repeats of the same case by the same builder first part? The turn, and what each did there
-- The first repeat against each other; those that never part played the same actions to the end.
WITH played AS (
    SELECT run, case_id, builder, repeat, episode, string_split(actions, ' ') AS actions, tcr
    FROM episodes WHERE status IN ('scored', 'crashed') AND actions IS NOT NULL
)
SELECT a.run, a.case_id, a.builder, b.repeat,
       list_min([i FOR i IN range(1, greatest(len(a.actions), len(b.actions)) + 1)
                 IF a.actions[i] IS DISTINCT FROM b.actions[i]]) AS parts_at_turn,
       a.actions[parts_at_turn] AS first_did, b.actions[parts_at_turn] AS this_did,
       b.tcr - a.tcr AS tcr_difference, b.episode
FROM played a JOIN played b ON (a.run, a.case_id, a.builder) = (b.run, b.case_id, b.builder) AND a.repeat = 1 AND b.repeat > 1
ORDER BY abs(tcr_difference) DESC NULLS LAST, a.run, a.case_id, a.builder, b.repeat;
