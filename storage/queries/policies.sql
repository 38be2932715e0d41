-- SR and TCR under each policy, and who counts: the figures of `iwtui report`
WITH counted AS (
    SELECT policy, status, coalesce(sr::INT, 0) AS success, sr IS NOT NULL OR status <> 'scored' AS sr_known,
           CASE policy WHEN 'official' THEN tcr_clean ELSE tcr END AS score
    FROM episodes, (VALUES ('default'), ('strict'), ('scored'), ('official')) AS policies(policy)
    WHERE CASE policy WHEN 'default' THEN status IN ('scored', 'crashed') WHEN 'scored' THEN status = 'scored'
          ELSE status <> 'running' END
)
SELECT policy, count(*) AS episodes, count(*) FILTER (status = 'scored') AS scored, count(*) FILTER (status = 'crashed') AS crashed,
       count(*) FILTER (status = 'infra') AS infra, count(*) FILTER (status = 'cancelled') AS cancelled,
       avg(success) FILTER (sr_known OR policy IN ('strict', 'official')) AS sr,
       avg(CASE WHEN policy IN ('strict', 'official') THEN coalesce(score, 0) ELSE score END) AS tcr
FROM counted
GROUP BY policy
ORDER BY list_position(['default', 'strict', 'scored', 'official'], policy);
