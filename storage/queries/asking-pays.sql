-- Do questions pay? TCR by how many were asked, against the mean of the same seed and builder
-- Within a seed, so that hard tasks, which are asked about more, do not hide it.
WITH scored AS (
    SELECT seed, builder, clarifies, tcr, tcr - avg(tcr) OVER (PARTITION BY seed, builder) AS above
    FROM episodes WHERE tcr IS NOT NULL
)
SELECT least(clarifies, 4) AS asked, clarifies >= 4 AS or_more, count(*) AS episodes, avg(tcr) AS tcr,
       avg(above) AS above_its_seed
FROM scored GROUP BY ALL ORDER BY asked;
