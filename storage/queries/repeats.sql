-- Cases played several times by one builder: how many of their repeats succeed, and how far their TCR lies apart
SELECT run, builder, case_id, count(*) AS repeats, count(*) FILTER (sr) AS succeeded, avg(tcr) AS tcr, stddev_samp(tcr) AS spread
FROM episodes
WHERE status IN ('scored', 'crashed')
GROUP BY ALL
HAVING repeats > 1
ORDER BY spread DESC NULLS LAST, run, builder, case_id;
