-- How often did Verify say success where the judge then failed a slot?
-- Of each episode the last Verify counts: what the builder believed when it went on.
WITH believed AS (
    SELECT episode, arg_max(verify_status, turn) AS last_verify, arg_max(turn, turn) AS turn
    FROM turns WHERE verify_status IS NOT NULL GROUP BY episode
)
SELECT e.builder, b.last_verify, count(*) AS episodes, count(*) FILTER (e.tcr < 1) AS with_failed_slots,
       with_failed_slots / episodes AS share, avg(e.tcr) AS tcr
FROM episodes e JOIN believed b USING (episode)
WHERE e.tcr IS NOT NULL
GROUP BY e.builder, b.last_verify ORDER BY e.builder, b.last_verify;
