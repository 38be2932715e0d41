-- Our TCR beside the published figures
SELECT p.model, p.persona, p.difficulty, p.statistic, p.value AS published,
       (SELECT round(100 * avg(e.tcr_clean), 2) FROM episodes e
        WHERE NOT e.scripted AND contains(lower(e.builder), lower(p.model))
          AND (p.persona IS NULL OR e.persona = p.persona) AND (p.difficulty IS NULL OR e.difficulty = p.difficulty)) AS ours
FROM published p
WHERE p.metric = 'tcr'
ORDER BY p.model NULLS LAST, p.persona NULLS FIRST, p.difficulty NULLS FIRST, p.statistic;
