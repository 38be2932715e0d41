-- What share of the failed slots was hidden by the instruction and never asked about?
-- Hidden: missing, contradicted or a metaphor. Asked about: a fact that the slot needs was picked for some question.
WITH asked AS (
    SELECT episode, list_distinct(flatten(list(coalesce(retrieved, [])))) AS facts FROM dialogue GROUP BY episode
)
SELECT e.builder, e.persona, count(*) AS failed_slots, count(*) FILTER (s.visibility <> 'stated') AS hidden,
       count(*) FILTER (s.visibility <> 'stated' AND NOT list_has_any(coalesce(a.facts, []), s.facts)) AS never_asked,
       never_asked / failed_slots AS share_never_asked
FROM verdicts v
JOIN episodes e USING (episode)
JOIN case_slots s ON s.run = e.run AND s.case_id = e.case_id AND s.slot = v.slot
LEFT JOIN asked a USING (episode)
WHERE v.is_primary AND v.verdict = 'failed' AND v.assertion = 'POSITIVE' AND s.visibility IS NOT NULL
GROUP BY ALL ORDER BY e.builder, e.persona;
