-- Which slots each turn gained and lost again, once every turn of a run was judged
WITH passing AS (
    SELECT
        scores.episode, scores.judge, scores.model, scores.turn, scores.tcr, slots.slot,
        coalesce(verdicts.verdict = 'passed', false) AS passes
    FROM scores_by_turn AS scores
    JOIN attempts USING (episode)
    JOIN case_slots AS slots ON slots.run = scores.run AND slots.case_id = attempts.case_id
    LEFT JOIN verdicts ON verdicts.episode = scores.episode AND verdicts.judging = scores.judging AND verdicts.slot = slots.slot
), changes AS (
    SELECT *, lag(passes, 1, false) OVER (PARTITION BY episode, judge, model, slot ORDER BY turn) AS passed_before
    FROM passing
)
SELECT
    episode, judge, turn, any_value(tcr) AS tcr,
    list(slot ORDER BY slot) FILTER (passes AND NOT passed_before) AS gained,
    list(slot ORDER BY slot) FILTER (passed_before AND NOT passes) AS lost
FROM changes
GROUP BY episode, judge, model, turn
ORDER BY episode, judge, model, turn
