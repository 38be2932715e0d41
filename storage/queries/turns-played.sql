-- TCR and hallucination by the number of turns played
SELECT turns, count(*) AS episodes, avg(tcr) AS tcr, avg(hallucinated::INT) AS hallucinated, avg(loc) AS loc
FROM episodes
WHERE status IN ('scored', 'crashed')
GROUP BY turns
ORDER BY turns;
