-- Share of the lost weight by cause and persona, of the episodes that count
WITH lost AS (
    SELECT e.persona, coalesce(v.cause, 'not observed') AS cause, count(*) AS slots, sum(v.weight) AS weight,
        bool_or(v.cause_estimated) AS estimated
    FROM verdicts v
    JOIN episodes e ON e.episode = v.episode AND v.is_primary
    WHERE e.status = 'scored' AND v.verdict IN ('failed', 'unobserved')
    GROUP BY ALL
)
SELECT *, weight / sum(weight) OVER (PARTITION BY persona) AS share
FROM lost
ORDER BY persona, weight DESC, cause;
