-- Where does the time go? Seconds by what the builder did, and of them in calls of models
WITH timed AS (
    SELECT t.episode, t.turn, t.action, epoch(coalesce(lead(t.t) OVER w, e.started + to_seconds(e.seconds)) - t.t) AS seconds
    FROM turns t JOIN episodes e USING (episode)
    WHERE e.status <> 'running' AND t.action IS NOT NULL
    WINDOW w AS (PARTITION BY t.episode ORDER BY t.turn)
), models AS (
    SELECT episode, turn, sum(latency) AS seconds FROM calls WHERE judging IS NULL AND NOT coalesce(discarded, false) GROUP BY ALL
)
SELECT timed.action, count(*) AS turns, sum(timed.seconds) AS seconds, median(timed.seconds) AS median, max(timed.seconds) AS worst,
       sum(models.seconds) AS in_models, arg_max(timed.episode, timed.seconds) AS episode, arg_max(timed.turn, timed.seconds) AS turn
FROM timed LEFT JOIN models USING (episode, turn)
WHERE timed.seconds IS NOT NULL
GROUP BY timed.action ORDER BY seconds DESC;
