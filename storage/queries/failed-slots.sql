-- Slots that fail most often, with how the instruction showed them
SELECT c.seed, v.slot, v.component, v.kind, s.visibility, count(*) FILTER (v.verdict <> 'passed') AS not_passed, count(*) AS judged
FROM verdicts v
JOIN episodes e ON e.episode = v.episode AND v.is_primary
JOIN cases c ON c.run = e.run AND c.case_id = e.case_id
JOIN case_slots s ON s.run = e.run AND s.case_id = e.case_id AND s.slot = v.slot
GROUP BY ALL
HAVING not_passed > 0
ORDER BY not_passed DESC, c.seed, v.slot;
