-- Share of the lost weight by cause and persona, of the episodes that count
SELECT e.persona, coalesce(v.cause, 'not observed') AS cause, count(*) AS slots, sum(v.weight) AS weight,
    sum(v.weight) / sum(sum(v.weight)) OVER (PARTITION BY e.persona) AS share, bool_or(v.cause_estimated) AS estimated
FROM verdicts v
JOIN episodes e ON e.episode = v.episode AND v.is_primary
WHERE e.status = 'scored' AND v.verdict IN ('failed', 'unobserved')
GROUP BY ALL
ORDER BY e.persona, weight DESC;
