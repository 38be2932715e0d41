-- Share of slots passed by how the instruction showed them
SELECT e.builder, coalesce(s.visibility, 'not noted') AS visibility, count(*) AS slots, avg((v.verdict = 'passed')::INT) AS passed
FROM verdicts v
JOIN episodes e ON e.episode = v.episode AND v.is_primary
JOIN case_slots s ON s.run = e.run AND s.case_id = e.case_id AND s.slot = v.slot
GROUP BY ALL
ORDER BY e.builder, visibility;
