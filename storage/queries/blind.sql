-- Episodes that wrote code without asking first, beside those that asked
SELECT builder, persona, clarifies > 0 AS asked, count(*) AS episodes, avg(tcr) AS tcr, avg(hallucinated::INT) AS hallucinated
FROM episodes
GROUP BY ALL
ORDER BY builder, persona, asked;
