-- Faults of ours and of the site: failed calls, failed probes, warnings
SELECT episode, judging, seq, turn, kind,
       coalesce(event ->> '$.fault', event ->> '$.reason', event ->> '$.text') AS what, discarded
FROM events
WHERE kind = 'Warned' OR event ->> '$.fault' IS NOT NULL
ORDER BY episode, judging NULLS FIRST, seq;
