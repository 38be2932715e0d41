-- Verdicts: what each judging says of each slot. Key: episode, judging, slot. Whole once the judging is scored; none when a fault of ours ended it.
CREATE TABLE verdicts (
    episode VARCHAR NOT NULL,      -- episode that was judged
    judging VARCHAR NOT NULL,      -- judging
    run VARCHAR NOT NULL,          -- run
    slot BIGINT NOT NULL,          -- number of the slot, from 0
    judge VARCHAR,                 -- the judge
    is_primary BOOLEAN,            -- whether the judging is the primary one
    verdict VARCHAR,               -- passed, failed, unobserved or unjudged
    weight DOUBLE,                 -- the paper's weight of the slot
    assertion VARCHAR,             -- POSITIVE or NEGATIVE
    kind VARCHAR,                  -- kind of the slot
    component VARCHAR,             -- target component of the slot
    reason VARCHAR,                -- the judge's reason, or its beginning
    evidence_event BIGINT,         -- seq, in the judging's log, of the browser step that decided it
    seconds DOUBLE,                -- time the slot took; NULL when not measured
    cause VARCHAR,                 -- why it failed: never asked, answer ignored, missed, not verified, verified wrong, or hallucinated (functional, decorative); NULL unless failed
    cause_turn BIGINT,             -- turn that decided it; for never asked the blind turn: the first to write code about what nobody knew
    cause_estimated BOOLEAN        -- how the instruction shows the slot was told by words, since nobody noted it
);
