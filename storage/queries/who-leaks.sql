-- Which clients tell what they were not asked for, and in answer to what?
SELECT r.client, e.persona, count(*) AS answers, count(*) FILTER (len(d.leaked) > 0) AS with_a_leak,
       with_a_leak / answers AS share, sum(len(d.leaked)) AS facts_leaked,
       any_value(d.episode) FILTER (len(d.leaked) > 0) AS episode, any_value(d.question) FILTER (len(d.leaked) > 0) AS question
FROM dialogue d JOIN episodes e USING (episode) JOIN runs r ON r.run = e.run
WHERE d.answered_by = 'client' AND d.leaked IS NOT NULL
GROUP BY r.client, e.persona ORDER BY share DESC, r.client, e.persona;
