-- The turns that took longest
SELECT episode, turn, action, epoch(lead(t) OVER (PARTITION BY episode ORDER BY turn) - t) AS seconds, calls, browser_steps
FROM turns
WHERE NOT inherited
QUALIFY seconds IS NOT NULL
ORDER BY seconds DESC
LIMIT 50;
