-- Does understanding the client (IAS, CHR) go with doing what it wanted (TCR)?
SELECT builder, persona, count(ias) AS n, avg(ias) AS ias, avg(chr) AS chr, avg(tcr) FILTER (ias IS NOT NULL) AS tcr,
       corr(ias, tcr) AS ias_with_tcr, corr(chr, tcr) AS chr_with_tcr
FROM episodes
GROUP BY GROUPING SETS ((builder, persona), (builder), ())
HAVING n > 0
ORDER BY builder NULLS LAST, persona NULLS LAST;
