-- Slots on which people say otherwise than the judge, or do not agree
SELECT v.episode, v.judging, v.slot, v.component, v.verdict AS judge_says, h.verdict AS people_say, h.disputed, h.passes, h.fails,
    h.authors
FROM verdicts v JOIN human_verdicts h USING (episode, judging, slot)
WHERE h.disputed OR (h.verdict = 'passed') <> (v.verdict = 'passed')
ORDER BY v.episode, v.slot;
