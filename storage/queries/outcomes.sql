-- How the episodes ended, by run and builder
SELECT run, builder, status, stop_reason, count(*) AS episodes, avg(turns) AS turns, sum(seconds) AS seconds
FROM episodes
GROUP BY ALL
ORDER BY run, builder, episodes DESC;
