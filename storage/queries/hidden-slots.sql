-- Which requirements pass when the client tells everything (P-RAM), and fail when it tells little (P-MIN)?
-- Slots of the same seed by the same builder; the ones that only the brief client costs come first.
SELECT e.seed, v.slot, any_value(v.component) AS component, any_value(v.kind) AS kind,
       avg((v.verdict = 'passed')::INT) FILTER (e.persona = 'P-RAM') AS passed_ram,
       avg((v.verdict = 'passed')::INT) FILTER (e.persona = 'P-MIN') AS passed_min,
       count(*) FILTER (e.persona = 'P-RAM') AS n_ram, count(*) FILTER (e.persona = 'P-MIN') AS n_min
FROM verdicts v JOIN episodes e USING (episode)
WHERE v.is_primary AND e.persona IN ('P-MIN', 'P-RAM')
GROUP BY e.seed, v.slot
HAVING n_ram > 0 AND n_min > 0 AND passed_ram > passed_min
ORDER BY passed_ram - passed_min DESC, e.seed, v.slot;
