-- Turns with several actions, by builder, as the official analyser reads them: steal-step, blind execution, format errors
SELECT e.builder, count(*) AS turns,
       count(*) FILTER (len(official_kinds) > 1) AS several_actions,
       count(*) FILTER (len(official_kinds) = 2 AND official_kinds[1] = 'implement') AS steal_steps,
       count(*) FILTER (len(official_kinds) = 2 AND official_kinds[2] = 'implement') AS blind_executions,
       count(*) FILTER (len(official_kinds) = 0) AS format_errors
FROM episodes e JOIN turns t USING (episode)
WHERE official_kinds IS NOT NULL
GROUP BY ALL ORDER BY turns DESC
