-- What does one more passed slot cost? Dollars, tokens and minutes by builder
-- Only episodes that were scored; the cost is known when every call had a price.
WITH passed AS (
    SELECT episode, count(*) FILTER (verdict = 'passed') AS slots FROM verdicts WHERE is_primary GROUP BY episode
)
SELECT e.builder, bool_or(e.scripted) AS scripted, count(*) AS episodes, sum(p.slots) AS passed_slots,
       CASE WHEN sum(e.unpriced_calls) = 0 THEN sum(e.cost) / nullif(sum(p.slots), 0) END AS dollars_a_slot,
       sum(e.tokens_in + e.tokens_out) / nullif(sum(p.slots), 0) AS tokens_a_slot,
       sum(e.seconds) / 60 / nullif(sum(p.slots), 0) AS minutes_a_slot
FROM episodes e JOIN passed p USING (episode)
WHERE e.status = 'scored'
GROUP BY e.builder ORDER BY tokens_a_slot NULLS LAST, e.builder;
