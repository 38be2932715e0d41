-- TCR by persona and builder, with the number of episodes
SELECT persona, builder, count(*) AS episodes, count(tcr) AS with_tcr, avg(tcr) AS tcr, avg(tcr_clean) AS tcr_clean,
       avg(clarifies) AS clarifies, bool_or(scripted) AS scripted
FROM episodes
GROUP BY ALL
ORDER BY persona, builder;
