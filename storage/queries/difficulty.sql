-- TCR by difficulty and builder, with the number of episodes
SELECT difficulty, builder, count(*) AS episodes, count(tcr) AS with_tcr, avg(tcr) AS tcr, avg(tcr_clean) AS tcr_clean
FROM episodes
GROUP BY ALL
ORDER BY min(list_position(['easy', 'middle', 'hard'], difficulty)), builder;
