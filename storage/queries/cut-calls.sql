-- Which answers were cut by the limit of their length, and what became of their episodes?
SELECT c.role, c.model, c.episode, c.judging, c.turn, c.event, c.tokens_out, e.status, e.tcr,
       right(c.reply, 80) AS last_words_kept
FROM calls c LEFT JOIN attempts e USING (episode)
WHERE c.finish_reason IN ('length', 'max_tokens') AND NOT coalesce(c.discarded, false)
ORDER BY c.model, c.episode, c.event;
