-- Calls, tokens, time and cost by role and model
SELECT role, model, count(*) AS calls, count(error) AS faults, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
       sum(cost) AS cost, count(*) - count(cost) AS unpriced, median(latency) AS median_latency, max(latency) AS worst_latency
FROM calls
WHERE NOT inherited
GROUP BY ALL
ORDER BY calls DESC;
