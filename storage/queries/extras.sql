-- What nobody asked for, by builder: functional (it does something) or decorative, as each judge has it
SELECT e.builder, j.judge, count(*) FILTER (m.metric = 'extra_functional') AS functional,
    count(*) FILTER (m.metric = 'extra_decorative') AS decorative, count(*) FILTER (m.metric = 'extra_unknown') AS unknown,
    round(count(*) FILTER (m.metric = 'extra_functional') / count(*) FILTER (m.metric <> 'extra_unknown'), 3) AS functional_share,
    count(DISTINCT m.episode) AS episodes
FROM measures m JOIN judgings j USING (episode, judging) JOIN episodes e USING (episode)
WHERE m.metric IN ('extra_functional', 'extra_decorative', 'extra_unknown')
GROUP BY ALL ORDER BY ALL;
