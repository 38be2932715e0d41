-- What builders do: questions, questions before any code, Verifies per Implement, submits, turns with several actions
SELECT builder, count(*) AS episodes, avg((clarifies > 0)::INT) AS ask_rate, avg(clarifies) AS asks,
       avg((position('C' IN actions) BETWEEN 1 AND position('I' IN actions || 'I') - 1)::INT) AS pcr,
       sum(verifies) / nullif(sum(implements), 0) AS vci, avg(contains(actions, 'S')::INT) AS submit_rate, avg(turns) AS turns,
       avg(conflicts) AS conflicts, avg(steal_steps) AS steal_steps, avg(blind_executions) AS blind_executions
FROM episodes
WHERE status IN ('scored', 'crashed')
GROUP BY builder
ORDER BY builder;
